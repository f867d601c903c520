/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading and writing an open file of /proc/evtlog, for the commands and for logd.
 *
 * Functions return 0 or -errno and say nothing.
 */
#ifndef EVTLOG_CONTROL_FILE_H
#define EVTLOG_CONTROL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * control_file_read() - all of it from its start
 * @text:	malloc()ed, with a NUL behind it
 * @bytes:	without that
 */
int control_file_read(int fd, char **text, size_t *bytes);

/** control_file_write() - a text, which the kernel takes whole or not at all */
int control_file_write(int fd, const char *text);

/**
 * control_is_locked_down() - is this kernel's lockdown "confidentiality"?
 *
 * Return: false, too, where securityfs is not mounted or must not be read.
 */
bool control_is_locked_down(void);

/* ---- Lines of control files, "NAME VALUE NAME VALUE ...", word by word ---- */

/* The word behind "NAME ", which ends there; NULL: the line has no such word. */
char *words_take(char **line, const char *name);

/* The number behind "NAME ".  0; -EINVAL: the line has no such word. */
int words_take_count(char **line, const char *name, uint64_t *count);

/* Whether it stays one word of a line: not empty, and without blanks and ends of lines. */
bool words_is_one(const char *text);

#endif /* EVTLOG_CONTROL_FILE_H */
