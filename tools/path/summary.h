/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What became of all packets: how long they took from station to station, and where they ended.
 */
#ifndef EVTLOG_PATH_SUMMARY_H
#define EVTLOG_PATH_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packets.h"

/*
 * Which packets are wanted; 0: all.  Of any end, source or destination.
 *
 * @bits:	of @address that have to be the same
 */
struct path_filter {
	uint8_t address[PATH_ADDRESS_BYTES];
	unsigned int bits;
	uint16_t port;
	unsigned int protocols;
};

bool path_filter_has(const struct path_filter *filter, const struct path_key *key);
/* By what it had first, or what that was translated to. */
bool path_filter_has_packet(const struct path_filter *filter, const struct path_packet *packet);

/*
 * From one station to the next.
 *
 * @is_network:	between hosts
 * @times:	@count of them, sorted; before 0, which only the clocks' error can do: 0
 * @negative:	of these
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
 * Where packets were seen last.
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
 * @total:	packets that are wanted
 * @read:	of them, those that a program has read
 * @ambiguous:	of them, those that others could not be told from
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

/* 0 or -ENOMEM; path_summary_free() it in any case. */
int path_summarize(struct path_summary *summary, const struct packets *packets,
		   const struct path_filter *filter);
void path_summary_free(struct path_summary *summary);

/* The time that @share (0 to 1) of all do not exceed. */
uint64_t path_hop_share(const struct path_hop *hop, double share);

#endif /* EVTLOG_PATH_SUMMARY_H */
