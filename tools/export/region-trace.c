// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads a region trace of a process: its header, the places of each thread's chunks, and the names
 * of functions.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "lib/base/array.h"
#include "lib/base/io.h"
#include "region-trace.h"
#include "run.h"

static int say(const struct region_trace_file *file, int error)
{
	pr_err("%s: can't be read: %s", file->path ? file->path : "a trace of regions",
	       strerror(-error));
	return EXIT_FAILED;
}

/* ---- Chunks ---- */

/* Returns true if the times are in order, and small enough that no computation overflows. */
static bool are_times(const struct region_trace_time *begin, const struct region_trace_time *end)
{
	const uint64_t most = UINT64_C(1) << 62;

	return begin->ns <= end->ns && end->ns < most && begin->ticks <= end->ticks &&
	       end->ticks - begin->ticks < most;
}

bool region_trace_is_chunk(const struct region_trace_chunk *chunk)
{
	return chunk->magic == REGION_TRACE_CHUNK_MAGIC &&
	       (chunk->thread == REGION_TRACE_NAMES || are_times(&chunk->begin, &chunk->end));
}

static void note_times(struct region_trace_file *file, const struct region_trace_chunk *chunk)
{
	uint64_t width_ns = chunk->begin.width_ns > chunk->end.width_ns ? chunk->begin.width_ns :
								       chunk->end.width_ns;

	if (chunk->begin.ns < file->begin_ns)
		file->begin_ns = chunk->begin.ns;
	if (chunk->end.ns > file->end_ns)
		file->end_ns = chunk->end.ns;
	if (width_ns / 2 + width_ns % 2 > file->error_ns)
		file->error_ns = width_ns / 2 + width_ns % 2;
}

static int note_symbols(struct region_trace_file *file, const uint64_t *words, uint64_t count)
{
	for (uint64_t i = 0; i < count && words[i]; i += region_trace_length(words[i])) {
		struct region_trace_symbol *symbol;
		size_t length = region_trace_value(words[i]);

		if (region_trace_kind(words[i]) != REGION_TRACE_SYMBOL ||
		    length > REGION_TRACE_TEXT_MAX || region_trace_length(words[i]) > count - i)
			break;
		if (array_reserve(&file->symbols, &file->symbol_capacity, file->symbol_count,
				  sizeof(*file->symbols)))
			return -ENOMEM;
		symbol = &file->symbols[file->symbol_count];
		symbol->address = words[i + 1];
		symbol->name = strndup((const char *)&words[i + 2], length);
		if (!symbol->name)
			return -ENOMEM;
		file->symbol_count++;
	}
	return 0;
}

static int note_chunk(struct region_trace_file *file, const struct region_trace_chunk *chunk,
		      uint64_t words, uint64_t offset)
{
	if (chunk->thread == REGION_TRACE_NAMES)
		return note_symbols(file, chunk->words, words);
	if (array_reserve(&file->chunks, &file->chunk_capacity, file->chunk_count,
			  sizeof(*file->chunks)))
		return -ENOMEM;
	file->chunks[file->chunk_count++] = (struct region_trace_place) {
		.thread = chunk->thread, .sequence = chunk->sequence, .offset = offset,
	};
	note_times(file, chunk);
	return 0;
}

/* Reads chunks of function names completely, and only the head of other chunks. */
static int read_chunks(struct region_trace_file *file, struct region_trace_chunk *chunk)
{
	uint64_t bad = 0;

	for (uint64_t offset = REGION_TRACE_HEADER_BYTES;; offset += REGION_TRACE_CHUNK_BYTES) {
		ssize_t got = io_read_at(file->fd, chunk, sizeof(*chunk), offset);
		int error;

		if (got < 0)
			return got;
		if (got < (ssize_t)sizeof(*chunk)) {
			/* The end; a partial chunk head counts as a bad chunk. */
			file->bad_chunks = bad + (got > 0);
			return 0;
		}
		if (!region_trace_is_chunk(chunk)) {
			/* Holes can be of any size, so check for signals. */
			if (!(++bad & 0xfff) && interrupted)
				return -EINTR;
			continue;
		}
		if (chunk->thread == REGION_TRACE_NAMES) {
			got = io_read_at(file->fd, chunk, REGION_TRACE_CHUNK_BYTES, offset);
			if (got < (ssize_t)sizeof(*chunk))
				return got < 0 ? got : -EIO;
		}
		error = note_chunk(file, chunk, (got - sizeof(*chunk)) / sizeof(chunk->words[0]),
				   offset);
		if (error)
			return error;
	}
}

/* ---- Threads ---- */

static int compare_places(const void *a, const void *b)
{
	const struct region_trace_place *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->sequence != y->sequence)
		return x->sequence < y->sequence ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

