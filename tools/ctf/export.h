/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes logs as CTF traces, which Trace Compass, babeltrace2 and others read like LTTng's traces.
 */
#ifndef EVTLOG_CTF_EXPORT_H
#define EVTLOG_CTF_EXPORT_H

#include "export/sources.h"

struct ctf_options {
	const char *directory;
	struct sources_options sources;
};

/* Returns an exit status, after an error message.  After an error, no directory is left. */
int ctf_export(const struct ctf_options *opts, char **paths, size_t count);

#endif /* EVTLOG_CTF_EXPORT_H */
