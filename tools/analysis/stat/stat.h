/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sums of `evtlog stat`.
 *
 * Stage: count.c computes them from events, with interrupts.c, and with tasks.c for tasks; print.c
 * and json.c print them. cmd-stat.c reads argv.
 */
#ifndef EVTLOG_ANALYSIS_STAT_STAT_H
#define EVTLOG_ANALYSIS_STAT_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <evtlog/event-format.h>
#include <evtlog/evtlog.h>
#include <evtlog/index.h>

#include "common/histogram.h"
#include "common/json.h"
#include "cpu-time.h"
#include "input/event-filter.h"
#include "lib/base/key-table.h"

struct replay;

#define STAT_SOFTIRQS	64
#define STAT_IRQS	4096
#define STAT_TYPES	(EVTLOG_TYPE_MAX + 1)
#define STAT_PIDS	(1u << EVTLOG_PID_BITS)

/*
 * A task under one of its names. The entry with the first name is the head of the task: it is used
 * to find the task.
 * @head:	index of the head; its own index if it is a head
 * @next:	index of the entry with the task's next name, in the order of first use; 0 if none
 * @last:	of a head: index of the last of these entries
 * @present:	of a head: index of the entry with the present name
 * @woken:	of a head: index of the entry with the name at its wake-up
 * @folded:	the entry is the sum of this many tasks with this name that are gone
 * @switches:	times it was switched in
 * @voluntary:	times it was switched out because it blocked or exited
 * @preempted:	times it was switched out though it was runnable
 * @wakeup_counts: the wake-up after which it waits is counted in @wakeups
 * @wakeups:	number of wake-ups; @latency has those with a wait that is completely in the log
 */
struct stat_task {
	uint32_t head;
	uint32_t next;
	uint32_t last;
	uint32_t present;
	uint32_t woken;
	uint32_t pid;
	uint32_t folded;
	char comm[EVTLOG_COMM_LEN];
	bool kernel_thread;
	bool exited;
	bool wakeup_counts;
	uint64_t run_ns;
	uint64_t switches;
	uint64_t voluntary;
	uint64_t preempted;
	uint64_t migrations;
	uint64_t wakeups;
	struct histogram latency;
};

/*
 * Sums of one softirq, device interrupt or vector.
 * @time_ns:	own time, without nested interrupts
 * @max_ns:	longest own time between an entry, at @max_from_ns, and its exit, at @max_to_ns,
 *		that were both seen; valid if @whole
 */
struct stat_count {
	uint64_t count;
	uint64_t time_ns;
	uint64_t max_ns;
	uint64_t max_from_ns;
	uint64_t max_to_ns;
	bool whole;
};

/* Softirqs can be interrupted, hardly anything else. */
#define STAT_NESTED	4

/* @open: interrupts in progress, the innermost last, with their own time so far */
struct stat_cpu {
	uint32_t cpu;
	bool wanted;
	bool closed;		/* its last event before the end was taken */
	uint32_t task;		/* index of the head of the task @pid */
	uint32_t pid;
	uint64_t switches;
	uint64_t migrations;	/* tasks that moved to this CPU */
	struct usage usage;
	unsigned int depth;
	struct {
		struct stat_count *of;
		uint64_t from_ns;
		uint64_t own_ns;
	} open[STAT_NESTED];
};

/*
 * Data that is unknown, as the run did not record it.
 * @tasks:	running tasks, and with them busy, idle and logger time
 * @others:	the log is of one tree: tasks outside of it, and idle time
 * @is_sampled:	it has samples of the sampler instead of switches
 * @filtered:	types that are unknown as a filter rejected some of their events
 */
struct stat_unknown {
	bool tasks;
	bool wakings;
	bool migrations;
	bool softirqs;
	bool irqs;
	bool others;
	bool is_sampled;
	uint64_t filtered;
};

/*
 * A field with numbers in a registered event.
 * @count: number of events that are long enough to contain it
 */
struct stat_field {
	uint64_t count;
	__int128 least;
	__int128 most;
	__int128 sum;
};

/*
 * A registered event.
 * @fields: sums for each field of @format; 0 for fields that are not numbers; NULL: no fields or no
 * format
 */
