/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of each CPU in intervals of time, from events, or from the sampler's passes.
 *
 * Stage: host.c adds up a log's events until an interval ends, sampled.c its passes instead, source.c
 * has what differs between the two;
 * series.c goes through the intervals of all logs; report.c prints them.  It does not hold more than one interval.
 */
#ifndef EVTLOG_ANALYSIS_INTERVAL_H
#define EVTLOG_ANALYSIS_INTERVAL_H

#include <stdio.h>

#include "analysis/runqueue/runqueue.h"
#include "analysis/samples/samples.h"
#include "analysis/stat/cpu-time.h"
#include "input/event-filter.h"
#include "input/host-filter.h"
#include "input/log-set.h"
#include "lib/merge/iterator.h"

/*
 * Sums over the complete passes in an interval, and what they tell of the time between them: a
 * pass holds until the next one, but not where passes were missed or are incomplete, or the
 * sampler was off.
 * @passes:	that saw the CPU online
 * @seen_ns:	in which such a pass is the last one, also where others were missed: the means' time
 * @runnable_ns, @waiting_ns: sums of the times of tasks by it; @busy_ns: with a runnable one
 * @off_ns:	time before the log's first complete pass, and in which the sampler was off
 * @held_ns:	in which a pass holds
 * @held_runnable_ns: sum of the times of the tasks that are runnable by it
 * @held_max:	most of them at an instant
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
 * How long the last pass that was counted holds.
 * @since_ns:	up to then the counters of intervals have its time
 * @from_ns:	when it took place; 0: there was none yet
 * @until_ns:	it does not hold any more; UINT64_MAX: nobody knows yet
 * @is_off:	because the sampler is off then
 * @seen_until_ns: as @until_ns, but it holds where passes were missed
 * @runnable:	tasks of the CPUs that are wanted; @most: in the interval
 * @is_next:	the next one is read: it was at @next_ns, and is @next_complete
 * @missed, @incomplete: passes before it, and it
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
 * What a CPU did in an interval.
 * @usage:	as of evtlog stat
 * @span_ns:	of the interval, as far as the log goes
 * @known_ns:	in which it is known what runs and waits
 * @offline_ns:	in which it is known that it was offline
 * @runnable_ns: sum of the times of all that were runnable then
 * @running_ns:	in which a task but the idle one ran, with what interrupted it
 * @runnable_max: most at an instant
 * @sampled:	if samples are the source; the times above are 0 then, but @span_ns
 * @lost:	events were lost
 * @exact:	all that wait are known and no migration is missed, as long as anything is known,
 *		and the order of events between CPUs is
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

/*
 * A number of tasks that holds since then, and the most that one held.
 */
struct interval_level {
	uint64_t since_ns;
	uint32_t count;
	uint32_t max;
};

/*
 * @level:	runnable tasks
 * @held:	runnable tasks by the last pass, @held_waiting: those that wait; @is_held: it was online
 * @running, @known, @offline: as it is since @level's time
 * @whole:	all that wait on it are known
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

/* What a log did not record, so that it is unknown. */
struct interval_unknown {
	bool busy;
	bool switches;
	bool migrations;
	bool runnable;
	bool forks;
	bool exits;
};

struct interval_host;

/*
 * What counters come from.
 * @has_times:	sums of times are known
 * @has_passes:	passes are counted
 * @read:	what interval_host_read() does
 * @span_ns:	of the interval, as the shares of it have it; @busy_ns: with a task, or an interrupt
 * @notes:	puts what is to be said of a CPU's counters, or of the total
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
 * @samples:	of a source with passes
 * @is_of_tree:	the log is of one tree: its tasks may wait while what is outside runs, as pid 0
 * @hold:	ditto
 * @passes, @missed, @incomplete: of the interval
 * @total:	of the CPUs that are wanted
 * @level:	of all their tasks
 * @doubt:	in the interval a task waited of which it is not known on which CPU
 * @disordered: its CPUs' counters disagree, so that the order of events is not known
 * @snapshot_ns: when all tasks of the log's start are known; UINT64_MAX: never
 * @from_ns:	where the interval begins, by the log's time; behind interval_host_read(): ended
 * @events:	that were read
 * @next:	event that is to be taken; NULL: there is none, or @begun is not set
 */
