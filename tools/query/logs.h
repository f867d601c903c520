/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The logs of a connection, shared by all its tables.
 *
 * Stage: opens logs for lib/tables, which reads them; cursor.c and block.c take the rows.
 */
#ifndef EVTLOG_QUERY_LOGS_H
#define EVTLOG_QUERY_LOGS_H

#include <signal.h>
#include <stdbool.h>

#include "block.h"
#include "input/log-set.h"
#include "lib/tables/tables.h"

/*
 * Options for opening logs.
 * @assume_ntp:		for several hosts, as in evtlog dump
 * @index_directory:	first place to look for indexes; NULL: only their usual places
 * @hints:		print once that an index would make a query faster
 */
struct query_manner {
	bool assume_ntp;
	const char *index_directory;
	bool hints;
};

/*
 * @set:	the files, and their related clocks if there are several
 * @index_directory: copy from struct query_manner
 * @dictionary:	strings of all rows
 * @kept:	rows of small tables, read when first needed
 * @heads:	rows of tables that need no events, without the columns that need the whole log
 * @hints:	as in struct query_manner; false after the hint
 * @stop:	set it to stop reading
 */
struct query_logs {
	struct logs set;
	char *index_directory;
	struct dictionary dictionary;
	struct kept *kept[TABLES];
	struct kept *heads[TABLES];
	bool hints;
	volatile sig_atomic_t stop;
};

/*
 * query_logs_open() - open the logs of a run, of one or several hosts
 *
 * Return: an exit status, after an error message.  Call query_logs_close() in all cases.
 */
int query_logs_open(struct query_logs **logsp, char **paths, size_t count,
		    const struct query_manner *manner);

/*
 * Call it after queries.  Prints losses and damage in the parts that were read.  Returns EXIT_OK,
 * EXIT_EVENTS_LOST or EXIT_FAILED.
 */
int query_logs_verdict(const struct query_logs *logs);
void query_logs_close(struct query_logs *logs);

/*
 * The wanted part of a log.  Earlier parts are not read if the log's index has a checkpoint.
 * @from:	first time of rows; INT64_MIN: from the start
 * @to:		no event after this time is needed; INT64_MAX: up to the end
 * @event:	first number of an event; INT64_MAX: any
 */
struct query_part {
	int64_t from;
	int64_t to;
	int64_t event;
};

#define QUERY_ALL	((struct query_part) { INT64_MIN, INT64_MAX, INT64_MAX })

/*
 * query_logs_read() - start to read log @number
 * @part: rows before it may be missing; slices that reach beyond it are cut soon after its end
 * @wanted: bits of tables
 * @numbers: must outlive the tables; is set to the log's own range of numbers
 * @cpus: as in struct tables_options
 *
 * Return: 0 or -errno.  Call tables_free() in both cases.
 */
int query_logs_read(struct query_logs *logs, size_t number, struct query_part part,
		    uint32_t wanted, struct tables_numbers *numbers, const bool *cpus,
		    tables_row *row, void *context, struct tables **tablesp);

#endif /* EVTLOG_QUERY_LOGS_H */
