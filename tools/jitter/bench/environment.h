/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of the machine has to do with jitter, as lines "key=value".
 */
#ifndef EVTLOG_JITTER_BENCH_ENVIRONMENT_H
#define EVTLOG_JITTER_BENCH_ENVIRONMENT_H

#include "bench.h"

/*
 * @boot_id:	as the kernel's log has it
 * @run:	that was recorded meanwhile, 0: none
 * @command:	argv as one line
 * @started_ns:	REALTIME
 * @stolen_ms:	time that the hypervisor took from all @cpus meanwhile; unknown without @has_stolen
 */
struct description {
	const struct bench_options *options;
	const struct cpus *cpus;
	const char *boot_id;
	uint64_t run;
	const char *command;
	uint64_t started_ns;
	uint64_t stolen_ms;
	bool has_stolen;
};

/* malloc()ed; NULL: out of memory. */
char *describe_machine(const struct description *description);

#endif /* EVTLOG_JITTER_BENCH_ENVIRONMENT_H */
