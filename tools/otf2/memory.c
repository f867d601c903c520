// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What memory OTF2 has for each location.
 *
 * OTF2 copies each chunk that is full into a buffer of 4 MiB for its file, unless there is no
 * memory for that: then it writes it.  As no option says so, its static library is linked with
 * --wrap=malloc (tools/view/build.mk), and is told that there is none.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "memory.h"

#define FILE_BUFFER_BYTES	(4u << 20)

static bool limited;

void *__wrap_malloc(size_t size);
void *__real_malloc(size_t size);

void *__wrap_malloc(size_t size)
{
	if (__builtin_expect(limited && size == FILE_BUFFER_BYTES, 0))
		return NULL;
	return __real_malloc(size);
}

void memory_limit(bool limits)
{
	limited = limits;
}

struct chunk {
	void *bytes;
	uint64_t size;
	bool used;
};

/*
 * The last one that was given back: definitions of a location need one of 4 MiB for a moment, which
 * OTF2 clears, so that new memory would be a thousand page faults a location.
 */
static struct {
	void *bytes;
	uint64_t size;
} spare;

static void *take_bytes(uint64_t size)
{
	void *bytes = spare.bytes;

	if (bytes && spare.size == size) {
		spare.bytes = NULL;
		return bytes;
	}
	bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return bytes == MAP_FAILED ? NULL : bytes;
}

static void give_back(void *bytes, uint64_t size)
{
	if (spare.bytes)
		munmap(spare.bytes, spare.size);
	spare.bytes = bytes;
	spare.size = size;
}

static void *allocate(void *context, OTF2_FileType type, OTF2_LocationRef location, void **data,
		      uint64_t size)
{
	struct chunk *chunk = *data;

	if (!chunk) {
		chunk = calloc(1, sizeof(*chunk));
		*data = chunk;
	}
	if (!chunk || chunk->used)
		return NULL;
	if (!chunk->bytes) {
		chunk->size = size;
		chunk->bytes = take_bytes(size);
	}
	chunk->used = chunk->bytes;
	return chunk->bytes;
}

static void free_all(void *context, OTF2_FileType type, OTF2_LocationRef location, void **data,
		     bool final)
{
	struct chunk *chunk = *data;

	if (!chunk)
		return;
	chunk->used = false;
	if (!final)
		return;
	if (chunk->bytes)
		give_back(chunk->bytes, chunk->size);
	free(chunk);
	*data = NULL;
}

const OTF2_MemoryCallbacks memory_callbacks = {
	.otf2_allocate = allocate,
	.otf2_free_all = free_all,
};
