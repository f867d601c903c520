/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directory run files go to: made if missing, noticed when it vanishes.
 */
#ifndef EVTLOG_LOGD_DIRECTORY_H
#define EVTLOG_LOGD_DIRECTORY_H

#include "config.h"

/* @fd: -1 when not open */
struct directory {
	char path[PATH_MAX];
	int fd;
};

/**
 * directory_use() - make the configured directory usable
 *
 * Creates it (0700, more only as far as file_mode gives group and others the
 * right to read files) with its parents.  Does nothing while the one that is
 * open is still there and still the configured one.  It also becomes the
 * working directory: that is how `evtlog status` learns where files go.
 *
 * Returns 0 or -errno.
 */
int directory_use(struct directory *directory, const struct config *config);

void directory_close(struct directory *directory);

/** directory_check() - 0, or the -errno of making a file there */
int directory_check(const struct directory *directory);

/** directory_room() - 0, or -ENOSPC when less than @min_free_mb is free */
int directory_room(const struct directory *directory, unsigned int min_free_mb);

#endif /* EVTLOG_LOGD_DIRECTORY_H */
