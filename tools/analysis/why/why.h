/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits of tasks, and what happened in each of them.
 *
 * Stage: reads the tables of logs (query/logs.h) for cmd-why.c.  A wait lasts from a task's switch
 * out to its next switch in:
 *
 *	runs ──▶ blocked ──woken──▶ ready ──▶ runs
 *	  └──preempted, or yields──▶ ready ──▶ runs
 *
 *	task.c		the task that is asked about
 *	threads.c	threads of the logs and their names over time
 *	find.c		finds waits in one scan: with waits.c and worst.c
 *	explain.c	reads one wait again: wake-up, moves, losses, changes
 *	meanwhile.c	what ran where the task waited
 *	unknown.c	what is unknown, its cause and the remedy
 *	critical.h	the critical path, over several waits and hosts
 *	print.c, json.c	output
 *
 * Times are times of rows (lib/tables/tables.h) in ns.  Texts are ids of the logs' dictionary,
 * or TEXT_UNKNOWN.
 */
#ifndef EVTLOG_ANALYSIS_WHY_WHY_H
#define EVTLOG_ANALYSIS_WHY_WHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/json.h"
#include "common/linebuf.h"
#include "query/logs.h"

#define TEXT_UNKNOWN	INT64_C(-1)
#define CPU_UNKNOWN	INT64_C(-1)
#define UTID_UNKNOWN	INT64_C(-1)
#define UTID_IDLE	INT64_C(0)

/*
 * Reads rows of log @number.  Returns 0 or -errno; a row that returns -ECANCELED ends it with 0.
 * @first: set to the first time from which all rows are read; may be NULL
 */
int why_read(struct query_logs *logs, size_t number, struct query_part part, uint32_t wanted,
	     tables_row *row, void *context, int64_t *first);

/* Converts a time of log @number to a time of rows, and back. */
int64_t why_row_time(const struct query_logs *logs, size_t number, uint64_t raw_ns);
uint64_t why_raw_time(const struct query_logs *logs, size_t number, int64_t time);

/* First time of the logs, from which times are counted */
int64_t why_begin(const struct query_logs *logs);

/* Time of rows, @ns after the first time */
int64_t why_time(const struct query_logs *logs, uint64_t ns);

/* True if thread 0 of the logs is all that is outside of a tree of tasks, not only the idle task */
bool why_is_tree(const struct query_logs *logs);

/* ---- task.c: TASK[@HOST][@TIME] ---- */

/*
 * @text:	as given; @name: without host and time
 * @stem:	part of @name in front of "-PID" or ".PID"; NULL: @name does not end like this
 * @pid:	of @stem; or @name is this pid, if @is_pid
 * @host:	NULL: of any host
 * @time:	of rows, if @has_time
 */
struct why_task {
	const char *text;
	char *name;
	char *stem;
	uint32_t pid;
	bool is_pid;
	const char *host;
	bool has_time;
	int64_t time;
};

/* Returns 0 or -ENOMEM.  Call why_task_free() in both cases. */
int why_task_parse(struct why_task *task, const char *text, const struct query_logs *logs);
void why_task_free(struct why_task *task);

/* Returns true if log @number is of the host of @task. */
bool why_task_on(const struct why_task *task, const struct query_logs *logs, size_t number);

/* Returns true if a thread with this pid had a wanted name; @name may be TEXT_UNKNOWN. */
bool why_task_fits(const struct why_task *task, const struct dictionary *dictionary, int64_t name,
		   uint32_t pid);

/* The same without the pid, as long as it is unknown */
bool why_task_may_fit(const struct why_task *task, const struct dictionary *dictionary,
		      int64_t name);

/* ---- Waits ---- */

/*
 * @since:	begin; if @begin_unknown, it began earlier, at an unknown time
 * @blocked, @ready: times of the two parts; the wait was not blocked if @state is TEXT_UNKNOWN,
 *		and not seen to be ready if @ready_state is TEXT_UNKNOWN
 * @state, @ready_state: as end_state of sched_slice
 * @runs:	it ends with a run on @cpu
 * @until:	if not @runs: the task was next seen at this time; INT64_MAX: not in the log
 * @woken:	a wake-up, or the first wake-up of a new task if not blocked, began @ready
 * @in_irq, @waker, @waker_cpu: of the wake-up, as far as rows contain it
 */