struct stat_registered {
	uint64_t count;
	const struct evtlog_event_format *format;
	struct stat_field *fields;
};

/*
 * @tasks:	[0] is the unknown task
 * @by_pid:	index of the head of the task that has a pid now; 0 if none
 * @named:	finds indexes of tasks by head and name, for tasks with several names
 * @rows:	output of stat_tasks_sort(): for each task, the sum over its wanted names
 * @replay:	states of tasks
 * @has_past:	it has states from before the part that is summed up
 * @is_global:	log of a global named buffer: the times of CPUs and tasks are unknown
 * @bins:	reads the file's index, to read less before --from; NULL if there is no index
 * @given_up:	called from time to time; returns true if the sums are no longer wanted; may be NULL
 * @lost:	lost events, of the whole file or in the gaps of the part
 * @softirqs, @irqs, @vectors: sums by slot of the CPU; NULL if none came. [STAT_SOFTIRQS] and
 *		[STAT_IRQS] are unknown numbers
 * @registered:	events that were registered at run time, by id; NULL if none came
 * @sampled:	those of them that are sampled; NULL if no registered event came
 * @migrations:	by slots of the old and new CPU, @cpu_count * @cpu_count; NULL: not wanted
 */
struct stat {
	struct evtlog_file *file;
	const char *path;
	struct filter filter;
	struct evtlog_tasks *names;
	uint32_t logger_pid;
	int (*bins)(void *arg, unsigned int slot, const uint64_t *edges, size_t count,
		    struct evtlog_bin *bins);
	void *bins_arg;
	bool (*given_up)(void *arg);
	void *given_up_arg;

	struct stat_task *tasks;
	uint32_t task_count;
	size_t task_capacity;
	uint32_t task_limit;
	uint32_t *by_pid;
	struct key_table named;
	struct stat_task *rows;
	uint32_t row_count;

	struct stat_cpu *cpus;
	unsigned int cpu_count;
	struct replay *replay;
	bool has_past;
	bool is_global;
	struct stat_unknown unknown;

	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t events;
	uint64_t lost;
	uint64_t *migrations;
	struct stat_count *softirqs[STAT_SOFTIRQS + 1];
	struct stat_count *irqs[STAT_IRQS + 1];
	struct stat_count *vectors[STAT_TYPES];
	uint64_t icmp_rx[256];
	uint64_t icmp_tx[256];
	struct stat_registered *registered;
	struct sampled *sampled;
};

/* Counts an EVENT. 0 or -ENOMEM. */
int stat_registered_add(struct stat *stat, const struct evtlog_event *event);
/* Notes an event with a filter, which may have rejected all events. 0 or -ENOMEM. */
int stat_registered_format(struct stat *stat, const struct evtlog_event *event);
/* Returns true if the event was recorded, or has a filter. */
bool stat_registered_is_there(const struct stat_registered *registered);
/* Returns true if there is a pass of the sampler. */
bool stat_registered_has_pass(const struct stat *stat);
void stat_registered_free(struct stat *stat);

enum stat_sort {
	SORT_RUN,
	SORT_SWITCHES,
	SORT_WAKEUPS,
	SORT_LATENCY,
	SORT_P99,
	SORT_MIGRATIONS,
	SORT_PID,
	SORT_NAME,
};

/* tasks.c; functions return 0 or -ENOMEM. */
int stat_tasks_init(struct stat *stat);
void stat_tasks_free(struct stat *stat);
/* Index of the head of the task that has @pid now; adds the task if needed. -ENOMEM. */
int64_t stat_task_slow(struct stat *stat, uint32_t pid);
/* Takes names of tasks from an event: fork, exec, rename, snapshot or buffer. */
int stat_task_name(struct stat *stat, const struct evtlog_event *event);

/*
 * names-before.c: learns the names of tasks at the begin of the part. With @stat->bins it reads
 * only what may contain such events. 0 or -errno.
 */
int stat_learn_before(struct stat *stat);
void stat_task_exit(struct stat *stat, uint32_t pid);
/* Makes @rows; call it once. 0 or -ENOMEM. */
int stat_tasks_sort(struct stat *stat, enum stat_sort sort);

