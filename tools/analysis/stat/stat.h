/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `evtlog stat` sums up, and who does what.
 *
 * Stage: count.c fills it in from events, with interrupts.c, and the tasks in tasks.c;
 * print.c and json.c print it.  cmd-stat.c reads argv.
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

#define STAT_SOFTIRQS	64
#define STAT_IRQS	4096
#define STAT_TYPES	(EVTLOG_TYPE_MAX + 1)
#define STAT_PIDS	(1u << EVTLOG_PID_BITS)

enum stat_task_state {
	TASK_STATE_UNKNOWN,	/* since the run's begin, or a loss */
	TASK_STATE_BLOCKED,
	TASK_STATE_WOKEN,	/* waits for a CPU since @state_ns */
	TASK_STATE_RUNNABLE,	/* was preempted, or yielded */
	TASK_STATE_RUNNING,
};

/*
 * A task under one of its names.  A task is found by the first of them, its head, which has its
 * state as well.
 * @head:	index of the head; its own: it is one
 * @next:	index of the task under its next name, in the order in which it got them; 0: none
 * @last:	of a head: the last one of these
 * @present:	of a head: the one with the present name
 * @woken:	of a head: the one with the name that it had when it was woken
 * @folded:	this is the sum of that many tasks of the name, all of them gone
 * @state_ns:	since when @state is so
 * @switches:	times it was switched in
 * @voluntary, @preempted: times it was switched out because it blocked or
 *		exited, or though it could have gone on
 * @wakeup_counts: the one since which it waits is in @wakeups
 * @wakeups:	of these, @latency holds those whose whole wait is in the log
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
	uint8_t state;
	uint64_t state_ns;
	uint64_t run_ns;
	uint64_t switches;
	uint64_t voluntary;
	uint64_t preempted;
	uint64_t migrations;
	uint64_t wakeups;
	struct histogram latency;
};

/*
 * Of one softirq, device interrupt or vector.
 * @time_ns:	own time, without interrupts within it
 * @max_ns:	own time of the longest one that was seen from its entry, at @max_from_ns, to its exit, at
 *		@max_to_ns; valid if @whole
 */
struct stat_count {
	uint64_t count;
	uint64_t time_ns;
	uint64_t max_ns;
	uint64_t max_from_ns;
	uint64_t max_to_ns;
	bool whole;
};

/* A softirq can be interrupted, and little else. */
#define STAT_NESTED	4

/*
 * @open:	interrupts that were entered and not left yet, the innermost last, with the time
 *		that each had so far
 */
struct stat_cpu {
	uint32_t cpu;
	bool wanted;
	bool closed;		/* its last event before the end was taken */
	uint32_t task;		/* index of the head of the task @pid */
	uint32_t pid;
	uint64_t switches;
	uint64_t migrations;	/* tasks that came here */
	struct usage usage;
	unsigned int depth;
	struct {
		struct stat_count *of;
		uint64_t from_ns;
		uint64_t own_ns;
	} open[STAT_NESTED];
};

/*
 * What a run did not record, so that it is unknown.
 * @tasks:	which of them runs when, and with it busy, idle and logger time
 * @others:	the log is of one tree: what others do, and when a CPU was idle
 * @is_sampled:	it has the sampler's samples instead of switches
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
 * A number among the fields of a registered event.
 * @count:	of events that are long enough to have it
 */
struct stat_field {
	uint64_t count;
	__int128 least;
	__int128 most;
	__int128 sum;
};

/*
 * A registered event.
 * @fields:	of each field of @format; those that are no numbers to be added up stay 0; NULL:
 *		there are none, or no format
 */
struct stat_registered {
	uint64_t count;
	const struct evtlog_event_format *format;
	struct stat_field *fields;
};

/*
 * @tasks:	[0] is nobody: the unknown task
 * @by_pid:	index of the head of the task that has a pid now; 0: none
 * @named:	indexes of tasks by head and name, of those that have several names
 * @rows:	what is shown, after stat_tasks_sort(): a task's sum over the names that are wanted
 * @slot_of_cpu: index into @cpus
 * @gap_ns:	end of the last gap on any CPU, or begin of what is summed up: what tasks
 *		did before it may have ended unseen
 * @is_global:	of a global named buffer: of no CPU and no task it is known when it did what
 * @is_cut:	a CPU's part ended before the run did: of what follows not all is seen
 * @bins:	of the file's index, for reading less before --from; NULL: there is none
 * @given_up:	called now and then: true: nobody wants the sums; may be NULL
 * @lost:	events, of the whole file or of the gaps that are summed up
 * @softirqs, @irqs, @vectors: by slot of the CPU; NULL: there was none.  [STAT_SOFTIRQS] and
 *		[STAT_IRQS] are the unknown ones
 * @registered:	events that were registered at run time, by their id; NULL until there is one
 * @sampled:	those of them that are sampled; NULL until there is one that is registered
 * @migrations:	from and to slots of CPUs, @cpu_count * @cpu_count; NULL: not wanted
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
	uint16_t *slot_of_cpu;
	uint64_t gap_ns;
	bool is_global;
	bool is_cut;
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

/* Counts an EVENT: 0; -ENOMEM. */
int stat_registered_add(struct stat *stat, const struct evtlog_event *event);
/* Takes note of one with a filter, which may have rejected all.  0 or -ENOMEM. */
int stat_registered_format(struct stat *stat, const struct evtlog_event *event);
/* Recorded, or told to have a filter */
bool stat_registered_is_there(const struct stat_registered *registered);
/* Whether there is a pass of the sampler. */
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

