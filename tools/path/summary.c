// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sums up the paths of packets.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "summary.h"

static bool is_within(const struct path_filter *filter,
		      const uint8_t address[PATH_ADDRESS_BYTES])
{
	unsigned int bytes = filter->bits / 8, rest = filter->bits % 8;

	return !memcmp(filter->address, address, bytes) &&
	       (!rest || !((filter->address[bytes] ^ address[bytes]) >> (8 - rest)));
}

bool path_filter_has(const struct path_filter *filter, const struct path_key *key)
{
	if (filter->protocols && !(filter->protocols & path_key_protocol(key)))
		return false;
	if (filter->bits && !is_within(filter, key->source) && !is_within(filter, key->destination))
		return false;
	return !filter->port || key->source_port == filter->port ||
	       key->destination_port == filter->port;
}

bool path_filter_has_packet(const struct path_filter *filter, const struct path_packet *packet)
{
	return path_filter_has(filter, &packet->key) || path_filter_has(filter, &packet->last);
}

static int add_time(struct path_summary *summary, const struct path_visit *from,
		    const struct path_visit *to)
{
	int64_t time_ns = to->time_ns - from->time_ns;
	bool is_network = from->host != to->host;
	struct path_hop *hop = NULL;
	int error;

	for (size_t i = 0; i < summary->hop_count && !hop; i++)
		if (summary->hops[i].from == from->station && summary->hops[i].to == to->station &&
		    summary->hops[i].is_network == is_network)
			hop = &summary->hops[i];
	if (!hop) {
		error = array_reserve(&summary->hops, &summary->hop_capacity, summary->hop_count,
				      sizeof(*hop));
		if (error)
			return error;
		hop = &summary->hops[summary->hop_count++];
		*hop = (struct path_hop){
			.from = from->station, .to = to->station, .is_network = is_network,
		};
	}
	error = array_reserve(&hop->times, &hop->capacity, hop->count, sizeof(*hop->times));
	if (error)
		return error;
	hop->negative += time_ns < 0;
	hop->times[hop->count++] = time_ns < 0 ? 0 : time_ns;
	return 0;
}

static int add_ending(struct path_summary *summary, const struct path_packet *packet)
{
	const struct path_visit *last = path_last(packet);
	bool is_drop = last->station == PATH_DROP;
	struct path_ending wanted = {
		.station = last->station, .reason = last->reason, .host = last->host,
		.from = is_drop && packet->count > 1 ? last[-1].station : last->station,
	};
	struct path_ending *at;
	int error;

	for (size_t i = 0; i < summary->ending_count; i++) {
		at = &summary->endings[i];
		if (at->station == wanted.station && at->reason == wanted.reason &&
		    at->host == wanted.host && at->from == wanted.from) {
			at->count++;
			return 0;
		}
	}
	error = array_reserve(&summary->endings, &summary->ending_capacity, summary->ending_count,
			      sizeof(*at));
	if (error)
		return error;
	at = &summary->endings[summary->ending_count++];
	*at = wanted;
	at->count = 1;
	return 0;
}

static int add_packet(struct path_summary *summary, const struct path_packet *packet)
{
	int error = add_ending(summary, packet);

	summary->total++;
	summary->read += path_is_end(path_last(packet)->station);
	summary->dropped += path_last(packet)->station == PATH_DROP;
	summary->ambiguous += packet->is_ambiguous;
	for (size_t i = 0; i < packet->count && !error; i++) {
		const struct path_visit *visit = &packet->visits[i];

		summary->visits[visit->station]++;
		/* The time between hosts is unknown if the match is a guess. */
		if (i && !(packet->is_ambiguous && packet->is_matched &&
			   visit[-1].station <= PATH_DEVICE && visit->station > PATH_DEVICE))
			error = add_time(summary, &visit[-1], visit);
	}
	return error;
}

static int compare_times(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a > b) - (a < b);
}

static int compare_hops(const void *x, const void *y)
{
	const struct path_hop *a = x, *b = y;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	return a->is_network - b->is_network;
}

static int compare_endings(const void *x, const void *y)
{
	const struct path_ending *a = x, *b = y;
	int a_group = path_is_end(a->station) ? 0 : a->station == PATH_DROP ? 1 : 2;
	int b_group = path_is_end(b->station) ? 0 : b->station == PATH_DROP ? 1 : 2;

	if (a_group != b_group)
		return a_group - b_group;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	if (a->station != b->station)
		return a->station < b->station ? -1 : 1;
	return a->host < b->host ? -1 : a->host > b->host;
}

int path_summarize(struct path_summary *summary, const struct packets *packets,
		   const struct path_filter *filter)
{
	int error = 0;

	memset(summary, 0, sizeof(*summary));
	for (size_t i = 0; i < packets->count && !error; i++)
		if (packets->at[i].count && path_filter_has_packet(filter, &packets->at[i]))
			error = add_packet(summary, &packets->at[i]);
	for (size_t i = 0; i < summary->hop_count; i++)
		qsort(summary->hops[i].times, summary->hops[i].count, sizeof(uint64_t),
		      compare_times);
	if (summary->hop_count)
		qsort(summary->hops, summary->hop_count, sizeof(*summary->hops), compare_hops);
	if (summary->ending_count)
		qsort(summary->endings, summary->ending_count, sizeof(*summary->endings),
		      compare_endings);
	return error;
}

void path_summary_free(struct path_summary *summary)
{
	for (size_t i = 0; i < summary->hop_count; i++)
		free(summary->hops[i].times);
	free(summary->hops);
	free(summary->endings);
}

uint64_t path_hop_share(const struct path_hop *hop, double share)
{
	size_t at = ceil(share * hop->count);

	return hop->times[at ? at - 1 : 0];
}
