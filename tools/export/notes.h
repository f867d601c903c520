/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an export has less, or other, than the logs: sentences that its metadata has, too.
 *
 * Stage: at the end of an export, on standard error.
 */
#ifndef EVTLOG_EXPORT_NOTES_H
#define EVTLOG_EXPORT_NOTES_H

#include <stdint.h>

/* Says a line each of @lines, behind @path. */
void notes_say(const char *lines, const char *path);

/* Says those of @texts whose bit is in @notes, behind @path. */
void notes_say_some(const char *const *texts, uint32_t notes, const char *path);

#endif /* EVTLOG_EXPORT_NOTES_H */
