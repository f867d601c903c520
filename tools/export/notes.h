/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an export leaves out of the logs, or changes: the same sentences are in its metadata.
 *
 * Stage: at the end of an export, on standard error.
 */
#ifndef EVTLOG_EXPORT_NOTES_H
#define EVTLOG_EXPORT_NOTES_H

#include <stdint.h>

/* Prints each of @lines, with @path in front. */
void notes_say(const char *lines, const char *path);

/* Prints the @texts whose bit is set in @notes, with @path in front. */
void notes_say_some(const char *const *texts, uint32_t notes, const char *path);

#endif /* EVTLOG_EXPORT_NOTES_H */
