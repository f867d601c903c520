/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A CPU's profile of one moment.
 */
#ifndef EVTLOG_PROFILE_ROW_H
#define EVTLOG_PROFILE_ROW_H

#include "callpath/slots.h"
#include "callpath/value.h"

struct seq_file;

/**
 * struct evtlog_profile_row - a CPU's sums
 * @number:	which
 * @most:	about how many nodes of tasks are added to it in one go
 * @few:	so many may be before it is copied
 * @settled:	so many were; -1: there are more
 * @is_whole:	it was copied
 * @begin:	in ticks: since when it counts
 * @until:	in ticks: of when it is
 * @sums:	by slot
 * @values:	what is no span
 */
struct evtlog_profile_row {
	unsigned int number;
	int most;
	int few;
	int settled;
	bool is_whole;
	u64 begin;
	u64 until;
	struct evtlog_profile_sums sums[EVTLOG_PROFILE_SLOTS];
	struct evtlog_profile_values values;
};

void evtlog_profile_row_show(struct seq_file *m, unsigned int number,
			     struct evtlog_profile_row *row);

#endif /* EVTLOG_PROFILE_ROW_H */
