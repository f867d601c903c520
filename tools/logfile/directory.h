/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directory for files: created if missing, and checked whether it still exists.
 */
#ifndef EVTLOG_LOGFILE_DIRECTORY_H
#define EVTLOG_LOGFILE_DIRECTORY_H

#include <limits.h>

struct runs_settings;

/* @fd: -1 if not open */
struct directory {
	char path[PATH_MAX];
	int fd;
};

/**
 * directory_use() - make the configured directory usable
 *
 * Does nothing if the open directory still exists and is still the configured one.  Unless the file
 * has a given name, creates the directory and its parents, with the mode 0700, and access for group
 * and others if file_mode allows them to read files.  It then also becomes the working directory,
 * from which `evtlog status` gets the place of the files.
 *
 * Returns 0 or -errno.
 */
int directory_use(struct directory *directory, const struct runs_settings *settings);

void directory_close(struct directory *directory);

/** directory_writable() - returns 0, or the -errno of creating a file in it */
int directory_writable(const struct directory *directory);

/** directory_room() - returns 0, or -ENOSPC if less than @min_free_mb is free */
int directory_room(const struct directory *directory, unsigned int min_free_mb);

#endif /* EVTLOG_LOGFILE_DIRECTORY_H */
