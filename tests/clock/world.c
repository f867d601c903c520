// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A simulated cluster, see world.h
 */
#include <math.h>
#include <stdlib.h>

#include "world.h"

#define WALK_STEPS	256

/*
 * A clock's time is @offset_ns + t + rate * t + wander(t).
 * @walk:	the wander in ns at the start of each step
 */
struct world_host {
	int64_t offset_ns;
	int64_t rate_ppb;
	double phase;
	double walk[WALK_STEPS + 1];
};

struct world_pair {
	uint32_t a;
	uint32_t b;
};

struct world {
	struct world_options options;
	struct world_host *hosts;
	struct world_pair *pairs;
	size_t pair_count;
	uint64_t *random;
};

static uint64_t below(struct world *world, uint64_t limit)
{
	return xorshift(world->random) % limit;
}

static double uniform(struct world *world)
{
	return (xorshift(world->random) >> 11) * 0x1p-53;
}

static int64_t between(struct world *world, int64_t limit)
{
	return limit ? (int64_t)below(world, 2 * limit + 1) - limit : 0;
}

static uint64_t chance(struct world *world, unsigned int in_1000)
{
	return in_1000 && below(world, 1000) < in_1000;
}

struct world_options world_defaults(void)
{
	return (struct world_options) {
		.hosts = 2,
		.seconds = 60,
		.rate_hz = 10,
		.wander = WORLD_SINE,
		.rate_ppb = 50000,
		.wander_ppb = 250,
		.wander_s = 300,
		.forward_ns = 8000,
		.back_ns = 12000,
		.tail_ns = 15000,
	};
}

static void *must(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

static void make_pairs(struct world *world)
{
	uint32_t hosts = world->options.hosts;
	size_t count = 0;

	world->pairs = must(calloc(4 * hosts, sizeof(*world->pairs)));
	for (uint32_t i = 1; i < hosts; i++) {
		uint32_t to = 0;

		if (world->options.topology == WORLD_RING)
			to = i - 1;
		else if (world->options.topology == WORLD_RANDOM)
			to = below(world, i);
		world->pairs[count++] = (struct world_pair) { to, i };
	}
	if (world->options.topology == WORLD_RING && hosts > 2)
		world->pairs[count++] = (struct world_pair) { hosts - 1, 0 };
	/* Adds up to twice as many random pairs. */
	for (uint32_t i = 0; world->options.topology == WORLD_RANDOM &&
	     i < 2 * hosts; i++) {
		struct world_pair pair = {
			below(world, hosts), below(world, hosts),
		};

		if (pair.a != pair.b)
			world->pairs[count++] = pair;
	}
	world->pair_count = count;
}

/* The rate is constant within a step. It makes a random walk from step to step. */
static void make_walk(struct world *world, struct world_host *host)
{
	double step_s = (double)world->options.seconds / WALK_STEPS;
	double limit = world->options.wander_ppb, rate = 0;

	for (int i = 0; i < WALK_STEPS; i++) {
		rate += limit * (uniform(world) - 0.5);
		if (rate > limit)
			rate = limit;
		if (rate < -limit)
			rate = -limit;
		/* ppb times s is ns. */
		host->walk[i + 1] = host->walk[i] + rate * step_s;
	}
}

struct world *world_new(const struct world_options *options, uint64_t *random)
{
	struct world *world = must(calloc(1, sizeof(*world)));

	world->options = *options;
	world->random = random;
	world->hosts = must(calloc(options->hosts, sizeof(*world->hosts)));
	for (uint32_t i = 0; i < options->hosts; i++) {
		struct world_host *host = &world->hosts[i];

		/* The host has been up for 10 s to 28 hours. */
		host->offset_ns = 10000000000 + below(world, 100000000000000);
		host->rate_ppb = between(world, options->rate_ppb);
		host->phase = uniform(world) * 2 * M_PI;
		make_walk(world, host);
	}
	make_pairs(world);
	return world;
}

void world_free(struct world *world)
{
	free(world->hosts);
	free(world->pairs);
	free(world);
}

static double wandered(const struct world *world, const struct world_host *host,
		       double s)
{
	const struct world_options *o = &world->options;
	double angle = 2 * M_PI / o->wander_s, at;
	int step;

	switch (o->wander) {
	case WORLD_SINE:
		return o->wander_ppb / angle *
		       (sin(angle * s + host->phase) - sin(host->phase));
	case WORLD_WALK:
		at = s * WALK_STEPS / o->seconds;
		step = at < 0 ? 0 : at < WALK_STEPS ? at : WALK_STEPS - 1;
		return host->walk[step] + (at - step) *
		       (host->walk[step + 1] - host->walk[step]);
	default:
		return 0;
	}
}

int64_t world_clock(const struct world *world, uint32_t host, uint64_t true_ns)
{
	const struct world_options *o = &world->options;
	const struct world_host *own = &world->hosts[host];
	int64_t t = true_ns, raw;

	raw = own->offset_ns + t +
	      (int64_t)((__int128)t * own->rate_ppb / 1000000000);
	if (!o->alone || host + 1 == o->hosts)
		raw += (int64_t)floor(wandered(world, own, t * 1e-9));
	if (true_ns >= world->options.seconds * 500000000) {
		if (host + 1 == world->options.hosts && o->step_ns > 0)
			raw += o->step_ns;
		if (!host && o->step_ns < 0)
			raw -= o->step_ns;
	}
	return raw;
}

size_t world_pairs(const struct world *world)
{
	return world->pair_count;
}

static uint64_t travel(struct world *world, bool forward)
{
	const struct world_options *o = &world->options;
	double tail = -log(1 - uniform(world)) * o->tail_ns;

	return (forward ? o->forward_ns : o->back_ns) + (uint64_t)tail +
	       (chance(world, o->late) ? 1000000 : 0);
}

/* Sends a message. Returns the time of its arrival; 0 if the message is lost. */
static uint64_t send(struct world *world, struct world_record record,
		     uint32_t to, bool forward,
		     void (*note)(void *arg, const struct world_record *),
		     void *arg)
{
	uint64_t received, again;
	uint32_t from = record.host;

	record.peer = to;
	record.raw_ns = world_clock(world, from, record.true_ns);
	record.received = false;
	note(arg, &record);
	if (chance(world, world->options.loss))
		return 0;
	received = record.true_ns + travel(world, forward);
	again = record.true_ns + travel(world, forward);
	record.host = to;
	record.peer = from;
	record.received = true;
	record.true_ns = received;
	record.raw_ns = world_clock(world, to, received);
	note(arg, &record);
	if (chance(world, world->options.duplicates)) {
		record.true_ns = again;
		record.raw_ns = world_clock(world, to, again);
		note(arg, &record);
	}
	return received;
}

void world_ping(struct world *world, size_t number,
		void (*record)(void *arg, const struct world_record *),
		void *arg)
{
	const struct world_pair *pair = &world->pairs[number];
	uint64_t every = 1000000000 / world->options.rate_hz;
	uint64_t end = world->options.seconds * 1000000000;
	uint16_t sequence = 1;

	for (uint64_t t = below(world, every); t < end; t += every) {
		struct world_record echo = {
			.true_ns = t,
			.host = pair->a,
			.id = number,
			.sequence = sequence,
			.type = 8,
		}, reply = echo;

		sequence++;
		reply.type = 0;
		reply.host = pair->b;
		reply.true_ns = send(world, echo, pair->b, pair->a < pair->b,
				     record, arg);
		if (!reply.true_ns)
			continue;
		reply.true_ns += 3000 + below(world, 20000);
		send(world, reply, pair->a, pair->a > pair->b, record, arg);
	}
}
