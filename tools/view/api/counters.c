// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers with counters of a host and its CPUs over time, and how much of them is known.
 *
 * session/counters.c computes the numbers.
 */
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>

#include "common/options.h"
#include "lane-events.h"
#include "view/http/server.h"

#define DIGITS	6

/* The state of each bin is a letter. */
static const char letters[] = {
	[COUNTERS_OUTSIDE] = 'o',
	[COUNTERS_UNKNOWN] = 'u',
	[COUNTERS_LEAST] = 'l',
	[COUNTERS_KNOWN] = 'k',
};

static const enum track_kind track_of[COUNTERS] = {
	[COUNTER_SWITCHES] = TRACK_SWITCHES,
	[COUNTER_MIGRATIONS_IN] = TRACK_MIGRATIONS,
	[COUNTER_MIGRATIONS_OUT] = TRACK_MIGRATIONS,
	[COUNTER_FORKS] = TRACK_FORKS,
	[COUNTER_EXITS] = TRACK_EXITS,
};

/* ---- Bins ---- */

static bool has_number(unsigned int state)
{
	return state == COUNTERS_LEAST || state == COUNTERS_KNOWN;
}

static void runnable_json(struct json *json, const struct counter_bin *bins, size_t count)
{
	json_array(json, "mean");
	for (size_t i = 0; i < count; i++)
		if (has_number(bins[i].state))
			json_double(json, NULL, bins[i].mean, DIGITS);
		else
			json_null(json, NULL);
	json_end(json);
	json_array(json, "most");
	for (size_t i = 0; i < count; i++)
		if (has_number(bins[i].state))
			json_u64(json, NULL, bins[i].most);
		else
			json_null(json, NULL);
	json_end(json);
}

static void counts_json(struct json *json, enum counter counter, const struct counter_bin *bins,
			size_t count)
{
	json_array(json, counter_keys[counter]);
	for (size_t i = 0; i < count; i++)
		if (has_number(bins[i].counts_state))
			json_u64(json, NULL, bins[i].counts[counter]);
		else
			json_null(json, NULL);
	json_end(json);
}

/* If not @recorded, all bins are outside. */
static void put_states(char *states, const struct counter_bin *bins, size_t count, bool counts,
		       bool recorded)
{
	for (size_t i = 0; i < count; i++) {
		unsigned int state = counts ? bins[i].counts_state : bins[i].state;

		states[i] = letters[recorded ? state : COUNTERS_OUTSIDE];
	}
	states[count] = '\0';
}

static void series_json(struct json *json, const struct counter_bin *bins, size_t count,
			const struct counters_answer *answer, unsigned int wanted, char *states)
{
	if (wanted & 1u << TRACK_RUNNABLE) {
		put_states(states, bins, count, false, answer->runnable_recorded);
		json_string(json, "states", states);
		if (answer->runnable_recorded)
			runnable_json(json, bins, count);
	}
	if (wanted & 1u << TRACK_MIGRATIONS) {
		put_states(states, bins, count, false, answer->recorded[COUNTER_MIGRATIONS_IN]);
		json_string(json, "migration_states", states);
	}
	put_states(states, bins, count, true, true);
	json_string(json, "count_states", states);
	for (unsigned int i = 0; i < COUNTERS; i++)
		if (wanted & 1u << track_of[i] && answer->recorded[i])
			counts_json(json, i, bins, count);
}

void counter_bins_json(struct json *json, const struct counters_question *question,
		       const struct counters_answer *answer, const uint32_t *lanes,
		       unsigned int wanted)
{
	size_t count = question->count;
	char states[COUNTERS_BINS_MAX + 1];

	json_u64(json, "level", question->level);
	answer_u64(json, "first", question->first);
	json_u64(json, "count", count);
	answer_u64(json, "read_events", answer->read_events);
	json_array(json, "series");
	for (size_t i = 0; i <= question->slot_count; i++) {
		json_object(json, NULL);
		if (i)
			json_u64(json, "lane", lanes[i - 1]);
		else
			json_null(json, "lane");
		series_json(json, answer->bins + i * count, count, answer, wanted, states);
		json_end(json);
	}
	json_end(json);
}

/* ---- Parameters ---- */

static bool given_up(void *context)
{
	return request_given_up(context);
}

/* CPUs of the host that are requested in addition to the sum. */
static int wanted_slots(struct request *request, struct counters_question *question,
			uint32_t **slots, uint32_t **lanes)
{
	struct wanted_lane *wanted = NULL;
	size_t count = 0;
	int error = request_text(request, "lanes") ?
		    request_lanes(request, "lanes", false, &wanted, &count) : 0;

	if (!error && question->count > COUNTERS_ALL_MAX / (count + 1))
		error = -EINVAL;
	if (error)
		goto out;
	*slots = calloc(count + 1, sizeof(**slots));
	*lanes = calloc(count + 1, sizeof(**lanes));
	if (!*slots || !*lanes)
		error = -ENOMEM;
	for (size_t i = 0; !error && i < count; i++) {
		const struct session_lane *lane = &request->session->lanes[wanted[i].lane];

		if (lane->host != question->host)
			error = -EINVAL;
		(*slots)[i] = lane->slot;
		(*lanes)[i] = wanted[i].lane;
	}
	question->slots = *slots;
	question->slot_count = count;
out:
	free(wanted);
	return error;
}

static int read_question(struct request *request, struct counters_question *question,
			 unsigned int *tracks)
{
	const char *names = request_text(request, "tracks");
	uint64_t host = 0, level, count;

	if (request_u64(request, "host", request->session->host_count - 1, &host) == -EINVAL ||
	    request_u64(request, "level", COUNTERS_LEVEL_MAX, &level) ||
	    request_u64(request, "first", UINT64_C(1) << 62, &question->first) ||
	    request_u64(request, "count", COUNTERS_BINS_MAX, &count))
		return -EINVAL;
	question->host = host;
	question->level = level;
	question->count = count;
	*tracks = names ? 0 : TRACKS_ALL;
	return names ? options_words(track_names, names, tracks) : 0;
}

unsigned int answer_counters(struct request *request)
{
	struct counters_question question = { .given_up = given_up, .context = request };
	struct counters_answer answer = { 0 };
	uint32_t *slots = NULL, *lanes = NULL;
	unsigned int tracks;
	struct json json;
	int error = read_question(request, &question, &tracks);

	if (!error)
		error = wanted_slots(request, &question, &slots, &lanes);
	if (!error) {
		answer.bins = calloc(question.count * (question.slot_count + 1) + 1,
				     sizeof(*answer.bins));
		error = answer.bins ? session_counters(request->session, &question, &answer) :
			-ENOMEM;
	}
	if (!error)
		error = request_begin(request, &json);
	if (!error)
		counter_bins_json(&json, &question, &answer, lanes, tracks);
	free(answer.bins);
	free(slots);
	free(lanes);
	if (error == -EOPNOTSUPP)
		return request_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT,
				     "the log is of a global named buffer, without data per CPU");
	return error ? request_failed(request, error) : request_end(request, &json);
}
