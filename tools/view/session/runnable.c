// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts the runnable tasks of a host when they are first asked for, and keeps them in bins.
 *
 * Stage: between analysis/interval and the answers.  What is kept is a pyramid: bins of the whole
 * log, and bins of two of those, up to one.  Where it is too coarse the log is read again up to
 * the end of what is asked for: what runs and waits is known from the log's start on only.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/interval/interval.h"
#include "input/open-log.h"
#include "runnable.h"

/* Of all hosts: 24 bytes each, and as many again above them. */
#define BINS_KEPT	(UINT64_C(1) << 18)
#define BINS_LEAST	(UINT64_C(1) << 10)
/* To end an interval takes time for each CPU. */
#define CPU_BINS_KEPT	(UINT64_C(1) << 23)
/* Bins, or pieces of what is before them, between questions whether to go on. */
#define ASK_EVERY	256

/*
 * @level:	of the lowest bins that are kept
 * @bins:	by level from that one on; NULL: nobody asked yet
 * @counts:	of @bins
 */
struct runnable {
	pthread_mutex_t lock;
	unsigned int level;
	struct runnable_bin *bins[RUNNABLE_LEVEL_MAX + 1];
	size_t counts[RUNNABLE_LEVEL_MAX + 1];
};

/* What reads bins. */
struct reading {
	struct session *session;
	uint32_t host;
	bool (*given_up)(void *context);
	void *context;
	struct interval_host counters;
};

struct runnable *runnable_new(void)
{
	struct runnable *runnable = calloc(1, sizeof(*runnable));

	if (runnable)
		pthread_mutex_init(&runnable->lock, NULL);
	return runnable;
}

static void drop_bins(struct runnable *runnable)
{
	for (unsigned int level = 0; level <= RUNNABLE_LEVEL_MAX; level++) {
		free(runnable->bins[level]);
		runnable->bins[level] = NULL;
		runnable->counts[level] = 0;
	}
}

void runnable_free(struct runnable *runnable)
{
	if (!runnable)
		return;
	drop_bins(runnable);
	pthread_mutex_destroy(&runnable->lock);
	free(runnable);
}

/* ---- Bins of the log ---- */

/* Of the interval that was read last, which begins at @from_ns. */
static struct runnable_bin bin_of(const struct interval_host *counters, uint64_t from_ns)
{
	const struct interval_counters *total = &counters->total;
	uint64_t known_ns = total->known_ns + total->offline_ns;
	double mean = interval_total_mean(counters, interval_runnable_mean);
	struct runnable_bin bin = { .state = RUNNABLE_OUTSIDE };

	if (counters->from_ns == from_ns)
		return bin;
	bin.state = RUNNABLE_UNKNOWN;
	if (isnan(mean) || counters->unknown.runnable)
		return bin;
	bin.mean = mean;
	/* Each CPU has the whole span. */
	bin.known_ns = (double)known_ns / total->span_ns * (counters->from_ns - from_ns);
	bin.most = total->runnable_max;
	bin.state = total->exact && known_ns == total->span_ns ? RUNNABLE_KNOWN : RUNNABLE_LEAST;
	return bin;
}

static bool is_given_up(const struct reading *reading, uint64_t step)
{
	return step % ASK_EVERY == 0 && reading->given_up(reading->context);
}

/* Up to a time on the timeline. */
static int read_until(struct reading *reading, int64_t time_ns)
{
	struct interval_host *counters = &reading->counters;
	uint64_t raw_ns = session_raw(reading->session, reading->host, time_ns);

	interval_host_next(counters);
	if (raw_ns <= counters->begin_ns)
		return 0;
	return interval_host_read(counters, raw_ns, raw_ns >= counters->end_ns);
}

/* What was before tells what is runnable. */
static int read_before(struct reading *reading, int64_t time_ns)
{
	int64_t piece_ns = time_ns / (ASK_EVERY * 8) + 1;
	int error = 0;

	for (int64_t to_ns = 0; !error && to_ns < time_ns;) {
		to_ns = time_ns - to_ns > piece_ns ? to_ns + piece_ns : time_ns;
		error = reading->given_up(reading->context) ? -ECANCELED :
			read_until(reading, to_ns);
	}
	return error;
}