struct why_wait {
	size_t log;
	int64_t utid;
	int64_t since;
	int64_t blocked;
	int64_t ready;
	int64_t state;
	int64_t ready_state;
	int64_t cpu;
	int64_t until;
	int64_t waker;
	int64_t waker_cpu;
	bool runs;
	bool begin_unknown;
	bool cut;
	bool woken;
	bool in_irq;
};

static inline int64_t why_wait_ready_at(const struct why_wait *wait)
{
	return wait->since + wait->blocked;
}

static inline int64_t why_wait_end(const struct why_wait *wait)
{
	return wait->since + wait->blocked + wait->ready;
}

/*
 * The wait that a row of sched_slice contains; without one, @since is the begin of the slice.
 * @ready_state: text "R"
 */
struct why_wait why_wait_of_slice(size_t log, int64_t ready_state, const int64_t *values,
				  uint32_t nulls);

/* What makes a wait worse than another: its length, or its time ready to run */
enum why_sort { WHY_SORT_WAIT, WHY_SORT_READY };

extern const char *const why_sort_names[];

/* The worst waits so far: a heap with the least of them first; sorted by worst_sort() */
struct worst {
	struct why_wait *at;
	size_t count;
	size_t capacity;
};

/* ---- threads.c ---- */

/* A name from @from to @to; @before: index of the name before it, plus 1 */
struct thread_name {
	int64_t from;
	int64_t to;
	int64_t name;
	uint32_t before;
};

/*
 * @names:	index of its newest name, plus 1
 * @name:	its last name
 * @listed:	@pid, @name and @ended are known
 * @ended:	it exited in the log
 * @rest:	begin of a wait, from rows other than slices; NULL: none
 * @fitting:	waits under a wanted name
 * @waits:	waits under the name that it has, which is not known yet
 */
struct thread {
	int64_t utid;
	size_t log;
	uint32_t pid;
	uint32_t names;
	int64_t name;
	bool listed;
	bool ended;
	struct why_wait *rest;
	struct worst fitting;
	struct worst waits;
};

struct threads {
	struct thread *at;
	size_t count;
	size_t capacity;
	struct key_table by_utid;
	struct thread_name *names;
	size_t name_count;
	size_t name_capacity;
};

void why_threads_free(struct threads *threads);

/* Returns a thread, which is added if needed; NULL without memory.  It moves with the next one. */
struct thread *why_threads_of(struct threads *threads, size_t log, int64_t utid);

/* Returns a thread; NULL if no row was of it. */
struct thread *why_threads_find(const struct threads *threads, int64_t utid);

/* Takes a row of thread_name or of thread.  Returns 0 or -ENOMEM. */
int why_threads_take_name(struct threads *threads, size_t log, struct dictionary *dictionary,
		      const int64_t *values);
int why_threads_take_row(struct threads *threads, size_t log, struct dictionary *dictionary,
		     const int64_t *values, uint32_t nulls);

/* Returns the name of a thread at a time, or its last name before; TEXT_UNKNOWN if unknown. */
int64_t why_threads_name_at(const struct threads *threads, const struct thread *thread,
			    int64_t time);

/* ---- find.c ---- */

/*
 * @task:	NULL: waits of all tasks
 * @cpus:	by number: only waits after which the task runs on one of these CPUs; NULL: all
 * @from, @to:	only waits that end in this time, @to not included
 * @limit:	number of waits; with @several, of several tasks with the same name
 * @with_run:	the time of @task may also be in the run after the wait
 */
struct why_search {
	struct query_logs *logs;
	const struct why_task *task;
	const bool *cpus;
	int64_t from;
	int64_t to;
	size_t limit;
	enum why_sort sort;
	bool several;
	bool with_run;
};

/*
 * @waits:	the worst first
 * @threads:	of the part that was read
 */
struct why_found {
	struct worst waits;
	struct threads threads;
};

/*
 * why_find() - find the worst waits, in one scan of the logs
 *
 * Return: an exit status, after an error message.  Call why_found_free() in all cases.
 */
