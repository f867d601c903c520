// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the logs of a simulated cluster, and the truth into a separate file.
 *
 * Stage: replaces hosts, their kernels and their loggers. The truth is each host's clock at the
 * same instants.
 *
 * Each CPU has pings and switches of tasks. Some events are an EVTLOG_PUT whose data is the true
 * time, to check each event that is computed from the logs.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/loggen.h"
#include "../support/options.h"
#include "world.h"

#define TICKS_HZ	UINT64_C(2400000000)
#define BOOT_TICKS	UINT64_C(7000000000)
#define REAL_NS		UINT64_C(1700000000000000000)
/* One event in this number is an EVTLOG_PUT with the true time. */
#define PUT_EVERY	16
#define PUT_ID		1
#define TRUTHS		200
/* The time from a packet's arrival in the network stack to ICMP */
#define RECEIVE_NS	1500

struct settings {
	struct world_options world;
	const char *directory;
	const char *truth;
	unsigned int cpus;
	uint64_t events;
	uint64_t seed;
	unsigned int jobs;
	uint32_t buffer_kb;
	uint64_t interrupt_us;
	int64_t real_error_ns;
	int64_t real_step_ns;
	uint64_t netns;
};

/* All records of all hosts. Records of host h: at[first[h]] to at[first[h + 1] - 1]. */
struct records {
	struct world_record *at;
	size_t count;
	size_t capacity;
	size_t *first;
};

static struct settings settings;
static struct world *world;
static struct records records;

