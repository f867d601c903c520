/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of control files, "NAME VALUE NAME VALUE ...", word by word.
 */
#ifndef EVTLOG_CONTROL_WORDS_H
#define EVTLOG_CONTROL_WORDS_H

#include <stdint.h>

/* The word behind "NAME ", which ends there; NULL: the line has no such word. */
char *words_take(char **line, const char *name);

/* The number behind "NAME ".  0; -EINVAL: the line has no such word. */
int words_take_count(char **line, const char *name, uint64_t *count);

#endif /* EVTLOG_CONTROL_WORDS_H */
