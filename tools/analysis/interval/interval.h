/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of each CPU in intervals of time, from events or from the sampler's passes.
 *
 * Stage: host.c sums the events of a log until an interval ends, sampled.c sums the passes instead;
 * source.c has the differences between these sources. series.c goes through the intervals of all
 * logs; report.c prints them. Only one interval is in memory.
 */
#ifndef EVTLOG_ANALYSIS_INTERVAL_H
#define EVTLOG_ANALYSIS_INTERVAL_H

#include <stdio.h>

#include "analysis/samples/samples.h"
#include "analysis/stat/cpu-time.h"
#include "input/event-filter.h"
#include "input/host-filter.h"
#include "input/log-set.h"
#include "input/types.h"
#include "lib/merge/iterator.h"

/*
 * Sums over the complete passes in an interval. A pass holds until the next pass, but not while
 * passes are missed or incomplete, or the sampler is off.
 * @passes:	number of passes that saw the CPU online
 * @seen_ns:	time with such a pass as the last one, also while passes are missed; for means
 * @runnable_ns, @waiting_ns: sums of the times of such tasks in @seen_ns
 * @busy_ns:	time in @seen_ns with a runnable task
 * @off_ns:	time before the log's first complete pass, and time while the sampler is off
 * @held_ns:	time in which a pass holds
 * @held_runnable_ns: sum of the times of runnable tasks in @held_ns
 * @held_max:	largest number of runnable tasks at an instant
 */
struct interval_passes {
	uint64_t passes;
	uint64_t seen_ns;
	uint64_t runnable_ns;
	double waiting_ns;
	uint64_t busy_ns;
	uint64_t off_ns;
	uint64_t held_ns;
	uint64_t held_runnable_ns;
	uint32_t held_max;
};

/*
 * The last pass that was counted, and how long it holds.
 * @since_ns:	up to here, its time is in the counters of intervals
 * @from_ns:	time of the pass; 0: no pass yet
 * @until_ns:	when the pass no longer holds; UINT64_MAX if not yet known
 * @is_off:	it no longer holds because the sampler is off
 * @seen_until_ns: as @until_ns, but missed passes do not end it
 * @runnable:	number of runnable tasks on wanted CPUs; @most: largest such number in the interval
 * @is_next:	the next pass was read: it was at @next_ns, and is complete if @next_complete
 * @missed, @incomplete: numbers of such passes since then, including the next
 */
struct interval_hold {
	uint64_t since_ns;
	uint64_t from_ns;
	uint64_t until_ns;
	uint64_t seen_until_ns;
	bool is_off;
	uint32_t runnable;
	uint32_t most;
	bool is_next;
	bool next_complete;
	uint64_t next_ns;
	uint64_t missed;
	uint64_t incomplete;
};

/*
 * Counters of a CPU in an interval.
 * @usage:	as in evtlog stat
 * @span_ns:	length of the interval, as far as it is in the log
 * @known_ns:	time in which running and waiting tasks are known
 * @offline_ns:	time in which the CPU is known to be offline
 * @runnable_ns: sum of the times of runnable tasks
 * @running_ns:	time in which a task other than the idle task ran, with its interruptions
 * @runnable_max: largest number of runnable tasks at an instant
 * @sampled:	sums if samples are the source; the times above are then 0, except @span_ns
 * @lost:	events were lost
 * @exact:	while the CPU is known, all waiting tasks are known, no migration is missing, and
 *		the order of events between CPUs is known
 */
struct interval_counters {
	struct usage usage;
	uint64_t span_ns;
	uint64_t known_ns;
	uint64_t offline_ns;
	uint64_t runnable_ns;
	uint64_t running_ns;
	uint32_t runnable_max;
	uint64_t switches;
	uint64_t migrations_in;
	uint64_t migrations_out;
	uint64_t forks;
	uint64_t exits;
	struct interval_passes sampled;
	bool lost;
	bool exact;
};

