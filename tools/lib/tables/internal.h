/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * State of a log while its tables are read, for the files of this folder.
 *
 *	tables.c	reads events and passes them to the other files
 *	tasks.c		threads and processes
 *	schedule.c	slices of CPUs, states of threads, waits and wake-ups, of lib/replay
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
#include "lib/replay/replay.h"
#include "lib/stream/context.h"
#include "tables.h"

#define EXCEPTIONS_MAX	3
#define IRQS_MAX	65536
#define TEXT_NONE	INT64_C(-1)

/* An exception or a system call. @since is valid only while the thread is in it. */
struct span {
	int64_t since;
	uint32_t number;
	bool cut;
};

/*
 * The sleep and the wait before a thread's next slice, as long as no row contains them.
 * @sleep_state: state in which it was blocked, for @sleep_dur; REPLAY_UNKNOWN: it was not blocked
 * @wait_state:	state in which it then waited, for @wait_dur; REPLAY_UNKNOWN: it still waits
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
 * A thread, by its number in @replay.
 * @utid:	0: not named yet, or gone
 * @process:	number of its process; 0 if unknown
 * @waker:	task that woke it last; -1 if unknown
 * @calls:	it is in the system call @call
 * @named:	its name is known since @named_since; it may be empty
 */
struct task {
	uint32_t pid;
	uint32_t process;
	int64_t utid;
	int64_t waker;
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
 * @slot:	index of the CPU, also in @replay
 * @user:	start of user mode; INT64_MIN: not in user mode
 */
struct cpu {
	uint32_t number;
	uint32_t slot;
	bool wanted;
	uint8_t depth;
	uint8_t exception_count;
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
 * @pending:	the next event, if tables_peek() has read it
 * @first:	this is the first log that uses the shared numbers
 * @replay:	what runs and waits on CPUs
 * @tasks:	by their number in @replay, as many as it has room for
 * @free_processes: numbers that can be used again
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
	int error;
	int64_t now;
	int64_t from;
	int64_t to;
	uint64_t raw_ns;
	uint64_t events;
	struct tables_left_out left_out;
	struct replay replay;
	struct cpu *cpus;
	unsigned int cpu_count;
	struct task *tasks;
	size_t task_capacity;
	struct process *processes;
	size_t process_count;
	size_t process_capacity;
	uint32_t *process_of_pid;
	uint32_t *free_processes;
	size_t free_process_count;
	size_t free_process_capacity;
	struct event_names *events_named;
	uint32_t named_end;
	int64_t host;
	int64_t run;
	int64_t err_ns;
	uint32_t source_nulls;
	int64_t state_texts[REPLAY_STATES];
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

/* Gives the thread with a number of @replay its utid. */
void tables_tasks_add(struct tables *tables, uint32_t number);

static inline struct task *tables_task(struct tables *tables, uint32_t number)
{
	struct task *task = &tables->tasks[number];

	if (__builtin_expect(!task->utid && number > REPLAY_IDLE, 0))
		tables_tasks_add(tables, number);
	return task;
}

/* The thread that has a pid, which is added if needed. Its utid is 0 if it is idle or not valid. */
static inline struct task *tables_task_of(struct tables *tables, uint32_t pid)
{
	return tables_task(tables, replay_task(&tables->replay, pid));
}

/* Emits the idle task. All hosts share it, so only the first log emits it. */
void tables_tasks_begin(struct tables *tables);

/* Takes the name of a task from an event, if the event contains one. */
void tables_tasks_name(struct tables *tables, const struct evtlog_event *event);
void tables_tasks_take_snapshot(struct tables *tables, const uint64_t *words);
void tables_tasks_take_fork(struct tables *tables, uint32_t parent, const uint64_t *words);
void tables_tasks_take_exec(struct tables *tables, const uint64_t *words);
void tables_tasks_take_exit(struct tables *tables, const uint64_t *words);

/* The thread is gone: emits its row. */
void tables_tasks_end(struct tables *tables, uint32_t number);

/* Emits the rows of all remaining threads and processes. */
void tables_tasks_close(struct tables *tables);

/* ---- Slices, states and wake-ups ---- */

static inline const struct replay_cpu *cpu_at(const struct tables *tables, const struct cpu *cpu)
{
	return &tables->replay.cpus[cpu->slot];
}

/* Number of the running task */
static inline uint32_t cpu_task(const struct tables *tables, const struct cpu *cpu)
{
	return cpu_at(tables, cpu)->task;
}

static inline int64_t cpu_utid(const struct tables *tables, const struct cpu *cpu)
{
	return tables->tasks[cpu_task(tables, cpu)].utid;
}

/* Emits what the last event or gap of @replay has ended. */
void schedule_apply(struct tables *tables);

/* Emits rows of records of these types. */
void schedule_waking_new(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event);
void schedule_migrate(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event);

/* Id of "Running", "S", "R+" ... */
int64_t schedule_state_text(struct tables *tables, unsigned int state);

/* Tables of states, and of waits */
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

/*
 * End all that a CPU and its task, or a task alone, are in at @time. No exits were seen.
 * @cpu: where the task was last; NULL: unknown
 */
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
