/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many tasks of a host are runnable, in bins of 2^level ns.
 *
 * Stage: between analysis/interval and the answers; any thread may ask.
 */
#ifndef EVTLOG_VIEW_SESSION_RUNNABLE_H
#define EVTLOG_VIEW_SESSION_RUNNABLE_H

#include "session.h"

/* More are not given at once. */
#define RUNNABLE_BINS_MAX	8192
#define RUNNABLE_LEVEL_MAX	50

/*
 * What is known of a bin, of the part of it that is in the log.
 * RUNNABLE_OUTSIDE: none of it is
 * RUNNABLE_UNKNOWN: events are lost, were not recorded, or nothing is known yet
 * RUNNABLE_LEAST: not all of the tasks, or not all of the time
 */
enum runnable_state {
	RUNNABLE_OUTSIDE,
	RUNNABLE_UNKNOWN,
	RUNNABLE_LEAST,
	RUNNABLE_KNOWN
};

/*
 * @mean:	over the time that is known; 0 if none is
 * @known_ns:	that time, the mean of the CPUs
 * @most:	at an instant
 */
struct runnable_bin {
	double mean;
	double known_ns;
	uint32_t most : 30;
	uint32_t state : 2;
};

/* Of a host: it holds nothing before the first question.  NULL: there is no memory. */
struct runnable *runnable_new(void);
void runnable_free(struct runnable *runnable);

/**
 * session_runnable() - the runnable tasks of the CPUs of @host that are shown
 * @level:	bin i is [i << @level, (i + 1) << @level), up to RUNNABLE_LEVEL_MAX
 * @first:	number of the first bin
 * @count:	of them, up to RUNNABLE_BINS_MAX
 * @given_up:	asked now and then: the answer is not wanted any more
 *
 * The first question reads the log once and keeps bins of all of it, of which there are as many for
 * any log; finer ones are read from the log each time.  Return: 0; -EINVAL; -ECANCELED;
 * -EOPNOTSUPP: the log is of a global named buffer; -ENOMEM; -errno of reading.
 */
int session_runnable(struct session *session, uint32_t host, unsigned int level, uint64_t first,
		     size_t count, bool (*given_up)(void *context), void *context,
		     struct runnable_bin *bins);

/* The same of bins [@edges[i], @edges[i + 1]), all read from the log. */
int session_runnable_between(struct session *session, uint32_t host, const int64_t *edges,
			     size_t count, struct runnable_bin *bins);

#endif /* EVTLOG_VIEW_SESSION_RUNNABLE_H */
