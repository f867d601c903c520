/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * State of a log while its tables are read, for the files of this folder.
 *
 *	tables.c	reads events and passes them to the other files
 *	tasks.c		threads and processes
 *	schedule.c	slices of CPUs, states of threads, waits and wake-ups
 *	nested.c	interrupts, exceptions, system calls, user mode
 *	points.c	all other events
 *	host.c		the log itself: run, clock, losses
 *	checkpoint.c	saves this state as bytes and restores it
 *
 * Times are times of rows, in ns as int64_t, unless their name contains raw.
 */
#ifndef EVTLOG_LIB_TABLES_INTERNAL_H
#define EVTLOG_LIB_TABLES_INTERNAL_H

#include "lib/codec/record-class.h"
#include "lib/file/file.h"
#include "lib/merge/iterator.h"
#include "lib/stream/context.h"
#include "tables.h"

#define PIDS		(1u << EVTLOG_PID_BITS)
#define EXCEPTIONS_MAX	3
#define IRQS_MAX	65536
#define TEXT_NONE	INT64_C(-1)

/* Numbers of tasks: the unknown task and the idle task */
#define TASK_NONE	0
#define TASK_IDLE	1

/* States of tasks: unknown, running, then the states of records, from STATE_FIRST on */
#define STATE_UNKNOWN	0
#define STATE_RUNNING	1
#define STATE_FIRST	2
#define STATES		(STATE_FIRST + 16)

/* An exception or a system call. @since is valid only while the thread is in it. */
struct span {
	int64_t since;
	uint32_t number;
	bool cut;
};

/*
 * The sleep and the wait before a thread's next slice, as long as no row contains them.
 * @sleep_state: state in which it was blocked, for @sleep_dur; STATE_UNKNOWN: it was not blocked
 * @wait_state:	state in which it then waited, for @wait_dur; STATE_UNKNOWN: it still waits
 * @woken:	it was woken, by @waker, in an interrupt if @in_irq
 * @has_wake:	a record of @wake_cpu contains the wake-up
 * @sleep_wanted, @wait_wanted, @wake_wanted: it needs a row of its own if no slice contains it
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
 * @process:	number of its process; 0 if unknown
 * @state:	its state since @since, on the CPU with slot @cpu; NO_SLOT: unknown CPU
 * @losses:	number of losses before @since, without one in progress: see is_stale() in
 *		schedule.c
 * @woken:	it was woken, by @waker (-1 if unknown), in an interrupt if @in_irq
 * @calls:	it is in the system call @call
 * @named:	its name is known since @named_since; it may be empty
 * @replaced_by: task that continues this thread after an exec that changed its pid; or TASK_NONE
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

/* @threads: number of its known tasks; times are INT64_MIN if unknown */
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

/* An interrupt or softirq in progress on a CPU */
struct nested {
	uint8_t kind;
	bool cut;
	uint8_t type;
	uint32_t number;
	uint32_t vector;
	int64_t since;
};

/*
 * @known:	the CPU has begun, has not ended and is not in a gap
 * @gap_told:	the CPU's next event is a gap whose row was emitted
 * @runs, @task: pid and number of the running task
 * @since:	start of its slice; it started earlier if @cut
 * @last:	time of the CPU's last event
 * @user:	start of user mode; INT64_MIN: not in user mode
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

/* A registered event, with ids of names; @asked: it was looked up; @is_sample: of the sampler */
struct event_names {
	const struct evtlog_event_format *format;
	bool asked;
	bool is_sample;
	int64_t name;
	int64_t *fields;
};

/*
 * @now:	time of the current event; @raw_ns: the same time by the log's clock
 * @from, @to:	the wanted part
 * @no_switches: switches were not all recorded: running tasks and states are unknown
 * @pending:	the next event, if tables_peek() has read it
 * @losses:	begin of each loss; @lost_until_ns: their latest end, by the log's clock
 * @first:	this is the first log that uses the shared numbers
 * @free_tasks, @free_processes: numbers that can be used again
 * @named_end:	end of the used part of @events_named
 * @host, @run, @err_ns: the same in all rows; @source_nulls: bits of those that are NULL
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
/* Most tables end with the columns host, run and err_ns. */
#define NULL_IF(condition, column)	((uint32_t)!!(condition) << (column))