/* The task's next name that is wanted and under which it did something; NULL if none */
const struct stat_task *stat_task_next_name(const struct stat *stat, const struct stat_task *row,
					    const struct stat_task *name);

/* The task under its present name */
static inline struct stat_task *stat_task_present(struct stat *stat, uint32_t head)
{
	return &stat->tasks[stat->tasks[head].present];
}

static inline int64_t stat_task(struct stat *stat, uint32_t pid)
{
	uint32_t index = pid < STAT_PIDS ? stat->by_pid[pid] : 0;

	return __builtin_expect(index != 0, 1) ? index :
	       stat_task_slow(stat, pid);
}

/* interrupts.c: adds time up to an event in an interrupt; takes an event. 0 or -ENOMEM. */
int stat_interrupt_time(struct stat *stat, struct stat_cpu *cpu, const struct evtlog_event *event,
			uint64_t ns);
int stat_interrupt(struct stat *stat, struct stat_cpu *cpu, const struct evtlog_event *event);
void stat_interrupts_free(struct stat *stat);

/* count.c: sums up the file, or a part of it. 0 or -errno. */
int stat_init(struct stat *stat);
int stat_read(struct stat *stat);
void stat_free(struct stat *stat);

/* @top: limit of tasks; 0: all */
void stat_show(const struct stat *stat, unsigned int top);
void stat_json(const struct stat *stat, unsigned int top, FILE *out);

/* Sums of several files */
struct stat_total {
	unsigned int files;
	uint64_t events;
	uint64_t lost;
	uint64_t switches;
	uint64_t migrations;
	struct usage usage;
	struct stat_unknown unknown;
};

void stat_total_add(struct stat_total *total, const struct stat *stat);
/* Adds another sum. */
void stat_total_sum(struct stat_total *total, const struct stat_total *add);
/* Prints the totals if there is more than one file. */
void stat_total_print(const struct stat_total *total, bool as_json);
void stat_total_show(const struct stat_total *total);
void stat_total_json(const struct stat_total *total);

/* Names of types that stat shows and that were not recorded, to be freed; NULL if none */
char *stat_not_recorded(const struct stat *stat);

/* Names of types with events that a filter rejected */
char *stat_filtered(const struct stat *stat);

/* "local_timer" for local_timer_entry; @name has EVTLOG_NAME_MAX + 1 bytes. */
void stat_vector_name(const struct evtlog_type_info *type, char *name);

/*
 * interrupts.c: sums by CPU of interrupt @i, less than STAT_INTERRUPTS, in the order of the output:
 * softirqs, device interrupts, vectors by the file's types. NULL if there was none.
 */
#define STAT_INTERRUPTS	(STAT_SOFTIRQS + 1 + STAT_IRQS + 1 + STAT_TYPES)
const struct stat_count *stat_interrupt_at(const struct stat *stat, unsigned int i);

/* interrupts.c: sum over all CPUs for one of @softirqs, @irqs, @vectors; all 0 if none came */
struct stat_count stat_count_sum(const struct stat *stat, const struct stat_count *by_cpu);

/* Sums by CPU of a vector, by the file's type number, and its name as above; NULL if none came */
const struct stat_count *stat_vector(const struct stat *stat, unsigned int type, char *name);

/* ---- sampled.c: estimated totals of sampled events ---- */

struct evtlog_event;
struct evtlog_file;
struct sampled;

/* NULL: out of memory. */
struct sampled *sampled_new(const struct evtlog_file *file, unsigned int cpus);
void sampled_free(struct sampled *s);

/* Takes a registered event on the CPU @slot; ignores it if not sampled. 0 or -ENOMEM. */
int sampled_add(struct sampled *s, unsigned int slot, const struct evtlog_event *event);

/* Sets the end of the part that was summed up. */
void sampled_set_end(struct sampled *s, uint64_t end_ns);

/* @s may be NULL. */
void sampled_show(const struct sampled *s);
/* Prints an object "sample" for an event, if it is sampled. */
void sampled_json(const struct sampled *s, uint32_t id, struct json *json);

#endif /* EVTLOG_ANALYSIS_STAT_STAT_H */
