/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A log as tables of typed rows.
 *
 * Stage: between the events of one host's log and whoever wants tables: Parquet files, an Arrow
 * stream, queries.  It reads a log once, gives each row of the tables that are wanted to a sink,
 * and knows no format.  Tables that are not wanted cost nothing.
 *
 * Names of tables and columns are those of Perfetto and systing where these have them.  Times are
 * ns of CLOCK_MONOTONIC_RAW: of the log's host, or of the common timeline of several hosts.
 *
 *	time		a slice lies within the part that is read: what began before it, or goes
 *			on behind it, is cut there, and @cut says so
 *	losses		no slice lies over one.  What a CPU does is known up to the loss, and
 *			again behind it; in what state a task is that does not run is unknown
 *			from the first loss of any CPU on until it is seen again, and while one
 *			goes on: a slice that begins then has no length, and is cut
 *	switches	if they were not recorded there are no sched_slice, thread_state and thread_wait
 *	utid, upid	number of a thread or process: of a pid between its fork and its exit, or
 *			its next fork.  They count from 1 in the order in which the log, read from
 *			its start, names them, over all logs that share a struct tables_numbers.
 *			A log that is read with other tables or another end has the same.  Thread
 *			0 is the idle task of all CPUs and hosts
 *	waits		a slice of a CPU has the wait before it, and the wake-up; waits and wake-ups
 *			of which no slice tells are in tables of their own, the rest
 *	order		rows of a slice come when it ends, so that they are in order of ts + dur;
 *			others in order of ts.  Of each CPU they are in order of ts, too.  The rest
 *			comes when it is known to be
 */
#ifndef EVTLOG_LIB_TABLES_TABLES_H
#define EVTLOG_LIB_TABLES_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

#include "dictionary.h"

/* ---- What there is ---- */

enum table_number {
	TABLE_SCHED_SLICE,
	TABLE_THREAD_STATE,
	TABLE_THREAD_WAIT,
	TABLE_THREAD_WAIT_REST,
	TABLE_IRQ_SLICE,
	TABLE_SOFTIRQ_SLICE,
	TABLE_VECTOR_SLICE,
	TABLE_EXCEPTION_SLICE,
	TABLE_SYSCALL_SLICE,
	TABLE_USER_SLICE,
	TABLE_WAKEUP,
	TABLE_WAKEUP_REST,
	TABLE_WAKEUP_NEW,
	TABLE_SCHED_MIGRATE,
	TABLE_PROCESS_EXIT,
	TABLE_EVENT,
	TABLE_ARGS,
	TABLE_SAMPLE,
	TABLE_KERNEL_COUNTER,
	TABLE_LOSS,
	TABLE_CLOCK,
	TABLE_THREAD,
	TABLE_PROCESS,
	TABLE_THREAD_NAME,
	TABLE_RUN,
	TABLE_META,
	TABLES
};

#define TABLES_ALL	((UINT32_C(1) << TABLES) - 1)

/* Tables of which others have all rows: sched_slice, thread_wait_rest and wakeup_rest */
#define TABLES_DERIVED	(UINT32_C(1) << TABLE_THREAD_STATE | UINT32_C(1) << TABLE_THREAD_WAIT | \
			 UINT32_C(1) << TABLE_WAKEUP)
#define TABLES_REST	(UINT32_C(1) << TABLE_THREAD_WAIT_REST | UINT32_C(1) << TABLE_WAKEUP_REST)

#define TABLE_COLUMNS_MAX	16

/* What a value is; strings and doubles are in it as tables_text() and tables_double() say. */
enum table_type {
	TABLE_INT64,
	TABLE_UINT64,
	TABLE_INT32,
	TABLE_BOOL,
	TABLE_DOUBLE,
	TABLE_STRING,
};

/*
 * How values follow each other.
 * TABLE_REPEATED: the same ones come again, as far as is known
 * TABLE_RISING: mostly a little more than the one before, as rows come
 * TABLE_SCATTERED: of a wide range, and rarely the same
 */
enum table_order {
	TABLE_REPEATED,
	TABLE_RISING,
	TABLE_SCATTERED,
};

/*
 * @order:	enum table_order
 * @once:	strings that mostly differ: see TABLES_TEXT_ONCE
 * @local:	rows beside each other have values that are near, so that a range of them tells where
 *		a row is
 * @whole:	known only after the whole log has been read
 * @help:	a sentence's part
 */
struct table_column {
	const char *name;
	uint8_t type;
	uint8_t order;
	bool nullable;
	bool once;
	bool local;
	bool whole;
	const char *help;
};

/*
 * @time: index of the column that is the row's time; -1: it has none
 * @key: index of the column by which rows that are stored together compress best; -1: by their time
 */
struct table {
	const char *name;
	const char *help;
	const struct table_column *columns;
	unsigned int column_count;
	int time;
	int key;
};

extern const struct table tables_list[TABLES];

/* By its name; TABLES: there is none. */
enum table_number tables_find(const char *name);

/* ---- Rows ---- */

/*
 * Takes a row.  0; else the reading ends with this.
 * @values: one for each column; of strings ids, of doubles the bits
 * @nulls: a bit for each column that has no value
 */