static inline bool tables_want(const struct tables *tables, enum table_number table)
{
	return tables->wanted >> table & 1;
}

void tables_put(struct tables *tables, enum table_number table, const int64_t *values,
		uint32_t nulls);

/* The same for a table that ends with host, run and err_ns */
void tables_put_sourced(struct tables *tables, enum table_number table, const int64_t *values,
			uint32_t nulls);

/*
 * Clips a slice to the wanted part. Returns false if no part of the slice is wanted.
 * @cut: set to true if the slice is clipped
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

/* Counts a record that is in no table. */
static inline void tables_leave_out(struct tables *tables, const struct cpu *cpu,
				    const struct evtlog_event *event)
{
	tables->left_out.records[event->known] += tables_now_wanted(tables, cpu);
}

/* Zeroed memory; only pages that are touched use memory. NULL if there is no memory. */
void *tables_zeros(size_t bytes);
void tables_free_zeros(void *zeros, size_t bytes);

/* Ids of strings. TEXT_NONE: the text is NULL, or memory ran out and @error is set. */
int64_t tables_text(struct tables *tables, const char *text);
int64_t tables_text_of(struct tables *tables, const char *bytes, size_t length);
int64_t tables_text_once(struct tables *tables, const char *bytes, size_t length);

/* Converts a time of the log to a time of rows; fast if it is near the previous time. */
int64_t tables_time(struct tables *tables, uint64_t raw_ns);

/* ---- Threads and processes ---- */

int tables_tasks_init(struct tables *tables);
void tables_tasks_free(struct tables *tables);

/* Call before each event: reserves memory for its tasks, so that pointers to tasks stay valid. */
int tables_tasks_reserve(struct tables *tables);

/* Number of a thread, which is created if needed; TASK_NONE: @pid is not valid */
uint32_t tables_tasks_of_slow(struct tables *tables, uint32_t pid);

static inline uint32_t tables_tasks_of(struct tables *tables, uint32_t pid)
{
	uint32_t number = pid < PIDS ? tables->task_of_pid[pid] : TASK_NONE;

	return __builtin_expect(number != TASK_NONE, 1) ? number :
	       tables_tasks_of_slow(tables, pid);
}

/* Emits the idle task. All hosts share it, so only the first log emits it. */
void tables_tasks_begin(struct tables *tables);

/* Takes the name of a task from an event, if the event contains one. */
void tables_tasks_name(struct tables *tables, const struct evtlog_event *event);
void tables_tasks_take_snapshot(struct tables *tables, const uint64_t *words);
void tables_tasks_take_fork(struct tables *tables, uint32_t parent, const uint64_t *words);
void tables_tasks_take_exec(struct tables *tables, const uint64_t *words);
void tables_tasks_take_exit(struct tables *tables, const uint64_t *words);

/* The thread is gone: emits its row; its pid can be used again. */
void tables_tasks_end(struct tables *tables, uint32_t number);

/* Emits the rows of all remaining threads and processes. */
void tables_tasks_close(struct tables *tables);

/* ---- CPUs ---- */

/* Sets a new state from @time on and emits the state before. */
void schedule_state(struct tables *tables, struct task *task, unsigned int state, int64_t time);

/* Emits the last states of a task, up to @time. @cut: they may continue after @time. */
void schedule_end_task(struct tables *tables, struct task *task, int64_t time, bool cut);

/* A CPU begins; a buffer begins; the CPU is unknown from @time on; the log ends at @time. */
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

/* ---- Nested contexts ---- */

/* Corrects the nesting of a CPU if it differs from the context in the event. */
void nested_correct_slow(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event);
void nested_take(struct tables *tables, struct cpu *cpu, const struct record_class *class,
		 const struct evtlog_event *event);
void nested_take_exception(struct tables *tables, struct cpu *cpu,
		const struct evtlog_event *event);
void nested_take_user(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event);

/* End all that a CPU and its task, or a task alone, are in at @time. No exits were seen. */
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

/* ---- All other events ---- */

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