static void *must(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

static void die(const char *what)
{
	fprintf(stderr, "simulate: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* ---- Pings ---- */

static void note(void *arg, const struct world_record *record)
{
	if (records.count == records.capacity) {
		records.capacity = 2 * records.capacity + 4096;
		records.at = must(reallocarray(records.at, records.capacity,
					       sizeof(*records.at)));
	}
	records.at[records.count++] = *record;
}

static int compare_records(const void *x, const void *y)
{
	const struct world_record *a = x, *b = y;

	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	if (a->raw_ns != b->raw_ns)
		return a->raw_ns < b->raw_ns ? -1 : 1;
	return (int)a->received - (int)b->received;
}

static void ping_all(void)
{
	uint32_t hosts = settings.world.hosts;

	for (size_t i = 0; i < world_pairs(world); i++)
		world_ping(world, i, note, NULL);
	if (records.count)
		qsort(records.at, records.count, sizeof(*records.at),
		      compare_records);
	records.first = must(calloc(hosts + 1, sizeof(*records.first)));
	for (size_t i = 0, host = 0; host <= hosts; host++) {
		while (i < records.count && records.at[i].host < host)
			i++;
		records.first[host] = i;
	}
}

/* ---- A host's log ---- */

/* The host whose log is being written */
static struct loggen *gen;
static uint32_t number;
static int64_t boot_ns;

/* The first tick at or after this time */
static uint64_t ticks_at(int64_t raw_ns)
{
	unsigned __int128 ticks = (unsigned __int128)(raw_ns - boot_ns) * TICKS_HZ;

	return BOOT_TICKS + (uint64_t)((ticks + 999999999) / 1000000000);
}

static uint32_t address(uint32_t host)
{
	uint8_t bytes[4] = { 10, host >> 16, host >> 8, host };
	uint32_t word;

	bytes[3]++;
	memcpy(&word, bytes, sizeof(word));
	return word;
}

static void put_ping(unsigned int cpu, const struct world_record *record,
		     uint64_t ticks)
{
	uint64_t words[4] = {
		record->id | (uint64_t)record->sequence << 16 |
			(uint64_t)address(record->peer) << 32,
		address(number) | UINT64_C(64) << 32,
		record->received ? ticks_at(record->raw_ns) : settings.netns,
		settings.netns,
	};

	if (record->received)
		loggen_record(gen, cpu, ticks, EVTLOG_ICMP_RX, record->type, 5,
			      words);
	else
		loggen_record(gen, cpu, ticks, EVTLOG_ICMP_TX, record->type, 4,
			      words);
}

/* Writes a CPU's events and its share of the pings, in order of time. */
static void make_cpu(unsigned int cpu, uint64_t *random)
{
	uint64_t span = settings.world.seconds * 1000000000;
	uint64_t every = span / (settings.events + 1), t = 0;
	const struct world_record *ping = records.at + records.first[number];
	const struct world_record *last = records.at + records.first[number + 1];
	uint64_t ticks = ticks_at(world_clock(world, number, 0));

	for (uint64_t i = 0; i <= settings.events; i++) {
		uint64_t next, data, at;

		t = i < settings.events ? i * every + 1 +
		    xorshift(random) % every : span;
		next = ticks_at(world_clock(world, number, t));
		for (; ping < last; ping++) {
			if ((ping - records.at) % settings.cpus != cpu)
				continue;
			at = ticks_at(ping->raw_ns +
				      (ping->received ? RECEIVE_NS : 0));
			if (at > next)
				break;
			/* Two records at the same time follow one another. */
			if (at > ticks)
				ticks = at;
			put_ping(cpu, ping, ping->received ? ticks : at);
		}
		if (next > ticks)
			ticks = next;
		if (i == settings.events)
			break;
		data = 100 + xorshift(random) % 400;
		if (i % PUT_EVERY) {
			loggen_record(gen, cpu, ticks, i % 2 ?
				      EVTLOG_SCHED_WAKING : EVTLOG_SCHED_SWITCH,
				      data | (i % 2 ? 0 : 1 << EVTLOG_PID_BITS),
				      1, NULL);
			continue;
		}
		loggen_record(gen, cpu, ticks, EVTLOG_PUT, PUT_ID, 2, &t);
	}
	loggen_end(gen, cpu, ticks);
}

static void name_of(uint32_t host, char *name, size_t capacity)
{
	snprintf(name, capacity, "node%" PRIu32, host + 1);
}

static void make_host(uint32_t host)
{
	uint64_t random = (settings.seed + 1) * 0x9e3779b97f4a7c15u ^
			  ((uint64_t)host + 1) * 0xd1342543de82ef95u;
	struct loggen_options options = loggen_defaults();
	char path[4096], name[32];
	int error;

	number = host;
	boot_ns = world_clock(world, host, 0) - 1000000000;
	name_of(host, name, sizeof(name));
	options.cpus = settings.cpus;
	options.buffer_bytes = settings.buffer_kb << 10;
	options.ticks_hz = TICKS_HZ;
	options.boot_ticks = BOOT_TICKS;
	options.boot_raw_ns = boot_ns;
	options.boot_real_ns = REAL_NS;
	if (settings.real_error_ns)
		options.boot_real_ns += xorshift(&random) %
					(2 * settings.real_error_ns) -
					settings.real_error_ns;
	if (host + 1 == settings.world.hosts) {
		options.real_step_ns = settings.real_step_ns;
		options.real_step_raw_ns = world_clock(world, host, settings.world.seconds * 500000000);
	}
	options.width_ticks = 200;
	options.interrupted_ticks = settings.interrupt_us * (TICKS_HZ / 1000000);
	options.seed = random;
	options.compress = LOGGEN_PACK;
	options.host = name;
	options.boot = host + 1;
	options.run_name = "simulated";
	gen = loggen_new(&options);
	/* All CPUs join first: each CPU's last buffer contains the number of CPUs in the run. */
	for (unsigned int cpu = 0; cpu < settings.cpus; cpu++)
		loggen_begin(gen, cpu, ticks_at(world_clock(world, number, 0)), 0,
			     "swapper");
	for (unsigned int cpu = 0; cpu < settings.cpus; cpu++)
		make_cpu(cpu, &random);
	loggen_close(gen);
	snprintf(path, sizeof(path), "%s/%s-1.evl", settings.directory, name);
	error = loggen_save(gen, path);
	loggen_free(gen);
	if (error) {
		errno = -error;
		die(path);
	}
}

static void make_all(void)
{
	int status;

	for (unsigned int job = 0; job < settings.jobs; job++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (pid)
			continue;
		for (uint32_t i = job; i < settings.world.hosts;
		     i += settings.jobs)
			make_host(i);
		exit(0);
	}
	for (unsigned int job = 0; job < settings.jobs; job++)
		if (wait(&status) < 0 || status)
			exit(1);
}

/* Writes lines "HOST TRUE_NS RAW_NS TICKS". */
static void tell_truth(void)
{
	uint64_t span = settings.world.seconds * 1000000000;
	FILE *out = fopen(settings.truth, "we");

	if (!out)
		die(settings.truth);
	for (uint32_t host = 0; host < settings.world.hosts; host++) {
		char name[32];

		name_of(host, name, sizeof(name));
		boot_ns = world_clock(world, host, 0) - 1000000000;
		for (uint64_t i = 0; i <= TRUTHS; i++) {
			int64_t raw_ns = world_clock(world, host, span / TRUTHS * i);

			fprintf(out, "%s %" PRIu64 " %" PRId64 " %" PRIu64 "\n", name,
				span / TRUTHS * i, raw_ns, ticks_at(raw_ns));
		}
	}
	if (fclose(out))
		die(settings.truth);
}

/* Returns the index in @names, or exits. */
static int choose(const char *given, const char *const *names, int count)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(given, names[i]))
			return i;
	fprintf(stderr, "simulate: %s: not known\n", given);
	exit(2);
}

static void take_topology(const char *name)
{
	static const char *const topologies[] = { "star", "ring", "random" };

	settings.world.topology = choose(name, topologies, 3);
}

static void take_wander(const char *name)
{
	static const char *const wanders[] = { "steady", "sine", "walk" };

	settings.world.wander = choose(name, wanders, 3);
}

static void read_options(int argc, char **argv)
{
	struct world_options *w = &settings.world;
	const struct test_option table[] = {
		OPTION("hosts", "N", &w->hosts, "(2)"),
		OPTION("cpus", "N", &settings.cpus, "(2)"),
		OPTION("events", "N", &settings.events, "of each CPU, besides pings (1000)"),
		OPTION("seconds", "N", &w->seconds, "(60)"),
		OPTION("rate", "HZ", &w->rate_hz, "pings of each pair (10)"),
		OPTION_TAKE("topology", "NAME", take_topology, "of pings: star, ring, random (star)"),
		OPTION_TAKE("wander", "NAME", take_wander, "of rates: steady, sine, walk (sine)"),
		OPTION("wander-ppb", "N", &w->wander_ppb, "at most (250)"),
		OPTION("rate-ppb", "N", &w->rate_ppb, "rates are off by up to that (50000)"),
		OPTION("loss", "N", &w->loss, "so many packets in 1000 are lost (0)"),
		OPTION("duplicates", "N", &w->duplicates, "so many in 1000 come twice (0)"),
		OPTION("late", "N", &w->late, "so many in 1000 come late (0)"),
		OPTION("step", "NS", &w->step_ns,
		       "the last host's clock jumps at half time; if negative, the first one's (0)"),
		OPTION("interrupt", "US", &settings.interrupt_us,
		       "of one clock set in four, the reading is interrupted for up to that (0)"),
		OPTION("real-error", "NS", &settings.real_error_ns, "REALTIMEs are off by up to it (0)"),
		OPTION("real-step", "NS", &settings.real_step_ns,
		       "the last host's REALTIME is set by that at half time (0)"),
		OPTION("netns", "N", &settings.netns, "of all packets; 0: the first namespace (0)"),
		OPTION("buffer-kb", "N", &settings.buffer_kb, "(64)"),
		OPTION("jobs", "N", &settings.jobs, "processes (2)"),
		OPTION("seed", "N", &settings.seed, "(1)"),
		{ }
	};

	settings.directory = *test_options(table, "[OPTION...] DIRECTORY\n\n"
		"Writes node1-1.evl ... to DIRECTORY, and truth.txt: lines of a host, a true time,\n"
		"and what that host's CLOCK_MONOTONIC_RAW in ns and its counter were then. An\n"
		"EVTLOG_PUT of id 1 has the true time as its data.", 1, argc, argv);
	if (!w->hosts || !w->seconds || !w->rate_hz || !settings.cpus || !settings.jobs ||
	    !settings.buffer_kb) {
		fprintf(stderr, "simulate: see simulate --help\n");
		exit(2);
	}
}

int main(int argc, char **argv)
{
	char truth[4096];
	uint64_t random;

	settings = (struct settings) {
		.world = world_defaults(),
		.cpus = 2,
		.events = 1000,
		.seed = 1,
		.jobs = 2,
		.buffer_kb = 64,
	};
	read_options(argc, argv);
	if (mkdir(settings.directory, 0777) < 0 && errno != EEXIST)
		die(settings.directory);
	snprintf(truth, sizeof(truth), "%s/truth.txt", settings.directory);
	settings.truth = truth;
	random = (settings.seed + 1) * 0x9e3779b97f4a7c15u;
	world = world_new(&settings.world, &random);
	ping_all();
	make_all();
	tell_truth();
	free(records.at);
	free(records.first);
	world_free(world);
	return 0;
}
