/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes logs as a trace for Perfetto: one host as a file of packets, several hosts as an archive.
 */
#ifndef EVTLOG_PERFETTO_EXPORT_H
#define EVTLOG_PERFETTO_EXPORT_H

#include "export/sources.h"

struct perfetto_options {
	const char *path;
	struct sources_options sources;
};

/* Returns an exit status.  On failure prints the error and leaves no new file. */
int perfetto_export(const struct perfetto_options *opts, char **paths, size_t count);

#endif /* EVTLOG_PERFETTO_EXPORT_H */
