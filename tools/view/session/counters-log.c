// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads counters from a host's log and keeps checkpoints of it.
 *
 * Stage: between analysis/interval and counters.c.  Which tasks run and wait follows from all
 * earlier events, so reading begins at the start of the log or at a checkpoint.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "counters.h"
#include "lib/base/array.h"

/* Bins between two calls of given_up() */
#define ASK_EVERY	256
/* Pieces in which the time before the bins is read: from the log's start, from a checkpoint */
#define PIECES		2048
#define PIECES_LEFT	8
/* Events between two checkpoints, at first: about one buffer of a CPU */
#define CHECKPOINT_EVERY	32768

struct reading {
	struct session *session;
	const struct counters_question *question;
	const int64_t *edges;
	struct checkpoints *keep;
	struct interval_host counters;
	struct counters_answer *answer;
};

/* ---- Checkpoints ---- */

void checkpoints_free(struct checkpoints *checkpoints)
{
	for (size_t i = 0; i < checkpoints->count; i++)
		interval_checkpoint_free(&checkpoints->at[i]);
	free(checkpoints->at);
	*checkpoints = (struct checkpoints) { .bytes_max = checkpoints->bytes_max };
}

/* Drops every second checkpoint. */
static void thin_out(struct checkpoints *checkpoints)
{
	size_t kept = 0;

	for (size_t i = 0; i < checkpoints->count; i++) {
		if (i % 2)
			checkpoints->at[kept++] = checkpoints->at[i];
		else
			interval_checkpoint_free(&checkpoints->at[i]);
	}
	checkpoints->count = kept;
	checkpoints->bytes /= 2;
	checkpoints->every *= 2;
}

static int keep_one(struct checkpoints *checkpoints, const struct interval_host *counters)
{
	int error;

	if (!checkpoints || counters->source->has_passes ||
	    counters->events - checkpoints->last < checkpoints->every)
		return 0;
	if (array_reserve(&checkpoints->at, &checkpoints->capacity, checkpoints->count,
			  sizeof(*checkpoints->at)))
		return -ENOMEM;
	error = interval_checkpoint_save(&checkpoints->at[checkpoints->count], counters);
	if (error)
		return error;
	checkpoints->count++;
	checkpoints->last = counters->events;
	checkpoints->bytes += interval_checkpoint_bytes(counters);
	if (checkpoints->bytes > checkpoints->bytes_max)
		thin_out(checkpoints);
	return 0;
}

