/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the parts of the tables share: the state of a log while it is read.
 *
 *	tables.c	reads events, and tells the parts of them
 *	tasks.c		threads and processes
 *	schedule.c	what runs on CPUs, states of threads, and what slices tell of the wait before them
 *	nested.c	interrupts, exceptions, system calls, user mode
 *	points.c	all other events
 *	host.c		the log itself: run, clock, losses
 *	checkpoint.c	all of this as bytes, and back
 *
 * Times are those of rows, ns as int64_t, unless they are called raw.
 */
#ifndef EVTLOG_LIB_TABLES_INTERNAL_H
#define EVTLOG_LIB_TABLES_INTERNAL_H

#include "lib/codec/record-class.h"
#include "lib/merge/iterator.h"
#include "lib/stream/context.h"
#include "tables.h"

#define PIDS		(1u << EVTLOG_PID_BITS)
#define EXCEPTIONS_MAX	3
#define IRQS_MAX	65536
#define TEXT_NONE	INT64_C(-1)

/* Numbers of tasks: that of which nothing is known, and the idle task */
#define TASK_NONE	0
#define TASK_IDLE	1

/* States of tasks: 0, running, and the states of records behind these */
#define STATE_UNKNOWN	0
#define STATE_RUNNING	1
#define STATE_FIRST	2
#define STATES		(STATE_FIRST + 16)

/* An exception or system call; @since is only there if it is in one. */
struct span {
	int64_t since;
	uint32_t number;
	bool cut;
};

/*
 * How a thread comes to its next slice, as far as no row has it.
 * @sleep_state: in which it was blocked, for @sleep_dur; STATE_UNKNOWN: it was not
 * @wait_state:	in which it waited then, for @wait_dur; STATE_UNKNOWN: it still does
 * @woken:	by @waker, in an interrupt if @in_irq; of that @wake_cpu has a record if @has_wake
 * @sleep_wanted, @wait_wanted, @wake_wanted: a row of it is wanted if no slice tells of it
 */
struct wait {
	uint8_t sleep_state;
	uint8_t wait_state;
	bool sleep_wanted;
	bool wait_wanted;
	bool wake_wanted;
	bool has_wake;
	bool woken;
	bool in_irq;
	uint32_t wake_cpu;
	int64_t sleep_dur;
	int64_t wait_dur;
	int64_t waker;
};

/*
 * A thread.
 * @process:	number of it; 0: not known
 * @state:	and @since when, @cpu where it is or was: index
 * @losses:	how many losses there were when that was seen; not one that went on then: see
 *		schedule.c, is_stale()
 * @woken:	by @waker, in an interrupt if @in_irq; @waker: -1: not known
 * @calls:	it is in the system call @call
 * @named:	its name is known, which may be empty; @named_since: since when it has that
 * @replacing:	its pid is taken by the thread with that number at an exec
 */
struct task {
	uint32_t pid;
	uint32_t process;
	int64_t utid;
	int64_t since;
	int64_t waker;
	uint32_t cpu;
	uint32_t losses;
	uint32_t replaced_by;
	uint8_t state;
	bool cut;
	bool woken;
	bool in_irq;
	bool exits;
	bool calls;
	bool compat;
	bool is_kernel;
	bool kernel_known;
	bool named;
	uint8_t exception_count;
	struct span call;
	struct span exceptions[EXCEPTIONS_MAX];
	int64_t start;
	int64_t end;
	int64_t named_since;
	uint64_t start_boot_ns;
	struct wait wait;
	char comm[EVTLOG_COMM_LEN];
};

/* @threads: tasks that are known of it; times INT64_MIN: unknown */
struct process {
	uint32_t pid;
	uint32_t threads;
	int64_t upid;
	int64_t parent;
	int64_t start;
	int64_t end;
	bool named;
	bool is_kernel;
	bool kernel_known;
	char comm[EVTLOG_COMM_LEN];
};

/* An interrupt or softirq that a CPU is in */
struct nested {
	uint8_t kind;
	bool cut;
	uint8_t type;
	uint32_t number;
	uint32_t vector;
	int64_t since;
};

/*
 * @known:	it has begun, has not ended, and is in no gap
 * @gap_told:	the gap that is its next event was told already
 * @runs:	pid of the task that runs, and its number @task
 * @since:	when it began to, or before if @cut
 * @last:	time of its last event
 * @user:	it is in user mode since then; INT64_MIN: it is not
 */
struct cpu {
	uint32_t number;
	bool known;
	bool wanted;
	bool gap_told;
	bool cut;
	bool user_cut;
	uint8_t depth;
	uint8_t exception_count;
	uint32_t runs;
	uint32_t task;
	int64_t since;
	int64_t last;
	int64_t user;
	struct nested nested[PLACES_MAX];
	struct span exceptions[EXCEPTIONS_MAX];
};