struct interval_host {
	const struct interval_source *source;
	struct evtlog_file *file;
	const char *name;
	struct runqueues queues;
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
	struct interval_unknown unknown;
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
 * @filter: CPUs.  0; -ENODATA: samples are wanted, and there is no complete pass; -ENOMEM; -errno
 * of read(); interval_host_free() in all cases.
 */
int interval_host_init(struct interval_host *host, struct evtlog_file *file, const char *name,
		       const struct filter *filter, enum samples_source source);
void interval_host_free(struct interval_host *host);

/*
 * Reads up to @until_ns of the log, @last: and all behind it.  The counters are those of the
 * interval then.  0; -errno.
 */
int interval_host_read(struct interval_host *host, uint64_t until_ns, bool last);

/* The next interval begins. */
void interval_host_next(struct interval_host *host);

/* The sum of the times of all that wait. */
uint64_t interval_waiting_ns(const struct interval_counters *counters);

/* The next event of the log is at hand, or none.  0; -errno. */
int interval_host_advance(struct interval_host *host);

/* host.c and sampled.c: of the two sources, behind the first event. */
int interval_events_read(struct interval_host *host, uint64_t until_ns, bool last);
int interval_samples_read(struct interval_host *host, uint64_t until_ns, bool last);

/* Mean of runnable tasks of a CPU, and of those of them that wait; not a number: nobody knows. */
double interval_runnable_mean(const struct interval_counters *counters);
double interval_waiting_mean(const struct interval_counters *counters);

/* The sum of such means of the CPUs that are wanted and known. */
double interval_total_mean(const struct interval_host *host,
			   double (*mean_of)(const struct interval_counters *counters));

/*
 * ---- checkpoint.c: what is known of a log where an interval ends, to go on from there ----
 *
 * What runs and waits is known from all that was before: who has kept that of some times need not
 * read the log from its start for what is behind them.  Times of CPUs (struct usage) are not kept:
 * behind a checkpoint only the other counters hold.
 */

/*
 * @time_ns:	all events before it were taken, by the log's time
 * @host, @queues: their plain values
 * @cpus, @queue_cpus, @tasks: copies
 */
struct interval_checkpoint {
	uint64_t time_ns;
	struct interval_host host;
	struct interval_cpu *cpus;
	struct runqueue_cpu *queue_cpus;
	struct runqueue_task *tasks;
};

/*
 * interval_checkpoint_save() - keeps what is known behind an interval that interval_host_read()
 * has read, and not the last
 *
 * Return: 0; -ENOMEM; -EOPNOTSUPP: samples are the source, of which nothing is kept.
 */
int interval_checkpoint_save(struct interval_checkpoint *checkpoint,
			     const struct interval_host *host);
void interval_checkpoint_free(struct interval_checkpoint *checkpoint);

/* How much memory one of @host takes now. */
size_t interval_checkpoint_bytes(const struct interval_host *host);

/*
 * interval_checkpoint_restore() - goes to a checkpoint of the same log
 * @host: as of interval_host_init(), of the same CPUs
 *
 * Return: 0: the next interval begins at the checkpoint's time; -ENOMEM; -errno of read().
 */
int interval_checkpoint_restore(const struct interval_checkpoint *checkpoint,
				struct interval_host *host);

/* ---- series.c: evtlog stat --interval: goes through the intervals of one or several logs ---- */

enum interval_form {
	INTERVAL_TEXT,
	INTERVAL_CSV,
	INTERVAL_JSON,
};

/*
 * @filter:	CPUs and times, which count from the first instant of any log
 * @hosts:	which are wanted
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
 * An interval at hand.
 * @from_ns, @to_ns: since the first instant of any log
 * @hosts:	@host_count of them, each with its counters
 * @part:	of a host: it has some of the interval
 */
struct interval_row {
	uint64_t from_ns;
	uint64_t to_ns;
	const struct interval_host *hosts;
	const bool *part;
	size_t host_count;
};

/* Reads logs and prints their intervals.  An exit status, after saying what is wrong. */
int interval_show(const struct interval_options *options, char **paths, size_t count);

/* report.c: before the first interval, and each. */
void interval_report_begin(const struct interval_options *options,
			   const struct interval_host *hosts, size_t count);
void interval_report_row(const struct interval_options *options, const struct interval_row *row);

#endif /* EVTLOG_ANALYSIS_INTERVAL_H */
