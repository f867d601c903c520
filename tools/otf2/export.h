/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes logs as an OTF2 archive, which Vampir, ViTE, otf2-print and others read.
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
 * @interval_ns: of the counters
 * @streams:	of a CPU, for tasks that wait
 * @source:	of what CPUs and tasks do
 * @with:	traces.otf2 of a program, which is written too; NULL: there is none
 * @regions, @region_count: traces of regions, which are written too
 * @with_clock:	of its times; CLOCK_OF_DEFINITIONS: to be found
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

/* Returns an exit status, after saying what is wrong: then no archive is there. */
int otf2_export(const struct otf2_options *opts, char **paths, size_t count);

#endif /* EVTLOG_OTF2_EXPORT_H */
