/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Paths of index files, and writing of index files.
 *
 * Stage: between opening an index and the file system.
 */
#ifndef EVTLOG_LIB_INDEX_PATH_H
#define EVTLOG_LIB_INDEX_PATH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* Paths of an index of @log; free() them.  NULL if out of memory or without such a directory. */
char *index_path_beside(const char *log);
char *index_path_in(const char *directory, const char *log);
char *index_path_cache(const char *log);

/*
 * Checks whether a file can be trusted: it must belong to the caller, root or the owner of the log,
 * and other users must not be able to write to it.  Returns NULL, or the reason to distrust it.
 */
const char *index_path_distrust(int fd, const struct stat *log);

/* Makes the directories of @path.  Returns 0 or -errno. */
int index_path_make_directory(const char *path);

/* An unfinished file that will become @path.  @name is its temporary name, NULL if it has none. */
struct index_draft {
	int fd;
	const char *path;
	char *name;
};

/* Returns 0 or -errno.  Call index_draft_drop() later, even after publishing. */
int index_draft_new(struct index_draft *draft, const char *path);

/* Renames the file to @path, replacing an existing file. */
int index_draft_publish(struct index_draft *draft, unsigned int mode);
void index_draft_drop(struct index_draft *draft);

#endif /* EVTLOG_LIB_INDEX_PATH_H */
