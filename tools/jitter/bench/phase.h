/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One phase of `evtlog jitter run`: the benchmark, while a run is recorded or not.
 *
 * Stage: between the benchmark and the files it leaves.
 */
#ifndef EVTLOG_JITTER_BENCH_PHASE_H
#define EVTLOG_JITTER_BENCH_PHASE_H

#include "run.h"

/*
 * phase_run() - measure with nothing recorded, or record a run meanwhile
 * @result:	its phase, and of a recorded one the log, are filled in
 *
 * Says what is wrong.  Returns an exit status: EXIT_OK also when interrupted, and
 * EXIT_EVENTS_LOST; the samples are in the directory then.
 */
int phase_run_unlogged(const struct run_options *options, const struct cpus *cpus,
		       const struct control_status *status, struct run_result *result);
int phase_run_logged(const struct run_options *options, const struct cpus *cpus,
		     const struct control_status *status, struct run_result *result);

#endif /* EVTLOG_JITTER_BENCH_PHASE_H */
