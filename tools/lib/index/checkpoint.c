// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds a checkpoint of tables in a log's index file, and reads only this checkpoint.
 *
 * checkpoints.c makes checkpoints; lib/tables defines their contents.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "file.h"
#include "lib/base/io.h"
#include "path.h"

/* No index has more. */
#define CHECKPOINTS_MAX	(1u << 20)
#define LENGTH_MAX	(UINT64_C(1) << 30)

static bool read_exactly(int fd, void *to, size_t length, uint64_t offset)
{
	return io_read_at(fd, to, length, offset) == (ssize_t)length;
}

/* Returns true if the header is of an index of the log. */
static bool header_fits(struct index_header *header, const struct evtlog_file *file,
			const struct stat *log)
{
	uint32_t crc = header->crc32;

	header->crc32 = 0;
	return header->magic == INDEX_MAGIC && header->version == INDEX_VERSION &&
	       header->header_bytes == sizeof(*header) &&
	       crc32(0, (const uint8_t *)header, sizeof(*header)) == crc &&
	       header->run == evtlog_run(file) &&
	       !memcmp(header->boot_id, evtlog_boot_id(file), sizeof(header->boot_id)) &&
	       header->log_bytes == evtlog_size_bytes(file) &&
	       header->log_mtime_ns == log->st_mtim.tv_sec * INT64_C(1000000000) +
				       log->st_mtim.tv_nsec &&
	       header->checkpoints <= CHECKPOINTS_MAX;
}

static const struct index_checkpoint *choose(const struct index_checkpoint *at, size_t count,
					     const struct index_checkpoint_wanted *wanted)
{
	while (count && (at[count - 1].time_ns > wanted->time_ns ||
			 at[count - 1].event >= wanted->event))
		count--;
	return count ? &at[count - 1] : NULL;
}

static int read_bytes(int fd, const struct index_checkpoint *from, void **bytesp, size_t *lengthp)
{
	struct stat stat;
	void *bytes;

	if (fstat(fd, &stat) || from->length > (uint64_t)stat.st_size || !from->length ||
	    from->length > LENGTH_MAX)
		return 0;
	/* Without memory, the log is read from its start. */
	bytes = malloc(from->length);
	if (!bytes)
		return 0;
	if (!read_exactly(fd, bytes, from->length, from->offset) ||
	    crc32_z(0, bytes, from->length) != from->crc32) {
		free(bytes);
		return 0;
	}
	*bytesp = bytes;
	*lengthp = from->length;
	return 1;
}

static int read_of(int fd, const struct index_header *header,
		   const struct index_checkpoint_wanted *wanted, void **bytesp, size_t *lengthp)
{
	size_t bytes = header->checkpoints * sizeof(struct index_checkpoint);
	struct index_checkpoint *all = malloc(bytes + 1);
	const struct index_checkpoint *from;
	int result = 0;

	if (!all)
		return -ENOMEM;
	if (read_exactly(fd, all, bytes, header->checkpoints_offset) && bytes &&
	    crc32_z(0, (const uint8_t *)all, bytes) == header->checkpoints_crc32) {
		from = choose(all, header->checkpoints, wanted);
		result = from ? read_bytes(fd, from, bytesp, lengthp) : 0;
	}
	free(all);
	return result;
}

static int read_file(const char *path, const struct evtlog_file *file, const struct stat *log,
		     const struct index_checkpoint_wanted *wanted, void **bytesp, size_t *lengthp)
{
	struct index_header header;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), result = 0;

	if (fd < 0)
		return 0;
	if (!index_path_distrust(fd, log) && read_exactly(fd, &header, sizeof(header), 0) &&
	    header_fits(&header, file, log))
		result = read_of(fd, &header, wanted, bytesp, lengthp);
	close(fd);
	return result;
}

#define PATHS	3

/* The caller frees the paths; NULL if there is no such place, or out of memory */
static void find_paths(char *paths[PATHS], const char *log, const char *directory)
{
	paths[0] = directory ? index_path_in(directory, log) : NULL;
	paths[1] = index_path_beside(log);
	paths[2] = index_path_cache(log);
}

bool index_checkpoint_may_be(const char *log, const char *directory)
{
	char *paths[PATHS];
	bool found = false;

	find_paths(paths, log, directory);
	for (unsigned int i = 0; i < PATHS; i++) {
		found |= paths[i] && !access(paths[i], F_OK);
		free(paths[i]);
	}
	return found;
}

int index_checkpoint_read(const char *log, const struct evtlog_file *file,
			  const struct index_checkpoint_wanted *wanted, void **bytesp,
			  size_t *lengthp)
{
	struct stat stat_of_log;
	bool exists = !stat(log, &stat_of_log);
	char *paths[PATHS];
	int result = 0;

	find_paths(paths, log, wanted->directory);
	for (unsigned int i = 0; i < PATHS; i++) {
		if (exists && !result && paths[i])
			result = read_file(paths[i], file, &stat_of_log, wanted, bytesp, lengthp);
		free(paths[i]);
	}
	return result;
}