int why_find(const struct why_search *search, struct why_found *found);

/* The wait at the time of @task.  Reads only the time around it if there is an index. */
int why_find_at(const struct why_search *search, struct why_found *found);

void why_found_free(struct why_found *found);

/* ---- meanwhile.c: what ran where a task waited ---- */

enum ran_kind { RAN_TASK, RAN_IDLE, RAN_OUTSIDE, RAN_SOFTIRQ, RAN_IRQ, RAN_VECTOR };

extern const char *const ran_kind_names[];

/*
 * @utid:	the task; for interrupts the task that they interrupt, UTID_UNKNOWN if unknown
 * @number, @name: of the softirq, irq or vector; -1 if unknown
 * @ns:		time, without what is nested in it
 */
struct ran {
	enum ran_kind kind;
	int64_t utid;
	int64_t number;
	int64_t name;
	int64_t ns;
};

/* The task waited for @cpu from @from to @to */
struct place {
	int64_t cpu;
	int64_t from;
	int64_t to;
};

/* Levels of nesting: the task, then PLACES_MAX of interrupts */
#define RAN_LEVELS	10

/* @inner: time at each level that its outer level contains */
struct ran_cpu {
	int64_t cpu;
	int64_t inner[RAN_LEVELS + 1];
};

/*
 * @doubtful:	the places do not fit the task's moves, so nothing is known
 */
struct meanwhile {
	struct place *places;
	size_t place_count;
	size_t place_capacity;
	struct ran_cpu *cpus;
	size_t cpu_count;
	size_t cpu_capacity;
	struct ran *ran;
	size_t ran_count;
	size_t ran_capacity;
	int64_t known_ns;
	bool doubtful;
};

void meanwhile_free(struct meanwhile *meanwhile);

/* The task waits from @from to @to, at first for @cpu.  Returns 0 or -ENOMEM. */
int meanwhile_begin(struct meanwhile *meanwhile, int64_t cpu, int64_t from, int64_t to);

/* Before any time is known: it waits for another CPU at first. */
void meanwhile_correct(struct meanwhile *meanwhile, int64_t cpu);

/* The task is moved.  Returns 0 or -ENOMEM. */
int meanwhile_move(struct meanwhile *meanwhile, int64_t orig, int64_t dest, int64_t time);

/*
 * Adds a slice of a CPU; slices nested in it come first.
 * @level:	0: of a task; 1: interrupts a task; ...
 * Returns 0 or -ENOMEM.
 */
int meanwhile_add(struct meanwhile *meanwhile, const struct ran *ran, unsigned int level,
		  int64_t cpu, int64_t begin, int64_t end);

/* Sorts by time.  @cpu: where the task runs; CPU_UNKNOWN: it does not. */
void meanwhile_end(struct meanwhile *meanwhile, int64_t cpu);

/* ---- explain.c ---- */

struct why_move {
	int64_t time;
	int64_t by;
	int64_t orig;
	int64_t dest;
};

/* @cause: lost, offline or end */
struct why_loss {
	int64_t from;
	int64_t to;
	int64_t cpu;
	int64_t cause;
	int64_t lost;
	int64_t buffers;
};

/* @text: TEXT_UNKNOWN: it is a number */
struct why_field {
	int64_t key;
	int64_t text;
	uint64_t number;
	bool is_signed;
};

/* An order from another host, or a change of a priority; @id: number of the event */
struct why_change {
	int64_t id;
	int64_t time;
	int64_t cpu;
	int64_t name;
	struct why_field fields[EVTLOG_FIELDS_MAX];
	size_t field_count;
};

#define WHY_CHANGES_MAX	64

/*
 * The event that made a task ready.
 * @is_new:	first wake-up of a new task, by its parent
 * @in_irq:	in the interrupt or softirq @kind, @number, from @since on; if @doubtful, it is
 *		unknown which
 * @level:	nesting of the innermost slice around @time; 0: none
 * @touching:	number of slices that begin or end at @time
 */
struct why_wake {
	bool known;
	bool is_new;
	bool in_irq;
	bool doubtful;
	unsigned int level;
	unsigned int touching;
	enum ran_kind kind;
	int64_t number;
	int64_t name;
	int64_t since;
	int64_t time;
	int64_t cpu;
	int64_t waker;
};

