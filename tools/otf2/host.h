/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of one host while its log is exported: its CPUs and tasks.
 *
 * Stage: between events (schedule.c, passes.c) and locations.  Each CPU has
 *
 *	runnable	a location whose region is the number of tasks that run or wait on the CPU;
 *			it also has messages and counters
 *	stream 0	shows the CPU while no task runs
 *	stream 1...	each shows a task while it runs or waits on the CPU; interrupts are nested
 *			in the task
 *
 * A task gets the lowest free stream.  If @stream_limit streams are taken, more waiting tasks are
 * counted but not shown.  The running task is always shown, if necessary in an additional stream.
 */
#ifndef EVTLOG_OTF2_HOST_H
#define EVTLOG_OTF2_HOST_H

#include <evtlog/evtlog.h>

#include "analysis/samples/samples.h"
#include "input/types.h"
#include "lib/replay/replay.h"
#include "lib/stream/context.h"
#include "location.h"
#include "print/fields.h"

/* Most streams for waiting tasks, between stream 0 and the last one for the running task */
#define STREAMS_MAX	254
#define STREAM_WORDS	((STREAMS_MAX + 2) / 64)
#define EXCEPTIONS_MAX	3

/* States that are shown differently */
enum task_state {
	TASK_UNKNOWN,
	TASK_BLOCKED,
	TASK_WAITING,	/* woken, or new */
	TASK_PREEMPTED,	/* preempted, or it yielded */
	TASK_RUNNING,
	TASK_STATES
};

/*
 * How a task is shown; lib/replay has its CPU and state.
 *
 * @stream:	its stream on its CPU; 0: none
 * @regions:	region for each state; 0: not defined yet
 * @comm:	name for which @regions were defined
 * @call:	region of its system call, even if it does not run; 0: none
 * @exception:	regions of its @exceptions exceptions
 */
struct task {
	uint8_t stream;
	uint8_t exceptions;
	uint32_t pid;
	uint32_t regions[TASK_STATES];
	uint32_t call;
	uint32_t exception[EXCEPTIONS_MAX];
	char comm[EVTLOG_COMM_LEN];
};

/*
 * @queue:	its running task, and the number of tasks there
 * @wanted:	selected by --cpu; other CPUs are followed but not written
 * @counted:	counters of the last interval were not all 0
 * @last_ns:	time of its last event
 * @shown_ns:	latest time of @runnable, in the archive's times
 * @count:	tasks that run or wait
 * @records:	location of parameters, if the host has samples; @id is 0 if unused
 * @streams:	@stream_count streams
 * @free:	bits of free streams; stream 0 is never free
 * @until_ns:	end of the current interval of counters
 * @region:	region of threads that run on it; 0: not defined yet
 */
struct cpu {
	uint32_t number;
	const struct replay_cpu *queue;
	bool wanted;
	bool counted;
	uint64_t last_ns;
	uint64_t shown_ns;
	struct context_stack contexts;
	uint32_t count;
	struct location runnable;
	struct location records;
	struct location *streams;
	unsigned int stream_count;
	size_t stream_capacity;
	uint64_t free[STREAM_WORDS];
	uint64_t until_ns;
	uint64_t counters[SCHED_NUMBERS];
	uint32_t region;
};

/*
 * Regions that all hosts share.  The first region of an archive is REGION_LOST.
 * @states, @unknown_state: for threads of programs
 */
#define REGION_LOST	0

struct shared_regions {
	uint32_t offline;
	uint32_t idle;
	uint32_t outside;
	uint32_t unknown;
	uint32_t unsampled;
	uint32_t unknown_state;
	uint32_t states[TASK_STATES];
	uint32_t kinds[9];
	uint32_t *counts;
	size_t counts_capacity;
	uint32_t counts_defined;
};

enum region_kind {
	KIND_RUNNABLE,
	KIND_RUNNING,
	KIND_PREEMPTED,
	KIND_WAITING,
	KIND_INTERRUPT,
	KIND_CALL,
	KIND_EXCEPTION,
	KIND_STATE,
	KIND_THREAD,
};

/* A region of a task, and the task's process */
struct process_region {
	uint32_t tgid;
	uint32_t region;
};

/*
 * Data that all hosts of an archive share.
 * @records:	definitions for records as parameters
 * @next_location: OTF2's number of the next stream; the numbers of CPUs come first
 * @cpu_count:	wanted CPUs of all hosts
 * @streams_short: how often a task waited without a stream
 * @classes:	for each set of unknown counters, number of the metric class plus 1; 0: none yet
 */
