/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers of rows that are the same whatever a scan leaves out.
 *
 * Stage: below cursor.c, whose rows virtual.c gives SQLite with a rowid.  SQLite takes rows of two
 * scans for one if they have the same: for OR, RIGHT JOIN and FULL JOIN.
 *
 *	kept rows	their index
 *	event		its number
 *	args		that of the event, and which field of it
 *	others		a hash of all that is in the row; of equal rows, which all scans have, or
 *			none, each next one has another
 */
#ifndef EVTLOG_QUERY_IDENTITY_H
#define EVTLOG_QUERY_IDENTITY_H

#include "lib/tables/tables.h"

struct identity_seen;

/*
 * The rows of a scan so far.
 * @seen:	how often each hash was there: @count of them, room for @capacity
 * @event:	of the last row of args, which is field @field
 */
struct identities {
	struct identity_seen *seen;
	size_t count;
	size_t capacity;
	int64_t event;
	unsigned int field;
};

void identities_free(struct identities *identities);

/* Of a field of an event; from 0 on */
int64_t identity_of_field(int64_t event, size_t field);

/*
 * identities_take() - the number of the next row, of a table that is not kept
 * @log:	number of it
 *
 * 0 or -ENOMEM.
 */
int identities_take(struct identities *identities, enum table_number table, size_t log,
		    const struct dictionary *dictionary, const int64_t *values, uint32_t nulls,
		    int64_t *identity);

#endif /* EVTLOG_QUERY_IDENTITY_H */
