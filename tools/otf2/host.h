/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One host while its log is exported: what its CPUs and tasks do.
 *
 * Stage: between events (schedule.c) and locations.  Each CPU has
 *
 *	runnable	a location that is in a function called as the number of tasks that run
 *			or wait on the CPU; messages and counters are its
 *	stream 0	what the CPU does when no task runs
 *	stream 1...	a task each, as long as it runs or waits on the CPU; what interrupts a
 *			task is nested in it
 *
 * A task takes the lowest stream that is free.  If as many wait as @stream_limit, others that
 * wait are counted, not shown; the one that runs is always shown, in a stream behind these.
 */
#ifndef EVTLOG_OTF2_HOST_H
#define EVTLOG_OTF2_HOST_H

#include <evtlog/evtlog.h>

#include "analysis/runqueue/runqueue.h"
#include "analysis/samples/samples.h"
#include "lib/stream/context.h"
#include "location.h"
#include "print/fields.h"

/* The last one is for what runs while others wait in all; stream 0 is of no task. */
#define STREAMS_MAX	254
#define STREAM_WORDS	((STREAMS_MAX + 2) / 64)
#define EXCEPTIONS_MAX	3

/*
 * What is shown of a task; where it is and what it does analysis/runqueue knows.
 *
 * @stream:	which it has on its CPU; 0: none
 * @regions:	for each state what shows it; 0: not defined yet
 * @comm:	for which @regions were defined
 * @call, @exceptions: regions that it is in, whether it runs or not
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

enum counter {
	COUNTER_RUNNABLE,
	COUNTER_SWITCHES,
	COUNTER_FORKS,
	COUNTER_EXITS,
	COUNTER_MIGRATIONS,
	COUNTERS
};

/*
 * @wanted:	of --cpu; others are followed only
 * @queue:	what runs and waits on it
 * @last_ns:	time of its last event
 * @shown_ns:	the latest that @runnable has, as the archive has times
 * @records:	parameters, if @runnable is of the sampler; its @id is 0: there are none
 * @count:	tasks that are shown to run or wait
 * @streams:	of which @stream_count have a location
 * @free:	bits of streams that are free; of stream 0 none
 * @until_ns:	end of the counters' interval
 * @region:	of threads that run on it; 0: not defined yet
 */
struct cpu {
	uint32_t number;
	const struct runqueue_cpu *queue;
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
	uint64_t counters[COUNTERS];
	uint32_t region;
};

/*
 * Regions that all hosts share, as far as they are defined; number 0 is that of what is lost
 * @states, @unknown_state: of threads of programs
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

/* Of what process a region of a task is */
struct process_region {
	uint32_t tgid;
	uint32_t region;
};

/*
 * What all hosts of an archive share.
 * @next_location: OTF2's number of the next stream; those of CPUs come first
 * @cpu_count:	CPUs that are wanted, of all hosts
 * @records:	what is defined for records that are parameters
 * @streams_short: times that a task waited without a stream
 * @classes:	of counters: of each set that hosts do not know its number, and 1; @class_count
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
	uint32_t classes[1 << COUNTERS];
	uint32_t class_count;
};

#define SOFTIRQS	64
#define IRQS		4096

/*
 * @first:	number of its next CPU in the archive
 * @is_of_tree:	the log is of one tree: what runs as pid 0 is outside of it
 * @no_switches: they were not recorded: nobody knows what runs and what waits
 * @unknown:	a bit for each counter whose events were not recorded; that of COUNTER_RUNNABLE: nor is
 *		the number of tasks known
 * @class:	of the others, which it defines if it is the first
 * @writing:	the part that is wanted has begun
 * @wanted:	CPUs, EVTLOG_CPU_LIMIT of them; NULL: all
 * @cursor:	times that are written are of the common timeline; NULL: those of the log
 * @has_samples: the sampler's passes are the source; @pass_runs: of each CPU the task that runs by
 *		the last one; @passes_told_ns: the latest time of which they have told
 * @tasks:	by their number in @queues, as many as that has room for
 * @node:	its machine in the system tree
 * @threads:	of programs, of all hosts; those of this have its @number
 * @thread_of_pid: number of a thread of this host, from 1; NULL: it has none
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
	struct runqueues queues;
	bool has_samples;
	struct samples samples;
	uint32_t *pass_runs;
	uint64_t passes_told_ns;
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

/* A time of the host's log as the archive has it; times of a host are asked in order. */
static inline uint64_t host_shown_ns(struct host *host, uint64_t time_ns)
{
	return host->cursor ? (uint64_t)evtlog_host_cursor_time(host->cursor, time_ns) : time_ns;
}

/* ---- What each event of a host says of its CPUs and tasks ---- */

/* 0 or -ENOMEM; schedule_free() in both cases. */
int schedule_init(struct host *host);
void schedule_free(struct host *host);

/* Takes the next event of the host.  0 or -ENOMEM. */
int schedule_take(struct host *host, const struct evtlog_event *event);

/* Tells of CPUs of which nothing is known from a time on that has come, before the next event. */
void schedule_gaps(struct host *host, struct lanes *lanes, uint64_t until_ns);

/* As many of the tasks as there may be of.  0 or -ENOMEM. */
int schedule_reserve_tasks(struct host *host);

/* The task may have another name now. */
void schedule_name_task(struct host *host, uint32_t pid);

/* ---- What each pass of the sampler says of a host's CPUs and tasks ---- */

/* In place of its events. */

/* 0 or -ENOMEM; passes_free() in both cases, also if it was not called. */
int passes_init(struct host *host);
void passes_free(struct host *host);

/* What passes tell is written from then on. */
void passes_open(struct host *host, uint64_t time_ns);

/* Takes the next event of the log.  0 or -ENOMEM. */
int passes_take(struct host *host, const struct evtlog_event *event);

/* Passes may be lost from then on, until one is complete. */
void passes_lose(struct host *host, uint64_t time_ns);

/* There is no pass any more up to then. */
void passes_end(struct host *host, uint64_t time_ns);

#endif /* EVTLOG_OTF2_HOST_H */
