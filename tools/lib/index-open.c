// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Opens a log's index, or has it built.
 *
 * Stage: the entry of the index.  It decides where the file is; what is in it is
 * index-store.c's.
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
#include "index.h"

static int fail(struct evtlog_error *error, int result, const char *what)
{
	if (error) {
		error->offset = 0;
		snprintf(error->reason, sizeof(error->reason), "%s%s%s", what,
			 *what ? ": " : "", strerror(-result));
	}
	return result;
}

static int identify(const struct evtlog_file *file, struct index_header *header)
{
	struct stat stat;

	if (fstat(file->source.fd, &stat))
		return -errno;
	memset(header, 0, sizeof(*header));
	header->magic = INDEX_MAGIC;
	header->version = INDEX_VERSION;
	header->header_bytes = sizeof(*header);
	header->log_bytes = evtlog_size_bytes(file);
	header->log_mtime_ns = stat.st_mtim.tv_sec * INT64_C(1000000000) +
			       stat.st_mtim.tv_nsec;
	header->run = evtlog_run(file);
	memcpy(header->boot_id, evtlog_boot_id(file), sizeof(header->boot_id));
	return 0;
}

static int map(struct evtlog_index *index, int fd)
{
	struct stat stat;
	void *bytes;

	if (fstat(fd, &stat))
		return -errno;
	if (!stat.st_size)
		return -EBADMSG;
	bytes = mmap(NULL, stat.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (bytes == MAP_FAILED)
		return -errno;
	index->bytes = bytes;
	index->length = stat.st_size;
	return 0;
}

static int build_in_memory(struct evtlog_index *index, const char *log,
			   const struct evtlog_index_options *options,
			   struct index_header *header)
{
	int fd = memfd_create("evtlog-index", MFD_CLOEXEC);
	const char *reason = NULL;
	int error;

	if (fd < 0)
		return -errno;
	error = index_build(log, index->file, options, fd, header);
	if (!error)
		error = map(index, fd);
	close(fd);
	if (error)
		return error;
	index->origin.built = true;
	index->origin.bytes = index->length;
	return index_load(index, header, &reason);
}

int evtlog_index_open(const char *log, const struct evtlog_index_options *options,
		      struct evtlog_index **indexp, struct evtlog_error *error)
{
	static const struct evtlog_index_options none;
	struct evtlog_index *index;
	struct index_header header;
	int result;

	*indexp = NULL;
	index = calloc(1, sizeof(*index));
	if (!index)
		return fail(error, -ENOMEM, "");
	index->origin.reason = index->reason;
	result = evtlog_open(log, &index->file, error);
	if (result)
		goto free_index;
	result = identify(index->file, &header);
	if (!result)
		result = build_in_memory(index, log, options ? options : &none, &header);
	if (!result)
		result = index_pids_init(&index->sums);
	if (!result) {
		index->pieces = index_pieces_new(index->file);
		result = index->pieces ? 0 : -ENOMEM;
	}
	if (result) {
		fail(error, result, "its index");
		goto free_index;
	}
	*indexp = index;
	return 0;
free_index:
	evtlog_index_close(index);
	return result;
}

void evtlog_index_close(struct evtlog_index *index)
{
	if (!index)
		return;
	index_pieces_free(index->pieces);
	index_pids_free(&index->sums);
	index_unload(index);
	if (index->bytes)
		munmap((void *)index->bytes, index->length);
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
