// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Time that the hypervisor took from CPUs, from their steal clocks.
 *
 * Stage: replay.c passes the readings; infer.c requests the share of each sample.  Two readings
 * show how much time was stolen between them, but not when.
 */
#include "internal.h"

int jitter_steal_note(struct jitter_steals *steals, const struct evtlog_event *event)
{
	const struct jitter_steal *last;
	uint64_t ns = event->words[1];

	if (evtlog_data(event->words, 1, 5) != EVTLOG_COUNTER_STEAL)
		return 0;
	if (array_reserve(&steals->at, &steals->capacity, steals->count, sizeof(*steals->at)))
		return -ENOMEM;
	last = steals->count ? &steals->at[steals->count - 1] : NULL;
	steals->at[steals->count++] = (struct jitter_steal) {
		.ticks = event->ticks,
		.ns = ns,
		.left_ns = last && ns > last->ns ? ns - last->ns : 0,
	};
	return 0;
}

/* The first reading at or after @ticks; @count if there is none. */
static size_t first_from(const struct jitter_steals *steals, uint64_t ticks)
{
	size_t low = 0, high = steals->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (steals->at[middle].ticks < ticks)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Takes up to @most_ns of the time stolen between the readings around a sample, each ns once. */
static uint64_t take(struct jitter_steals *steals, const struct evtlog_jitter_sample *sample,
		     uint64_t most_ns)
{
	size_t last = first_from(steals, sample->end_ticks);
	uint64_t taken = 0;

	for (size_t i = first_from(steals, sample->begin_ticks); i < steals->count && i <= last; i++) {
		uint64_t *left = &steals->at[i].left_ns;
		uint64_t some = most_ns - taken < *left ? most_ns - taken : *left;

		*left -= some;
		taken += some;
	}
	return taken;
}

int jitter_steal_share(struct evtlog_jitter *jitter, const struct jitter_track *track,
		       const struct evtlog_jitter_thread *thread, double least, uint64_t *stolen)
{
	const struct evtlog_jitter_sample *samples = jitter->samples + thread->first_sample;
	double ns_per_tick = jitter->summary.ns_per_tick;
	struct jitter_rank *ranks;
	size_t count = 0;

	if (track->slot == NO_SLOT || jitter->steals[track->slot].count < 2)
		return 0;
	ranks = calloc(thread->samples + 1, sizeof(*ranks));
	if (!ranks)
		return -ENOMEM;
	for (uint32_t i = 0; i < thread->samples; i++) {
		int64_t residual = evtlog_jitter_residual(&samples[i]);

		if (residual > 0 && residual > least)
			ranks[count++] = (struct jitter_rank) { residual, i };
	}
	/* The longest samples first, because a hypervisor takes long. */
	jitter_ranks_sort(ranks, count);
	for (size_t i = 0; i < count; i++)
		stolen[ranks[i].number] = take(&jitter->steals[track->slot],
					       &samples[ranks[i].number],
					       ranks[i].total_ticks * ns_per_tick) / ns_per_tick;
	free(ranks);
	return 0;
}

int evtlog_jitter_stolen(const struct evtlog_jitter *jitter, size_t thread, uint64_t *stolen_ns)
{
	const struct evtlog_jitter_thread *of;
	const struct jitter_steals *steals;
	size_t first, last;

	*stolen_ns = 0;
	if (thread >= jitter->track_count || jitter->threads[thread].cpu == UINT32_MAX)
		return -EINVAL;
	of = &jitter->threads[thread];
	if (jitter->tracks[thread].slot == NO_SLOT)
		return -ENODATA;
	steals = &jitter->steals[jitter->tracks[thread].slot];
	if (steals->count < 2)
		return -ENODATA;
	first = first_from(steals, of->begin_ticks + 1);
	first -= first > 0;
	last = first_from(steals, of->end_ticks);
	last -= last == steals->count;
	if (last > first && steals->at[last].ns > steals->at[first].ns)
		*stolen_ns = steals->at[last].ns - steals->at[first].ns;
	return 0;
}
