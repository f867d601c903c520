// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Assigns the interruptions of each thread to the samples that contain them.
 *
 * The residual of a sample is not explained here.
 */
#include <string.h>

#include "internal.h"

static int compare_losses(const void *a, const void *b)
{
	const struct jitter_loss *x = a, *y = b;

	if (x->from_ticks != y->from_ticks)
		return x->from_ticks < y->from_ticks ? -1 : 1;
	return 0;
}

/* Sorts and merges the losses, and limits them to the window. */
static void tidy_losses(struct jitter_track *track)
{
	struct evtlog_jitter_thread *thread = &track->thread;
	size_t kept = 0;

	if (track->loss_count)
		qsort(track->losses, track->loss_count, sizeof(*track->losses),
		      compare_losses);
	for (size_t i = 0; i < track->loss_count; i++) {
		struct jitter_loss loss = track->losses[i];
		struct jitter_loss *last = &track->losses[kept ? kept - 1 : 0];

		if (loss.to_ticks < thread->begin_ticks ||
		    loss.from_ticks > thread->end_ticks)
			continue;
		if (loss.from_ticks < thread->begin_ticks)
			loss.from_ticks = thread->begin_ticks;
		if (loss.to_ticks > thread->end_ticks)
			loss.to_ticks = thread->end_ticks;
		if (kept && loss.from_ticks <= last->to_ticks) {
			if (loss.to_ticks > last->to_ticks)
				last->to_ticks = loss.to_ticks;
			last->records += loss.records;
		} else {
			track->losses[kept++] = loss;
		}
	}
	track->loss_count = kept;
	for (size_t i = 0; i < kept; i++) {
		thread->lost += track->losses[i].records;
		thread->lost_ticks += track->losses[i].to_ticks -
				      track->losses[i].from_ticks;
	}
}

/* An interruption with a loss is excluded as a whole. */
static void exclude(struct evtlog_interruption *interruption)
{
	interruption->flags |= EVTLOG_JITTER_EXCLUDED;
	interruption->parts = 0;
}

struct matching {
	struct evtlog_jitter *jitter;
	struct jitter_track *track;
	struct evtlog_jitter_thread *thread;
	struct evtlog_interruption *interruptions;
	size_t interruption;
	size_t loss;
};

static bool is_lost(struct matching *matching, uint64_t begin, uint64_t end)
{
	const struct jitter_track *track = matching->track;

	while (matching->loss < track->loss_count &&
	       track->losses[matching->loss].to_ticks < begin)
		matching->loss++;
	return matching->loss < track->loss_count &&
	       track->losses[matching->loss].from_ticks <= end;
}

static void match_sample(struct matching *matching, const struct evtlog_sample *from,
			 struct evtlog_jitter_sample *sample)
{
	struct evtlog_jitter *jitter = matching->jitter;
	struct evtlog_interruption *all = matching->interruptions;
	uint32_t count = matching->thread->interruptions;
	uint32_t number = sample - jitter->samples;
	bool excluded = is_lost(matching, from->begin_ticks, from->end_ticks);

	while (matching->interruption < count &&
	       all[matching->interruption].leave_ticks < from->begin_ticks)
		matching->interruption++;
	sample->first_interruption = matching->thread->first_interruption +
				     matching->interruption;
	for (; matching->interruption < count; matching->interruption++) {
		struct evtlog_interruption *interruption = &all[matching->interruption];

		if (interruption->enter_ticks > from->end_ticks)
			break;
		interruption->sample = number;
		excluded |= interruption->flags & EVTLOG_JITTER_EXCLUDED;
		sample->interruptions++;
		sample->kernel_ticks += interruption->enter_ticks -
					interruption->leave_ticks;
		for (uint32_t i = 0; i < interruption->parts; i++)
			sample->parts_ticks +=
				jitter->parts[interruption->first_part + i].own_ticks;
	}
	if (!excluded && sample->interruptions == 1) {
		sample->flags |= EVTLOG_JITTER_MATCHED;
		all[matching->interruption - 1].flags |= EVTLOG_JITTER_MATCHED;
	}
	if (!excluded)
		return;
	sample->flags |= EVTLOG_JITTER_EXCLUDED;
	for (uint32_t i = 0; i < sample->interruptions; i++)
		exclude(&jitter->interruptions[sample->first_interruption + i]);
}

