/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of tasks as they were at any event of a log, whose positions are those of records.h.
 *
 * Beside struct evtlog_tasks, which knows the last names only.
 */
#ifndef EVTLOG_KSHARK_NAMES_H
#define EVTLOG_KSHARK_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

#include "lib/base/key-table.h"

/* The last of all positions: names as they are at the log's end */
#define NAMES_LAST	UINT64_MAX

/*
 * A name that a task has from a position on.
 * @before:	number of the one that it had; KEY_NONE: nobody knows
 */
struct name {
	uint64_t from;
	uint32_t pid;
	uint32_t before;
	char comm[EVTLOG_COMM_LEN];
};

/*
 * All zero: none.
 * @latest:	number of each task's last name
 */
struct names {
	struct name *names;
	size_t count;
	size_t capacity;
	struct key_table tasks;
	uint32_t *latest;
	size_t latest_count;
	size_t latest_capacity;
};

/**
 * names_note() - a task has the name that @tasks knows, from a position on
 * @from:	not below that of calls before
 *
 * Without effect if that is its last name, or @tasks knows none.  Returns 0 or -ENOMEM.
 */
int names_note(struct names *names, const struct evtlog_tasks *tasks, uint32_t pid,
	       uint64_t from);

/* names_note() of all tasks that have a name before the first event. */
int names_note_all(struct names *names, const struct evtlog_tasks *tasks);

/**
 * names_at() - the name of a task at a position
 *
 * Returns EVTLOG_COMM_LEN bytes, untrusted; NULL: nobody knows.
 */
const char *names_at(const struct names *names, uint32_t pid, uint64_t position);

void names_free(struct names *names);

#endif /* EVTLOG_KSHARK_NAMES_H */
