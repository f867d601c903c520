// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Opens a log's index, or builds it.
 *
 * Stage: entry of the index.  It chooses the file; path.c creates files, load.c parses them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "lib/base/io.h"
#include "lib/file/file.h"
#include "path.h"

/* A mapped file can become shorter: small files, and files of other users, are read instead. */
#define COPY_MAX	((off_t)64 << 20)
#define READ_MAX	((off_t)1 << 32)

struct opening {
	struct evtlog_index *index;
	const char *log;
	const struct evtlog_index_options *options;
	struct index_header header;	/* expected header */
	struct stat stat;		/* of the log */
	char *paths[2];
};

static int fail(struct evtlog_error *error, int result, const char *what)
{
	if (error) {
		error->offset = 0;
		snprintf(error->reason, sizeof(error->reason), "%s%s", what,
			 strerror(-result));
	}
	return result;
}

/* Appends to the reason that evtlog_index_origin() returns. */
static void __attribute__((format(printf, 2, 3)))
add_reason(struct evtlog_index *index, const char *format, ...)
{
	size_t used = strlen(index->reason);
	va_list args;

	if (used && used + 3 < sizeof(index->reason))
		used += sprintf(index->reason + used, "; ");
	va_start(args, format);
	vsnprintf(index->reason + used, sizeof(index->reason) - used, format, args);
	va_end(args);
}

static int identify(struct opening *opening)
{
	const struct evtlog_file *file = opening->index->file;
	struct index_header *header = &opening->header;

	if (fstat(file->source.fd, &opening->stat))
		return -errno;
	header->magic = INDEX_MAGIC;
	header->version = INDEX_VERSION;
	header->header_bytes = sizeof(*header);
	header->log_bytes = evtlog_size_bytes(file);
	header->log_mtime_ns = opening->stat.st_mtim.tv_sec * INT64_C(1000000000) +
			       opening->stat.st_mtim.tv_nsec;
	header->run = evtlog_run(file);
	memcpy(header->boot_id, evtlog_boot_id(file), sizeof(header->boot_id));
	header->flags = opening->options->checkpoints ? INDEX_CHECKPOINTS : 0;
	return 0;
}

/* ---- Bytes ---- */

static void forget(struct evtlog_index *index)
{
	index_buffer_cache_free(index->cache);
	index->cache = NULL;
	index_unload(index);
	if (index->bytes)
		munmap((void *)index->bytes, index->length);
	index->bytes = NULL;
	index->length = 0;
}

static int read_all(int fd, void *to, size_t length)
{
	ssize_t got = io_read_at(fd, to, length, 0);

	if (got < 0)
		return got;
	return (size_t)got < length ? -EBADMSG : 0;
}

static int take_bytes(struct evtlog_index *index, int fd)
{
	struct stat stat;
	bool own, mapped;
	void *bytes;

	if (fstat(fd, &stat))
		return -errno;
	if (!S_ISREG(stat.st_mode) || !stat.st_size)
		return -EBADMSG;
	own = stat.st_uid == geteuid() && !(stat.st_mode & (S_IWGRP | S_IWOTH));
	if (!own && stat.st_size > READ_MAX)
		return -EFBIG;
	mapped = own && stat.st_size > COPY_MAX;
	bytes = mapped ? mmap(NULL, stat.st_size, PROT_READ, MAP_SHARED, fd, 0) :
		mmap(NULL, stat.st_size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (bytes == MAP_FAILED)
		return -errno;
	index->bytes = bytes;
	index->length = stat.st_size;
	return mapped ? 0 : read_all(fd, bytes, stat.st_size);
}

/* ---- Loading ---- */

/* Returns true if @path contains a valid index of the log. */
static bool load(struct opening *opening, const char *path)
{
	struct evtlog_index *index = opening->index;
	const char *reason = NULL;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), error;

	if (fd < 0) {
		if (errno != ENOENT && errno != ENOTDIR && errno != EACCES)
			add_reason(index, "%s: %s", path, strerror(errno));
		return false;
	}
	reason = index_path_distrust(fd, &opening->stat);
	error = reason ? -EPERM : take_bytes(index, fd);
	close(fd);
	if (!error)
		error = index_load(index, &opening->header, &reason);
	if (!error)
		return true;
	add_reason(index, "%s: %s", path, reason ? reason : error == -EBADMSG ?
	     "it is not an index" : strerror(-error));
	forget(index);
	return false;
}

/* ---- Building ---- */

static int build(struct opening *opening, int fd)
{
	struct evtlog_index *index = opening->index;
	const char *reason = NULL;
	bool changed;
	int error = index_build(opening->log, index->file, opening->options, fd,
				&opening->header);

	if (!error)
		error = take_bytes(index, fd);
	if (!error)
		error = index_load(index, &opening->header, &reason);
	if (error)
		return error;
	index->cache = index_buffer_cache_new(index);
	if (!index->cache)
		return -ENOMEM;
	error = index_sum_shared_pids(index, &changed);
	if (!error && changed)
		error = index_store_tasks(index, fd, &opening->header);
	return error;
}

/* Users without read permission for the log get none for its index. */
static unsigned int index_mode(const struct opening *opening)
{
	mode_t mode = opening->stat.st_mode & 0644;

	if (opening->stat.st_uid != geteuid() || opening->stat.st_gid != getegid())
		mode &= ~0040;
	if (!(opening->stat.st_mode & S_IROTH))
		mode &= ~0004;
	return mode | S_IRUSR | S_IWUSR;
}

