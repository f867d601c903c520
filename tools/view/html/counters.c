// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counters of the exported part, in the format of the server's answers: bins of several widths,
 * each twice as wide as the previous one.
 *
 * Called by data.c.  The narrowest bins are read from the log, wider ones are merged from them.
 * Time outside the part is in no bin.
 */
#include <errno.h>
#include <stdlib.h>

#include "export.h"
#include "view/api/lane-events.h"

/* Most bins of a CPU, and of all CPUs of a host.  Fewer than BINS_LEAST bins show too little. */
#define BINS_MAX	4096u
#define BINS_ALL_MAX	(1u << 16)
#define BINS_LEAST	256u

/*
 * Bins of one width.
 * @lanes:	numbers of the host's lanes; their bins follow the host's bins
 */
struct making {
	struct counters_question question;
	struct counters_answer answer;
	uint32_t *slots;
	uint32_t *lanes;
};

static void choose_level(const struct export_options *opts, struct making *making)
{
	struct counters_question *question = &making->question;
	uint64_t most = BINS_ALL_MAX / (question->slot_count + 1);

	most = most > BINS_MAX ? BINS_MAX : most < BINS_LEAST ? BINS_LEAST : most;
	while (question->level < COUNTERS_LEVEL_MAX &&
	       ((opts->to_ns - opts->from_ns) >> question->level) + 2 > most)
		question->level++;
	question->first = opts->from_ns >> question->level;
	question->count = ((opts->to_ns - 1) >> question->level) - question->first + 1;
}

/* The first and the last bin are cut at the ends of the part. */
static int read_narrowest(struct session *session, const struct export_options *opts,
			  struct making *making)
{
	const struct counters_question *question = &making->question;
	int64_t *edges = calloc(question->count + 1, sizeof(*edges));
	int error = -ENOMEM;

	making->answer.bins = calloc(question->count * (question->slot_count + 1),
				     sizeof(*making->answer.bins));
	for (size_t i = 0; edges && i <= question->count; i++) {
		uint64_t edge = (question->first + i) << question->level;

		edges[i] = edge < opts->from_ns ? opts->from_ns :
			   edge > opts->to_ns ? opts->to_ns : edge;
	}
	if (edges && making->answer.bins)
		error = session_counters_between(session, question, edges, &making->answer);
	free(edges);
	return error;
}

/* Merges, in place, two bins of a level into one of the next level. */
static void widen(struct making *making)
{
	struct counters_question *question = &making->question;
	struct counter_bin *bins = making->answer.bins;
	uint64_t first = question->first / 2;
	size_t count = (question->first + question->count - 1) / 2 - first + 1, to = 0;

	for (size_t series = 0; series <= question->slot_count; series++) {
		const struct counter_bin *from = bins + series * question->count;

		for (size_t i = 0; i < count; i++) {
			struct counter_bin both = { .state = COUNTERS_OUTSIDE };

			for (uint64_t k = 2 * (first + i); k < 2 * (first + i) + 2; k++)
				if (k >= question->first && k < question->first + question->count)
					both = counter_bin_merge(&both, &from[k - question->first]);
			bins[to++] = both;
		}
	}
	question->level++;
	question->first = first;
	question->count = count;
}

static void put_level(const struct making *making, FILE *out)
{
	struct json json;

	json_start(&json, out, true);
	json_object(&json, NULL);
	counter_bins_json(&json, &making->question, &making->answer, making->lanes, TRACKS_ALL);
	json_end(&json);
}

static int put_host(struct session *session, const struct export_options *opts,
		    struct making *making, FILE *out)
{
	int error;

	choose_level(opts, making);
	error = read_narrowest(session, opts, making);
	if (error)
		return error;
	put_level(making, out);
	while (session->length_ns >> making->question.level >= BINS_LEAST &&
	       making->question.level < COUNTERS_LEVEL_MAX) {
		widen(making);
		fputs(",\n", out);
		put_level(making, out);
	}
	return 0;
}

/* Writes an empty array if the log does not have the events of each CPU. */
int export_counters(struct session *session, const struct export_options *opts, uint32_t host,
		    FILE *out)
{
	const struct session_host *of = &session->hosts[host];
	struct making making = {
		.question = { .host = host, .slot_count = of->lane_count },
		.slots = calloc(of->lane_count + 1, sizeof(*making.slots)),
		.lanes = calloc(of->lane_count + 1, sizeof(*making.lanes)),
	};
	int error = making.slots && making.lanes ? 0 : -ENOMEM;

	for (uint32_t i = 0; !error && i < of->lane_count; i++) {
		making.lanes[i] = of->first_lane + i;
		making.slots[i] = session->lanes[of->first_lane + i].slot;
	}
	making.question.slots = making.slots;
	fputs("[", out);
	if (!error)
		error = put_host(session, opts, &making, out);
	fputs("]", out);
	free(making.answer.bins);
	free(making.slots);
	free(making.lanes);
	return error == -EOPNOTSUPP ? 0 : error;
}