/* The last checkpoint at or before @raw_ns; NULL if none. */
static const struct interval_checkpoint *find(const struct checkpoints *checkpoints,
					      uint64_t raw_ns)
{
	size_t low = 0, high = checkpoints ? checkpoints->count : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (checkpoints->at[middle].time_ns <= raw_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &checkpoints->at[low - 1] : NULL;
}

/* ---- Bins ---- */

static unsigned int state_of(bool seen, bool all)
{
	return !seen ? COUNTERS_UNKNOWN : all ? COUNTERS_KNOWN : COUNTERS_LEAST;
}

/* A bin made from events.  @mean: runnable tasks; @length_ns: of the interval on one CPU */
static struct counter_bin known_of(const struct interval_counters *now, double mean,
				   uint64_t length_ns)
{
	uint64_t known_ns = now->known_ns + now->offline_ns;
	bool seen = !isnan(mean), all = known_ns == now->span_ns;

	return (struct counter_bin) {
		.mean = seen ? mean : 0,
		.weight = now->span_ns ? (double)known_ns / now->span_ns * length_ns : 0,
		.most = now->runnable_max,
		.state = state_of(seen, all && now->exact),
		.counts_state = state_of(seen, all),
	};
}

/*
 * A bin made from samples.  A sample holds until the next one.  The time before the first sample,
 * and the time when the sampler is off, are not recorded.
 */
static struct counter_bin held_of(const struct interval_counters *now, uint64_t length_ns)
{
	const struct interval_passes *sampled = &now->sampled;
	double cpus = length_ns ? (double)now->span_ns / length_ns : 0;
	bool seen = sampled->held_ns;
	unsigned int state = state_of(seen, sampled->held_ns + sampled->off_ns == now->span_ns);

	if (sampled->off_ns && sampled->off_ns == now->span_ns && !seen)
		state = COUNTERS_OUTSIDE;
	return (struct counter_bin) {
		.mean = sampled->held_ns ?
			cpus * sampled->held_runnable_ns / sampled->held_ns : 0,
		.weight = cpus > 0 ? sampled->held_ns / cpus : 0,
		.most = sampled->held_max,
		.state = state,
		.counts_state = state,
	};
}

/* @now: counters of one CPU or of the total */
static struct counter_bin bin_of(const struct interval_host *counters,
				 const struct interval_counters *now, double mean,
				 uint64_t length_ns)
{
	struct counter_bin bin = counters->source->has_passes ? held_of(now, length_ns) :
				 known_of(now, mean, length_ns);

	bin.counts[COUNTER_SWITCHES] = now->switches;
	bin.counts[COUNTER_MIGRATIONS_IN] = now->migrations_in;
	bin.counts[COUNTER_MIGRATIONS_OUT] = now->migrations_out;
	bin.counts[COUNTER_FORKS] = now->forks;
	bin.counts[COUNTER_EXITS] = now->exits;
	return bin;
}

/* Stores the interval that was just read as bin @number.  The interval begins at @from_ns. */
static void put_bins(struct reading *reading, size_t number, uint64_t from_ns)
{
	const struct interval_host *counters = &reading->counters;
	const struct counters_question *question = reading->question;
	uint64_t length_ns = counters->from_ns - from_ns;
	struct counter_bin *bins = reading->answer->bins + number;

	bins[0] = bin_of(counters, &counters->total,
			 interval_total_mean(counters, interval_runnable_mean), length_ns);
	for (size_t i = 0; i < question->slot_count; i++) {
		const struct interval_counters *now = &counters->cpus[question->slots[i]].now;

		bins[(i + 1) * question->count] =
			bin_of(counters, now, interval_runnable_mean(now), length_ns);
	}
}

static void put_outside(struct reading *reading, size_t number)
{
	for (size_t i = 0; i <= reading->question->slot_count; i++)
		reading->answer->bins[i * reading->question->count + number] =
			(struct counter_bin) { .state = COUNTERS_OUTSIDE };
}

static bool is_given_up(const struct reading *reading)
{
	return reading->question->given_up(reading->question->context);
}

/* Reads up to @time_ns on the timeline. */
static int read_until(struct reading *reading, int64_t time_ns)
{
	struct interval_host *counters = &reading->counters;
	uint64_t raw_ns = session_raw(reading->session, reading->question->host, time_ns);

	interval_host_next(counters);
	if (raw_ns <= counters->from_ns)
		return 0;
	return interval_host_read(counters, raw_ns, raw_ns >= counters->end_ns);
}

/* Reads the events before the first bin, which determine the tasks that are runnable there. */
static int read_before(struct reading *reading, const struct interval_checkpoint *start)
{
	int64_t to_ns = start ? session_time(reading->session, reading->question->host,
					     start->time_ns) : 0;
	int64_t until_ns = reading->edges[0];
	int64_t piece_ns = (until_ns - to_ns) / (start ? PIECES_LEFT : PIECES) + 1;
	int error = 0;

	while (!error && to_ns < until_ns) {
		to_ns = until_ns - to_ns > piece_ns ? to_ns + piece_ns : until_ns;
		error = is_given_up(reading) ? -ECANCELED : read_until(reading, to_ns);
	}
	return error;
}

static int read_bins(struct reading *reading)
{
	struct interval_host *counters = &reading->counters;
	int error = 0;

	for (size_t i = 0; !error && i < reading->question->count; i++) {
		uint64_t from_ns = counters->from_ns;

		put_outside(reading, i);
		if (i % ASK_EVERY == 0 && is_given_up(reading))
			error = -ECANCELED;
		else if (from_ns < counters->end_ns)
			error = read_until(reading, reading->edges[i + 1]);
		if (error || counters->from_ns == from_ns)
			continue;
		put_bins(reading, i, from_ns);
		if (counters->from_ns < counters->end_ns)
			error = keep_one(reading->keep, counters);
	}
	return error;
}

/* ---- The log ---- */

/* Selects the CPUs that are shown. */
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

static void note_recorded(uint32_t unknown, struct counters_answer *answer)
{
	answer->runnable_recorded = !(unknown & 1u << SCHED_RUNNABLE);
	answer->recorded[COUNTER_SWITCHES] = !(unknown & 1u << SCHED_SWITCHES);
	answer->recorded[COUNTER_MIGRATIONS_IN] = !(unknown & 1u << SCHED_MIGRATIONS);
	answer->recorded[COUNTER_MIGRATIONS_OUT] = !(unknown & 1u << SCHED_MIGRATIONS);
	answer->recorded[COUNTER_FORKS] = !(unknown & 1u << SCHED_FORKS);
	answer->recorded[COUNTER_EXITS] = !(unknown & 1u << SCHED_EXITS);
}

static int read_all(struct reading *reading, const struct checkpoints *from)
{
	uint64_t raw_ns = session_raw(reading->session, reading->question->host,
				      reading->edges[0]);
	const struct interval_checkpoint *start = find(from, raw_ns);
	int error = 0;

	note_recorded(reading->counters.unknown, reading->answer);
	if (reading->keep)
		reading->keep->every = CHECKPOINT_EVERY;
	if (start)
		error = interval_checkpoint_restore(start, &reading->counters);
	if (!error)
		error = read_before(reading, start);
	if (!error)
		error = read_bins(reading);
	reading->answer->read_events = reading->counters.events;
	return error;
}

int counters_log_read(struct session *session, const struct counters_question *question,
		      const int64_t *edges, const struct checkpoints *from,
		      struct checkpoints *keep, struct counters_answer *answer)
{
	struct reading reading = {
		.session = session, .question = question, .edges = edges, .keep = keep,
		.answer = answer,
	};
	struct session_reader *reader;
	struct filter filter;
	int error = session_reader_get(session, question->host, &reader);

	if (error)
		return error;
	error = choose_cpus(session, question->host, &filter);
	if (!error) {
		error = interval_host_init(&reading.counters, reader->file,
					   session->hosts[question->host].name, &filter,
					   SOURCE_AUTO);
		if (!error)
			error = read_all(&reading, from);
		interval_host_free(&reading.counters);
	}
	filter_free(&filter);
	session_reader_put(session, reader);
	return error;
}
