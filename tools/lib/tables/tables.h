/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A log as tables of typed rows.
 *
 * Stage: between the events of one host's log and the users of tables: Parquet files, an Arrow
 * stream, queries. It reads a log once and passes each row of the wanted tables to a sink. It does
 * not write any file format. Tables that are not wanted cost nothing.
 *
 * Tables and columns have the names of Perfetto and systing where these exist. Times are ns of
 * CLOCK_MONOTONIC_RAW of the log's host, or of the common timeline of several hosts.
 *
 *	time		slices are clipped to the part that is read; a clipped slice has @cut set
 *	losses		no slice of a CPU spans a loss.  The state of a task that does not run is
 *			unknown from the first loss of any CPU on, until an event shows it again.
 *			A state that begins during a loss has a slice of length 0, with @cut set
 *	switches	if not recorded, sched_slice, thread_state and thread_wait are empty
 *	utid, upid	number of a thread or process: of a pid between its fork and its exit, or
 *			its next fork.  Numbers count from 1 in the order in which the log, read
 *			from its start, names threads and processes.  Logs that share a struct
 *			tables_numbers continue the numbers.  Numbers do not depend on the wanted
 *			tables or the end of the part.  Thread 0 is the idle task of all CPUs and
 *			hosts
 *	waits		a slice of a CPU contains the wait and the wake-up before it.  Other waits
 *			and wake-ups are in thread_wait_rest and wakeup_rest
 *	order		slices are emitted when they end, so they are in order of ts + dur.  Other
 *			rows are in order of ts.  Rows of one CPU are in order of ts, too.  A row of
 *			a rest table is emitted when it is certain that no slice contains it
 */
#ifndef EVTLOG_LIB_TABLES_TABLES_H
#define EVTLOG_LIB_TABLES_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

#include "dictionary.h"

/* ---- Tables and columns ---- */

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

/* Derived tables: all their rows are in sched_slice, thread_wait_rest and wakeup_rest */
#define TABLES_DERIVED	(UINT32_C(1) << TABLE_THREAD_STATE | UINT32_C(1) << TABLE_THREAD_WAIT | \
			 UINT32_C(1) << TABLE_WAKEUP)
#define TABLES_REST	(UINT32_C(1) << TABLE_THREAD_WAIT_REST | UINT32_C(1) << TABLE_WAKEUP_REST)

#define TABLE_COLUMNS_MAX	16

/* Type of a value. Strings are stored as ids, doubles as bits: see tables_double(). */
enum table_type {
	TABLE_INT64,
	TABLE_UINT64,
	TABLE_INT32,
	TABLE_BOOL,
	TABLE_DOUBLE,
	TABLE_STRING,
};

/*
 * How the values of a column follow each other.
 * @TABLE_REPEATED: values are often the same, as far as is known
 * @TABLE_RISING: mostly a little more than in the row before
 * @TABLE_SCATTERED: of a wide range, rarely the same
 */
enum table_order {
	TABLE_REPEATED,
	TABLE_RISING,
	TABLE_SCATTERED,
};

/*
 * @order:	enum table_order
 * @once:	strings that mostly differ: see TABLES_TEXT_ONCE
 * @local:	neighbouring rows have similar values, so that ranges of values help to find a row
 * @whole:	known only after the whole log has been read
 * @help:	part of a sentence
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
 * @time:	index of the column with the row's time; -1 if none
 * @key:	index of the column by which rows should be grouped to compress best; -1: by time
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

/* Finds a table by its name; TABLES if there is none. */
enum table_number tables_find(const char *name);

/* ---- Rows ---- */

/*
 * Takes a row. Returns 0, or an error that ends the reading.
 * @values:	one for each column: for strings their ids, for doubles their bits
 * @nulls:	a bit for each column that is NULL
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

/* Where the numbers of the next log continue; all zero before the first log */
struct tables_numbers {
	int64_t utid;
	int64_t upid;
	int64_t event;
};