static int compare_symbols(const void *a, const void *b)
{
	const struct region_trace_symbol *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* Keeps the first chunk in the file for each thread and sequence number. */
static void drop_twice(struct region_trace_file *file)
{
	size_t kept = 0;

	for (size_t i = 0; i < file->chunk_count; i++) {
		const struct region_trace_place *last = kept ? &file->chunks[kept - 1] : NULL;

		if (last && last->thread == file->chunks[i].thread &&
		    last->sequence == file->chunks[i].sequence)
			file->bad_chunks++;
		else
			file->chunks[kept++] = file->chunks[i];
	}
	file->chunk_count = kept;
}

static bool is_of_next_thread(const struct region_trace_file *file, size_t index)
{
	return !index || file->chunks[index].thread != file->chunks[index - 1].thread;
}

/* Takes ids, name and end of a thread from its last chunk. */
static int describe(struct region_trace_file *file, struct region_trace_thread *thread)
{
	struct region_trace_chunk chunk;
	ssize_t got = io_read_at(file->fd, &chunk, sizeof(chunk),
				 file->chunks[thread->first + thread->count - 1].offset);

	if (got < (ssize_t)sizeof(chunk))
		return got < 0 ? got : -EIO;
	thread->tid = chunk.tid;
	thread->kernel_tid = chunk.kernel_tid;
	thread->end_ns = chunk.end.ns;
	memcpy(thread->comm, chunk.comm, sizeof(chunk.comm));
	return 0;
}

static int find_threads(struct region_trace_file *file)
{
	size_t count = 0;

	if (file->chunk_count)
		qsort(file->chunks, file->chunk_count, sizeof(*file->chunks), compare_places);
	if (file->symbol_count)
		qsort(file->symbols, file->symbol_count, sizeof(*file->symbols), compare_symbols);
	drop_twice(file);
	for (size_t i = 0; i < file->chunk_count; i++)
		count += is_of_next_thread(file, i);
	file->threads = calloc(count + 1, sizeof(*file->threads));
	if (!file->threads)
		return -ENOMEM;
	for (size_t i = 0; i < file->chunk_count; i++) {
		if (is_of_next_thread(file, i))
			file->threads[file->thread_count++].first = i;
		file->threads[file->thread_count - 1].count++;
	}
	for (size_t i = 0; i < file->thread_count; i++) {
		int error = describe(file, &file->threads[i]);

		if (error)
			return error;
	}
	return 0;
}

/* ---- The file ---- */

static bool has_magic(const struct region_trace_header *header)
{
	return !memcmp(header->magic, REGION_TRACE_MAGIC, sizeof(header->magic));
}

static int check_header(struct region_trace_file *file)
{
	struct region_trace_header *header = &file->header;
	ssize_t got = io_read_at(file->fd, header, sizeof(*header), 0);

	if (got < 0)
		return say(file, got);
	if (got < (ssize_t)sizeof(*header) || !has_magic(header)) {
		pr_err("%s: not a trace of regions; name a file that EVTLOG_TRACE_FILE made", file->path);
		return EXIT_FAILED;
	}
	if (header->version != REGION_TRACE_VERSION ||
	    header->header_bytes != REGION_TRACE_HEADER_BYTES ||
	    header->chunk_bytes != REGION_TRACE_CHUNK_BYTES) {
		pr_err("%s: can't be read: unknown version %" PRIu32, file->path,
		       header->version);
		return EXIT_FAILED;
	}
	header->host[sizeof(header->host) - 1] = '\0';
	return EXIT_OK;
}

static int open_regular(const char *path)
{
	/* O_NONBLOCK: opening a pipe must not wait for a writer. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode))
		return fd;
	close(fd);
	return -EINVAL;
}

bool region_trace_is_one(const char *path)
{
	struct region_trace_header header;
	int fd = open_regular(path);
	bool is = fd >= 0 && io_read_at(fd, &header, sizeof(header), 0) == sizeof(header) &&
		  has_magic(&header);

	if (fd >= 0)
		close(fd);
	return is;
}

/* Compares the file's length with the one in its header.  Before version 0.12 there is none. */
static int check_length(struct region_trace_file *file)
{
	uint64_t bytes = file->header.bytes;
	struct stat status;

	if (!bytes)
		return 0;
	if (fstat(file->fd, &status))
		return -errno;
	file->is_open = bytes == REGION_TRACE_NOT_SAVED || bytes < (uint64_t)status.st_size;
	file->is_short = !file->is_open && bytes > (uint64_t)status.st_size;
	return 0;
}

int region_trace_open(struct region_trace_file *file, const char *path)
{
	struct region_trace_chunk *chunk;
	int status, error;

	*file = (struct region_trace_file) { .fd = -1, .begin_ns = UINT64_MAX };
	file->path = strdup(path);
	if (!file->path)
		return say(file, -ENOMEM);
	file->fd = open_regular(path);
	if (file->fd < 0)
		return say(file, file->fd);
	status = check_header(file);
	if (status != EXIT_OK)
		return status;
	error = check_length(file);
	chunk = malloc(REGION_TRACE_CHUNK_BYTES);
	if (!error)
		error = chunk ? read_chunks(file, chunk) : -ENOMEM;
	free(chunk);
	if (!error)
		error = find_threads(file);
	return error ? say(file, error) : EXIT_OK;
}

void region_trace_close(struct region_trace_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	for (size_t i = 0; i < file->symbol_count; i++)
		free(file->symbols[i].name);
	free(file->symbols);
	free(file->threads);
	free(file->chunks);
	free(file->path);
	*file = (struct region_trace_file) { .fd = -1 };
}