typedef int tables_row(void *context, enum table_number table, const int64_t *values,
		       uint32_t nulls);

static inline double tables_double(int64_t value)
{
	double number;

	__builtin_memcpy(&number, &value, sizeof(number));
	return number;
}

/* ---- Reading ---- */

/* Where numbers go on in the next log; all zero before the first. */
struct tables_numbers {
	int64_t utid;
	int64_t upid;
	int64_t event;
};

/**
 * struct tables_options - what to read, as what; what it points to lives as long as the tables
 * @file: the log, not of a global buffer
 * @hosts: times are of the common timeline, @number is the log's; NULL: those of the log
 * @host: its name in rows; NULL: unknown, which is "?"
 * @from_ns, @to_ns: which part of the log, by its own time; @to_ns is not included, UINT64_MAX:
 *	up to its end.  It is read from its start in any case, as states and names are from there
 * @cpus: by number, EVTLOG_CPU_LIMIT of them: which are wanted; NULL: all.  A task that does not
 *	run counts where it ran last
 * @wanted: a bit for each enum table_number
 * @dictionary: of strings; logs may share it
 * @numbers: logs may share it
 * @syscall_name: NULL if it knows none; NULL: all have none
 * @row, @context: the sink
 */
struct tables_options {
	struct evtlog_file *file;
	const struct evtlog_clocksync *hosts;
	size_t number;
	const char *host;
	uint64_t from_ns;
	uint64_t to_ns;
	const bool *cpus;
	uint32_t wanted;
	struct dictionary *dictionary;
	struct tables_numbers *numbers;
	const char *(*syscall_name)(uint64_t number, bool compat);
	tables_row *row;
	void *context;
};

struct tables;
struct lanes;

/**
 * tables_new() - before the first row
 * @options: copied
 *
 * Return: 0; -ENOMEM; -errno of read().
 */
int tables_new(const struct tables_options *options, struct tables **tablesp);

/** tables_free() - NULL is allowed */
void tables_free(struct tables *tables);

/**
 * tables_next() - reads on
 * @events: at most so many
 *
 * Return: 1; 0: all was read and given; -ENOMEM; -errno of read(); what the sink returned.
 */
int tables_next(struct tables *tables, unsigned int events);

/**
 * tables_heads() - emit the rows of meta, clock and run, which need no event
 *
 * It is called instead of tables_next().  Columns that need the whole log have what is known
 * without it.
 *
 * Return: 0; -ENOMEM; what the sink returned.
 */
int tables_heads(struct tables *tables);

/**
 * tables_is_past() - whether all rows with a time from @from to @to, both included, were given
 *
 * Times are those of rows.  All that began then has ended, and no CPU has an event then that is
 * still to come.
 */
bool tables_is_past(const struct tables *tables, int64_t from, int64_t to);

/**
 * tables_peek() - when the next event is that is not taken yet
 *
 * Return: 1; 0: there is none; -errno of read().
 */
int tables_peek(struct tables *tables, uint64_t *raw_ns);

/* ---- Checkpoints ---- */

/*
 * A state as bytes: a log of one host that is read from there on has the same rows as if it
 * were read from its start.
 *
 * @bytes:	to be freed
 * @time_ns:	by the log's time: all events before it were taken, and none from it on
 * @event:	the number of the last row of TABLE_EVENT before it
 */
struct tables_checkpoint {
	void *bytes;
	size_t length;
	uint64_t time_ns;
	uint64_t event;
};

/**
 * tables_save() - makes a checkpoint of tables that count from 1, of all CPUs, by the log's own time
 *
 * Return: 1; 0: not here, as the next event is of the time of the last; -ENOMEM; -errno of read().
 */
int tables_save(struct tables *tables, struct tables_checkpoint *checkpoint);

/**
 * tables_restore() - goes to a checkpoint of the same log, before the first event
 *
 * Numbers and times become those of @tables, which may be of another timeline than the checkpoint.
 *
 * Return: 0; -EBADMSG: it is none of this log, and nothing is changed; -ENOMEM; -errno of read().
 */
int tables_restore(struct tables *tables, const void *bytes, size_t length);

/** tables_lanes() - the log's streams, each before an event that is not taken */
const struct lanes *tables_lanes(const struct tables *tables);

/** tables_position(), tables_bytes() - how far it is, and of what, to show progress */
uint64_t tables_position(const struct tables *tables);
uint64_t tables_bytes(const struct tables *tables);

/*
 * What has no row, of the part and the CPUs that are wanted
 * @records:	by enum evtlog_type: time, event_format and on_cpu, which tell of the log itself; wake-ups,
 *		moves, exits and samples of the idle task
 * @fields:	of events: numbers of more than 64 bits, addresses that are not of 4 bytes
 * @snapshots:	records of type task, whose state, CPU, flags and run time no table has
 */
struct tables_left_out {
	uint64_t records[EVTLOG_TYPE_MAX + 1];
	uint64_t fields;
	uint64_t snapshots;
};

/** tables_left_out() - what was left out, so far */
const struct tables_left_out *tables_left_out(const struct tables *tables);

/** tables_events() - events within the part and on the CPUs that are wanted, so far */
uint64_t tables_events(const struct tables *tables);

#endif /* EVTLOG_LIB_TABLES_TABLES_H */