struct output {
	struct archive archive;
	struct shared_regions shared;
	struct records *records;
	uint64_t interval_ns;
	unsigned int stream_limit;
	uint64_t next_location;
	uint32_t next_node;
	uint32_t next_group;
	uint32_t cpu_count;
	uint64_t streams_short;
	uint32_t classes[1 << SCHED_NUMBERS];
	uint32_t class_count;
};

#define SOFTIRQS	64
#define IRQS		4096

/*
 * @is_of_tree:	the log is of one tree: pid 0 means outside
 * @no_switches: context switches were not recorded, so running and waiting tasks are unknown
 * @unknown:	a bit for each counter that is unknown, as its events were not recorded;
 *		SCHED_RUNNABLE is also for the number of tasks
 * @class:	metric class of the known counters; @defines_class: this host must define it
 * @first:	number of its next CPU in the archive
 * @has_samples: passes of the sampler are the source
 * @pass_runs:	for each CPU, number of the running task in the last pass
 * @passes_written_ns: latest time that passes have written
 * @replay:	what runs and waits on the CPUs
 * @tasks:	by their number in @replay
 * @writing:	the wanted part has begun
 * @wanted:	CPUs, EVTLOG_CPU_LIMIT elements; NULL: all
 * @node:	its machine in the system tree
 * @cursor:	converts times to the common timeline; NULL: the log's times are written
 * @threads:	threads of programs on all hosts; those of this host have its @number
 * @thread_of_pid: index of this host's thread plus 1; NULL: it has none
 */
struct host {
	struct output *out;
	struct evtlog_file *file;
	const char *name;
	bool is_of_tree;
	bool no_switches;
	uint32_t unknown;
	uint32_t class;
	bool defines_class;
	struct fields fields;
	struct evtlog_tasks *names;
	uint32_t first;
	struct replay replay;
	bool has_samples;
	struct samples samples;
	uint32_t *pass_runs;
	uint64_t passes_written_ns;
	struct cpu *cpus;
	unsigned int cpu_count;
	struct task *tasks;
	size_t task_capacity;
	bool writing;
	const bool *wanted;
	uint32_t node;
	uint64_t begin_ns;
	struct evtlog_host_cursor *cursor;
	uint32_t softirqs[SOFTIRQS + 1];
	uint32_t irqs[IRQS + 1];
	uint32_t vectors[EVTLOG_TYPE_MAX + 1];
	uint32_t exceptions[256];
	uint32_t *calls[2];
	struct process_region *regions;
	size_t region_count;
	size_t region_capacity;
	struct thread *threads;
	size_t thread_count;
	size_t number;
	uint32_t *thread_of_pid;
};

/* Converts a time of the log to the archive's; fast if the times of successive calls are close. */
static inline uint64_t host_shown_ns(struct host *host, uint64_t time_ns)
{
	return host->cursor ? (uint64_t)evtlog_host_cursor_time(host->cursor, time_ns) : time_ns;
}

/* ---- schedule.c: applies events to CPUs and tasks ---- */

/* Returns 0 or -ENOMEM.  Call schedule_free() in both cases. */
int schedule_init(struct host *host);
void schedule_free(struct host *host);

/* Takes the next event of the host.  Returns 0 or -ENOMEM. */
int schedule_take(struct host *host, const struct evtlog_event *event);

/* Call it before each event: CPUs may become unknown up to @until_ns. Returns 0 or -ENOMEM. */
int schedule_gaps(struct host *host, struct lanes *lanes, uint64_t until_ns);

/* Extends @tasks to the capacity of @replay.  Returns 0 or -ENOMEM. */
int schedule_reserve_tasks(struct host *host);

/* Call it if the task may have another name now. */
void schedule_name_task(struct host *host, uint32_t pid);

/* ---- passes.c: applies passes of the sampler to CPUs and tasks, instead of events ---- */

/* Returns 0 or -ENOMEM.  Call passes_free() in all cases, even if this was not called. */
int passes_init(struct host *host);
void passes_free(struct host *host);

/* Passes are written from @time_ns on. */
void passes_open(struct host *host, uint64_t time_ns);

/* Takes the next event of the log.  Returns 0 or -ENOMEM. */
int passes_take(struct host *host, const struct evtlog_event *event);

/* Passes may be lost from @time_ns on, until the next complete pass. */
void passes_lose(struct host *host, uint64_t time_ns);

/* Call it at the end: no pass follows up to @time_ns. */
void passes_end(struct host *host, uint64_t time_ns);

#endif /* EVTLOG_OTF2_HOST_H */