/**
 * struct tables_options - what to read; what it points to must live as long as the tables
 * @file:	the log; not a log of a global buffer
 * @hosts:	times are on their common timeline, with @number of the log; NULL: times of the log
 * @host:	name of the host in rows; NULL: unknown, which is "?"
 * @from_ns, @to_ns: part of the log, by its own time; @to_ns is not included, UINT64_MAX: up to the
 *		end of the log. The log is read from its start anyway, for states and names
 * @cpus:	wanted CPUs by number, EVTLOG_CPU_LIMIT of them; NULL: all. A task that does not run
 *		belongs to the CPU where it ran last
 * @wanted:	a bit for each enum table_number
 * @dictionary:	of strings; logs may share it
 * @numbers:	of threads, processes and events; logs may share them
 * @syscall_name: name of a system call, NULL if it has none; NULL: no call has a name
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
 * tables_new() - prepare to read the tables of a log
 * @options: copied
 *
 * Return: 0; -ENOMEM; -errno of read().
 */
int tables_new(const struct tables_options *options, struct tables **tablesp);

/** tables_free() - free the tables; NULL is allowed */
void tables_free(struct tables *tables);

/**
 * tables_next() - take the next events and emit their rows
 * @events: limit of events to take
 *
 * Return: 1; 0: everything was read and emitted; -ENOMEM; -errno of read(); the sink's error.
 */
int tables_next(struct tables *tables, unsigned int events);

/**
 * tables_heads() - emit the rows of meta, clock and run, which need no event
 *
 * Call it instead of tables_next(). Columns that need the whole log contain what is known without
 * reading it.
 *
 * Return: 0; -ENOMEM; the sink's error.
 */
int tables_heads(struct tables *tables);

/**
 * tables_is_past() - check that all rows from @from to @to were emitted
 *
 * Both are times of rows and are included. Returns true if everything that began in this time has
 * ended, and no CPU can have a further event in it.
 */
bool tables_is_past(const struct tables *tables, int64_t from, int64_t to);

/**
 * tables_peek() - get the time of the next event, without taking it
 *
 * Return: 1; 0: there is no next event; -errno of read().
 */
int tables_peek(struct tables *tables, uint64_t *raw_ns);

/* ---- Checkpoints ---- */

/*
 * The state as bytes. A log of one host that is read from this state on has the same rows as the
 * log read from its start.
 *
 * @bytes:	freed by the caller
 * @time_ns:	by the log's clock: exactly the events before this time were taken
 * @event:	number of the last row of TABLE_EVENT before this time
 */
struct tables_checkpoint {
	void *bytes;
	size_t length;
	uint64_t time_ns;
	uint64_t event;
};

/**
 * tables_save() - make a checkpoint; tables must count from 1, have all CPUs, use the log's time
 *
 * Return: 1; 0: not here: no next event, or it has the time of the last; -ENOMEM; -errno of read().
 */
int tables_save(struct tables *tables, struct tables_checkpoint *checkpoint);

/**
 * tables_restore() - go to a checkpoint of the same log, before the first event
 *
 * Numbers and times are converted to those of @tables, which may use another timeline.
 *
 * Return: 0; -EBADMSG: not a checkpoint of this log, nothing is changed; -ENOMEM; -errno of read().
 */
int tables_restore(struct tables *tables, const void *bytes, size_t length);

/** tables_lanes() - get the log's streams; each is in front of an event that was not taken */
const struct lanes *tables_lanes(const struct tables *tables);

/** tables_position(), tables_bytes() - get the bytes read and all bytes, for progress */
uint64_t tables_position(const struct tables *tables);
uint64_t tables_bytes(const struct tables *tables);

/*
 * Counts of records and fields that are in no row, in the wanted part and on the wanted CPUs.
 * @records:	by enum evtlog_type: time, event_format and on_cpu, which describe the log itself;
 *		wake-ups, moves, exits and samples of the idle task
 * @fields:	of events: numbers of more than 64 bits, addresses that do not have 4 bytes
 * @snapshots:	records of type task, as no table has their state, CPU, flags and run time
 */
struct tables_left_out {
	uint64_t records[EVTLOG_TYPE_MAX + 1];
	uint64_t fields;
	uint64_t snapshots;
};

/** tables_left_out() - get the counts of what was left out so far */
const struct tables_left_out *tables_left_out(const struct tables *tables);

/** tables_events() - get the number of events so far in the wanted part and on the wanted CPUs */
uint64_t tables_events(const struct tables *tables);

#endif /* EVTLOG_LIB_TABLES_TABLES_H */
