/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading and writing an open file of /proc/evtlog, for the commands and for logd.
 *
 * Functions return 0 or -errno and say nothing.
 */
#ifndef EVTLOG_CONTROL_FILE_H
#define EVTLOG_CONTROL_FILE_H

#include <stddef.h>

/**
 * control_file_read() - all of it from its start
 * @text:	malloc()ed, with a NUL behind it
 * @bytes:	without that
 */
int control_file_read(int fd, char **text, size_t *bytes);

/** control_file_write() - a text, which the kernel takes whole or not at all */
int control_file_write(int fd, const char *text);

#endif /* EVTLOG_CONTROL_FILE_H */
