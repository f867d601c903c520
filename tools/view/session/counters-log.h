/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads counters from a host's log, and keeps what is known at some times of it.
 *
 * Between counters.c and counters-log.c.
 */
#ifndef EVTLOG_VIEW_SESSION_COUNTERS_LOG_H
#define EVTLOG_VIEW_SESSION_COUNTERS_LOG_H

#include "analysis/interval/interval.h"
#include "counters.h"

/*
 * Checkpoints of a log, by time.
 * @every:	so many events are between two of them, and those of one bin
 * @last:	events that were read when the last was kept
 * @bytes:	of all; up to @bytes_max
 */
struct checkpoints {
	struct interval_checkpoint *at;
	size_t count;
	size_t capacity;
	uint64_t every;
	uint64_t last;
	size_t bytes;
	size_t bytes_max;
};

void checkpoints_free(struct checkpoints *checkpoints);

/*
 * counters_log_read() - bins [@edges[i], @edges[i + 1]), @question->count of them
 * @from:	checkpoints that are there; NULL: the log is read from its start
 * @keep:	where those that are passed go; NULL: nowhere
 *
 * Return: as session_counters().
 */
int counters_log_read(struct session *session, const struct counters_question *question,
		      const int64_t *edges, const struct checkpoints *from,
		      struct checkpoints *keep, struct counters_answer *answer);

#endif /* EVTLOG_VIEW_SESSION_COUNTERS_LOG_H */
