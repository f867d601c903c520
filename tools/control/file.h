/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes an open file of /proc/evtlog, for the commands and for logd.
 *
 * Functions return 0 or -errno and do not print.
 */
#ifndef EVTLOG_CONTROL_FILE_H
#define EVTLOG_CONTROL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * control_file_read() - read a file from its start to its end
 * @text:	malloc()ed, NUL-terminated
 * @bytes:	length without the NUL
 */
int control_file_read(int fd, char **text, size_t *bytes);

/** control_file_write() - write a string, which the kernel accepts as a whole or not at all */
int control_file_write(int fd, const char *text);

/**
 * control_is_locked_down() - returns true if the kernel's lockdown mode is "confidentiality"
 *
 * Returns false if securityfs is not mounted or not readable.
 */
bool control_is_locked_down(void);

/* ---- Parsing of control files with lines "NAME VALUE NAME VALUE ..." ---- */

/* Returns the word after "NAME " and puts a NUL after it; NULL if @line does not begin with it. */
char *words_take(char **line, const char *name);

/* Reads the number after "NAME ".  Returns 0, or -EINVAL if @line does not begin with "NAME ". */
int words_take_count(char **line, const char *name, uint64_t *count);

/* Returns true if @text is one word of a line: not empty, no blanks, no line breaks. */
bool words_is_one(const char *text);

#endif /* EVTLOG_CONTROL_FILE_H */
