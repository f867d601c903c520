/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of control files, "NAME VALUE NAME VALUE ...", word by word.
 */
#ifndef EVTLOG_CONTROL_WORDS_H
#define EVTLOG_CONTROL_WORDS_H

#include <stdbool.h>
#include <stdint.h>

/* The word behind "NAME ", which ends there; NULL: the line has no such word. */
char *words_take(char **line, const char *name);

/* The number behind "NAME ".  0; -EINVAL: the line has no such word. */
int words_take_count(char **line, const char *name, uint64_t *count);

/* Whether it stays one word of a line: not empty, and without blanks and ends of lines. */
bool words_is_one(const char *text);

#endif /* EVTLOG_CONTROL_WORDS_H */
