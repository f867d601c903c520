/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets of a Perfetto trace: the host, its clocks and tasks, and bundles of events.
 */
#ifndef EVTLOG_PERFETTO_PACKET_H
#define EVTLOG_PERFETTO_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "export/sources.h"
#include "export/tasks.h"
#include "message.h"

/* Writes a snapshot of CLOCK_REALTIME and of CLOCK_MONOTONIC_RAW, the trace's clock, at @raw_ns. */
void packet_clocks(FILE *out, struct host_clock *clock, const struct evtlog_file *file,
		   uint64_t raw_ns);

void packet_system(FILE *out, const struct evtlog_file *file, const char *name);

/* Writes the named tasks that are not dead, as a process tree at @time_ns. */
void packet_tasks(FILE *out, struct export_tasks *tasks, uint64_t time_ns);

/*
 * Writes facts about the trace that no event contains.
 * @lost:	number of lost events
 * @notes, @note_count: sentences about the trace
 */
void packet_attributes(FILE *out, const struct host_clock *clock, const struct evtlog_file *file,
		       uint64_t lost, const char *const *notes, unsigned int note_count);

/* ---- FtraceEventBundle: up to some thousand events of a CPU ---- */

/* Largest message of an event: see generic.c. */
#define BUNDLE_EVENT_MAX	24576
#define BUNDLE_EVENTS_BYTES	(BUNDLE_EVENT_MAX + 8192)
#define BUNDLE_SCHED_MAX	1024
#define BUNDLE_NAMES_MAX	256

/* The kernel's MAX_PRIO, which no task has, as logs do not contain priorities */
#define PRIO_UNKNOWN	140

/* A column of CompactSched: a sequence of numbers */
struct column {
	uint8_t *bytes;
	uint8_t *end;
};

enum bundle_column {
	SWITCH_TIMES, SWITCH_STATES, SWITCH_PIDS, SWITCH_PRIOS, SWITCH_COMMS,
	WAKING_TIMES, WAKING_PIDS, WAKING_CPUS, WAKING_PRIOS, WAKING_COMMS, WAKING_FLAGS,
	BUNDLE_COLUMNS
};

/*
 * @events, @events_end: messages of events
 * @switches, @wakings: number of context switches and wake-ups in the columns
 * @switch_ns, @waking_ns: time of the last switch and the last wake-up
 * @names, @name_count: names of tasks
 * @name_of:	by pid modulo BUNDLE_NAMES_MAX: index in @names plus 1; 0: none
 * @lost:	events are missing before the first event
 * @previous_ns: end of the previous bundle; 0 if there is none
 * @last_ns:	time of the last event
 * @known:	the running task is known from earlier events
 */
struct bundle {
	FILE *out;
	uint32_t cpu;
	uint8_t *memory;
	uint8_t *events;
	uint8_t *events_end;
	struct column columns[BUNDLE_COLUMNS];
	unsigned int switches;
	unsigned int wakings;
	uint64_t switch_ns;
	uint64_t waking_ns;
	char names[BUNDLE_NAMES_MAX][EVTLOG_COMM_LEN];
	uint16_t name_of[BUNDLE_NAMES_MAX];
	unsigned int name_count;
	bool lost;
	bool known;
	uint64_t previous_ns;
	uint64_t last_ns;
};

/* Returns 0 or -ENOMEM.  In both cases the caller calls bundle_end(). */
int bundle_begin(struct bundle *bundle, FILE *out, uint32_t cpu);
void bundle_end(struct bundle *bundle);

/* Writes the bundle and empties it.  The caller checks @out for errors. */
void bundle_flush(struct bundle *bundle);

/* Adds a name and returns its index in @names. */
uint32_t bundle_name_slow(struct bundle *bundle, uint32_t slot, const char *comm);

static inline uint32_t bundle_name(struct bundle *bundle, uint32_t pid, const char *comm)
{
	uint32_t slot = pid % BUNDLE_NAMES_MAX, number = bundle->name_of[slot];

	if (__builtin_expect(number && !memcmp(bundle->names[number - 1], comm, EVTLOG_COMM_LEN), 1))
		return number - 1;
	return bundle_name_slow(bundle, slot, comm);
}

static inline void column_put(struct column *column, uint64_t value)
{
	column->end = put_varint(column->end, value);
}

/* Makes room for another switch or wake-up. */
static inline void bundle_reserve_sched(struct bundle *bundle)
{
	if (__builtin_expect(bundle->switches >= BUNDLE_SCHED_MAX ||
			     bundle->wakings >= BUNDLE_SCHED_MAX ||
			     bundle->name_count >= BUNDLE_NAMES_MAX, 0))
		bundle_flush(bundle);
}

static inline void bundle_switch(struct bundle *bundle, uint64_t time_ns, uint32_t prev_state,
				 uint32_t next_pid, const char *next_comm)
{
	bundle_reserve_sched(bundle);
	column_put(&bundle->columns[SWITCH_TIMES], time_ns - bundle->switch_ns);
	column_put(&bundle->columns[SWITCH_STATES], prev_state);
	column_put(&bundle->columns[SWITCH_PIDS], next_pid);
	column_put(&bundle->columns[SWITCH_PRIOS], PRIO_UNKNOWN);
	column_put(&bundle->columns[SWITCH_COMMS], bundle_name(bundle, next_pid, next_comm));
	bundle->switch_ns = time_ns;
	bundle->last_ns = time_ns;
	bundle->switches++;
}

static inline void bundle_waking(struct bundle *bundle, uint64_t time_ns, uint32_t pid,
				 const char *comm, int32_t target_cpu)
{
	bundle_reserve_sched(bundle);
	column_put(&bundle->columns[WAKING_TIMES], time_ns - bundle->waking_ns);
	column_put(&bundle->columns[WAKING_PIDS], pid);
	column_put(&bundle->columns[WAKING_CPUS], (int64_t)target_cpu);
	column_put(&bundle->columns[WAKING_PRIOS], PRIO_UNKNOWN);
	column_put(&bundle->columns[WAKING_COMMS], bundle_name(bundle, pid, comm));
	column_put(&bundle->columns[WAKING_FLAGS], 0);
	bundle->waking_ns = time_ns;
	bundle->last_ns = time_ns;
	bundle->wakings++;
}

/* Makes room for a message of @bytes and returns where to write it. */
static inline uint8_t *bundle_event(struct bundle *bundle, size_t bytes)
{
	if (__builtin_expect(bundle->events_end + bytes > bundle->events + BUNDLE_EVENTS_BYTES, 0))
		bundle_flush(bundle);
	return bundle->events_end;
}

static inline void bundle_event_done(struct bundle *bundle, uint64_t time_ns, uint8_t *end)
{
	bundle->events_end = end;
	bundle->last_ns = time_ns;
}

#endif /* EVTLOG_PERFETTO_PACKET_H */
