/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes logs as an OTF2 archive, which Vampir, ViTE, otf2-print and other programs read.
 */
#ifndef EVTLOG_OTF2_EXPORT_H
#define EVTLOG_OTF2_EXPORT_H

#include "analysis/samples/samples.h"
#include "export/sources.h"
#include "program-clock.h"

#define OTF2_INTERVAL_NS	10000000
#define OTF2_STREAMS		32
#define OTF2_STREAMS_MAX	254

/*
 * @interval_ns: interval of the counters
 * @streams:	streams of a CPU for waiting tasks
 * @source:	source of the states of CPUs and tasks
 * @with:	traces.otf2 of a program, which is written too; NULL: none
 * @with_clock:	clock of @with; CLOCK_OF_DEFINITIONS: to be found
 * @regions, @region_count: region traces, which are written too
 */
struct otf2_options {
	const char *directory;
	struct sources_options sources;
	uint64_t interval_ns;
	unsigned int streams;
	enum samples_source source;
	const char *with;
	enum program_clock_kind with_clock;
	char **regions;
	size_t region_count;
};

/* Returns an exit status, after an error message.  After an error, no archive is left. */
int otf2_export(const struct otf2_options *opts, char **paths, size_t count);

#endif /* EVTLOG_OTF2_EXPORT_H */