static int read_bins(struct reading *reading, const int64_t *edges, size_t count,
		     struct runnable_bin *bins)
{
	struct interval_host *counters = &reading->counters;
	int error = read_before(reading, edges[0]);

	for (size_t i = 0; !error && i < count; i++) {
		uint64_t from_ns = counters->from_ns;

		bins[i] = (struct runnable_bin) { .state = RUNNABLE_OUTSIDE };
		if (is_given_up(reading, i))
			error = -ECANCELED;
		else if (from_ns < counters->end_ns)
			error = read_until(reading, edges[i + 1]);
		if (!error && counters->from_ns > from_ns)
			bins[i] = bin_of(counters, from_ns);
	}
	return error;
}

/* The CPUs that are shown. */
static int choose_cpus(const struct session *session, uint32_t host, struct filter *filter)
{
	const struct session_host *shown = &session->hosts[host];

	filter_all(filter);
	filter->cpus = calloc(EVTLOG_CPU_LIMIT, sizeof(*filter->cpus));
	if (!filter->cpus)
		return -ENOMEM;
	for (uint32_t i = 0; i < shown->lane_count; i++) {
		uint32_t cpu = session->lanes[shown->first_lane + i].cpu;

		if (cpu < EVTLOG_CPU_LIMIT)
			filter->cpus[cpu] = true;
	}
	return 0;
}

/* Bin i is [@edges[i], @edges[i + 1]). */
static int read_log(struct reading *reading, const int64_t *edges, size_t count,
		    struct runnable_bin *bins)
{
	struct session *session = reading->session;
	struct session_reader *reader;
	struct filter filter;
	int error = session_reader_get(session, reading->host, &reader);

	if (error)
		return error;
	error = choose_cpus(session, reading->host, &filter);
	if (!error) {
		error = interval_host_init(&reading->counters, reader->file,
					   session->hosts[reading->host].name, &filter,
					   SOURCE_AUTO);
		if (!error)
			error = read_bins(reading, edges, count, bins);
		interval_host_free(&reading->counters);
	}
	filter_free(&filter);
	session_reader_put(session, reader);
	return error;
}

static int read_level(struct reading *reading, unsigned int level, uint64_t first, size_t count,
		      struct runnable_bin *bins)
{
	int64_t *edges = calloc(count + 1, sizeof(*edges));
	int error;

	if (!edges)
		return -ENOMEM;
	for (size_t i = 0; i <= count; i++)
		edges[i] = (first + i) << level;
	error = read_log(reading, edges, count, bins);
	free(edges);
	return error;
}

/* ---- What is kept ---- */

static struct runnable_bin merge(const struct runnable_bin *a, const struct runnable_bin *b)
{
	struct runnable_bin both = { .known_ns = a->known_ns + b->known_ns };

	if (a->state == RUNNABLE_OUTSIDE || b->state == RUNNABLE_OUTSIDE)
		return a->state == RUNNABLE_OUTSIDE ? *b : *a;
	both.state = a->state == b->state ? a->state : RUNNABLE_LEAST;
	both.most = a->most > b->most ? a->most : b->most;
	if (both.known_ns > 0)
		both.mean = (a->mean * a->known_ns + b->mean * b->known_ns) / both.known_ns;
	return both;
}

static int add_levels(struct runnable *runnable)
{
	static const struct runnable_bin outside = { .state = RUNNABLE_OUTSIDE };

	for (unsigned int level = runnable->level;
	     level < RUNNABLE_LEVEL_MAX && runnable->counts[level] > 1; level++) {
		const struct runnable_bin *below = runnable->bins[level];
		size_t count = (runnable->counts[level] + 1) / 2;
		struct runnable_bin *bins = calloc(count, sizeof(*bins));

		if (!bins)
			return -ENOMEM;
		for (size_t i = 0; i < count; i++)
			bins[i] = merge(&below[2 * i], 2 * i + 1 < runnable->counts[level] ?
					&below[2 * i + 1] : &outside);
		runnable->bins[level + 1] = bins;
		runnable->counts[level + 1] = count;
	}
	return 0;
}

