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
 * @is_whole:	all have been
 * @begin:	in ticks: since when it counts
 * @until:	in ticks: of when it is
 * @sums:	by slot
 * @values:	what is no span
 */
struct evtlog_profile_row {
	unsigned int number;
	int most;
	bool is_whole;
	u64 begin;
	u64 until;
	struct evtlog_profile_sums sums[EVTLOG_PROFILE_SLOTS];
	struct evtlog_profile_values values;
};

void evtlog_profile_row_show(struct seq_file *m, unsigned int number,
			     struct evtlog_profile_row *row);

#endif /* EVTLOG_PROFILE_ROW_H */
