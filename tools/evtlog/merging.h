/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many hosts' events as one stream of lines.
 *
 * Stage: between `evtlog merge`, or another command that was given several files, and
 * the cluster of those files.
 */
#ifndef EVTLOG_MERGING_H
#define EVTLOG_MERGING_H

#include "cluster.h"
#include "select.h"
#include "show.h"

/*
 * @command:	for messages
 * @types, @hosts: lists divided by commas; NULL: all
 * @report:	path for the report as JSON, "-" is stdout; NULL: a table on stderr
 *		if @tell
 * @memory_bytes: 0: the library's choice
 */
struct merge_wish {
	const char *command;
	struct cluster_wish clocks;
	struct selection selection;
	const char *types;
	const char *hosts;
	uint64_t limit;
	struct show show;
	const char *report;
	bool tell;
	size_t memory_bytes;
};

/* Reads @paths and prints.  Returns an exit status. */
int merge_print(struct merge_wish *wish, char **paths, size_t count);

#endif /* EVTLOG_MERGING_H */
