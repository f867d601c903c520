// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bins of counters: their names, and two of them as one.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "counters.h"

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

int tracks_parse(unsigned int *tracks, const char *text)
{
	*tracks = 0;
	do {
		size_t length = strcspn(text, ",");
		unsigned int i = 0;

		while (track_names[i] && (strlen(track_names[i]) != length ||
					  strncmp(track_names[i], text, length)))
			i++;
		if (!track_names[i])
			return -EINVAL;
		*tracks |= 1u << i;
		text += length;
	} while (*text++);
	return 0;
}

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