/* A registered event: its name and those of its fields, as ids; @is_sample: of the sampler */
struct event_names {
	const struct evtlog_event_format *format;
	bool asked;
	bool is_sample;
	int64_t name;
	int64_t *fields;
};

/*
 * @now:	time of the event at hand, @raw_ns by the log
 * @from, @to:	the part that is wanted
 * @no_switches: they were not recorded, or not all: nobody knows what runs, and in what states threads are
 * @pending:	the event that is to be taken next, if tables_peek() has met it
 * @losses:	when each loss began; @lost_until_ns: when the last of them to end does, by the log
 * @first:	of the logs that share numbers
 * @free_tasks, @free_processes: numbers of ones that are of no use any more
 * @named_end: behind the last of @events_named that is in use
 * @host, @run, @err_ns: of all rows; @source_nulls: which of them are NULL, from bit 0
 */
struct tables {
	struct tables_options options;
	uint32_t wanted;
	struct evtlog_file *file;
	struct iterator iterator;
	struct evtlog_host_cursor cursor;
	const struct evtlog_event *pending;
	bool first;
	bool opened;
	bool closed;
	bool no_switches;
	int error;
	int64_t now;
	int64_t from;
	int64_t to;
	uint64_t raw_ns;
	uint64_t lost_until_ns;
	uint64_t events;
	struct tables_left_out left_out;
	struct cpu *cpus;
	unsigned int cpu_count;
	uint32_t *cpu_of_number;
	struct task *tasks;
	size_t task_count;
	size_t task_capacity;
	uint32_t *task_of_pid;
	uint32_t *free_tasks;
	size_t free_task_count;
	size_t free_task_capacity;
	struct process *processes;
	size_t process_count;
	size_t process_capacity;
	uint32_t *process_of_pid;
	uint32_t *free_processes;
	size_t free_process_count;
	size_t free_process_capacity;
	int64_t *losses;
	size_t loss_count;
	size_t loss_capacity;
	struct event_names *events_named;
	uint32_t named_end;
	int64_t host;
	int64_t run;
	int64_t err_ns;
	uint32_t source_nulls;
	int64_t state_texts[STATES];
	int64_t type_texts[EVTLOG_TYPE_MAX + 1];
	int64_t field_texts[EVTLOG_TYPE_MAX + 1][EVTLOG_FIELDS_MAX];
	int64_t softirq_texts[64];
	int64_t int_text;
	int64_t uint_text;
	int64_t string_text;
	int64_t exception_texts[256];
	int64_t *call_texts[2];
	int64_t *irq_texts;
};

/* ---- Rows ---- */

#define SOURCE_VALUES(tables)	(tables)->host, (tables)->run, (tables)->err_ns
/* The last columns of most tables are host, run and err_ns. */
#define NULL_IF(condition, column)	((uint32_t)!!(condition) << (column))

static inline bool tables_want(const struct tables *tables, enum table_number table)
{
	return tables->wanted >> table & 1;
}

void tables_put(struct tables *tables, enum table_number table, const int64_t *values,
		uint32_t nulls);

/* The same of a table that ends with host, run and err_ns. */
void tables_put_sourced(struct tables *tables, enum table_number table, const int64_t *values,
			uint32_t nulls);

/*
 * Cuts a slice to what is wanted: false: nothing of it is.
 * @cut: set if something is cut off
 */
static inline bool tables_clip(const struct tables *tables, int64_t *begin, int64_t end, bool *cut)
{
	if (__builtin_expect(*begin >= tables->from, 1))
		return true;
	if (end <= tables->from)
		return false;
	*begin = tables->from;
	*cut = true;
	return true;
}

static inline bool tables_now_wanted(const struct tables *tables, const struct cpu *cpu)
{
	return tables->now >= tables->from && cpu->wanted;
}

/* A record that no table has. */
static inline void tables_leave_out(struct tables *tables, const struct cpu *cpu,
				    const struct evtlog_event *event)
{
	tables->left_out.records[event->known] += tables_now_wanted(tables, cpu);
}

/* Zeros, of which only the pages that are touched take memory; NULL: there is none. */
void *tables_zeros(size_t bytes);
void tables_free_zeros(void *zeros, size_t bytes);

/* Ids of strings; TEXT_NONE: NULL, and -ENOMEM is noted. */
int64_t tables_text(struct tables *tables, const char *text);
int64_t tables_text_of(struct tables *tables, const char *bytes, size_t length);
int64_t tables_text_once(struct tables *tables, const char *bytes, size_t length);

/* A time of the log as rows have it; times that are asked for rise, mostly. */
int64_t tables_time(struct tables *tables, uint64_t raw_ns);

