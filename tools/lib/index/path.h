/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where the files of indexes are, and how they are written.
 *
 * Stage: between opening an index and the file system.
 */
#ifndef EVTLOG_LIB_INDEX_PATH_H
#define EVTLOG_LIB_INDEX_PATH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* Paths for @log's index: NULL when out of memory, or if there is no such directory. */
char *index_path_beside(const char *log);
char *index_path_in(const char *directory, const char *log);
char *index_path_cache(const char *log);

/*
 * What others could have put there says what they like: it is believed of those only whom
 * the log is believed of, or who can do anything.  NULL, or why not.
 */
const char *index_path_distrust(int fd, const struct stat *log);

/* Makes the directories above @path; 0 or -errno. */
int index_path_make_directory(const char *path);

/* A file on its way to become @path; @name is what it is called meanwhile, if anything. */
struct index_draft {
	int fd;
	const char *path;
	char *name;
};

/* Returns 0 or -errno; index_draft_drop() it then, be it published or not. */
int index_draft_new(struct index_draft *draft, const char *path);

/* The file is @path from now on, in place of what was there. */
int index_draft_publish(struct index_draft *draft, unsigned int mode);
void index_draft_drop(struct index_draft *draft);

#endif /* EVTLOG_LIB_INDEX_PATH_H */