/* A number of tasks since @since_ns, and the largest number so far. */
struct interval_level {
	uint64_t since_ns;
	uint32_t count;
	uint32_t max;
};

/*
 * @level:	runnable tasks
 * @held, @held_waiting: tasks in the last pass that were runnable, and that waited
 * @is_held:	the last pass saw the CPU online
 * @running, @known, @offline: state since @level's time
 * @whole:	all tasks that wait on this CPU are known
 */
struct interval_cpu {
	struct interval_counters now;
	struct interval_level level;
	uint32_t held;
	double held_waiting;
	bool is_held;
	bool wanted;
	bool running;
	bool known;
	bool offline;
	bool whole;
};

struct interval_host;

/*
 * A source of counters.
 * @has_times:	sums of times are known
 * @has_passes:	passes are counted
 * @read:	implements interval_host_read()
 * @span_ns, @busy_ns: length of the interval, for shares; time with a task or an interrupt
 * @notes:	prints remarks on the counters of a CPU, or on the total
 */
struct interval_source {
	const char *name;
	bool has_times;
	bool has_passes;
	int (*read)(struct interval_host *host, uint64_t until_ns, bool last);
	uint64_t (*span_ns)(const struct interval_counters *now);
	uint64_t (*busy_ns)(const struct interval_counters *now);
	void (*notes)(const struct interval_host *host, const struct interval_counters *now,
		      FILE *out);
};

/* source.c */
extern const struct interval_source interval_events, interval_samples;

/*
 * @samples, @hold: for a source with passes
 * @is_of_tree:	the log is of one tree: its tasks may wait while tasks outside of it run, as pid 0
 * @passes, @missed, @incomplete: numbers of passes in the interval
 * @total:	sum over the wanted CPUs
 * @level:	runnable tasks on the wanted CPUs
 * @unknown:	see sched_unknown()
 * @replay:	what runs and waits on the CPUs
 * @doubt:	in the interval, a task waited on an unknown CPU
 * @disordered:	tick counters of CPUs disagree: the order of events is unknown
 * @snapshot_ns: from this time on, all tasks of the log's start are known; UINT64_MAX: never
 * @from_ns:	begin of the interval, by the log's clock; after interval_host_read(), its end
 * @events:	number of events that were read
 * @next:	next event to take; NULL: no more events, or @begun is not set
 */
struct interval_host {
	const struct interval_source *source;
	struct evtlog_file *file;
	const char *name;
	struct replay replay;
	struct samples samples;
	struct interval_hold hold;
	bool is_of_tree;
	uint64_t passes;
	uint64_t missed;
	uint64_t incomplete;
	struct iterator iterator;
	struct interval_cpu *cpus;
	struct interval_counters total;
	struct interval_level level;
	uint32_t unknown;
	bool doubt;
	bool disordered;
	uint64_t snapshot_ns;
	uint32_t logger_pid;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t from_ns;
	bool begun;
	uint64_t events;
	const struct evtlog_event *next;
};

/*
 * @filter: selects CPUs. Returns 0; -ENODATA: samples are wanted, and there is no complete pass;
 * -ENOMEM; -errno of read(). Call interval_host_free() in all cases.
 */
int interval_host_init(struct interval_host *host, struct evtlog_file *file, const char *name,
		       const struct filter *filter, enum samples_source source);
void interval_host_free(struct interval_host *host);

/*
 * Reads the log up to @until_ns; if @last, also all events after it. The counters are then those of
 * the interval. 0 or -errno.
 */
int interval_host_read(struct interval_host *host, uint64_t until_ns, bool last);

/* Begins the next interval. */
void interval_host_next(struct interval_host *host);

/* Adds the counters of a CPU; not the largest numbers of tasks. */
void interval_add(struct interval_counters *total, const struct interval_counters *add);

/* Sum of the times of waiting tasks */
uint64_t interval_waiting_ns(const struct interval_counters *counters);