/* ---- Threads and processes ---- */

int tables_tasks_init(struct tables *tables);
void tables_tasks_free(struct tables *tables);

/* Room for what an event may make: before it is taken, as pointers to tasks hold while it is. */
int tables_tasks_reserve(struct tables *tables);

/* The number of a thread, made if need be; TASK_NONE: @pid is none. */
uint32_t tables_tasks_of_slow(struct tables *tables, uint32_t pid);

static inline uint32_t tables_tasks_of(struct tables *tables, uint32_t pid)
{
	uint32_t number = pid < PIDS ? tables->task_of_pid[pid] : TASK_NONE;

	return __builtin_expect(number != TASK_NONE, 1) ? number :
	       tables_tasks_of_slow(tables, pid);
}

/* Of all hosts' logs the first one tells of the idle task, which all share. */
void tables_tasks_begin(struct tables *tables);

/* What an event says of a task's name. */
void tables_tasks_name(struct tables *tables, const struct evtlog_event *event);
void tables_tasks_take_snapshot(struct tables *tables, const uint64_t *words);
void tables_tasks_take_fork(struct tables *tables, uint32_t parent, const uint64_t *words);
void tables_tasks_take_exec(struct tables *tables, const uint64_t *words);
void tables_tasks_take_exit(struct tables *tables, const uint64_t *words);

/* It is gone: its row goes out, and its pid may be another's. */
void tables_tasks_end(struct tables *tables, uint32_t number);

/* Rows of all that are left. */
void tables_tasks_close(struct tables *tables);

/* ---- CPUs ---- */

/* It is in another state from @time on; what it was in goes out. */
void schedule_state(struct tables *tables, struct task *task, unsigned int state, int64_t time);

/* Its last states go out, up to @time; @cut: there they may go on. */
void schedule_end_task(struct tables *tables, struct task *task, int64_t time, bool cut);

/* A CPU begins, or a buffer of it; nothing is known of it from @time on. */
void schedule_begin(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event);
void schedule_buffer(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event);
void schedule_forget(struct tables *tables, struct cpu *cpu, int64_t time);
void schedule_close(struct tables *tables, int64_t time);

void schedule_switch(struct tables *tables, struct cpu *cpu, uint32_t next, unsigned int state);

/* Id of "Running", "S", "R+" ... */
int64_t schedule_state_text(struct tables *tables, unsigned int state);

static inline bool schedule_is_runnable(unsigned int state)
{
	return state == STATE_FIRST || state == STATE_FIRST + EVTLOG_STATE_PREEMPTED;
}
void schedule_waking(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event);
void schedule_waking_new(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event);
void schedule_migrate(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event);

/* ---- Waits ---- */

#define OF_STATES	(UINT32_C(1) << TABLE_THREAD_STATE | UINT32_C(1) << TABLE_THREAD_WAIT)
#define OF_WAITS	(UINT32_C(1) << TABLE_SCHED_SLICE | UINT32_C(1) << TABLE_THREAD_WAIT_REST | \
			 UINT32_C(1) << TABLE_WAKEUP_REST)

/* ---- What is nested ---- */

/* The event tells in what the CPU was since its last one. */
void nested_correct_slow(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event);
void nested_take(struct tables *tables, struct cpu *cpu, const struct record_class *class,
		 const struct evtlog_event *event);
void nested_take_exception(struct tables *tables, struct cpu *cpu,
		const struct evtlog_event *event);
void nested_take_user(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event);

/* All that a CPU is in ends at @time, unseen; also what its task is in. */
void nested_forget(struct tables *tables, struct cpu *cpu, int64_t time);
void nested_forget_task(struct tables *tables, struct task *task, const struct cpu *cpu,
		int64_t time);

static inline void nested_correct(struct tables *tables, struct cpu *cpu,
				  const struct evtlog_event *event)
{
	const struct nested *top = &cpu->nested[cpu->depth - !!cpu->depth];
	uint8_t kind = cpu->depth ? top->kind : EVTLOG_IN_TASK;

	if (__builtin_expect(kind != event->context ||
			     (kind != EVTLOG_IN_TASK && top->number != event->context_number), 0))
		nested_correct_slow(tables, cpu, event);
}

/* ---- All others ---- */

int points_init(struct tables *tables);
void points_free(struct tables *tables);
void points_take(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event);
void points_take_counter(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event);

/* ---- The log ---- */

void host_begin(struct tables *tables);
void host_loss(struct tables *tables, const struct cpu *cpu, const struct evtlog_event *event,
	       int64_t from);
void host_cut(struct tables *tables, const struct cpu *cpu, int64_t from);
void host_end(struct tables *tables);

#endif /* EVTLOG_LIB_TABLES_INTERNAL_H */
