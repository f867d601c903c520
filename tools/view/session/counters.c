// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts a host's events on the first request, and keeps bins of the whole log.
 *
 * Stage: between counters-log.c and the answers.  Wider bins are merged from the kept bins;
 * narrower bins are read from the log.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counters.h"
#include "input/open-log.h"

/* ---- Bins of counters: names and merging ---- */

const char *const counter_keys[COUNTERS] = {
	[COUNTER_SWITCHES] = "switches",
	[COUNTER_MIGRATIONS_IN] = "migrations_in",
	[COUNTER_MIGRATIONS_OUT] = "migrations_out",
	[COUNTER_FORKS] = "forks",
	[COUNTER_EXITS] = "exits",
};

const char *const track_names[] = {
	[TRACK_RUNNABLE] = "runnable",
	[TRACK_SWITCHES] = "switches",
	[TRACK_MIGRATIONS] = "migrations",
	[TRACK_FORKS] = "forks",
	[TRACK_EXITS] = "exits",
	[TRACK_KINDS] = NULL,
};

char *tracks_text(unsigned int tracks)
{
	const char *separator = "";
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return NULL;
	for (unsigned int i = 0; i < TRACK_KINDS; i++)
		if (tracks & 1u << i) {
			fprintf(out, "%s%s", separator, track_names[i]);
			separator = ",";
		}
	return fclose(out) ? NULL : text;
}

static unsigned int both_states(unsigned int a, unsigned int b)
{
	return a == b ? a : COUNTERS_LEAST;
}

struct counter_bin counter_bin_merge(const struct counter_bin *a, const struct counter_bin *b)
{
	struct counter_bin both = { .weight = a->weight + b->weight };

	if (a->state == COUNTERS_OUTSIDE || b->state == COUNTERS_OUTSIDE)
		return a->state == COUNTERS_OUTSIDE ? *b : *a;
	both.state = both_states(a->state, b->state);
	both.counts_state = both_states(a->counts_state, b->counts_state);
	both.most = a->most > b->most ? a->most : b->most;
	if (both.weight > 0)
		both.mean = (a->mean * a->weight + b->mean * b->weight) / both.weight;
	for (unsigned int i = 0; i < COUNTERS; i++)
		both.counts[i] = a->counts[i] < UINT32_MAX - b->counts[i] ?
				 a->counts[i] + b->counts[i] : UINT32_MAX;
	return both;
}

/* ---- Counters of a session ---- */

/* Bins of all hosts and CPUs together, 40 bytes each */
#define BINS_KEPT	(UINT64_C(1) << 19)
/* Limits for a host and for each of its CPUs; a screen has fewer pixels than BINS_LEAST */
#define BINS_LEAST	(UINT64_C(1) << 12)
#define BINS_MOST	(UINT64_C(1) << 18)
/* Checkpoints of all hosts together */
#define CHECKPOINT_BYTES	(UINT64_C(32) << 20)

/*
 * @level:	level of the kept bins
 * @all:	kept bins and their flags; without bins before the first request
 * @count:	bins of each CPU and of the sum
 */
struct host_counters {
	pthread_mutex_t lock;
	unsigned int level;
	struct counters_answer all;
	size_t count;
	struct checkpoints checkpoints;
};

struct host_counters *session_counters_new(void)
{
	struct host_counters *counters = calloc(1, sizeof(*counters));

	if (counters)
		pthread_mutex_init(&counters->lock, NULL);
	return counters;
}

static void drop_all(struct host_counters *counters)
{
	free(counters->all.bins);
	counters->all.bins = NULL;
	checkpoints_free(&counters->checkpoints);
}

void session_counters_free(struct host_counters *counters)
{
	if (!counters)
		return;
	drop_all(counters);
	pthread_mutex_destroy(&counters->lock);
	free(counters);
}

/* ---- Kept bins ---- */

static uint64_t bins_kept(const struct session *session, uint32_t host)
{
	uint64_t count = BINS_KEPT / session->host_count / (session->hosts[host].lane_count + 1);

	return count < BINS_LEAST ? BINS_LEAST : count > BINS_MOST ? BINS_MOST : count;
}

static int64_t *edges_of(unsigned int level, uint64_t first, size_t count)
{
	int64_t *edges = calloc(count + 1, sizeof(*edges));

	for (size_t i = 0; edges && i <= count; i++)
		edges[i] = (first + i) << level;
	return edges;
}

static uint32_t *slots_of(const struct session *session, uint32_t host)
{
	const struct session_host *shown = &session->hosts[host];
	uint32_t *slots = calloc(shown->lane_count + 1, sizeof(*slots));

	for (uint32_t i = 0; slots && i < shown->lane_count; i++)
		slots[i] = session->lanes[shown->first_lane + i].slot;
	return slots;
}

/* Chooses the lowest level at which the whole log fits into the bins that may be kept. */
static void choose_level(const struct session *session, uint32_t host, struct host_counters *counters)
{
	uint64_t length_ns = session->length_ns, kept = bins_kept(session, host);

	counters->level = 0;
	while (counters->level < COUNTERS_LEVEL_MAX && length_ns >> counters->level >= kept)
		counters->level++;
	counters->count = (length_ns >> counters->level) + 1;
	/* A damaged log may seem to span years: its end has no bins. */
	if (counters->count > kept)
		counters->count = kept;
}