/* Reads the next event into @next; NULL at the end. 0 or -errno. */
int interval_host_advance(struct interval_host *host);

/*
 * source.c: time of the last task in the snapshot at the log's start: after it, all waiting tasks
 * are known. UINT64_MAX: there is no snapshot. Reads the start of the log. 0; -ENOMEM; -errno of
 * read().
 */
int interval_snapshot_end(struct evtlog_file *file, uint64_t *end_ns);

/* host.c and sampled.c: read with each source. The first event must be in @next. */
int interval_events_read(struct interval_host *host, uint64_t until_ns, bool last);
int interval_samples_read(struct interval_host *host, uint64_t until_ns, bool last);

/* Mean number of runnable tasks on a CPU, and of those that wait; NAN if unknown */
double interval_runnable_mean(const struct interval_counters *counters);
double interval_waiting_mean(const struct interval_counters *counters);

/* Sum of such means over the wanted CPUs for which they are known */
double interval_total_mean(const struct interval_host *host,
			   double (*mean_of)(const struct interval_counters *counters));

/*
 * ---- checkpoint.c: the state at the end of an interval, to continue from there ----
 *
 * Running and waiting tasks depend on all earlier events. With checkpoints, a caller can continue
 * from some times without reading the log from its start. Times of CPUs (struct usage) are not
 * saved: after a checkpoint, only the other counters are valid.
 */

/*
 * @time_ns:	time of the log; all events before it were taken
 * @host:	plain values, also of its replay
 * @cpus, @replay_cpus, @tasks: copies
 */
struct interval_checkpoint {
	uint64_t time_ns;
	struct interval_host host;
	struct interval_cpu *cpus;
	struct replay_cpu *replay_cpus;
	struct replay_task *tasks;
};

/*
 * interval_checkpoint_save() - save the state after an interval that interval_host_read() has read,
 * but not after the last interval
 *
 * Return: 0; -ENOMEM; -EOPNOTSUPP: the source is samples, which have no checkpoints.
 */
int interval_checkpoint_save(struct interval_checkpoint *checkpoint,
			     const struct interval_host *host);
void interval_checkpoint_free(struct interval_checkpoint *checkpoint);

/* Memory for a checkpoint of @host at this time, in bytes */
size_t interval_checkpoint_bytes(const struct interval_host *host);

/*
 * interval_checkpoint_restore() - go to a checkpoint of the same log
 * @host: after interval_host_init(), with the same CPUs
 *
 * Return: 0: the next interval begins at the checkpoint's time; -ENOMEM; -errno of read().
 */
int interval_checkpoint_restore(const struct interval_checkpoint *checkpoint,
				struct interval_host *host);

/* ---- series.c: evtlog stat --interval: the intervals of one or several logs ---- */

enum interval_form {
	INTERVAL_TEXT,
	INTERVAL_CSV,
	INTERVAL_JSON,
};

/*
 * @filter:	CPUs, and times since the first instant of any log
 * @hosts:	wanted hosts
 */
struct interval_options {
	const struct filter *filter;
	const struct choice *hosts;
	uint64_t interval_ns;
	bool assume_ntp;
	enum samples_source source;
	enum interval_form form;
};

/*
 * The present interval.
 * @from_ns, @to_ns: since the first instant of any log
 * @hosts:	@host_count hosts with their counters
 * @part:	for each host: its log contains a part of the interval
 */
struct interval_row {
	uint64_t from_ns;
	uint64_t to_ns;
	const struct interval_host *hosts;
	const bool *part;
	size_t host_count;
};

/* Reads logs and prints their intervals. Returns an exit status; errors were printed. */
int interval_show(const struct interval_options *options, char **paths, size_t count);

/* report.c: called before the first interval, and for each interval */
void interval_report_begin(const struct interval_options *options,
			   const struct interval_host *hosts, size_t count);
void interval_report_row(const struct interval_options *options, const struct interval_row *row);

#endif /* EVTLOG_ANALYSIS_INTERVAL_H */
