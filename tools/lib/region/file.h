/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files of regions: they are whole or not there, and none of another process is replaced.
 *
 * Return: 0; -ENOENT: no region has begun, or this is the child of a vfork(); -errno.
 */
#ifndef EVTLOG_LIB_REGION_FILE_H
#define EVTLOG_LIB_REGION_FILE_H

#include "lib/region/write.h"

/** region_file_write() - at @path, in the place of what is there */
int region_file_write(const char *path, const struct region_process *process);

/** region_file_save() - at the first of @path, PATH.1, ... that is free, always the same one */
int region_file_save(const char *path, const struct region_process *process);

#endif /* EVTLOG_LIB_REGION_FILE_H */