static int count_all(struct session *session, const struct counters_question *asked,
		     struct host_counters *counters)
{
	struct counters_question question = *asked;
	int64_t *edges;
	uint32_t *slots = slots_of(session, asked->host);
	int error = -ENOMEM;

	choose_level(session, asked->host, counters);
	edges = edges_of(counters->level, 0, counters->count);
	question.slots = slots;
	question.slot_count = session->hosts[asked->host].lane_count;
	question.count = counters->count;
	counters->checkpoints.bytes_max = CHECKPOINT_BYTES / session->host_count;
	counters->all.bins = calloc(counters->count * (question.slot_count + 1),
				    sizeof(*counters->all.bins));
	if (edges && slots && counters->all.bins)
		error = counters_log_read(session, &question, edges, NULL,
					  &counters->checkpoints, &counters->all);
	free(edges);
	free(slots);
	return error;
}

static int count_once(struct session *session, const struct counters_question *question,
		      struct host_counters *counters, uint64_t *read_events)
{
	int error = 0;

	pthread_mutex_lock(&counters->lock);
	if (!counters->all.bins) {
		error = count_all(session, question, counters);
		if (error)
			drop_all(counters);
		*read_events += counters->all.read_events;
	}
	pthread_mutex_unlock(&counters->lock);
	return error;
}

/* ---- Answers ---- */

/* Number of the series of kept bins for a CPU's slot; series 0 is the sum. */
static size_t series_of(const struct session *session, uint32_t host, uint32_t slot)
{
	const struct session_host *shown = &session->hosts[host];

	for (uint32_t i = 0; i < shown->lane_count; i++)
		if (session->lanes[shown->first_lane + i].slot == slot)
			return i + 1;
	return 0;
}

/* Merges 2^@above bins, from bin @first on. */
static struct counter_bin merged(const struct counter_bin *bins, size_t count, uint64_t first,
				 unsigned int above)
{
	struct counter_bin all = { .state = COUNTERS_OUTSIDE };
	uint64_t last = first + (UINT64_C(1) << above);

	for (uint64_t i = first; i < last && i < count; i++)
		all = counter_bin_merge(&all, &bins[i]);
	return all;
}

/* No lock: kept bins do not change. */
static void answer_kept(const struct session *session, const struct counters_question *question,
			const struct host_counters *counters, struct counters_answer *answer)
{
	unsigned int above = question->level - counters->level;

	for (size_t k = 0; k <= question->slot_count; k++) {
		size_t series = k ? series_of(session, question->host, question->slots[k - 1]) : 0;
		const struct counter_bin *bins = counters->all.bins + series * counters->count;

		for (size_t i = 0; i < question->count; i++)
			answer->bins[k * question->count + i] =
				merged(bins, counters->count, (question->first + i) << above,
				       above);
	}
	for (unsigned int i = 0; i < COUNTERS; i++)
		answer->recorded[i] = counters->all.recorded[i];
	answer->runnable_recorded = counters->all.runnable_recorded;
}

static int read_level(struct session *session, const struct counters_question *question,
		      const struct host_counters *counters, struct counters_answer *answer)
{
	int64_t *edges = edges_of(question->level, question->first, question->count);
	uint64_t before = answer->read_events;
	int error = -ENOMEM;

	if (edges)
		error = counters_log_read(session, question, edges, &counters->checkpoints, NULL,
					  answer);
	answer->read_events += before;
	free(edges);
	return error;
}

static bool is_global(const struct session *session, uint32_t host)
{
	return log_is_global(evtlog_index_file(session->hosts[host].index));
}

int session_counters(struct session *session, const struct counters_question *question,
		     struct counters_answer *answer)
{
	struct host_counters *counters = session->hosts[question->host].counters;
	int error;

	if (question->level > COUNTERS_LEVEL_MAX || question->count > COUNTERS_BINS_MAX ||
	    question->count > COUNTERS_ALL_MAX / (question->slot_count + 1) ||
	    question->first >= (UINT64_C(1) << 62 >> question->level) - question->count)
		return -EINVAL;
	if (is_global(session, question->host))
		return -EOPNOTSUPP;
	answer->read_events = 0;
	error = count_once(session, question, counters, &answer->read_events);
	if (error)
		return error;
	if (question->level < counters->level)
		return read_level(session, question, counters, answer);
	answer_kept(session, question, counters, answer);
	return 0;
}

static bool is_stopping(void *context)
{
	struct session *session = context;

	return atomic_load(&session->stopping);
}

int session_counters_between(struct session *session, const struct counters_question *asked,
			     const int64_t *edges, struct counters_answer *answer)
{
	struct counters_question question = *asked;

	question.given_up = is_stopping;
	question.context = session;
	if (is_global(session, question.host))
		return -EOPNOTSUPP;
	return counters_log_read(session, &question, edges, NULL, NULL, answer);
}
