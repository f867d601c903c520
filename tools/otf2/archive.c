// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An OTF2 archive that is there whole or not at all.
 *
 * It is written into a hidden directory beside its place and renamed at the end.  OTF2 writes
 * the file by which readers find an archive (traces.otf2) when it is closed: what is left if
 * the command is killed no reader opens.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive.h"
#include "common/command.h"
#include "common/error.h"
#include "common/utf8.h"
#include "memory.h"

/* OTF2's least.  Each writer has one, of which only what is written takes memory. */
#define EVENTS_CHUNK_BYTES	OTF2_CHUNK_SIZE_MIN

/* ---- Errors ---- */

/* OTF2 would print them itself, with lines of its source. */
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

const char *archive_error(const struct archive *archive)
{
	if (!archive->error)
		return NULL;
	return archive->cause ? strerror(archive->cause) :
				OTF2_Error_GetDescription(archive->error);
}

/* ---- The directory ---- */

static char *temporary_path(const char *path)
{
	size_t length = strlen(path);
	const char *slash;
	char *name;

	while (length > 1 && path[length - 1] == '/')
		length--;
	slash = memrchr(path, '/', length);
	if (asprintf(&name, "%.*s.%.*s.XXXXXX", slash ? (int)(slash + 1 - path) : 0, path,
		     (int)(path + length - (slash ? slash + 1 : path)),
		     slash ? slash + 1 : path) < 0)
		return NULL;
	return name;
}

int archive_check(const char *path)
{
	struct stat about;

	if (!*path)
		return misuse("export", "--otf2: name a directory");
	if (!lstat(path, &about)) {
		pr_err("%s: exists: name a new directory for the archive, or remove it", path);
		return EXIT_FAILED;
	}
	if (errno == ENOENT)
		return EXIT_OK;
	pr_err("%s: %s", path, strerror(errno));
	return EXIT_FAILED;
}

/* All files in a directory, and itself.  Synced, or removed: 0 or -errno. */
static int each_file(const char *path, int (*one)(int directory, const char *name))
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	int error = 0;

	if (!directory)
		return -errno;
	while (!error && (entry = readdir(directory)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			error = one(dirfd(directory), entry->d_name);
	closedir(directory);
	return error;
}

static int sync_one(int directory, const char *name)
{
	int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	int error = 0;

	if (fd < 0)
		return -errno;
	if (fsync(fd))
		error = -errno;
	close(fd);
	return error;
}

static int remove_one(int directory, const char *name)
{
	return unlinkat(directory, name, 0) && errno != EISDIR && errno != EPERM ? -errno : 0;
}

/* OTF2 has one directory in the archive's, "traces". */
static int in_both(const char *path, int (*one)(int directory, const char *name))
{
	char *inner;
	int error, inner_error;

	if (asprintf(&inner, "%s/traces", path) < 0)
		return -ENOMEM;
	inner_error = each_file(inner, one);
	free(inner);
	error = each_file(path, one);
	return inner_error ? inner_error : error;
}

static void remove_all(const char *path)
{
	char *inner;

	in_both(path, remove_one);
	if (asprintf(&inner, "%s/traces", path) >= 0) {
		rmdir(inner);
		free(inner);
	}
	rmdir(path);
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
	pr_err("%s: can't be written: %s", archive->path, archive_error(archive));
	return EXIT_FAILED;
}

int archive_begin(struct archive *archive, const char *path)
{
	*archive = (struct archive) { .path = path };
	archive->temporary = temporary_path(path);
	if (!archive->temporary || !mkdtemp(archive->temporary)) {
		pr_err("%s: can't be made: %s", path, strerror(errno));
		free(archive->temporary);
		archive->temporary = NULL;
		return EXIT_FAILED;
	}
	archive_catch_errors(archive);
	memory_limit(true);
	archive->handle = OTF2_Archive_Open(archive->temporary, "traces", OTF2_FILEMODE_WRITE,
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
	if (archive->error || !archive->global)
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
	int error = 0;

	close_handle(archive);
	if (archive->error)
		return say_failed(archive);
	error = in_both(archive->temporary, sync_one);
	if (!error && renameat2(AT_FDCWD, archive->temporary, AT_FDCWD, archive->path,
				RENAME_NOREPLACE))
		error = -errno;
	if (error) {
		pr_err("%s: can't be written: %s", archive->path, strerror(-error));
		return EXIT_FAILED;
	}
	free(archive->temporary);
	archive->temporary = NULL;
	return EXIT_OK;
}

void archive_discard(struct archive *archive)
{
	close_handle(archive);
	memory_limit(false);
	OTF2_Error_RegisterCallback(NULL, NULL);
	if (archive->temporary)
		remove_all(archive->temporary);
	free(archive->temporary);
	archive->temporary = NULL;
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
