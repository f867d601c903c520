/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that took time from the program, one after the other, recorded and inferred.
 *
 * Stage: between a joined recording and `evtlog jitter diff`.
 */
#ifndef EVTLOG_JITTER_DIFF_INTERVALS_H
#define EVTLOG_JITTER_DIFF_INTERVALS_H

#include <evtlog/jitter.h>

/*
 * @source:	its row
 * @at_ns:	since the window of its thread began
 * @length_ns:	its own
 */
struct interval {
	const struct evtlog_jitter_source *source;
	double at_ns;
	double length_ns;
};

/* For each that is not excluded, thread by thread. */
void intervals_each(const struct evtlog_jitter *jitter,
		    void (*each)(void *arg, const struct interval *interval), void *arg);

/* The shortest of the threads' windows; 0: there is none. */
double intervals_window_ns(const struct evtlog_jitter *jitter);

/* CPU time of which the log knows. */
double intervals_cpu_s(const struct evtlog_jitter *jitter);

#endif /* EVTLOG_JITTER_DIFF_INTERVALS_H */
