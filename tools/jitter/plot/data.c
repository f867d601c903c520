// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What curves are made of: the interruptions of a recording.
 */
#include "curves.h"

void jitter_data_of(struct jitter_data *data, const struct evtlog_jitter *jitter)
{
	data->ns_per_tick = evtlog_jitter_summary(jitter)->ns_per_tick;
	data->threads = evtlog_jitter_threads(jitter, &data->thread_count);
	data->sources = evtlog_jitter_sources(jitter, &data->source_count);
	data->interruptions = evtlog_jitter_interruptions(jitter, &data->interruption_count);
	data->parts = evtlog_jitter_parts(jitter, &data->part_count);
	data->samples = evtlog_jitter_samples(jitter, &data->sample_count);
}
