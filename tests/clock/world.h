/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulated cluster: clocks with an offset, a drift and a wander, and pings between them.
 *
 * Stage: replaces hosts and their network in tests of the clock model. Shares no arithmetic with
 * the model. True time is in ns since the start of the simulation.
 */
#ifndef WORLD_H
#define WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../support/xorshift.h"

enum world_topology { WORLD_STAR, WORLD_RING, WORLD_RANDOM };
enum world_wander { WORLD_STEADY, WORLD_SINE, WORLD_WALK };

/*
 * @rate_hz:	pings per second of each pair
 * @rate_ppb:	limit of a clock's rate error
 * @wander_ppb:	limit of the change of the rate, with the period @wander_s
 * @forward_ns, @back_ns: shortest one-way times; @tail_ns: mean of the random delay
 * @loss, @duplicates, @late: packets in 1,000; a late packet comes 1 ms later
 * @step_ns:	step of a clock at half time: of the last host if positive, else of the first host
 * @alone:	only the last host's clock wanders
 */
struct world_options {
	uint32_t hosts;
	uint64_t seconds;
	uint64_t rate_hz;
	enum world_topology topology;
	enum world_wander wander;
	int64_t rate_ppb;
	int64_t wander_ppb;
	uint64_t wander_s;
	uint64_t forward_ns;
	uint64_t back_ns;
	uint64_t tail_ns;
	unsigned int loss;
	unsigned int duplicates;
	unsigned int late;
	int64_t step_ns;
	bool alone;
};

struct world;

/* A ping's record as a host's kernel makes it */
struct world_record {
	uint64_t true_ns;
	int64_t raw_ns;
	uint32_t host;
	uint32_t peer;
	uint16_t id;
	uint16_t sequence;
	uint8_t type;
	bool received;
};

struct world_options world_defaults(void);
struct world *world_new(const struct world_options *options, uint64_t *random);
void world_free(struct world *world);

/* A host's clock at a true time */
int64_t world_clock(const struct world *world, uint32_t host, uint64_t true_ns);

/* The number of pairs of hosts that ping each other */
size_t world_pairs(const struct world *world);

/* Calls @record for each record of a pair's pings, in no order. */
void world_ping(struct world *world, size_t pair,
		void (*record)(void *arg, const struct world_record *),
		void *arg);

#endif /* WORLD_H */
