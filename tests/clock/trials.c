// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trials of the clock model on simulated clusters: is the truth always within the bound, and how
 * wide is the bound?
 *
 * Stage: calls the model's internal interface, without files: thousands of trials are cheap.
 * `trials N HOSTS` makes N trials of each kind. The exit status is 1 if the truth was outside the
 * bound, or if a bound is too wide.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "packet.h"
#include "tally.h"
#include "world.h"

#define CHECKS	1000

/* The sums of all trials of a kind */
struct trials {
	struct tally times;
	uint64_t trials;
	uint64_t unrelated;
	uint64_t violations;
	uint64_t raised;
	double best_sum;
	uint64_t hosts;
};

static uint64_t seed;

static void note(void *arg, const struct world_record *record)
{
	struct packet_records *records = arg;
	uint32_t own = 0x0100000a + (record->host << 8);
	uint32_t peer = 0x0100000a + (record->peer << 8);
	struct packet_record out = packet_of(record, own, peer);

	if (packet_record_add(records, &out))
		abort();
}

static void check_host(struct world *world, const struct world_options *options,
		       const struct host *hosts, uint32_t reference,
		       uint32_t number, uint64_t *random, struct trials *tally)
{
	const struct host *host = &hosts[number];
	uint64_t span = options->seconds * 1000000000;
	int64_t last = INT64_MIN;

	for (uint64_t i = 0; i < CHECKS; i++) {
		uint64_t t = span / CHECKS * i + xorshift(random) % 1000000;
		int64_t raw = world_clock(world, number, t);
		int64_t truth = world_clock(world, reference, t);
		int64_t time = timeline_time(&host->timeline, raw);
		uint64_t bound = timeline_bound(&host->timeline, raw);
		uint64_t error = llabs(time - truth);

		if (time < last) {
			fprintf(stderr, "SEED=%" PRIu64 ": time steps back\n",
				seed);
			exit(1);
		}
		last = time;
		if (tally_add(&tally->times, error, bound))
			fprintf(stderr, "SEED=%" PRIu64 ": host %" PRIu32
				" at %" PRIu64 " ns is off by %" PRIu64
				" ns, bound %" PRIu64 "\n", seed, number, t,
				error, bound);
	}
	tally->best_sum += host->clock.best_bound_ns;
	tally->violations += host->clock.violations;
	tally->raised += host->clock.rho_raised;
	tally->hosts++;
}

static void trial(const struct world_options *options, uint64_t rho_ppb,
		  uint64_t *random, struct trials *tally)
{
	struct world *world = world_new(options, random);
	struct host *hosts = calloc(options->hosts, sizeof(*hosts));
	struct packet_records records = { 0 };
	struct packets packets = { 0 };
	size_t reference;

	for (uint32_t i = 0; i < options->hosts; i++) {
		hosts[i].begin_ns = world_clock(world, i, 0);
		hosts[i].end_ns = world_clock(world, i,
					      options->seconds * 1000000000);
	}
	for (size_t i = 0; i < world_pairs(world); i++)
		world_ping(world, i, note, &records);
	if (packets_match(hosts, options->hosts, &records, &packets))
		abort();
	reference = network_reference(hosts, options->hosts, &packets);
	if (host_own_timeline(&hosts[reference], 0) ||
	    network_solve(hosts, options->hosts, reference, rho_ppb, &packets))
		abort();
	tally->trials++;
	for (uint32_t i = 0; i < options->hosts; i++) {
		if (i == reference)
			continue;
		if (hosts[i].clock.method != EVTLOG_CLOCK_PACKETS) {
			tally->unrelated++;
			continue;
		}
		check_host(world, options, hosts, reference, i, random, tally);
	}
	for (uint32_t i = 0; i < options->hosts; i++)
		free(hosts[i].timeline.nodes);
	free(hosts);
	free(records.at);
	free(packets.at);
	world_free(world);
}

static void print_tally(const char *name, const struct trials *t)
{
	double checks = t->times.checks ? t->times.checks : 1;

	printf("%-28s %6" PRIu64 " %9" PRIu64 " %7" PRIu64 " %8.0f %8" PRIu64
	       " %8.0f %9" PRIu64 " %8.0f %5" PRIu64 " %6" PRIu64 "\n", name,
	       t->trials, t->times.checks, t->times.outside, t->times.error_sum / checks,
	       t->times.error_max, t->times.bound_sum / checks, t->times.bound_max,
	       t->best_sum / (t->hosts ? t->hosts : 1), t->violations,
	       t->raised);
	fflush(stdout);
}

static const uint64_t rates[] = { 1, 10, 100 };
static const char *const topologies[] = { "star", "ring", "random" };
static const char *const wanders[] = { "steady", "sine", "walk" };

