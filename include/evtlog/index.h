/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The index of a log: sums over any segment of a CPU's time, without reading the log.
 *
 * Stage: between a log file and programs that draw it.  The cost of a query depends on the number
 * of bins, not on the number of events.  It does not relate hosts: times are the file's own.
 *
 * The events of a CPU are divided into leaves of several hundred events.  Each leaf has the sums of
 * its time.  A forest over the leaves has the sums of longer and longer segments.  The index is the
 * file LOG.evx in the directory of the log, or in $XDG_CACHE_HOME/evtlog (~/.cache/evtlog) if this
 * directory is not writable.  An index that belongs to another log, is outdated or is damaged is
 * built again.
 *
 * Times are CLOCK_MONOTONIC_RAW of the file's host in ns, as in events.  Time is assigned as in
 * `evtlog stat`: each ns counts once, for the innermost context.
 */
#ifndef EVTLOG_INDEX_H
#define EVTLOG_INDEX_H

#include <evtlog/evtlog.h>

#ifdef __cplusplus
extern "C" {
#endif

struct evtlog_index;

/* Kinds of events: bits of @kinds of a bin. */
enum evtlog_kind {
	EVTLOG_KIND_SWITCH,
	EVTLOG_KIND_WAKING,
	EVTLOG_KIND_MIGRATION,
	EVTLOG_KIND_SOFTIRQ,
	EVTLOG_KIND_IRQ,	/* device interrupts */
	EVTLOG_KIND_VECTOR,	/* local timer, IPIs, other system vectors */
	EVTLOG_KIND_ICMP,
	EVTLOG_KIND_REMOTE,	/* remote, boost, unboost */
	EVTLOG_KIND_TASK,	/* fork, exec, exit, rename */
	EVTLOG_KIND_PUT,
	EVTLOG_KIND_OTHER,
	EVTLOG_KIND_EXCEPTION,	/* page faults and other exceptions */
	EVTLOG_KIND_USER,	/* user_enter, user_exit and user_nmi */
	EVTLOG_KINDS
};

/**
 * evtlog_kind_name() - get the name of a kind of event
 * @kind: the kind
 *
 * Return: "switch", "waking", ...; a static string.
 */
const char *evtlog_kind_name(enum evtlog_kind kind);

/**
 * evtlog_kind_of() - get the kind of a record
 * @known_type: @known of an event
 *
 * Return: the kind; EVTLOG_KIND_OTHER for 0.
 */
enum evtlog_kind evtlog_kind_of(unsigned int known_type);

/* Id of a task: the task is unknown.  0 is the idle task of any CPU. */
#define EVTLOG_TASK_UNKNOWN	UINT32_MAX

/*
 * More than a quarter of the bin is estimated from the averages of longer segments that the edges
 * of the bin cut: @busy, @irq, @softirq and @lost can be far off.  Without the flag, the error of
 * each is at most a quarter of the bin, plus 1 of 255 for rounding.
 */
#define EVTLOG_BIN_APPROXIMATE	0x1
/*
 * A part of the bin is before the CPU's BEGIN or after its END, or the log has no sched_switch, so
 * the running task is unknown.
 */
#define EVTLOG_BIN_OUTSIDE	0x2

/**
 * struct evtlog_bin - time of a CPU in a segment
 * @task: id of the task that ran longest, except idle; 0: only idle ran; EVTLOG_TASK_UNKNOWN:
 *	unknown
 * @task_share: share of this task
 * @busy: share of all tasks except idle, of softirqs and of interrupts
 * @irq: share of hard interrupts, of devices and system vectors
 * @softirq: share of softirqs, without the interrupts in them
 * @lost: share of gaps and of time with an unknown task
 * @flags: EVTLOG_BIN_*
 * @kinds: 1 << enum evtlog_kind of each event in the bin
 *
 * A share is a part of 255, which is the whole bin.  A share that is not 0 is at least 1, and a
 * share of less than the whole bin is at most 254.
 */
struct evtlog_bin {
	uint32_t task;
	uint8_t task_share;
	uint8_t busy;
	uint8_t irq;
	uint8_t softirq;
	uint8_t lost;
	uint8_t flags;
	uint16_t kinds;
};

/**
 * struct evtlog_index_options - options; all zero is valid
 * @directory: directory of the index file; NULL: as described above
 * @in_memory: neither read nor write a file
 * @anew: build the index even if there is a valid one
 * @checkpoints: the index must have checkpoints, the states of tables from which `evtlog query`
 *	starts; an index without them is built again.  They double the time to build
 * @threads: number of threads that build the index; 0: number of CPUs
 * @progress: called during a build, by one thread at a time, with bytes of buffers; may be NULL
 */
struct evtlog_index_options {
	const char *directory;
	bool in_memory;
	bool anew;
	bool checkpoints;
	unsigned int threads;
	void (*progress)(void *arg, uint64_t done_bytes, uint64_t all_bytes);
	void *progress_arg;
};

/**
 * evtlog_index_open() - open a log's index, or build it
 * @log: path of the log; the index opens it for its own use
 * @options: may be NULL
 * @indexp: where the index is stored; close it with evtlog_index_close()
 * @error: filled in on failure; may be NULL
 *
 * It is not an error if no file can be written: the index is then in memory, see
 * evtlog_index_origin().
 *
 * Return: the same as evtlog_open().
 */
int evtlog_index_open(const char *log, const struct evtlog_index_options *options,
		      struct evtlog_index **indexp, struct evtlog_error *error);

/**
 * evtlog_index_close() - close an index and free its memory
 * @index: NULL is allowed
 */
void evtlog_index_close(struct evtlog_index *index);

/**
 * evtlog_index_file() - get the log of an index
 * @index: the index
 *
 * Return: the log, for names and streams; valid as long as @index; use it in the same thread.
 */
struct evtlog_file *evtlog_index_file(struct evtlog_index *index);

/**
 * struct evtlog_index_origin - where an index came from
 * @path: file of the index; NULL: the index is in memory
 * @built: the index was built by this call
 * @reason: text for the user: why the index was built, why there is no file, or why the file is not
 *	in the directory of the log; "" if there is nothing to report
 * @bytes: size of the index
 */
struct evtlog_index_origin {
	const char *path;
	bool built;
	const char *reason;
	uint64_t bytes;
};

/**
 * evtlog_index_origin() - get the origin of an index
 * @index: the index
 *
 * Return: the origin, valid as long as @index.
 */
const struct evtlog_index_origin *
evtlog_index_origin(const struct evtlog_index *index);

/**
 * struct evtlog_index_lacks - missing parts of a log
 * @lost: events that were lost during recording
 * @damages: damaged or missing places in the log, except its index block and trailer
 * @cut: the end of the run is missing on some CPU
 */
struct evtlog_index_lacks {
	uint64_t lost;
	uint64_t damages;
	bool cut;
};

/**
 * evtlog_index_lacks() - get the missing parts of an index's log
 * @index: the index
 *
 * The data were collected when the index was built; the log is not read again.
 *
 * Return: the missing parts, valid as long as @index.
 */
const struct evtlog_index_lacks *
evtlog_index_lacks(const struct evtlog_index *index);

/**
 * struct evtlog_index_cpu - totals of a CPU in the run
 * @begin_ns, @end_ns: times of its BEGIN and END
 * @gap_ns: time in gaps
 * @idle_ns, @busy_ns, @irq_ns, @softirq_ns: as in bins
 * @unknown_ns: time in gaps and time with an unknown task
 * @counts: number of events by kind
 */
struct evtlog_index_cpu {
	uint32_t cpu;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t events;
	uint64_t lost;
	uint64_t gaps;
	uint64_t gap_ns;
	uint64_t idle_ns;
	uint64_t busy_ns;
	uint64_t irq_ns;
	uint64_t softirq_ns;
	uint64_t unknown_ns;
	uint64_t counts[EVTLOG_KINDS];
};

/**
 * evtlog_index_cpu() - get the totals of a CPU
 * @index: the index
 * @slot: slot of the CPU, as for evtlog_cpu_number()
 *
 * Return: the totals, valid as long as @index; NULL after the last slot.
 */
const struct evtlog_index_cpu *evtlog_index_cpu(const struct evtlog_index *index,
						unsigned int slot);

/**
 * struct evtlog_index_task - a task: a pid from one fork to the next
 * @flags: EVTLOG_TASK_*
 * @logger: the task wrote the log
 * @first_ns, @last_ns: when it ran first and last
 * @run_ns: running time without softirqs and interrupts
 * @switches: number of switches to it
 * @comm: its last name, without NUL if all 16 bytes are used; untrusted
 */
struct evtlog_index_task {
	uint32_t pid;
	uint32_t tgid;
	uint32_t flags;
	bool kernel_thread;
	bool logger;
	uint64_t first_ns;
	uint64_t last_ns;
	uint64_t run_ns;
	uint64_t switches;
	char comm[EVTLOG_COMM_LEN];
};

/**
 * evtlog_index_task_count() - get the number of tasks of a log
 * @index: the index
 *
 * Return: the number; ids are less than it, and 0 is idle.
 */
size_t evtlog_index_task_count(const struct evtlog_index *index);

/**
 * evtlog_index_task() - get a task by its id
 * @index: the index
 * @id: from 0
 *
 * Return: the task, valid as long as @index; NULL after the last id and for EVTLOG_TASK_UNKNOWN.
 */
const struct evtlog_index_task *evtlog_index_task(const struct evtlog_index *index,
						  uint32_t id);

/**
 * struct evtlog_index_name - a name of a task
 * @from_ns: begin of the name, as in events; it is valid up to the next name
 * @comm: without NUL if all 16 bytes are used; empty if unknown; untrusted
 */
struct evtlog_index_name {
	uint64_t from_ns;
	char comm[EVTLOG_COMM_LEN];
};

/**
 * evtlog_index_task_names() - get the names of a task in the order of time
 * @index: the index
 * @id: from 0
 * @names: where the names are stored; valid as long as @index
 *
 * The first name is valid from the begin of the task.  Exec and rename add names; none equals its
 * predecessor.
 *
 * Return: number of names, at least 1; 0 after the last id and for EVTLOG_TASK_UNKNOWN.
 */
size_t evtlog_index_task_names(const struct evtlog_index *index, uint32_t id,
			       const struct evtlog_index_name **names);

/**
 * evtlog_index_task_name() - get the name of a task at a time
 * @index: the index
 * @id: from 0
 * @time_ns: time, as in events
 *
 * Return: EVTLOG_COMM_LEN bytes as in struct evtlog_index_name, valid as long as @index; NULL after
 * the last id and for EVTLOG_TASK_UNKNOWN.
 */
const char *evtlog_index_task_name(const struct evtlog_index *index, uint32_t id,
				   uint64_t time_ns);

/**
 * evtlog_index_task_at() - get the id of the task that had a pid at a time
 * @index: the index
 * @pid: pid of the task
 * @time_ns: time, as in events
 *
 * Return: the id; EVTLOG_TASK_UNKNOWN if no task of the log had this pid.
 */
uint32_t evtlog_index_task_at(const struct evtlog_index *index, uint32_t pid,
			      uint64_t time_ns);

/**
 * evtlog_index_bins() - get a CPU's time in each of several segments
 * @index: the index
 * @slot: slot of the CPU
 * @edges: bin i is [edges[i], edges[i + 1]); @count + 1 edges in ascending order
 * @count: number of bins
 * @refine: false: use only the index, which is fast at any width; bins much shorter than a leaf are
 *	APPROXIMATE.  true: exact results, reading the log where needed; a cache of 64 MiB has the
 *	buffers that were read last.  In bins of very many events, only @task and @task_share are
 *	approximate: they come from the busiest tasks of the leaves
 * @bins: array of @count bins, filled in
 *
 * Without @refine, a bin is inexact only where an edge cuts a leaf, or a node of up to an eighth of
 * the bin: the part in the bin gets its proportional share of the sums.  For a fraction p of the
 * leaf or node, the error is at most p (1 - p) of its length, and in a bin without APPROXIMATE at
 * most a quarter of the bin.  Time that one bin gets in excess is missing in its neighbour at this
 * edge, so adjacent bins of one width are correct on average, even if they are APPROXIMATE.
 *
 * Return: 0; -EINVAL no such slot, or descending edges; -ENOMEM; -errno of read().
 */
int evtlog_index_bins(struct evtlog_index *index, unsigned int slot,
		      const uint64_t *edges, size_t count, bool refine,
		      struct evtlog_bin *bins);

/**
 * evtlog_index_task_bins() - get a task's time in each of several segments, on all CPUs
 * @index: the index
 * @task: id of the task
 * @edges: as for evtlog_index_bins()
 * @count: number of bins
 * @refine: as for evtlog_index_bins()
 * @bins: array of @count bins, filled in
 *
 * In these bins, @task is the number of the CPU on which the task ran longest, or
 * EVTLOG_TASK_UNKNOWN if it did not run.  @task_share and @busy are its running time.  @kinds has
 * its context switches, wake-ups and migrations.
 *
 * Return: 0; -EINVAL no such task, the idle task, or descending edges; -ENOMEM; -errno of read().
 */
int evtlog_index_task_bins(struct evtlog_index *index, uint32_t task,
			   const uint64_t *edges, size_t count, bool refine,
			   struct evtlog_bin *bins);

/**
 * struct evtlog_slice - a task's stay on a CPU
 * @slot: slot of the CPU
 * @begin_ns: switch to the task; or the CPU's BEGIN, or the end of a gap
 * @end_ns: switch to another task; or the CPU's END, or the start of a gap
 */
struct evtlog_slice {
	unsigned int slot;
	uint64_t begin_ns;
	uint64_t end_ns;
};

/**
 * evtlog_index_slice() - find the slice of a task next to a time
 * @index: the index
 * @task: id of the task
 * @slots: by slot, true to search this CPU; NULL: all CPUs
 * @time_ns: time, as in events
 * @after: true: first slice that begins at or after @time_ns; false: last slice that begins before
 * @slice: filled in
 *
 * The result is exact: the log is read where the index shows that a slice is possible.
 *
 * Return: 1; 0 no slice; -EINVAL no such task, or the idle task; -ENOMEM; -errno of read().
 */
int evtlog_index_slice(struct evtlog_index *index, uint32_t task, const bool *slots,
		       uint64_t time_ns, bool after, struct evtlog_slice *slice);

/**
 * evtlog_index_count() - get the number of events of a CPU in [@from_ns, @to_ns)
 * @index: the index
 * @slot: slot of the CPU
 * @from_ns: begin, as in events
 * @to_ns: end
 *
 * Return: the number, exact if both times are between leaves, else an upper bound; 0 no such slot.
 */
uint64_t evtlog_index_count(const struct evtlog_index *index, unsigned int slot,
			    uint64_t from_ns, uint64_t to_ns);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_INDEX_H */
