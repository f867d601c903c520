/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The paths of all packets: times from station to station, and where packets ended.
 */
#ifndef EVTLOG_PATH_SUMMARY_H
#define EVTLOG_PATH_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packets.h"

/*
 * Selects packets by source or destination; 0: all.
 *
 * @bits:	number of leading bits of @address that must match
 */
struct path_filter {
	uint8_t address[PATH_ADDRESS_BYTES];
	unsigned int bits;
	uint16_t port;
	unsigned int protocols;
};

bool path_filter_has(const struct path_filter *filter, const struct path_key *key);
/* Checks the headers at the first and at the last visit. */
bool path_filter_has_packet(const struct path_filter *filter, const struct path_packet *packet);

/*
 * The times from one station to the next.
 *
 * @is_network:	between two hosts
 * @times:	@count of them, sorted; negative times, due to clock errors, count as 0
 * @negative:	number of negative times
 */
struct path_hop {
	enum path_station from;
	enum path_station to;
	bool is_network;
	uint64_t *times;
	size_t count;
	size_t capacity;
	uint64_t negative;
};

/*
 * Where packets were last recorded.
 *
 * @from:	of a drop, the station before
 */
struct path_ending {
	enum path_station station;
	enum path_station from;
	uint16_t reason;
	uint32_t host;
	uint64_t count;
};

/*
 * @total:	selected packets
 * @read:	packets that a program has read
 * @ambiguous:	packets that are the same as others
 */
struct path_summary {
	uint64_t total;
	uint64_t read;
	uint64_t dropped;
	uint64_t ambiguous;
	uint64_t visits[PATH_STATIONS];
	struct path_hop *hops;
	size_t hop_count;
	size_t hop_capacity;
	struct path_ending *endings;
	size_t ending_count;
	size_t ending_capacity;
};

/* Returns 0 or -ENOMEM; call path_summary_free() in any case. */
int path_summarize(struct path_summary *summary, const struct packets *packets,
		   const struct path_filter *filter);
void path_summary_free(struct path_summary *summary);

/* The time that a @share (0 to 1) of all do not exceed. */
uint64_t path_hop_share(const struct path_hop *hop, double share);

#endif /* EVTLOG_PATH_SUMMARY_H */
