// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes an OTF2 archive that appears complete or not at all.
 *
 * Readers open traces.otf2, which OTF2 writes when the archive is closed.  So they cannot open the
 * files of a killed command.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "archive.h"
#include "common/command.h"
#include "common/error.h"
#include "common/utf8.h"

/* ---- OTF2's memory for each location ---- */

/*
 * OTF2 copies each full chunk to a file buffer of 4 MiB.  Without memory for this buffer, it writes
 * the chunk directly.  There is no option for this, so OTF2's static library is linked with
 * --wrap=malloc (tools/view/build.mk), and allocations of file buffers fail while @limited is true.
 */

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
 * The last freed chunk.  Definitions of a location need a chunk of 4 MiB for a short time, and OTF2
 * clears it: new memory would cost a thousand page faults for each location.
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

/* OTF2's minimum.  Each writer has one chunk; only its written pages use memory. */
#define EVENTS_CHUNK_BYTES	OTF2_CHUNK_SIZE_MIN

/* ---- Errors ---- */

/* Keeps the first error; without this callback, OTF2 prints errors with lines of its source. */
static OTF2_ErrorCode on_error(void *context, const char *file, uint64_t line,
			       const char *function, OTF2_ErrorCode code, const char *format,
			       va_list args)
{
	struct archive *archive = context;

	if (!archive->error) {
		archive->error = code;
		archive->cause = errno;
	}
	return code;
}

void archive_catch_errors(struct archive *archive)
{
	OTF2_Error_RegisterCallback(on_error, archive);
}

void archive_check_error(struct archive *archive, OTF2_ErrorCode error)
{
	if (__builtin_expect(error != OTF2_SUCCESS, 0) && !archive->error) {
		archive->error = error;
		archive->cause = 0;
	}
}

void archive_check_errno(struct archive *archive, int error)
{
	if (__builtin_expect(error != 0, 0) && !archive->error) {
		archive->error = OTF2_ERROR_FILE_INTERACTION;
		archive->cause = -error;
	}
}

/* Returns the description of the first error; NULL without an error. */
static const char *archive_error(const struct archive *archive)
{
	if (!archive->error)
		return NULL;
	return archive->cause ? strerror(archive->cause) :
				OTF2_Error_GetDescription(archive->error);
}

/* ---- The archive ---- */

static OTF2_FlushType flush_always(void *context, OTF2_FileType type, OTF2_LocationRef location,
				   void *data, bool final)
{
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush = { .otf2_pre_flush = flush_always };

static int say_failed(struct archive *archive)
{
	pr_err("%s: can't be written: %s", archive->directory.path, archive_error(archive));
	return EXIT_FAILED;
}

int archive_begin(struct archive *archive, const char *path)
{
	int status;

	*archive = (struct archive) { .error = OTF2_SUCCESS };
	status = directory_begin(&archive->directory, path);
	if (status != EXIT_OK)
		return status;
	spool_begin(&archive->spool, archive->directory.temporary);
	archive_catch_errors(archive);
	memory_limit(true);
	archive->handle = OTF2_Archive_Open(archive->directory.temporary, "traces", OTF2_FILEMODE_WRITE,
					    EVENTS_CHUNK_BYTES, OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT,
					    OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!archive->handle)
		return say_failed(archive);
	archive_check_error(archive, OTF2_Archive_SetFlushCallbacks(archive->handle, &flush, NULL));
	archive_check_error(archive,
			    OTF2_Archive_SetMemoryCallbacks(archive->handle, &memory_callbacks, NULL));
	archive_check_error(archive, OTF2_Archive_SetSerialCollectiveCallbacks(archive->handle));
	archive_check_error(archive, OTF2_Archive_SetCreator(archive->handle,
							     "evtlog " EVTLOG_VERSION));
	archive_check_error(archive, OTF2_Archive_OpenEvtFiles(archive->handle));
	archive->evt = !archive->error;
	archive->global = OTF2_Archive_GetGlobalDefWriter(archive->handle);
	archive->list = OTF2_AttributeList_New();
	if (archive->error || !archive->global || !archive->list)
		return say_failed(archive);
	archive_string(archive, "");
	return EXIT_OK;
}

void archive_close_events(struct archive *archive)
{
	archive_check_error(archive, OTF2_Archive_CloseEvtFiles(archive->handle));
	archive->evt = false;
	archive_check_error(archive, OTF2_Archive_OpenDefFiles(archive->handle));
	archive->def = !archive->error;
}

static void close_handle(struct archive *archive)
{
	if (!archive->handle)
		return;
	if (archive->evt)
		archive_check_error(archive, OTF2_Archive_CloseEvtFiles(archive->handle));
	if (archive->def)
		archive_check_error(archive, OTF2_Archive_CloseDefFiles(archive->handle));
	archive->evt = false;
	archive->def = false;
	archive_check_error(archive, OTF2_Archive_Close(archive->handle));
	archive->handle = NULL;
}

int archive_finish(struct archive *archive)
{
	int error;

	close_handle(archive);
	if (archive->error)
		return say_failed(archive);
	error = directory_finish(&archive->directory);
	if (!error)
		return EXIT_OK;
	pr_err("%s: can't be written: %s", archive->directory.path, strerror(-error));
	return EXIT_FAILED;
}

void archive_discard(struct archive *archive)
{
	close_handle(archive);
	if (archive->list)
		OTF2_AttributeList_Delete(archive->list);
	archive->list = NULL;
	spool_end(&archive->spool);
	memory_limit(false);
	OTF2_Error_RegisterCallback(NULL, NULL);
	directory_discard(&archive->directory);
}

/* ---- Definitions ---- */

uint32_t archive_string(struct archive *archive, const char *text)
{
	char *clean = utf8_clean(text, strlen(text));

	if (!clean)
		archive_check_error(archive, OTF2_ERROR_MEM_ALLOC_FAILED);
	else
		archive_check_error(archive,
			OTF2_GlobalDefWriter_WriteString(archive->global, archive->strings, clean));
	free(clean);
	return archive->strings++;
}

uint32_t archive_region(struct archive *archive, const char *name, uint32_t kind,
			OTF2_RegionRole role)
{
	uint32_t string = archive_string(archive, name);

	archive_check_error(archive,
		OTF2_GlobalDefWriter_WriteRegion(archive->global, archive->regions, string, string,
						 kind, role, OTF2_PARADIGM_USER,
						 OTF2_REGION_FLAG_NONE, ARCHIVE_NO_STRING, 0, 0));
	return archive->regions++;
}

uint32_t archive_attribute(struct archive *archive, uint32_t name, OTF2_Type type)
{
	archive_check_error(archive,
		OTF2_GlobalDefWriter_WriteAttribute(archive->global, archive->attributes, name,
						    ARCHIVE_NO_STRING, type));
	return archive->attributes++;
}

uint32_t archive_parameter(struct archive *archive, uint32_t name)
{
	archive_check_error(archive,
		OTF2_GlobalDefWriter_WriteParameter(archive->global, archive->parameters, name,
						    OTF2_PARAMETER_TYPE_INT64));
	return archive->parameters++;
}
