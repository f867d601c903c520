/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small tables, of which all rows are kept: threads, processes, runs.
 *
 * SQL joins others to them by their numbers, once for each row.  They are read at once, when the
 * first of them is asked for; tables that need no event are read without the others.
 */
#ifndef EVTLOG_QUERY_KEPT_H
#define EVTLOG_QUERY_KEPT_H

#include <stdbool.h>

#include "block.h"

struct query_logs;

/*
 * @by_key:	indexes of rows in @rows, in order of the first column
 */
struct kept {
	struct row_block rows;
	size_t *by_key;
};

/* Whether a table is small */
bool kept_is(enum table_number table);

/* The rows of a table, which stay; NULL: *@error is -errno.  @columns: bits of the columns used */
const struct kept *kept_of(struct query_logs *logs, enum table_number table, uint32_t columns,
			   int *error);
void kept_free(struct kept *tables[TABLES]);

/* The row whose first column is @key; SIZE_MAX: there is none. */
size_t kept_find(const struct kept *kept, int64_t key);

#endif /* EVTLOG_QUERY_KEPT_H */
