/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Intervals of two sets of logs, for the comparison of evtlog diff.
 *
 * Stage: between the tables of each log (query/logs.h) and jitter/diff/compare.h, which judges.  A
 * source is what a task, an interrupt, a softirq or all switches do:
 *
 *	sh		tasks with this name run, from switch to switch
 *	sh: ready	they are ready and wait for a CPU
 *	sh: blocked S	they are blocked in this state
 *	irq 28 eth0	a handler runs, with what is nested in it; also softirq NET_RX and
 *			vector local_timer
 *	switches	context switches; they have no length
 */
#ifndef EVTLOG_ANALYSIS_DIFF_SIDES_H
#define EVTLOG_ANALYSIS_DIFF_SIDES_H

#include "jitter/diff/compare.h"

/* Logs of A or B, or of both one after the other; @cpus of all */
struct side {
	char **paths;
	size_t count;
	unsigned int cpus;
};

/* More sources are not compared: those with the least time are left out. */
#define SOURCES_MAX	100

/*
 * sides_read() - read all logs
 * @compared: all zero, except what its options are
 * @blocks: number of blocks in the shorter side
 * @left_out: number of sources that are not compared
 *
 * Each log counts from its own begin, up to the length of the shortest log of its side.
 * Returns an exit status, after an error message.
 */
int sides_read(struct compared *compared, struct side sides[2], unsigned int blocks,
	       size_t *left_out);

#endif /* EVTLOG_ANALYSIS_DIFF_SIDES_H */
