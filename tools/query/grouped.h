/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of a table in the order of one column of numbers, for GROUP BY.
 *
 * Stage: between what is read and the cursor.  Only columns that a statement asks for are held, as
 * numbers; what does not fit into memory waits in a file without a name.
 */
#ifndef EVTLOG_QUERY_GROUPED_H
#define EVTLOG_QUERY_GROUPED_H

#include "block.h"

struct grouped;

/*
 * grouped_new() - begins with no rows
 * @key:	column by which they are put in order, NULL first; of one value they stay as they were
 * @used:	bits of the columns that are asked for; none has strings that hold for one row only
 * @more:	columns of numbers behind those of @table, all asked for
 *
 * 0 or -ENOMEM; grouped_free() in both cases.
 */
int grouped_new(struct grouped **groupedp, const struct table *table, unsigned int key,
		uint32_t used, unsigned int more);
void grouped_free(struct grouped *grouped);

/* Adds a row.  0; -ENOMEM; -errno of write(). */
int grouped_add(struct grouped *grouped, const int64_t *values, uint32_t nulls);

/* There are no more: what grouped_next() gives begins.  0; -ENOMEM; -errno of write(). */
int grouped_end(struct grouped *grouped);

/*
 * Fills @to, of the same table, with the next rows; none: there are no more.  Columns that nobody
 * asked for have any value.  0; -ENOMEM; -errno of read().
 */
int grouped_next(struct grouped *grouped, struct row_block *to);

#endif /* EVTLOG_QUERY_GROUPED_H */