static uint64_t bins_kept(const struct session *session, uint32_t host)
{
	uint64_t count = BINS_KEPT / session->host_count;
	uint32_t cpus = session->hosts[host].lane_count;

	if (cpus && count > CPU_BINS_KEPT / cpus)
		count = CPU_BINS_KEPT / cpus;
	return count > BINS_LEAST ? count : BINS_LEAST;
}

static int count_all(struct reading *reading, struct runnable *runnable)
{
	uint64_t length_ns = reading->session->length_ns;
	uint64_t kept = bins_kept(reading->session, reading->host);
	size_t count;
	int error;

	runnable->level = 0;
	while (runnable->level < RUNNABLE_LEVEL_MAX && length_ns >> runnable->level >= kept)
		runnable->level++;
	count = (length_ns >> runnable->level) + 1;
	/* Of a damaged log that seems to be of years the end is missing. */
	if (count > kept)
		count = kept;
	runnable->bins[runnable->level] = calloc(count, sizeof(**runnable->bins));
	if (!runnable->bins[runnable->level])
		return -ENOMEM;
	runnable->counts[runnable->level] = count;
	error = read_level(reading, runnable->level, 0, count, runnable->bins[runnable->level]);
	return error ? error : add_levels(runnable);
}

static int count_once(struct reading *reading, struct runnable *runnable)
{
	int error = 0;

	pthread_mutex_lock(&runnable->lock);
	if (!runnable->bins[runnable->level]) {
		error = count_all(reading, runnable);
		if (error)
			drop_bins(runnable);
	}
	pthread_mutex_unlock(&runnable->lock);
	return error;
}

/* ---- Answers ---- */

/* Constant once they are kept. */
static void copy_bins(const struct runnable *runnable, unsigned int level, uint64_t first,
		      size_t count, struct runnable_bin *bins)
{
	for (size_t i = 0; i < count; i++)
		bins[i] = first + i < runnable->counts[level] ? runnable->bins[level][first + i] :
			  (struct runnable_bin) { .state = RUNNABLE_OUTSIDE };
}

int session_runnable(struct session *session, uint32_t host, unsigned int level, uint64_t first,
		     size_t count, bool (*given_up)(void *context), void *context,
		     struct runnable_bin *bins)
{
	struct runnable *runnable = session->hosts[host].runnable;
	struct reading reading = {
		.session = session, .host = host, .given_up = given_up, .context = context,
	};
	unsigned int top;
	int error;

	if (level > RUNNABLE_LEVEL_MAX || count > RUNNABLE_BINS_MAX ||
	    first >= (UINT64_C(1) << 62 >> level) - count)
		return -EINVAL;
	if (log_is_global(evtlog_index_file(session->hosts[host].index)))
		return -EOPNOTSUPP;
	error = count_once(&reading, runnable);
	if (error)
		return error;
	if (level < runnable->level)
		return read_level(&reading, level, first, count, bins);
	top = level;
	while (!runnable->bins[top])
		top--;
	/* One bin has all of the log. */
	copy_bins(runnable, top, top < level && first ? runnable->counts[top] : first, count,
		  bins);
	return 0;
}

static bool is_stopping(void *context)
{
	struct session *session = context;

	return atomic_load(&session->stopping);
}

int session_runnable_between(struct session *session, uint32_t host, const int64_t *edges,
			     size_t count, struct runnable_bin *bins)
{
	struct reading reading = {
		.session = session, .host = host, .given_up = is_stopping, .context = session,
	};

	if (log_is_global(evtlog_index_file(session->hosts[host].index)))
		return -EOPNOTSUPP;
	return read_log(&reading, edges, count, bins);
}
