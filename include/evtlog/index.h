/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The index of a log: what any segment of any CPU holds, without reading it.
 *
 * Stage: between a log file and what draws it.  Answers cost by the number of bins
 * asked for, not by that of events.  It does not relate hosts: times are the
 * file's own.
 *
 * A CPU's events are cut into leaves of some hundred; each leaf keeps where its time
 * went, and a forest over the leaves the same of ever longer segments.  The file
 * is LOG.evx beside the log, or below $XDG_CACHE_HOME/evtlog (~/.cache/evtlog) where
 * that can't be written.  One that is of another log, old or damaged is built anew.
 *
 * Times are CLOCK_MONOTONIC_RAW of the file's host in ns, as events have them.  Where
 * the time goes is what `evtlog stat` says: each instant counts once, for the
 * innermost thing.
 */
#ifndef EVTLOG_INDEX_H
#define EVTLOG_INDEX_H

#include <evtlog/evtlog.h>

#ifdef __cplusplus
extern "C" {
#endif

struct evtlog_index;

/* Kinds of events: bits of a bin's kinds. */
enum evtlog_kind {
	EVTLOG_KIND_SWITCH,
	EVTLOG_KIND_WAKING,
	EVTLOG_KIND_MIGRATION,
	EVTLOG_KIND_SOFTIRQ,
	EVTLOG_KIND_IRQ,	/* of devices */
	EVTLOG_KIND_VECTOR,	/* local timer, IPIs, other system vectors */
	EVTLOG_KIND_ICMP,
	EVTLOG_KIND_REMOTE,	/* remote, boost, unboost */
	EVTLOG_KIND_TASK,	/* fork, exec, exit, rename */
	EVTLOG_KIND_PUT,
	EVTLOG_KIND_OTHER,
	EVTLOG_KIND_EXCEPTION,	/* page faults and the CPU's other exceptions */
	EVTLOG_KIND_USER,	/* edges of user mode: system calls and other ways out and in */
	EVTLOG_KINDS
};

/**
 * evtlog_kind_name() - name of a kind of event
 * @kind: the kind
 *
 * Return: "switch", "waking", ...; static.
 */
const char *evtlog_kind_name(enum evtlog_kind kind);

/**
 * evtlog_kind_of() - kind of a record
 * @known_type: @known of an event
 *
 * Return: the kind; EVTLOG_KIND_OTHER of 0.
 */
enum evtlog_kind evtlog_kind_of(unsigned int known_type);

/* As a task's id: nobody knows who ran.  0 is the idle task of any CPU. */
#define EVTLOG_TASK_UNKNOWN	UINT32_MAX

/*
 * More than a quarter of the bin is what longer segments, which its edges cut, have on
 * average: @busy, @irq, @softirq and @lost may be far off.  Without the flag each is off by a
 * quarter of the bin at most, and by what rounding adds, one in 255.
 */
#define EVTLOG_BIN_APPROXIMATE	0x1
/*
 * Some of the bin is before the CPU's BEGIN or after its END, or of a log without sched_switch, which
 * does not tell what tasks did.
 */
#define EVTLOG_BIN_OUTSIDE	0x2

/**
 * struct evtlog_bin - what a CPU did in a segment of time
 * @task: that had most of the time in which tasks other than idle ran; 0 when none
 *	did; EVTLOG_TASK_UNKNOWN when nothing at all is known
 * @task_share: that task's
 * @busy: all tasks but idle, softirqs and interrupts
 * @irq: hard interrupts, of devices and system vectors
 * @softirq: softirqs, less the interrupts in them
 * @lost: nothing is known, or not who ran
 * @flags: EVTLOG_BIN_*
 * @kinds: 1 << enum evtlog_kind of each event in it
 *
 * Shares are of 255, which is the whole bin; a share that is not 0 is at least 1,
 * and one that is not whole at most 254.
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
 * struct evtlog_index_options - all zero is fine
 * @directory: where the index is, or goes; NULL: as said above
 * @in_memory: neither read nor write a file
 * @anew: build even if there is a good one
 * @checkpoints: the file is to have the state of tables now and then, from which `evtlog query`
 *	starts; one without is built anew.  Without it an index is built in half the time
 * @threads: that build; 0: as many as the machine has CPUs
 * @progress: called now and then while it is built, by one thread at a time, with bytes
 *	of buffers; may be NULL
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
 * @log: path of the log, which the index opens for itself
 * @options: may be NULL
 * @indexp: where the index is stored; close it with evtlog_index_close()
 * @error: filled in on failure; may be NULL
 *
 * It is not an error if no file can be written: the index is in memory then, see
 * evtlog_index_origin().
 *
 * Return: as evtlog_open().
 */
int evtlog_index_open(const char *log, const struct evtlog_index_options *options,
		      struct evtlog_index **indexp, struct evtlog_error *error);

/**
 * evtlog_index_close() - close an index and free its memory
 * @index: NULL is allowed
 */
void evtlog_index_close(struct evtlog_index *index);

/**
 * evtlog_index_file() - the log of an index
 * @index: the index
 *
 * Return: the log, for names and streams, by the same thread; it lives as long as @index.
 */
struct evtlog_file *evtlog_index_file(struct evtlog_index *index);

/**
 * struct evtlog_index_origin - where an index came from
 * @path: its file; NULL: it is in memory
 * @built: it was built just now
 * @reason: why it had to be, or why there is no file, or not the one beside the log;
 *	for people; "" when there is nothing to say
 * @bytes: of the index
 */
struct evtlog_index_origin {
	const char *path;
	bool built;
	const char *reason;
	uint64_t bytes;
};

/**
 * evtlog_index_origin() - where an index came from
 * @index: the index
 *
 * Return: the origin, which lives as long as @index.
 */
const struct evtlog_index_origin *
evtlog_index_origin(const struct evtlog_index *index);

/**
 * struct evtlog_index_lacks - what a log lacks
 * @lost: events that were lost during recording
 * @damages: damaged or missing places in the file, without those in its own list of blocks
 * @cut: the end of the run is missing on some CPU
 */
struct evtlog_index_lacks {
	uint64_t lost;
	uint64_t damages;
	bool cut;
};

/**
 * evtlog_index_lacks() - get what the log of an index lacks
 * @index: the index
 *
 * This was found when the index was built: the log is not read again.
 *
 * Return: what the log lacks; valid as long as @index.
 */
const struct evtlog_index_lacks *
evtlog_index_lacks(const struct evtlog_index *index);

/**
 * struct evtlog_index_cpu - a CPU's part of the run, all in all
 * @begin_ns, @end_ns: of its BEGIN and END
 * @gap_ns: in gaps
 * @idle_ns, @busy_ns, @irq_ns, @softirq_ns: as in bins
 * @unknown_ns: in gaps and where nobody knows who ran
 * @counts: events by kind
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
 * evtlog_index_cpu() - totals of a CPU's part of the run
 * @index: the index
 * @slot: of the CPU, as for evtlog_cpu_number()
 *
 * Return: the totals, which live as long as @index; NULL behind the last slot.
 */
const struct evtlog_index_cpu *evtlog_index_cpu(const struct evtlog_index *index,
						unsigned int slot);

/**
 * struct evtlog_index_task - a pid, from one fork to the next
 * @flags: EVTLOG_TASK_*
 * @logger: it is the one that wrote the log
 * @first_ns, @last_ns: when it first and last ran
 * @run_ns: less softirqs and interrupts
 * @switches: times it was switched in
 * @comm: its last name, not terminated if all 16 bytes are used; untrusted
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
 * evtlog_index_task_count() - number of tasks of a log
 * @index: the index
 *
 * Return: the count; ids are the numbers below it, 0 is idle.
 */
size_t evtlog_index_task_count(const struct evtlog_index *index);

/**
 * evtlog_index_task() - a task, by its id
 * @index: the index
 * @id: from 0
 *
 * Return: the task, which lives as long as @index; NULL behind the last id, and of
 * EVTLOG_TASK_UNKNOWN.
 */
const struct evtlog_index_task *evtlog_index_task(const struct evtlog_index *index,
						  uint32_t id);

/**
 * struct evtlog_index_name - a name of a task
 * @from_ns: since when, as events have it; up to the next name
 * @comm: not terminated if all 16 bytes are used; empty: not known; untrusted
 */
struct evtlog_index_name {
	uint64_t from_ns;
	char comm[EVTLOG_COMM_LEN];
};

/**
 * evtlog_index_task_names() - names of a task, in the order in which it had them
 * @index: the index
 * @id: from 0
 * @names: where the names are stored, which live as long as @index
 *
 * The first one is from the task's begin on. Exec and rename give the others; each differs from
 * the one before it.
 *
 * Return: how many, at least 1; 0 behind the last id, and of EVTLOG_TASK_UNKNOWN.
 */
size_t evtlog_index_task_names(const struct evtlog_index *index, uint32_t id,
			       const struct evtlog_index_name **names);

/**
 * evtlog_index_task_name() - what a task was called at a time
 * @index: the index
 * @id: from 0
 * @time_ns: as events have it
 *
 * Return: EVTLOG_COMM_LEN bytes as of struct evtlog_index_name, which live as long as @index;
 * NULL behind the last id, and of EVTLOG_TASK_UNKNOWN.
 */
const char *evtlog_index_task_name(const struct evtlog_index *index, uint32_t id,
				   uint64_t time_ns);

/**
 * evtlog_index_task_at() - id of the task that had a pid at a time
 * @index: the index
 * @pid: of the task
 * @time_ns: as events have it
 *
 * Return: the id; EVTLOG_TASK_UNKNOWN if no task of the log had that pid.
 */
uint32_t evtlog_index_task_at(const struct evtlog_index *index, uint32_t pid,
			      uint64_t time_ns);

/**
 * evtlog_index_bins() - what a CPU did in each of several segments of time
 * @index: the index
 * @slot: of the CPU
 * @edges: bin i is [edges[i], edges[i + 1]); @count + 1 of them, ascending
 * @count: number of bins
 * @refine: false: from the index alone, fast at any width; bins much finer than a
 * 	leaf are APPROXIMATE. true: exact, reading the log where needed; buffers just
 * 	read are kept, 64 MiB of them. Only the task of bins of very many events is
 * 	that which the leaves' busiest tell, and its share what they know of it.
 * @bins: @count of them, filled in
 *
 * A bin that is not refined is wrong only where an edge cuts a leaf, or a node of up to
 * an eighth of the bin: the part within the bin gets the mean of the whole. Of a part p of
 * it that is off by up to p (1 - p) of its length, so in a bin that is not APPROXIMATE by up
 * to a quarter of the bin. What one bin has too much, its neighbour at that edge has too
 * little: side by side, bins of one width are correct on average, APPROXIMATE or not.
 *
 * Return: 0; -EINVAL no such slot, or edges that descend; -ENOMEM; -errno of read().
 */
int evtlog_index_bins(struct evtlog_index *index, unsigned int slot,
		      const uint64_t *edges, size_t count, bool refine,
		      struct evtlog_bin *bins);

/**
 * evtlog_index_task_bins() - what a task did in each of several segments of time, on all CPUs
 * @index: the index
 * @task: its id
 * @edges: as for evtlog_index_bins()
 * @count: number of bins
 * @refine: as for evtlog_index_bins()
 * @bins: @count of them, filled in
 *
 * @task of a bin is the CPU number it ran on most, EVTLOG_TASK_UNKNOWN if it did not
 * run; @task_share and @busy are its running time; @kinds are of switches to and from
 * it, its wake-ups and its migrations.
 *
 * Return: 0; -EINVAL no such task, the idle task, or edges that
 * descend; -ENOMEM; -errno of read().
 */
int evtlog_index_task_bins(struct evtlog_index *index, uint32_t task,
			   const uint64_t *edges, size_t count, bool refine,
			   struct evtlog_bin *bins);

/**
 * struct evtlog_slice - a task's stay on a CPU
 * @slot: of the CPU
 * @begin_ns: when it was switched in; or the CPU's BEGIN, or the end of a gap
 * @end_ns: when another was; or the CPU's END, or the begin of a gap
 */
struct evtlog_slice {
	unsigned int slot;
	uint64_t begin_ns;
	uint64_t end_ns;
};

/**
 * evtlog_index_slice() - the slice of a task that is next to a time
 * @index: the index
 * @task: its id
 * @slots: by slot, which CPUs are searched; NULL: all
 * @time_ns: as events have it
 * @after: true: the first slice that does not begin before @time_ns; false: the last that
 * 	does
 * @slice: filled in
 *
 * Exact: where the index says that there may be one the log is read.
 *
 * Return: 1; 0 there is none; -EINVAL no such task, or the idle task; -ENOMEM;
 * -errno of read().
 */
int evtlog_index_slice(struct evtlog_index *index, uint32_t task, const bool *slots,
		       uint64_t time_ns, bool after, struct evtlog_slice *slice);

/**
 * evtlog_index_count() - number of events of a CPU in [@from_ns, @to_ns)
 * @index: the index
 * @slot: of the CPU
 * @from_ns: begin, as events have it
 * @to_ns: end
 *
 * Return: the count: exact if both times are between leaves, else at least as many as there
 * are; 0 if there is no such slot.
 */
uint64_t evtlog_index_count(const struct evtlog_index *index, unsigned int slot,
			    uint64_t from_ns, uint64_t to_ns);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_INDEX_H */
