/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * OS jitter: what a user program saw of its interruptions, what the kernel's log
 * says of them, and the two joined, sample by sample.
 *
 * Stage: between a log with the boundary of user mode in it (user_exit, user_enter),
 * the samples that `evtlog jitter run` took meanwhile, and what shows, compares or
 * extrapolates the result.
 *
 * After De, Kothari and Mann, "Identifying sources of Operating System Jitter through
 * fine-grained kernel instrumentation" (Cluster 2007).  Theirs compares two
 * histograms; here both sides read the same counter of the same CPU, so that each gap the
 * program saw is matched with the very interval in which the kernel, or
 * another task, had its CPU.
 *
 * An interruption is the time from where a task leaves user mode, not by a
 * system call, to where the same task enters it again.  It is made of parts.  A part is
 * one stay of a source in it: a task from when it is switched in until it sleeps or the
 * interruption ends, a handler from entry to exit.  Each instant counts once, for the
 * innermost source, so that the parts of an interruption partition it.
 *
 * Times are in ticks of the CPU's counter unless they say ns.
 */
#ifndef EVTLOG_JITTER_H
#define EVTLOG_JITTER_H

#include <evtlog/evtlog.h>

#ifdef __cplusplus
extern "C" {
#endif

struct evtlog_samples;
struct evtlog_jitter;

/* ---- Samples: the file that the benchmark leaves ---- */

/*
 * What is in it, little-endian, in this order: struct evtlog_samples_header; @text_bytes of
 * lines "key=value", zero-padded to a multiple of 8; @threads of struct
 * evtlog_samples_thread, by CPU; each thread's samples; the CRC-32 (zlib's) of all that, 4
 * bytes.
 *
 * Keys: version, host, kernel, boot_id, run, command, started_ns (REALTIME), cpu_model,
 * threshold_ns, duration_ns, and irq.N=NAME for each interrupt line, smt.N=LIST for
 * each measured CPU that shares its core, isolated=LIST, governor, clocksource, cmdline.
 */
#define EVTLOG_SAMPLES_MAGIC	0x52455454494a5645ULL	/* "EVJITTER" */
#define EVTLOG_SAMPLES_VERSION	1

/* Flags of the file. */
#define EVTLOG_SAMPLES_LOGGED	0x1	/* a run was recorded meanwhile */

enum evtlog_samples_method {
	/* Reads the counter all the time: a sample is two readings too far apart. */
	EVTLOG_SAMPLES_LOOP,
	/* Fixed work (FWQ): a sample is one piece of it, begin to end. */
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
 * struct evtlog_samples_position - where a CPU's records stood
 * @run: 0 when nothing was recorded
 *
 * As EVTLOG_IOC_POSITION tells it.
 */
struct evtlog_samples_position {
	uint64_t run;
	uint64_t sequence;
	uint64_t offset;
	uint64_t ticks;
};

/**
 * struct evtlog_samples_thread - one pinned thread of the benchmark
 * @begin_ticks, @end_ticks: first and last reading
 * @rounds: of the loop, pieces of work, or quanta
 * @base_ticks: LOOP: the loop's own period, undisturbed; WORK: a piece without
 *	interruption, the shortest; QUANTUM: the sample with most work in its time
 * @base_work: QUANTUM: units of work in that sample
 * @threshold_ticks: of the noise of a sample, above which it counts
 * @samples: that are in the file: LOOP: those above the threshold; else all
 * @dropped: above the threshold and not kept, for want of room
 * @below_ticks: LOOP: sum of what rounds that were not kept took beyond
 *	@base_ticks, where they did
 * @begin, @end: where in the CPU's buffers the log stood before and after
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
 * @work: QUANTUM only, else 0
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
 * Return: 0; -errno of open() or read(); -EMEDIUMTYPE not such a file;
 * -EPROTONOSUPPORT another version; -EBADMSG cut or damaged; -ENOMEM.
 */
int evtlog_samples_open(const char *path, struct evtlog_samples **samplesp,
			struct evtlog_error *error);

/**
 * evtlog_samples_close() - free samples
 * @samples: NULL is allowed
 */
void evtlog_samples_close(struct evtlog_samples *samples);

/**
 * evtlog_samples_header() - header of a file of samples
 * @samples: the samples
 *
 * Return: the header as in the file, which lives as long as @samples.
 */
const struct evtlog_samples_header *
evtlog_samples_header(const struct evtlog_samples *samples);

/**
 * evtlog_samples_meta() - a line "key=value" of the text of a file of samples
 * @samples: the samples
 * @key: of the line
 *
 * Return: the value, which lives as long as @samples; NULL if there is none.
 */
const char *evtlog_samples_meta(const struct evtlog_samples *samples, const char *key);

/**
 * evtlog_samples_thread() - a thread of the benchmark
 * @samples: the samples
 * @thread: its number, from 0
 *
 * Return: the thread, which lives as long as @samples; NULL behind the last.
 */
const struct evtlog_samples_thread *
evtlog_samples_thread(const struct evtlog_samples *samples, size_t thread);

/**
 * evtlog_samples_of() - samples of a thread, in order
 * @samples: the samples
 * @thread: its number, from 0
 *
 * Return: an array of as many as @samples of struct evtlog_samples_thread says; NULL
 * behind the last thread and after evtlog_samples_drop().
 */
const struct evtlog_sample *
evtlog_samples_of(const struct evtlog_samples *samples, size_t thread);

/**
 * evtlog_samples_drop() - free the memory of the samples themselves; all else stays
 * @samples: the samples
 *
 * evtlog_samples_of() is NULL from then on.
 */
void evtlog_samples_drop(struct evtlog_samples *samples);

/**
 * evtlog_sample_noise() - time that a sample took longer than undisturbed
 * @samples: the samples
 * @thread: of @samples
 * @sample: of @thread
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
	EVTLOG_FAMILY_SMT,		/* inferred: the core's other thread */
	EVTLOG_FAMILY_HARDWARE,		/* inferred: hypervisor, SMI, the machine */
	EVTLOG_FAMILIES
};

/**
 * evtlog_jitter_family_name() - name of a family of sources
 * @family: the family
 *
 * Return: "user task", "kernel thread", ...; static.
 */
const char *evtlog_jitter_family_name(enum evtlog_jitter_family family);

enum evtlog_jitter_kind {
	EVTLOG_SOURCE_TASK,	/* number: pid, of the first if several are one row */
	EVTLOG_SOURCE_IRQ,	/* number: the interrupt line */
	EVTLOG_SOURCE_SOFTIRQ,	/* number: its vector */
	EVTLOG_SOURCE_VECTOR,	/* number: known type of the entry record */
	EVTLOG_SOURCE_EXCEPTION,	/* number: vector */
	EVTLOG_SOURCE_NMI,
	/* The kernel on the task's own behalf: entry, exit, scheduler, signals. */
	EVTLOG_SOURCE_ENTRY,
	/* Idle: the task could not run and nobody did; it waits for a page, say. */
	EVTLOG_SOURCE_IDLE,
	/* Inferred: the machine's own way into the kernel and back, calibrated. */
	EVTLOG_SOURCE_CROSSING,
	EVTLOG_SOURCE_SMT,	/* inferred */
	EVTLOG_SOURCE_HARDWARE,	/* inferred */
	EVTLOG_SOURCE_STOLEN,	/* by the hypervisor; inferred from the steal clock */
	EVTLOG_SOURCE_KINDS
};

#define EVTLOG_SOURCE_NAME	64

/**
 * struct evtlog_jitter_source - a row of the table
 * @inferred: not recorded by the kernel, but by what is left
 * @name: untrusted: "kworker", "timer interrupt", "irq 11 virtio0", "softirq TIMER", "page fault"
 * @count: parts; a part's time is its own, without what is nested in it
 * @sum_squares: of the parts' deviations from their mean, ticks^2
 * @activations: tasks: from waking to sleep, over however many parts; else @count
 * @activation_min, ..._max: ticks of one; 0: what was lost left none whole
 * @period_ticks: of the activations' begins; 0 if they have none
 * @phase_ticks: the first such begin behind the window's begin, on the fitted grid
 * @period_share: of the activations that keep to it
 * @period_spread: of those, the standard deviation of their distance from it
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
 * struct evtlog_jitter_part - one stay of a source in an interruption
 * @begin_ticks, @end_ticks: the stay, with what is nested in it
 * @own_ticks: without
 * @source: its number
 * @pid: the task's, of a TASK; that in whose context it ran, of others
 * @activation: begins one (else it goes on with one that began in an earlier
 *	interruption)
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
 * Something was lost in it, or near: it is in no statistics, and counted as excluded.
 * So are samples in which one of several NMIs may have come that are only known by their sum.
 */
#define EVTLOG_JITTER_EXCLUDED	0x1
/* A sample that is one interruption, and the interruption one sample. */
#define EVTLOG_JITTER_MATCHED	0x2
/* A piece of work or a quantum whose noise is not above the threshold: in no count. */
#define EVTLOG_JITTER_BELOW	0x4

#define EVTLOG_JITTER_NONE	UINT32_MAX

/**
 * struct evtlog_interruption - a task out of user mode
 * @leave_ticks, @enter_ticks: its user_exit and user_enter
 * @first_part, @parts: in the array of parts, by begin
 * @thread: of the samples, or of the tasks asked for
 * @sample: that saw it; EVTLOG_JITTER_NONE: none, it was below the threshold
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
 * struct evtlog_jitter_sample - what the user saw, and what the kernel says of it
 * @noise_ticks: the user's delta, less what a sample takes undisturbed
 * @kernel_ticks: the interruptions in it, all in all
 * @parts_ticks: sum of their parts: as much as @kernel_ticks, or something is wrong
 * @crossing_ticks: inferred: the calibrated cost of as many crossings
 * @inferred_source: the row of STOLEN, SMT or HARDWARE that has the residual, or EVTLOG_JITTER_NONE
 * @first_interruption, @interruptions: those in it
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
 * evtlog_jitter_residual() - noise of a sample that neither kernel nor crossing explains
 * @sample: the sample
 *
 * Return: ticks: noise less kernel less crossing; may be negative.
 */
static inline int64_t evtlog_jitter_residual(const struct evtlog_jitter_sample *sample)
{
	return sample->noise_ticks - sample->kernel_ticks - sample->crossing_ticks;
}

/**
 * evtlog_jitter_inferred() - part of the residual that is in a row of STOLEN, SMT or HARDWARE
 * @sample: the sample
 *
 * Return: ticks; 0 if no row has it.
 */
static inline uint64_t evtlog_jitter_inferred(const struct evtlog_jitter_sample *sample)
{
	return sample->inferred_source == EVTLOG_JITTER_NONE ? 0 : evtlog_jitter_residual(sample);
}

/**
 * struct evtlog_jitter_thread - a measured task on its CPU
 * @cpu: UINT32_MAX: asked for by its pid, on whatever CPU
 * @begin_ticks, @end_ticks: the window; it ends with the last sample for which there was room
 * @begin_ns: of the window, as events have it
 * @lost: records in the window
 * @lost_ticks: time of which nothing is known
 * @first_interruption, ...: its share of the arrays, in the order of time
 * @crossing_ticks: calibrated: what a crossing costs beyond the records
 * @period_ticks: of its loop
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
 * struct evtlog_jitter_summary - all in all, without what is excluded
 * @ns_per_tick: of the log's clock over the run
 * @samples: above the threshold
 * @matched: one to one
 * @excluded: samples in whose span records were lost
 * @interruptions, @unseen: of the log in the windows; of them in no sample (below the
 *	threshold)
 * @missed: interruptions longer than the threshold, and in no sample: 0 unless wrong
 * @noise_ticks, @kernel_ticks, @crossing_ticks: sums over samples
 * @max_residual_ticks: the largest absolute one
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
 * struct evtlog_jitter_options - all zero is fine
 * @by_task: a row for each task, else tasks of a name are one, and of kernel threads
 *	what comes behind a slash is not told apart
 * @pids: without samples: the tasks whose interruptions are wanted, on whatever CPU
 * @from_ns, @to_ns: as events have it; 0: all.  Samples that are in there in part are
 *	not, and what interrupted them is not either
 * @joined: called once when the samples themselves are needed no longer, so that they may
 *	be dropped: evtlog_samples_drop()
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
 * evtlog_jitter_new() - join a log with the samples taken meanwhile
 * @file: the log, which must outlive the result
 * @samples: may be closed afterwards; NULL: by the log alone, of options->pids
 * @options: may be NULL
 * @jitterp: where the result is stored; free it with evtlog_jitter_free()
 * @error: filled in on failure; may be NULL
 *
 * Memory grows with the number of interruptions and their parts. A task that is named by
 * its pid is followed over all CPUs; a thread of samples is pinned.
 *
 * Return: 0; -ENODATA the log lacks events that are needed (reason says which);
 * -EXDEV samples and log are of different runs or hosts; -EINVAL neither samples
 * nor pids, or a task twice; -EOPNOTSUPP of pids, if the CPUs' counters differ;
 * -EOVERFLOW more than 32 bits count; -ENOMEM; -errno of read().
 */
int evtlog_jitter_new(struct evtlog_file *file, const struct evtlog_samples *samples,
		      const struct evtlog_jitter_options *options,
		      struct evtlog_jitter **jitterp, struct evtlog_error *error);

/**
 * struct evtlog_jitter_span - a part of a task's time
 * @pid: of the task
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
 * @spans: the parts; those of one task are in the order of time
 * @count: number of spans, at least 1
 * @options: as for evtlog_jitter_new(), but @pids is ignored; may be NULL
 * @jitterp: where the result is stored; free it with evtlog_jitter_free()
 * @error: filled in on failure; may be NULL
 *
 * Does the same as evtlog_jitter_new() without samples. Each span becomes a thread of the result;
 * spans outside of @from_ns and @to_ns of @options are left out. An interruption belongs to the span
 * in which it begins.
 *
 * Return: as evtlog_jitter_new(); -EINVAL there is no span, or two spans of a task overlap.
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
 * evtlog_jitter_summary() - totals of a result
 * @jitter: the result
 *
 * Return: the totals, which live as long as @jitter.
 */
const struct evtlog_jitter_summary *
evtlog_jitter_summary(const struct evtlog_jitter *jitter);

/**
 * evtlog_jitter_threads() - measured tasks
 * @jitter: the result
 * @count: where their number is stored
 *
 * Return: the array, which lives as long as @jitter.
 */
const struct evtlog_jitter_thread *
evtlog_jitter_threads(const struct evtlog_jitter *jitter, size_t *count);

/**
 * evtlog_jitter_sources() - sources, by total time, the greatest first
 * @jitter: the result
 * @count: where their number is stored
 *
 * Return: the array, which lives as long as @jitter.
 */
const struct evtlog_jitter_source *
evtlog_jitter_sources(const struct evtlog_jitter *jitter, size_t *count);

/**
 * evtlog_jitter_interruptions() - interruptions, by thread and time
 * @jitter: the result
 * @count: where their number is stored
 *
 * Return: the array, which lives as long as @jitter.
 */
const struct evtlog_interruption *
evtlog_jitter_interruptions(const struct evtlog_jitter *jitter, size_t *count);

/**
 * evtlog_jitter_parts() - parts of interruptions
 * @jitter: the result
 * @count: where their number is stored
 *
 * Return: the array, which lives as long as @jitter; see @first_part of interruptions.
 */
const struct evtlog_jitter_part *
evtlog_jitter_parts(const struct evtlog_jitter *jitter, size_t *count);

/**
 * evtlog_jitter_samples() - joined samples, by thread and time
 * @jitter: the result
 * @count: where their number is stored
 *
 * Return: the array, which lives as long as @jitter.
 */
const struct evtlog_jitter_sample *
evtlog_jitter_samples(const struct evtlog_jitter *jitter, size_t *count);

/**
 * struct evtlog_jitter_pattern - interruptions that are alike
 * @first: the library's
 * @length: how many sources follow each other in it; the kernel's own entry only counts
 *	if it is all; several parts of a source in a row are one
 * @count: interruptions that are so
 * @total_ticks, @min_ticks, @max_ticks: of those
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
 * evtlog_jitter_patterns() - patterns of interruptions, by total time
 * @jitter: the result
 * @count: where their number is stored
 *
 * Return: the array, which lives as long as @jitter; see @pattern of interruptions.
 */
const struct evtlog_jitter_pattern *
evtlog_jitter_patterns(const struct evtlog_jitter *jitter, size_t *count);

/**
 * evtlog_jitter_pattern_sources() - sources of a pattern
 * @jitter: the result
 * @pattern: of evtlog_jitter_patterns()
 *
 * Return: an array of @length numbers of sources, which lives as long as @jitter.
 */
const uint32_t *
evtlog_jitter_pattern_sources(const struct evtlog_jitter *jitter,
			      const struct evtlog_jitter_pattern *pattern);

/**
 * evtlog_jitter_chains() - tasks that follow each other, by count
 * @jitter: the result
 * @count: where the number of chains is stored
 *
 * Two to four different tasks, each the next task to run for a measured one after the
 * last, in one interruption or in several in a row; at least each second time that
 * the first comes, and more often than if tasks came in any order. @total_ticks and so on
 * are from the first one's begin to the last one's begin.
 *
 * Return: the array, which lives as long as @jitter.
 */
const struct evtlog_jitter_pattern *
evtlog_jitter_chains(const struct evtlog_jitter *jitter, size_t *count);

/**
 * evtlog_jitter_chain_sources() - sources of a chain
 * @jitter: the result
 * @chain: of evtlog_jitter_chains()
 *
 * Return: an array of @length numbers of sources, in order, which lives as long as @jitter.
 */
const uint32_t *
evtlog_jitter_chain_sources(const struct evtlog_jitter *jitter,
			    const struct evtlog_jitter_pattern *chain);

/**
 * evtlog_jitter_stolen() - time during which the hypervisor did not run a thread's CPU
 * @jitter: the result
 * @thread: its number, from 0
 * @stolen_ns: set to the time in ns
 *
 * The time counts from the last reading of the CPU's steal clock before the thread's window to the
 * first one after it, or to the log's ends if there is none. Part of it lies in recorded
 * interruptions. The rows of STOLEN are inferred from the rest.
 *
 * Return: 0; -ENODATA the log has no readings of the CPU's steal clock; -EINVAL there is no such
 * thread, or it has no samples: then it may run on any CPU.
 */
int evtlog_jitter_stolen(const struct evtlog_jitter *jitter, size_t thread, uint64_t *stolen_ns);

/**
 * evtlog_jitter_percentile() - a percentile
 * @sorted: values, ascending
 * @count: of them
 * @percent: from 0 to 100
 *
 * Return: the least value that @percent of all do not exceed; 0 if there are none.
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
 * evtlog_jitter_time_ns() - convert an instant in ticks to ns
 * @jitter: the result
 * @thread: its number
 * @ticks: the instant, by the counter of the thread's CPU
 *
 * Return: ns as events have it.
 */
uint64_t evtlog_jitter_time_ns(const struct evtlog_jitter *jitter, size_t thread,
			       uint64_t ticks);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_JITTER_H */
