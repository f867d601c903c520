/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text that says what is in a host's streams: CTF 1.8's metadata.
 */
#ifndef EVTLOG_CTF_METADATA_H
#define EVTLOG_CTF_METADATA_H

#include "export/sources.h"
#include "host.h"

/* Once all events are written: of calls and registered events those that occurred.  0 or -errno. */
int ctf_metadata_write(struct ctf_host *host, const struct sources *sources, size_t number);

/* What a note says; of CTF_NOTE_UNRECORDED too. */
extern const char *const ctf_notes[CTF_NOTES];

/* By which readers know that streams and metadata belong together. */
void ctf_trace_uuid(const struct evtlog_file *file, uint8_t uuid[CTF_UUID_BYTES]);

#endif /* EVTLOG_CTF_METADATA_H */
