/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * OS jitter: joins interruptions measured by a user program with the kernel's log.
 *
 * Stage: joins a log with events at the boundary of user mode (user_exit, user_enter) and the
 * samples of `evtlog jitter run`.  Commands show, compare or extrapolate the result.
 *
 * After De, Kothari and Mann, "Identifying sources of Operating System Jitter through fine-grained
 * kernel instrumentation" (Cluster 2007).  They compare two histograms.  Here both sides read the
 * same counter of the same CPU, so each gap in the program is matched with the interval in which
 * the kernel or another task used its CPU.
 *
 * An interruption is the time from where a task leaves user mode, other than by a system call, to
 * where the same task enters user mode again.  It consists of parts.  A part is one stay of a
 * source: a task from its switch in until it sleeps or the interruption ends, or a handler from
 * entry to exit.  Each tick counts once, for the innermost source, so the parts of an interruption
 * partition it.
 *
 * Times are in ticks of the CPU's counter, except those in ns.
 */
#ifndef EVTLOG_JITTER_H
#define EVTLOG_JITTER_H

#include <evtlog/evtlog.h>

#ifdef __cplusplus
extern "C" {
#endif

struct evtlog_samples;
struct evtlog_jitter;

/* ---- Samples: the file of the benchmark ---- */

/*
 * Contents of the file, little-endian, in this order: struct evtlog_samples_header; @text_bytes of
 * lines "key=value", zero-padded to a multiple of 8; @threads of struct evtlog_samples_thread,
 * sorted by CPU; the samples of each thread; the CRC-32 (zlib's) of all these bytes, 4 bytes.
 *
 * Keys: version, host, kernel, boot_id, run, command, started_ns (REALTIME), cpu_model,
 * threshold_ns, duration_ns, irq.N=NAME for each interrupt line, smt.N=LIST for each measured CPU
 * that shares its core, isolated=LIST, governor, clocksource, cmdline.
 */
#define EVTLOG_SAMPLES_MAGIC	0x52455454494a5645ULL	/* "EVJITTER" */
#define EVTLOG_SAMPLES_VERSION	1

/* Flags of the file. */
#define EVTLOG_SAMPLES_LOGGED	0x1	/* a run was recorded at the same time */

enum evtlog_samples_method {
	/* Loop that only reads the counter: a sample is two readings with a gap. */
	EVTLOG_SAMPLES_LOOP,
	/* Fixed work (FWQ): a sample is one piece of work, from begin to end. */
	EVTLOG_SAMPLES_WORK,
	/* Fixed time (FTQ): a sample is one quantum and the work done in it. */
	EVTLOG_SAMPLES_QUANTUM,
};

/**
 * struct evtlog_samples_header - at the start of a file of samples
 * @flags: EVTLOG_SAMPLES_LOGGED
 * @method: enum evtlog_samples_method
 * @ticks_hz: measured by the benchmark
 */
struct evtlog_samples_header {
	uint64_t magic;
	uint16_t version;
	uint16_t header_bytes;
	uint32_t flags;
	uint32_t method;
	uint32_t threads;
	uint32_t text_bytes;
	uint32_t reserved0;
	uint64_t ticks_hz;
	uint64_t reserved[2];
};

/**
 * struct evtlog_samples_position - position in a CPU's records
 * @run: 0 if nothing was recorded
 *
 * As returned by EVTLOG_IOC_POSITION.
 */
struct evtlog_samples_position {
	uint64_t run;
	uint64_t sequence;
	uint64_t offset;
	uint64_t ticks;
};

/**
 * struct evtlog_samples_thread - a pinned thread of the benchmark
 * @begin_ticks, @end_ticks: first and last reading
 * @rounds: number of loops, pieces of work, or quanta
 * @base_ticks: LOOP: undisturbed period of the loop; WORK: shortest piece of work without
 *	interruption; QUANTUM: the sample with most work per time
 * @base_work: QUANTUM: units of work in this sample
 * @threshold_ticks: a sample counts if its noise exceeds this
 * @samples: number of samples in the file: LOOP: those above the threshold; else all
 * @dropped: samples above the threshold that were not stored because memory was full
 * @below_ticks: LOOP: total time beyond @base_ticks of rounds that were not stored
 * @begin, @end: positions in the CPU's records before and after the measurement
 */
struct evtlog_samples_thread {
	uint32_t cpu;
	uint32_t pid;
	uint64_t begin_ticks;
	uint64_t end_ticks;
	uint64_t rounds;
	uint64_t base_ticks;
	uint64_t base_work;
	uint64_t threshold_ticks;
	uint64_t samples;
	uint64_t dropped;
	uint64_t below_ticks;
	struct evtlog_samples_position begin;
	struct evtlog_samples_position end;
	uint64_t reserved[3];
};

/**
 * struct evtlog_sample - two readings of the counter
 * @work: QUANTUM: units of work; else 0
 */
struct evtlog_sample {
	uint64_t begin_ticks;
	uint64_t end_ticks;
	uint64_t work;
};

/**
 * evtlog_samples_open() - read a file of samples
 * @path: the file
 * @samplesp: where the samples are stored; close them with evtlog_samples_close()
 * @error: filled in on failure; may be NULL
 *
 * Return: 0; -errno of open() or read(); -EMEDIUMTYPE not a file of samples; -EPROTONOSUPPORT
 * another version; -EBADMSG truncated or damaged; -ENOMEM.
 */
int evtlog_samples_open(const char *path, struct evtlog_samples **samplesp,
			struct evtlog_error *error);

/**
 * evtlog_samples_close() - free samples
 * @samples: NULL is allowed
 */
void evtlog_samples_close(struct evtlog_samples *samples);

/**
 * evtlog_samples_header() - get the header of a file of samples
 * @samples: the samples
 *
 * Return: the header as in the file, valid as long as @samples.
 */
const struct evtlog_samples_header *
evtlog_samples_header(const struct evtlog_samples *samples);

/**
 * evtlog_samples_meta() - get a line "key=value" of the text of a file of samples
 * @samples: the samples
 * @key: key of the line
 *
 * Return: the value, valid as long as @samples; NULL if there is none.
 */
const char *evtlog_samples_meta(const struct evtlog_samples *samples, const char *key);

/**
 * evtlog_samples_thread() - get a thread of the benchmark
 * @samples: the samples
 * @thread: number of the thread, from 0
 *
 * Return: the thread, valid as long as @samples; NULL after the last thread.
 */
const struct evtlog_samples_thread *
evtlog_samples_thread(const struct evtlog_samples *samples, size_t thread);

/**
 * evtlog_samples_of() - get the samples of a thread, in order
 * @samples: the samples
 * @thread: number of the thread, from 0
 *
 * Return: an array whose length is @samples of struct evtlog_samples_thread; NULL after the last
 * thread and after evtlog_samples_drop().
 */
const struct evtlog_sample *
evtlog_samples_of(const struct evtlog_samples *samples, size_t thread);

/**
 * evtlog_samples_drop() - free the samples themselves and keep all other data
 * @samples: the samples
 *
 * evtlog_samples_of() returns NULL after this call.
 */
void evtlog_samples_drop(struct evtlog_samples *samples);

/**
 * evtlog_sample_noise() - get the time of a sample beyond the undisturbed time
 * @samples: the samples
 * @thread: thread of @samples
 * @sample: sample of @thread
 *
 * Return: ticks.
 */
uint64_t evtlog_sample_noise(const struct evtlog_samples *samples,
			     const struct evtlog_samples_thread *thread,
			     const struct evtlog_sample *sample);

/* ---- Sources, interruptions and samples, joined ---- */

/* Five families, after De, Mann and Mittal (2009). */
enum evtlog_jitter_family {
	EVTLOG_FAMILY_USER,		/* user tasks */
	EVTLOG_FAMILY_KERNEL,		/* kernel threads */
	EVTLOG_FAMILY_INTERRUPT,	/* interrupts, softirqs, exceptions, NMIs */
	EVTLOG_FAMILY_SMT,		/* inferred: the other hardware thread of the core */
	EVTLOG_FAMILY_HARDWARE,		/* inferred: hypervisor, SMI, the machine */
	EVTLOG_FAMILIES
};

/**
 * evtlog_jitter_family_name() - get the name of a family of sources
 * @family: the family
 *
 * Return: "user task", "kernel thread", ...; a static string.
 */
const char *evtlog_jitter_family_name(enum evtlog_jitter_family family);

enum evtlog_jitter_kind {
	EVTLOG_SOURCE_TASK,	/* number: pid; the first pid if several tasks are one row */
	EVTLOG_SOURCE_IRQ,	/* number: interrupt line */
	EVTLOG_SOURCE_SOFTIRQ,	/* number: softirq vector */
	EVTLOG_SOURCE_VECTOR,	/* number: known type of the entry record */
	EVTLOG_SOURCE_EXCEPTION,	/* number: exception vector */
	EVTLOG_SOURCE_NMI,
	/* The kernel's work for the task itself: entry, exit, scheduler, signals. */
	EVTLOG_SOURCE_ENTRY,
	/* Idle: the task waits, for example for a page, and no other task runs. */
	EVTLOG_SOURCE_IDLE,
	/* Inferred: time of the processor to enter the kernel and return, calibrated. */
	EVTLOG_SOURCE_CROSSING,
	EVTLOG_SOURCE_SMT,	/* inferred */
	EVTLOG_SOURCE_HARDWARE,	/* inferred */
	EVTLOG_SOURCE_STOLEN,	/* stolen by the hypervisor; inferred from the steal clock */
	EVTLOG_SOURCE_KINDS
};

#define EVTLOG_SOURCE_NAME	64

/**
 * struct evtlog_jitter_source - a source, a row of the table
 * @inferred: the time was not recorded but inferred from what remains of samples
 * @name: untrusted: "kworker", "timer interrupt", "irq 11 virtio0", "softirq TIMER", "page fault"
 * @count: number of parts; the time of a part is without nested parts
 * @sum_squares: sum of the squared deviations of the parts from their mean, ticks^2
 * @activations: tasks: number of activations, each from a wake-up to sleep, over any number of
 *	parts; other sources: @count
 * @activation_min, ..._max: ticks of an activation; 0 if lost events left none complete
 * @period_ticks: period of the begins of the activations; 0 if they are not periodic
 * @phase_ticks: first begin on the fitted grid, from the begin of the window
 * @period_share: share of the activations that follow the period
 * @period_spread: standard deviation of the distance of these activations from the grid
 */
struct evtlog_jitter_source {
	enum evtlog_jitter_family family;
	enum evtlog_jitter_kind kind;
	bool inferred;
	uint32_t number;
	char name[EVTLOG_SOURCE_NAME];
	uint64_t count;
	uint64_t min_ticks;
	uint64_t max_ticks;
	uint64_t total_ticks;
	double sum_squares;
	uint64_t activations;
	uint64_t activation_min;
	uint64_t activation_max;
	double period_ticks;
	double phase_ticks;
	double period_share;
	double period_spread;
};

/**
 * struct evtlog_jitter_part - a stay of a source in an interruption
 * @begin_ticks, @end_ticks: begin and end, including nested parts
 * @own_ticks: time without nested parts
 * @source: number of the source
 * @pid: TASK: pid of the task; other sources: pid of the task in whose context the source ran
 * @activation: true: begins an activation; false: continues one from an earlier interruption
 */
struct evtlog_jitter_part {
	uint64_t begin_ticks;
	uint64_t end_ticks;
	uint64_t own_ticks;
	uint32_t source;
	uint32_t pid : 31;
	bool activation : 1;
};

/* Flags of interruptions and of joined samples. */
/*
 * Events were lost in it or near it: it is in no statistics and is counted as excluded.  The same
 * applies to samples that may contain one of several NMIs that are known only by their sum.
 */
#define EVTLOG_JITTER_EXCLUDED	0x1
/* The sample contains exactly one interruption, and the interruption is in this sample. */
#define EVTLOG_JITTER_MATCHED	0x2
/* A piece of work or a quantum whose noise is not above the threshold: it is in no count. */
#define EVTLOG_JITTER_BELOW	0x4

#define EVTLOG_JITTER_NONE	UINT32_MAX

/**
 * struct evtlog_interruption - an interruption of a task
 * @leave_ticks, @enter_ticks: times of user_exit and user_enter
 * @first_part, @parts: first part and number of parts in the array of parts, in the order of begin
 * @thread: number of the thread of the samples, or of the requested task
 * @sample: sample that contains it; EVTLOG_JITTER_NONE if it was below the threshold
 */
struct evtlog_interruption {
	uint64_t leave_ticks;
	uint64_t enter_ticks;
	uint32_t first_part;
	uint32_t parts;
	uint32_t thread;
	uint32_t sample;
	uint32_t pattern;
	uint32_t flags;
};

/**
 * struct evtlog_jitter_sample - a sample of the user program and the kernel's time in it
 * @noise_ticks: time of the sample minus its undisturbed time
 * @kernel_ticks: total time of the interruptions in it
 * @parts_ticks: sum of the parts of the interruptions; equal to @kernel_ticks if all is right
 * @crossing_ticks: inferred: calibrated cost of the crossings
 * @inferred_source: STOLEN, SMT or HARDWARE source of the residual, or EVTLOG_JITTER_NONE
 * @first_interruption, @interruptions: first interruption and number of interruptions
 */
struct evtlog_jitter_sample {
	uint64_t begin_ticks;
	uint64_t end_ticks;
	uint64_t noise_ticks;
	uint64_t kernel_ticks;
	uint64_t parts_ticks;
	uint64_t crossing_ticks;
	uint32_t inferred_source;
	uint32_t first_interruption;
	uint32_t interruptions;
	uint32_t thread : 24;
	uint32_t flags : 8;
};

/**
 * evtlog_jitter_residual() - get the residual of a sample
 * @sample: the sample
 *
 * Return: noise minus kernel time minus crossings, in ticks; may be negative.
 */
static inline int64_t evtlog_jitter_residual(const struct evtlog_jitter_sample *sample)
{
	return sample->noise_ticks - sample->kernel_ticks - sample->crossing_ticks;
}

/**
 * evtlog_jitter_inferred() - get the residual assigned to a STOLEN, SMT or HARDWARE source
 * @sample: the sample
 *
 * Return: ticks; 0 if it is not assigned.
 */
static inline uint64_t evtlog_jitter_inferred(const struct evtlog_jitter_sample *sample)
{
	return sample->inferred_source == EVTLOG_JITTER_NONE ? 0 : evtlog_jitter_residual(sample);
}

/**
 * struct evtlog_jitter_thread - a measured task
 * @cpu: its CPU; UINT32_MAX: the task was requested by its pid and may run on any CPU
 * @begin_ticks, @end_ticks: the window; it ends with the last sample that was stored
 * @begin_ns, @end_ns: the window, in times as in events
 * @lost: records lost in the window
 * @lost_ticks: time in the window for which events are missing
 * @first_interruption, @interruptions, @first_sample, @samples: its ranges of the arrays, by time
 * @crossing_ticks: calibrated cost of a crossing beyond the records
 * @period_ticks: period of its loop
 */
struct evtlog_jitter_thread {
	uint32_t cpu;
	uint32_t pid;
	uint64_t begin_ticks;
	uint64_t end_ticks;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t lost;
	uint64_t lost_ticks;
	uint32_t first_interruption;
	uint32_t interruptions;
	uint32_t first_sample;
	uint32_t samples;
	double crossing_ticks;
	uint64_t period_ticks;
	uint64_t threshold_ticks;
};

/**
 * struct evtlog_jitter_summary - totals, without excluded samples and interruptions
 * @ns_per_tick: mean over the run, by the log's clock
 * @samples: samples above the threshold
 * @matched: samples with exactly one interruption
 * @excluded: samples near lost records
 * @interruptions, @unseen: interruptions in the windows, and those in no sample above the threshold
 * @missed: interruptions longer than the threshold that are in no sample; 0 if all is right
 * @noise_ticks, @kernel_ticks, @crossing_ticks: sums over samples
 * @max_residual_ticks: largest absolute residual
 */
struct evtlog_jitter_summary {
	double ns_per_tick;
	uint64_t samples;
	uint64_t matched;
	uint64_t excluded;
	uint64_t dropped;
	uint64_t interruptions;
	uint64_t unseen;
	uint64_t missed;
	uint64_t window_ticks;
	uint64_t noise_ticks;
	uint64_t kernel_ticks;
	uint64_t crossing_ticks;
	uint64_t max_residual_ticks;
};

/**
 * struct evtlog_jitter_options - options; all zero is valid
 * @by_task: true: one source for each task; false: tasks with the same name are one source, and
 *	names of kernel threads are cut at a slash or colon
 * @pids: without samples: tasks whose interruptions are requested, on any CPU
 * @from_ns, @to_ns: part of the log, as in events; 0: all.  Samples that are only partly inside are
 *	omitted, as are their interruptions
 * @joined: called once, when evtlog_samples_drop() may free the samples
 */
struct evtlog_jitter_options {
	bool by_task;
	const uint32_t *pids;
	size_t pid_count;
	uint64_t from_ns;
	uint64_t to_ns;
	void (*progress)(void *arg, uint64_t done_bytes, uint64_t all_bytes);
	void *progress_arg;
	void (*joined)(void *arg);
	void *joined_arg;
};

/**
 * evtlog_jitter_new() - join a log with samples
 * @file: the log, which must outlive the result
 * @samples: samples taken during the run; may be closed afterwards; NULL: use only the log, for the
 *	tasks in @pids of @options
 * @options: may be NULL
 * @jitterp: where the result is stored; free it with evtlog_jitter_free()
 * @error: filled in on failure; may be NULL
 *
 * Memory grows with the number of interruptions and their parts.  A task in @pids is followed over
 * all CPUs; a thread of samples is pinned to one CPU.
 *
 * Return: 0; -ENODATA the log lacks events that are needed (listed in @reason of @error); -EXDEV
 * samples and log are of different runs or hosts; -EINVAL neither samples nor pids, or a pid is
 * listed twice; -EOPNOTSUPP with pids: the CPUs' counters differ; -EOVERFLOW a count exceeds 32
 * bits; -ENOMEM; -errno of read().
 */
int evtlog_jitter_new(struct evtlog_file *file, const struct evtlog_samples *samples,
		      const struct evtlog_jitter_options *options,
		      struct evtlog_jitter **jitterp, struct evtlog_error *error);

/**
 * struct evtlog_jitter_span - a part of a task's time
 * @pid: pid of the task
 * @from_ns, @to_ns: times as in events; the span ends before @to_ns
 */
struct evtlog_jitter_span {
	uint32_t pid;
	uint64_t from_ns;
	uint64_t to_ns;
};

/**
 * evtlog_jitter_new_of() - find the interruptions of tasks in parts of their time
 * @file: the log, which must outlive the result
 * @spans: the parts; spans of one task are in the order of time
 * @count: number of spans, at least 1
 * @options: as for evtlog_jitter_new(), but @pids is ignored; may be NULL
 * @jitterp: where the result is stored; free it with evtlog_jitter_free()
 * @error: filled in on failure; may be NULL
 *
 * Works like evtlog_jitter_new() without samples.  Each span becomes a thread of the result; spans
 * outside of @from_ns and @to_ns of @options are omitted.  An interruption belongs to the span in
 * which it begins.
 *
 * Return: the same as evtlog_jitter_new(); -EINVAL no span, or two spans of a task overlap.
 */
int evtlog_jitter_new_of(struct evtlog_file *file, const struct evtlog_jitter_span *spans,
			 size_t count, const struct evtlog_jitter_options *options,
			 struct evtlog_jitter **jitterp, struct evtlog_error *error);

/**
 * evtlog_jitter_free() - free a result
 * @jitter: NULL is allowed
 */
void evtlog_jitter_free(struct evtlog_jitter *jitter);

/**
 * evtlog_jitter_summary() - get the totals of a result
 * @jitter: the result
 *
 * Return: the totals, valid as long as @jitter.
 */
const struct evtlog_jitter_summary *
evtlog_jitter_summary(const struct evtlog_jitter *jitter);

/**
 * evtlog_jitter_threads() - get the measured tasks
 * @jitter: the result
 * @count: where the number of tasks is stored
 *
 * Return: the array, valid as long as @jitter.
 */
const struct evtlog_jitter_thread *
evtlog_jitter_threads(const struct evtlog_jitter *jitter, size_t *count);

/**
 * evtlog_jitter_sources() - get the sources in descending order of total time
 * @jitter: the result
 * @count: where the number of sources is stored
 *
 * Return: the array, valid as long as @jitter.
 */
const struct evtlog_jitter_source *
evtlog_jitter_sources(const struct evtlog_jitter *jitter, size_t *count);

/**
 * evtlog_jitter_interruptions() - get the interruptions, sorted by thread and time
 * @jitter: the result
 * @count: where the number of interruptions is stored
 *
 * Return: the array, valid as long as @jitter.
 */
const struct evtlog_interruption *
evtlog_jitter_interruptions(const struct evtlog_jitter *jitter, size_t *count);

/**
 * evtlog_jitter_parts() - get the parts of all interruptions
 * @jitter: the result
 * @count: where the number of parts is stored
 *
 * Return: the array, valid as long as @jitter; see @first_part of interruptions.
 */
const struct evtlog_jitter_part *
evtlog_jitter_parts(const struct evtlog_jitter *jitter, size_t *count);

/**
 * evtlog_jitter_samples() - get the joined samples, sorted by thread and time
 * @jitter: the result
 * @count: where the number of samples is stored
 *
 * Return: the array, valid as long as @jitter.
 */
const struct evtlog_jitter_sample *
evtlog_jitter_samples(const struct evtlog_jitter *jitter, size_t *count);

/**
 * struct evtlog_jitter_pattern - interruptions with the same sequence of sources
 * @first: private to the library
 * @length: number of sources in the sequence.  Consecutive parts of one source count once; the
 *	kernel's own entry counts only if it is the only source
 * @count: number of interruptions with this sequence
 * @total_ticks, @min_ticks, @max_ticks: time of these interruptions
 */
struct evtlog_jitter_pattern {
	uint32_t first;
	uint32_t length;
	uint64_t count;
	uint64_t total_ticks;
	uint64_t min_ticks;
	uint64_t max_ticks;
};

/**
 * evtlog_jitter_patterns() - get patterns of interruptions in descending order of total time
 * @jitter: the result
 * @count: where the number of patterns is stored
 *
 * Return: the array, valid as long as @jitter; see @pattern of interruptions.
 */
const struct evtlog_jitter_pattern *
evtlog_jitter_patterns(const struct evtlog_jitter *jitter, size_t *count);

/**
 * evtlog_jitter_pattern_sources() - get the sources of a pattern
 * @jitter: the result
 * @pattern: from evtlog_jitter_patterns()
 *
 * Return: an array of @length source numbers, valid as long as @jitter.
 */
const uint32_t *
evtlog_jitter_pattern_sources(const struct evtlog_jitter *jitter,
			      const struct evtlog_jitter_pattern *pattern);

/**
 * evtlog_jitter_chains() - get chains of tasks in descending order of count
 * @jitter: the result
 * @count: where the number of chains is stored
 *
 * A chain is two to four different tasks, each the next task that runs for a measured thread after
 * the previous one, in one interruption or in successive interruptions.  It occurs at least every
 * second time that its first task runs, and more often than in a random order of tasks.
 * @total_ticks, @min_ticks and @max_ticks are from the begin of the first task to the begin of the
 * last one.
 *
 * Return: the array, valid as long as @jitter.
 */
const struct evtlog_jitter_pattern *
evtlog_jitter_chains(const struct evtlog_jitter *jitter, size_t *count);

/**
 * evtlog_jitter_chain_sources() - get the sources of a chain
 * @jitter: the result
 * @chain: from evtlog_jitter_chains()
 *
 * Return: an array of @length source numbers, in order, valid as long as @jitter.
 */
const uint32_t *
evtlog_jitter_chain_sources(const struct evtlog_jitter *jitter,
			    const struct evtlog_jitter_pattern *chain);

/**
 * evtlog_jitter_stolen() - get the time that the hypervisor stole from a thread's CPU
 * @jitter: the result
 * @thread: number of the thread, from 0
 * @stolen_ns: set to the time in ns
 *
 * The time counts from the last reading of the CPU's steal clock before the thread's window to the
 * first reading after it; if there is none, the first or last reading is used.  A part of it is in
 * recorded interruptions.  Sources of kind STOLEN are inferred from the rest.
 *
 * Return: 0; -ENODATA the log has no readings of the CPU's steal clock; -EINVAL there is no such
 * thread, or it has no samples and may therefore run on any CPU.
 */
int evtlog_jitter_stolen(const struct evtlog_jitter *jitter, size_t thread, uint64_t *stolen_ns);

/**
 * evtlog_jitter_percentile() - get a percentile
 * @sorted: values in ascending order
 * @count: number of values
 * @percent: from 0 to 100
 *
 * Return: the smallest value that @percent of all values do not exceed; 0 if there are none.
 */
uint64_t evtlog_jitter_percentile(const uint64_t *sorted, size_t count, double percent);

/**
 * evtlog_jitter_ns() - convert a length in ticks to ns
 * @jitter: the result
 * @ticks: the length
 *
 * Return: ns.
 */
double evtlog_jitter_ns(const struct evtlog_jitter *jitter, double ticks);

/**
 * evtlog_jitter_time_ns() - convert a time in ticks to ns
 * @jitter: the result
 * @thread: number of the thread
 * @ticks: time by the counter of the thread's CPU
 *
 * Return: ns as in events.
 */
uint64_t evtlog_jitter_time_ns(const struct evtlog_jitter *jitter, size_t thread,
			       uint64_t ticks);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_JITTER_H */