static int build_file(struct opening *opening, const char *path)
{
	struct index_draft draft;
	int error = index_draft_new(&draft, path);

	if (error)
		return error;
	error = build(opening, draft.fd);
	if (!error)
		error = index_draft_publish(&draft, index_mode(opening));
	index_draft_drop(&draft);
	if (error)
		forget(opening->index);
	return error;
}

static int build_in_memory(struct opening *opening)
{
	int fd = memfd_create("evtlog-index", MFD_CLOEXEC), error;

	if (fd < 0)
		return -errno;
	/* Otherwise take_bytes() copies it, because others could write to it. */
	fchmod(fd, 0600);
	error = build(opening, fd);
	close(fd);
	return error;
}

/* Errors that another place, or memory, can avoid. */
static bool is_of_place(int error)
{
	switch (error) {
	case -EACCES: case -EPERM: case -EROFS: case -ENOSPC: case -EDQUOT: case -ENOENT:
	case -ENOTDIR: case -ENAMETOOLONG: case -EFBIG: case -EAGAIN: case -EIO:
	case -ESTALE: case -EINVAL: case -ENODEV: case -ELOOP: case -EISDIR:
	case -ETXTBSY:
		return true;
	default:
		return false;
	}
}

static void keep_path(struct opening *opening, unsigned int place)
{
	struct evtlog_index *index = opening->index;

	index->path = opening->paths[place];
	opening->paths[place] = NULL;
	index->origin.path = index->path;
}

static int find_or_build(struct opening *opening)
{
	struct evtlog_index *index = opening->index;
	int error;

	for (unsigned int i = 0; i < 2 && !opening->options->anew; i++)
		if (opening->paths[i] && load(opening, opening->paths[i])) {
			keep_path(opening, i);
			return 0;
		}
	index->origin.built = true;
	for (unsigned int i = 0; i < 2; i++) {
		const char *path = opening->paths[i];

		if (!path)
			continue;
		error = i || opening->options->directory ?
			index_path_make_directory(path) : 0;
		if (!error)
			error = build_file(opening, path);
		if (!error) {
			keep_path(opening, i);
			return 0;
		}
		if (!is_of_place(error))
			return error;
		add_reason(index, "%s: %s", path, strerror(-error));
	}
	return build_in_memory(opening);
}

static int choose_paths(struct opening *opening)
{
	const char *directory = opening->options->directory;

	if (opening->options->in_memory)
		return 0;
	opening->paths[0] = directory ? index_path_in(directory, opening->log) :
			    index_path_beside(opening->log);
	opening->paths[1] = index_path_cache(opening->log);
	return opening->paths[0] ? 0 : -ENOMEM;
}

static int finish(struct evtlog_index *index)
{
	index->origin.reason = index->reason;
	index->origin.bytes = index->length;
	if (!index->cache)
		index->cache = index_buffer_cache_new(index);
	return index->cache ? 0 : -ENOMEM;
}

/* Lanes are per CPU; there are none for a ring that all CPUs wrote. */
static int refuse_global(const struct evtlog_file *file, struct evtlog_error *error)
{
	const char *kind = evtlog_meta(file, "named_buffer");

	if (!kind || strcmp(kind, "global"))
		return 0;
	if (error)
		snprintf(error->reason, sizeof(error->reason),
			 "it is the log of a global named buffer, without lanes of CPUs; use evtlog dump or evtlog stat");
	return -EOPNOTSUPP;
}

int evtlog_index_open(const char *log, const struct evtlog_index_options *options,
		      struct evtlog_index **indexp, struct evtlog_error *error)
{
	static const struct evtlog_index_options none;
	struct opening opening = { .log = log, .options = options ? options : &none };
	int result;

	*indexp = NULL;
	opening.index = calloc(1, sizeof(*opening.index));
	if (!opening.index)
		return fail(error, -ENOMEM, "");
	result = evtlog_open(log, &opening.index->file, error);
	if (result)
		goto out;
	result = refuse_global(opening.index->file, error);
	if (result)
		goto out;
	result = index_pids_init(&opening.index->sums);
	if (!result)
		result = recorded_find(opening.index->file);
	opening.index->no_switches =
		evtlog_recorded(opening.index->file, EVTLOG_SCHED_SWITCH) == EVTLOG_RECORDED_OFF;
	if (!result)
		result = identify(&opening);
	if (!result)
		result = choose_paths(&opening);
	if (!result)
		result = find_or_build(&opening);
	if (!result)
		result = finish(opening.index);
	if (result)
		fail(error, result, "its index: ");
out:
	for (int i = 0; i < 2; i++)
		free(opening.paths[i]);
	if (result)
		evtlog_index_close(opening.index);
	else
		*indexp = opening.index;
	return result;
}

void evtlog_index_close(struct evtlog_index *index)
{
	if (!index)
		return;
	forget(index);
	index_pids_free(&index->sums);
	evtlog_close(index->file);
	free(index->path);
	free(index);
}

struct evtlog_file *evtlog_index_file(struct evtlog_index *index)
{
	return index->file;
}

const struct evtlog_index_origin *
evtlog_index_origin(const struct evtlog_index *index)
{
	return &index->origin;
}