/* Makes trials of one kind. Returns true if all succeed. */
static bool try(const struct world_options *options, uint64_t trials,
		uint64_t *random)
{
	struct trials tally = { 0 };
	char name[64];

	snprintf(name, sizeof(name), "%" PRIu64 " Hz %s %s %" PRIu32,
		 options->rate_hz, wanders[options->wander],
		 topologies[options->topology], options->hosts);
	for (uint64_t i = 0; i < trials; i++)
		trial(options, EVTLOG_RHO_PPB, random, &tally);
	print_tally(name, &tally);
	if (tally.unrelated)
		fprintf(stderr, "%s: hosts without a clock\n", name);
	/* At most 1.2 times the smallest possible bound: half the shortest round trip. */
	if (options->hosts == 2 && options->rate_hz == 10 &&
	    tally.times.bound_sum / tally.times.checks * 10 >
	    (options->forward_ns + options->back_ns) / 2 * 12) {
		fprintf(stderr, "%s: the bound is too wide\n", name);
		return false;
	}
	return !tally.times.outside && !tally.unrelated && !tally.violations &&
	       !tally.raised;
}

/* Random options; rates stay within rho. */
static struct world_options wild(uint64_t *random)
{
	struct world_options options = world_defaults();
	static const uint64_t wild_rates[] = { 1, 3, 10, 30, 100 };

	options.hosts = 2 + xorshift(random) % 12;
	options.seconds = 1 + xorshift(random) % 120;
	options.rate_hz = wild_rates[xorshift(random) % 5];
	options.topology = xorshift(random) % 3;
	options.wander = xorshift(random) % 3;
	options.wander_s = 2 + xorshift(random) % 600;
	options.wander_ppb = xorshift(random) % 251;
	options.rate_ppb = xorshift(random) % 100001;
	options.forward_ns = 100 + xorshift(random) % 100000;
	options.back_ns = 100 + xorshift(random) % 100000;
	options.tail_ns = xorshift(random) % 200000;
	options.loss = xorshift(random) % 500;
	options.duplicates = xorshift(random) % 100;
	options.late = xorshift(random) % 500;
	/* A step can be found only if packets come before and after it. */
	if (options.rate_hz >= 10 && options.seconds >= 4 && options.loss < 200 &&
	    xorshift(random) % 2 == 0)
		options.step_ns = 5000000 + xorshift(random) % 900000000000;
	if (xorshift(random) % 8 == 0)
		options.step_ns = -options.step_ns;
	return options;
}

/* A host that lost all its packets has no clock. Nothing else may fail. */
static bool try_wild(uint64_t trials, uint64_t *random)
{
	struct trials tally = { 0 };

	for (uint64_t i = 0; i < trials; i++) {
		uint64_t begun = *random;
		struct world_options options = wild(random);
		uint64_t wrong = tally.times.outside + tally.violations;

		trial(&options, EVTLOG_RHO_PPB, random, &tally);
		if (tally.times.outside + tally.violations > wrong)
			fprintf(stderr, "WILD=%" PRIu64 ": %" PRIu32
				" hosts, %s, %" PRIu64 " Hz, %" PRIu64
				" s, step %" PRId64 "\n", begun, options.hosts,
				topologies[options.topology], options.rate_hz,
				options.seconds, options.step_ns);
	}
	print_tally("wild", &tally);
	return !tally.times.outside && !tally.violations;
}

int main(int argc, char **argv)
{
	uint64_t trials = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	uint32_t hosts = argc > 2 ? strtoul(argv[2], NULL, 0) : 10;
	const char *given = getenv("SEED");
	bool good = true;
	uint64_t random;

	seed = given ? strtoull(given, NULL, 0) :
	       (uint64_t)time(NULL) * 2654435761u + 1;
	random = seed;
	printf("SEED=%" PRIu64 "\n", seed);
	/* Repeat one failed trial. */
	given = getenv("WILD");
	if (given) {
		random = strtoull(given, NULL, 0);
		return try_wild(1, &random) ? 0 : 1;
	}
	printf("%-28s %6s %9s %7s %8s %8s %8s %9s %8s %5s %6s\n", "ns", "trials",
	       "checks", "outside", "error", "max", "bound", "max", "best",
	       "viol", "raised");
	/* Two hosts, and many hosts in each topology */
	for (size_t i = 0; i < 36; i++) {
		struct world_options options = world_defaults();

		options.rate_hz = rates[i / 12];
		options.wander = i / 4 % 3;
		options.topology = i % 4 ? i % 4 - 1 : WORLD_STAR;
		options.hosts = i % 4 ? hosts : 2;
		options.loss = 10;
		options.duplicates = 5;
		options.late = 20;
		good &= try(&options, trials, &random);
	}
	good &= try_wild(trials * 20, &random);
	return good ? 0 : 1;
}