static void match_thread(struct evtlog_jitter *jitter, size_t number)
{
	const struct evtlog_samples *samples = jitter->samples_file;
	const struct evtlog_samples_thread *from = evtlog_samples_thread(samples, number);
	const struct evtlog_sample *at = evtlog_samples_of(samples, number);
	struct evtlog_jitter_thread *thread = &jitter->threads[number];
	struct matching matching = {
		.jitter = jitter,
		.track = &jitter->tracks[number],
		.thread = thread,
		.interruptions = jitter->interruptions + thread->first_interruption,
	};

	thread->first_sample = jitter->sample_count;
	for (uint64_t i = 0; i < from->samples; i++) {
		struct evtlog_jitter_sample *sample = &jitter->samples[jitter->sample_count];

		if (at[i].begin_ticks < thread->begin_ticks ||
		    at[i].end_ticks > thread->end_ticks)
			continue;
		*sample = (struct evtlog_jitter_sample) {
			.begin_ticks = at[i].begin_ticks,
			.end_ticks = at[i].end_ticks,
			.noise_ticks = evtlog_sample_noise(samples, from, &at[i]),
			.inferred_source = EVTLOG_JITTER_NONE,
			.thread = number,
		};
		if (sample->noise_ticks <= from->threshold_ticks)
			sample->flags |= EVTLOG_JITTER_BELOW;
		match_sample(&matching, &at[i], sample);
		jitter->sample_count++;
	}
	thread->samples = jitter->sample_count - thread->first_sample;
	jitter->summary.dropped += from->dropped;
}

/* Excludes interruptions near a loss, even those in no sample. */
static void exclude_lost(struct evtlog_jitter *jitter, size_t number)
{
	const struct evtlog_jitter_thread *thread = &jitter->threads[number];
	struct matching matching = { .track = &jitter->tracks[number] };

	for (uint32_t i = 0; i < thread->interruptions; i++) {
		struct evtlog_interruption *interruption =
			&jitter->interruptions[thread->first_interruption + i];

		if (is_lost(&matching, interruption->leave_ticks, interruption->enter_ticks))
			exclude(interruption);
	}
}

static void count_samples(struct evtlog_jitter *jitter)
{
	struct evtlog_jitter_summary *summary = &jitter->summary;

	for (size_t i = 0; i < jitter->sample_count; i++) {
		const struct evtlog_jitter_sample *sample = &jitter->samples[i];

		if (sample->flags & EVTLOG_JITTER_BELOW)
			continue;
		if (sample->flags & EVTLOG_JITTER_EXCLUDED) {
			summary->excluded++;
			continue;
		}
		summary->samples++;
		summary->matched += !!(sample->flags & EVTLOG_JITTER_MATCHED);
		summary->noise_ticks += sample->noise_ticks;
		summary->kernel_ticks += sample->kernel_ticks;
	}
}

/* A sample lasts its base period plus its interruptions, so it is above the threshold. */
static bool must_be_seen(const struct evtlog_jitter_thread *thread,
			 const struct evtlog_interruption *interruption)
{
	return interruption->enter_ticks - interruption->leave_ticks >
	       thread->threshold_ticks + thread->period_ticks;
}

static void count_interruptions(struct evtlog_jitter *jitter)
{
	struct evtlog_jitter_summary *summary = &jitter->summary;

	for (size_t i = 0; i < jitter->interruption_count; i++) {
		const struct evtlog_interruption *interruption = &jitter->interruptions[i];
		const struct evtlog_jitter_thread *thread =
			&jitter->threads[interruption->thread];

		if (interruption->flags & EVTLOG_JITTER_EXCLUDED)
			continue;
		summary->interruptions++;
		if (!jitter->samples_file)
			continue;
		if (interruption->sample != EVTLOG_JITTER_NONE) {
			summary->unseen += !!(jitter->samples[interruption->sample].flags &
					      EVTLOG_JITTER_BELOW);
			continue;
		}
		summary->unseen++;
		summary->missed += must_be_seen(thread, interruption);
	}
}

int jitter_match(struct evtlog_jitter *jitter)
{
	const struct evtlog_samples *samples = jitter->samples_file;
	size_t count = 0;

	for (size_t i = 0; i < jitter->track_count; i++) {
		tidy_losses(&jitter->tracks[i]);
		jitter->threads[i].lost = jitter->tracks[i].thread.lost;
		jitter->threads[i].lost_ticks = jitter->tracks[i].thread.lost_ticks;
		jitter->summary.window_ticks += jitter->threads[i].end_ticks -
						jitter->threads[i].begin_ticks;
		if (samples)
			count += evtlog_samples_thread(samples, i)->samples;
	}
	if (count >= EVTLOG_JITTER_NONE)
		return jitter_fail(jitter, -EOVERFLOW, "too many samples");
	jitter->samples = calloc(count + 1, sizeof(*jitter->samples));
	if (!jitter->samples)
		return -ENOMEM;
	for (size_t i = 0; i < jitter->track_count; i++) {
		exclude_lost(jitter, i);
		if (samples)
			match_thread(jitter, i);
	}
	count_samples(jitter);
	count_interruptions(jitter);
	if (jitter->options.joined)
		jitter->options.joined(jitter->options.joined_arg);
	return 0;
}
