// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Relates hosts by the packets between them.
 *
 * Stage: between matched packets and the timeline of each host, in the steps that graph.h lists.
 * It does not use files.
 */
#include <errno.h>
#include <stdlib.h>

#include "graph.h"

static void hosts_of(const struct packet *packet, uint32_t *low, uint32_t *high)
{
	bool up = packet->from < packet->to;

	*low = up ? packet->from : packet->to;
	*high = up ? packet->to : packet->from;
}

size_t network_reference(const struct host *hosts, size_t count,
			 const struct packets *packets)
{
	uint32_t last_low = UINT32_MAX, last_high = UINT32_MAX;
	uint32_t *neighbours = calloc(count, sizeof(*neighbours));
	size_t best = 0;

	/* Without memory: any host will do. */
	if (!neighbours)
		return 0;
	for (size_t i = 0; i < packets->count; i++) {
		uint32_t low, high;

		hosts_of(&packets->at[i], &low, &high);
		if (low == last_low && high == last_high)
			continue;
		neighbours[low]++;
		neighbours[high]++;
		last_low = low;
		last_high = high;
	}
	for (size_t i = 1; i < count; i++)
		if (neighbours[i] > neighbours[best])
			best = i;
	free(neighbours);
	return best;
}

/* Returns the largest number of packets between two hosts. */
static size_t most_packets(const struct packets *packets)
{
	uint32_t last_low = UINT32_MAX, last_high = UINT32_MAX;
	size_t count = 0, most = 0;

	for (size_t i = 0; i < packets->count; i++) {
		uint32_t low, high;

		hosts_of(&packets->at[i], &low, &high);
		if (low != last_low || high != last_high)
			count = 0;
		last_low = low;
		last_high = high;
		if (++count > most)
			most = count;
	}
	return most;
}

static int solve(struct network *network)
{
	int result = links_make(network);

	if (result)
		return result;
	do {
		result = tree_span(network);
		if (result || network->ordered < 2)
			return result;
		result = closure_make(network);
	} while (result > 0);
	return result ? result : timelines_make(network);
}

int network_solve(struct host *hosts, size_t count, size_t reference,
		  uint64_t rho_ppb, struct packets *packets)
{
	struct network network = {
		.hosts = hosts,
		.host_count = count,
		.reference = reference,
		.packets = packets,
	};
	size_t most = most_packets(packets);
	int result = -ENOMEM;

	if (!most)
		return 0;
	network.rho = RATE_PPB(rho_ppb);
	if (rho_ppb > 100000 || network.rho > RHO_MAX)
		network.rho = RHO_MAX;
	network.bad = calloc(packets->count, sizeof(*network.bad));
	network.points = calloc(most, sizeof(*network.points));
	network.both = calloc(most, sizeof(*network.both));
	network.numbers = calloc(most, sizeof(*network.numbers));
	if (network.bad && network.points && network.both && network.numbers)
		result = solve(&network);
	free(network.bad);
	free(network.points);
	free(network.both);
	free(network.numbers);
	free(network.order);
	free(network.times);
	free(network.bounds);
	links_free(&network);
	return result;
}
