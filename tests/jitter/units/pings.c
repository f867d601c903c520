// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Logs the pings of simulated hosts, on a CPU of each host that has no other events.
 */
#include <stdbool.h>

#include "pings.h"

#define PER_S		100
#define WAYS_PER_S	100000
/* A packet that has arrived reaches ICMP after this part of a way. */
#define TAKEN		2

struct packet {
	unsigned int type;
	uint16_t sequence;
	bool received;
};

/* Addresses are the hosts' numbers. */
static void put(struct loggen *gen, unsigned int cpu, unsigned int node, unsigned int peer,
		uint64_t ticks, const struct packet *packet, uint64_t way)
{
	uint64_t words[4] = {
		7 | (uint64_t)packet->sequence << 16 | (uint64_t)peer << 32,
		node | UINT64_C(64) << 32, packet->received ? ticks : 0,
	};

	if (packet->received)
		loggen_record(gen, cpu, ticks + way / TAKEN, EVTLOG_ICMP_RX, packet->type, 5,
			      words);
	else
		loggen_record(gen, cpu, ticks, EVTLOG_ICMP_TX, packet->type, 4, words);
}

void pings(struct loggen *gen, unsigned int cpu, unsigned int node, uint64_t begin_ticks,
	   uint64_t ticks, uint64_t hz)
{
	uint64_t at = begin_ticks + hz / PER_S, way = hz / WAYS_PER_S;

	loggen_begin(gen, cpu, begin_ticks, 0, "swapper");
	for (uint16_t i = 0; at < begin_ticks + ticks; at += hz / PER_S, i++) {
		const unsigned int asked = 2 + i % (PINGS_NODES - 1);

		if (node == 1) {
			put(gen, cpu, node, asked, at, &(struct packet) { 8, i, false }, way);
			put(gen, cpu, node, asked, at + 3 * way, &(struct packet) { 0, i, true },
			    way);
		} else if (node == asked) {
			put(gen, cpu, node, 1, at + way, &(struct packet) { 8, i, true }, way);
			put(gen, cpu, node, 1, at + 2 * way, &(struct packet) { 0, i, false }, way);
		}
	}
	loggen_end(gen, cpu, at + hz / PER_S);
}