/* tasks.c; each returns 0 or -ENOMEM. */
int stat_tasks_init(struct stat *stat);
void stat_tasks_free(struct stat *stat);
/* The index of the head of the task that has @pid now, made if need be; -ENOMEM. */
int64_t stat_task_slow(struct stat *stat, uint32_t pid);
/* Takes what an event says of tasks' names: a fork, exec, rename, the snapshot, or a buffer. */
int stat_task_name(struct stat *stat, const struct evtlog_event *event);

/*
 * names-before.c: how tasks were called when the part begins.  With @stat->bins only what
 * may hold such events is read.  0 or -errno.
 */
int stat_learn_before(struct stat *stat);
void stat_task_exit(struct stat *stat, uint32_t pid);
/* Makes the rows; once.  0 or -ENOMEM. */
int stat_tasks_sort(struct stat *stat, enum stat_sort sort);

/* The next task under a name that is wanted and under which it did something, or NULL. */
const struct stat_task *stat_task_next_name(const struct stat *stat, const struct stat_task *row,
					    const struct stat_task *name);

/* A task under its present name */
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

/* interrupts.c: adds time in an interrupt, up to an event; takes an event that may begin or end one; 0 or -ENOMEM. */
int stat_interrupt_time(struct stat *stat, struct stat_cpu *cpu, const struct evtlog_event *event,
			uint64_t ns);
int stat_interrupt(struct stat *stat, struct stat_cpu *cpu, const struct evtlog_event *event);
void stat_interrupts_free(struct stat *stat);

/* count.c: reads the file, or what is to be summed up of it.  Returns 0 or -errno. */
int stat_init(struct stat *stat);
int stat_read(struct stat *stat);
void stat_free(struct stat *stat);

/* @top: at most so many tasks; 0: all. */
void stat_show(const struct stat *stat, unsigned int top);
void stat_json(const struct stat *stat, unsigned int top, FILE *out);

/* Of several files. */
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
/* Adds a sum of others. */
void stat_total_sum(struct stat_total *total, const struct stat_total *add);
/* What there is to say of more than one file */
void stat_total_print(const struct stat_total *total, bool as_json);
void stat_total_show(const struct stat_total *total);
void stat_total_json(const struct stat_total *total);

/* Types that stat tells of and that were not recorded, by name; free() it; NULL: none. */
char *stat_not_recorded(const struct stat *stat);

/* Those of them of which a filter rejected some events. */
char *stat_filtered(const struct stat *stat);

/* "local_timer" of local_timer_entry; @name holds EVTLOG_NAME_MAX + 1. */
void stat_vector_name(const struct evtlog_type_info *type, char *name);

/*
 * interrupts.c: the sums by CPU of interrupt @i, below STAT_INTERRUPTS, in the order of the output: softirqs,
 * device interrupts, vectors by the file's types; NULL: there was none.
 */
#define STAT_INTERRUPTS	(STAT_SOFTIRQS + 1 + STAT_IRQS + 1 + STAT_TYPES)
const struct stat_count *stat_interrupt_at(const struct stat *stat, unsigned int i);

/* interrupts.c: the sum over all CPUs of one of @softirqs, @irqs or @vectors; all 0: there was none. */
struct stat_count stat_count_sum(const struct stat *stat, const struct stat_count *by_cpu);

/* Of a type by the file's number, by CPU, with its name as above; NULL: there was none. */
const struct stat_count *stat_vector(const struct stat *stat, unsigned int type, char *name);

/* ---- sampled.c: sampled events of a log: what their records' totals stand for ---- */

struct evtlog_event;
struct evtlog_file;
struct sampled;

/* NULL: out of memory. */
struct sampled *sampled_new(const struct evtlog_file *file, unsigned int cpus);
void sampled_free(struct sampled *s);

/* Takes a record of a registered event, of the CPU @slot; of one not sampled nothing.  0 or -ENOMEM. */
int sampled_add(struct sampled *s, unsigned int slot, const struct evtlog_event *event);

/* What was summed up ends there. */
void sampled_set_end(struct sampled *s, uint64_t end_ns);

/* @s may be NULL. */
void sampled_show(const struct sampled *s);
/* Of one event an object "sample", if it is sampled. */
void sampled_json(const struct sampled *s, uint32_t id, struct json *json);

#endif /* EVTLOG_ANALYSIS_STAT_STAT_H */
