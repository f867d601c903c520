/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What memory OTF2 has for each location: one chunk, so that a log's size does not matter.
 */
#ifndef EVTLOG_OTF2_MEMORY_H
#define EVTLOG_OTF2_MEMORY_H

#include <stdbool.h>

#include <otf2/otf2.h>

/* A chunk for each buffer of OTF2, which writes it out when it is full: else it takes 128 MiB. */
extern const OTF2_MemoryCallbacks memory_callbacks;

/*
 * memory_limit() - OTF2's files have no buffers from now on, or again
 *
 * They are 4 MiB each, and behind the chunks of no use.
 */
void memory_limit(bool limits);

#endif /* EVTLOG_OTF2_MEMORY_H */