/* An interrupt or softirq as a row contains it; @level: nesting, from 1 on */
struct why_nested {
	int64_t begin;
	int64_t end;
	int64_t cpu;
	unsigned int level;
	struct ran ran;
};

struct why_nested why_nested_of(enum table_number table, const int64_t *values, uint32_t nulls);

/* @wake was in this interrupt on its CPU, or in one nested in it, or just before or after it. */
void why_wake_see(struct why_wake *wake, const struct why_nested *nested);

/* After all interrupts of the CPU were seen: sets @doubtful. */
void why_wake_settle(struct why_wake *wake);

/* What is unknown; why: see unknown.c */
enum why_unknown {
	UNKNOWN_BEGIN,		/* when the wait began */
	UNKNOWN_END,		/* when it ended */
	UNKNOWN_LOSS,		/* what happened while events were lost */
	UNKNOWN_WAKING,		/* when the task was woken, and by what */
	UNKNOWN_CONTEXT,	/* the interrupt that woke it */
	UNKNOWN_MOVES,		/* the CPU for which it waited */
	UNKNOWN_IRQ,		/* interrupts while it waited */
	UNKNOWNS
};

/*
 * @left_cpu:	CPU that it left at the begin; CPU_UNKNOWN if unknown
 * @call:	name of the system call in which it left the CPU, @call_number; -1 if unknown
 * @run_at, @run_cpu: the run after the wait, if @runs
 * @threads:	with their names in this time
 * @more_changes: number of changes that are not in @changes
 * @unknown:	bits of enum why_unknown
 */
struct why {
	struct query_logs *logs;
	struct why_wait wait;
	struct threads threads;
	int64_t left_cpu;
	int64_t call;
	int64_t call_number;
	struct why_wake wake;
	struct meanwhile meanwhile;
	struct why_move *moves;
	size_t move_count;
	size_t move_capacity;
	struct why_loss *losses;
	size_t loss_count;
	size_t loss_capacity;
	struct why_change *changes;
	size_t change_count;
	size_t change_capacity;
	uint64_t more_changes;
	bool runs;
	int64_t run_at;
	int64_t run_cpu;
	uint32_t unknown;
};

/* Returns 0 or -errno.  Call why_free() in both cases. */
int why_explain(struct why *why, struct query_logs *logs, const struct why_wait *wait);
void why_free(struct why *why);

/* True if lost events are in the time of the wait, or may have hidden its begin */
bool why_is_lossy(const struct why *why);

/* ---- unknown.c ---- */

extern const char *const why_unknown_names[];

/* Returns bits of enum why_unknown, after reading. */
uint32_t why_unknown_of(const struct why *why);

/* Prints what is unknown, its cause and the remedy, as one sentence. */
void why_unknown_put(const struct why *why, enum why_unknown unknown, FILE *out);

/* ---- print.c, json.c ---- */

void why_put_text(struct line *line, const struct dictionary *dictionary, int64_t id);
void why_put_ms(struct line *line, int64_t ns);
void why_put_seconds(struct line *line, int64_t ns, unsigned int width);
/* "softirq NET_RX", "irq 30 eth0", "vector local_timer" */
void why_put_context(struct line *line, const struct query_logs *logs, enum ran_kind kind,
		     int64_t number, int64_t name);
void why_put_ran(struct line *line, const struct why *why, const struct ran *ran);

/* null: a text that is unknown, or a negative number */
void why_json_text(struct json *json, const char *key, const struct dictionary *dictionary,
		   int64_t id);
void why_json_number(struct json *json, const char *key, int64_t number);
/* In seconds since the begin of the logs */
void why_json_time(struct json *json, const char *key, const struct query_logs *logs, int64_t time);
void why_json_meanwhile(struct json *json, const struct why *why);

void why_print(const struct why *why);
void why_print_table(const struct why_search *search, const struct why_found *found);
void why_json(const struct why *why);
void why_json_table(const struct why_search *search, const struct why_found *found);

#endif /* EVTLOG_ANALYSIS_WHY_WHY_H */
