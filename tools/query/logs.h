/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The logs that queries are about, which all tables of a connection share.
 *
 * Stage: above lib/tables, which reads them; virtual.c asks for their rows.
 */
#ifndef EVTLOG_QUERY_LOGS_H
#define EVTLOG_QUERY_LOGS_H

#include <signal.h>
#include <stdbool.h>

#include "block.h"
#include "input/log-set.h"
#include "lib/tables/tables.h"

/*
 * How logs are opened.
 * @assume_ntp:		of several hosts, as for evtlog merge
 * @index_directory:	where indexes are looked for first; NULL: only at their usual places
 * @hints:		it is said once that an index would make a query faster
 */
struct query_manner {
	bool assume_ntp;
	const char *index_directory;
	bool hints;
};

/*
 * @set:	the files, and their clocks if there are several
 * @index_directory: as of struct query_manner, a copy
 * @dictionary:	of all strings that rows have
 * @kept:	rows of small tables, once they were asked for
 * @heads:	rows of tables that need no event, without the columns that need the whole log
 * @hints:	as of struct query_manner, until it was said
 * @stop:	set to stop what is read
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
 * query_logs_open() - opens logs of one run of one or several hosts
 *
 * An exit status, after saying what is wrong; *@logsp: NULL, or to be closed.
 */
int query_logs_open(struct query_logs **logsp, char **paths, size_t count,
		    const struct query_manner *manner);

/*
 * After queries: an exit status, EXIT_OK, EXIT_EVENTS_LOST or EXIT_FAILED, after saying what logs lack,
 * as far as they were read
 */
int query_logs_verdict(const struct query_logs *logs);
void query_logs_close(struct query_logs *logs);

/*
 * From where on rows of a log are wanted: what is before is not read if the log's index has a
 * checkpoint.
 * @time:	of rows; INT64_MIN: from the start
 * @event:	number of an event; INT64_MAX: of any
 */
struct query_start {
	int64_t time;
	int64_t event;
};

#define QUERY_FROM_START	((struct query_start) { INT64_MIN, INT64_MAX })

/*
 * query_logs_read() - begins to read one of them
 * @start: rows before it may be missing
 * @wanted: bits of tables
 * @numbers: lives as long as the tables; each log has numbers of its own
 * @cpus: as of struct tables_options
 *
 * 0 or -errno; tables_free() in both cases.
 */
int query_logs_read(struct query_logs *logs, size_t number, struct query_start start,
		    uint32_t wanted, struct tables_numbers *numbers, const bool *cpus,
		    tables_row *row, void *context, struct tables **tablesp);

#endif /* EVTLOG_QUERY_LOGS_H */
