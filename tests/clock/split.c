// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Splits the real log of one host into logs of two hosts, by the addresses of its pings. Changes
 * the second host's clock as the arguments request.
 *
 * Stage: between a log of two network namespaces and the clock model. One clock stamped both ends
 * of each ping, so the model's result can be checked. Writes the truth in simulate's format; the
 * true time is that one clock.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/loggen.h"
#include "lib/file/file.h"

#define TRUTHS	5000
#define MARGIN_NS 1000000

/* Changes of the second host's clock */
static int64_t offset_ns, rate_ppb, wander_ppb;
static double wander_s;
static uint64_t begin_ns, end_ns;

/* The shortest times from host to host, in both directions, by the one clock */
static int64_t least[2] = { INT64_MAX, INT64_MAX };

/* A packet sent by a host and not yet received */
struct sent {
	uint64_t time_ns;
	uint16_t id;
	uint16_t sequence;
	uint8_t type;
};

struct host {
	const char *name;
	uint32_t address;
	struct loggen *gen;
	uint64_t *last_ns;
	uint64_t records;
	struct sent sent[256];
	size_t next;
};

static struct host hosts[2] = { { .name = "one" }, { .name = "two" } };

static uint64_t clock_of(int number, uint64_t time_ns)
{
	double s = (time_ns - begin_ns) * 1e-9, angle = 2 * M_PI / wander_s;
	int64_t since = time_ns - begin_ns;

	if (!number)
		return time_ns;
	return time_ns + offset_ns +
	       (int64_t)((__int128)since * rate_ppb / 1000000000) +
	       (int64_t)floor(wander_ppb / angle * (1 - cos(angle * s)));
}

/* One tick is one ns. A host's ticks start at the same zero as its clock. */
static void start(struct host *host, int number, unsigned int cpus)
{
	struct loggen_options options = loggen_defaults();

	options.cpus = cpus;
	options.buffer_bytes = 64 << 10;
	options.boot_ticks = 1;
	options.boot_raw_ns = 1;
	options.boot_real_ns = 1700000000000000000;
	options.host = host->name;
	options.boot = number + 1;
	host->gen = loggen_new(&options);
	host->last_ns = calloc(cpus, sizeof(*host->last_ns));
	if (!host->last_ns)
		abort();
	for (unsigned int cpu = 0; cpu < cpus; cpu++) {
		host->last_ns[cpu] = clock_of(number, begin_ns);
		loggen_begin(host->gen, cpu, host->last_ns[cpu], 0, "swapper");
	}
}

/* Keeps the shortest travel time between the hosts: no bound can be better. */
static void note_travel(int number, const uint64_t *words, bool received,
			uint64_t time_ns)
{
	struct sent own = {
		time_ns, words[1], words[1] >> 16, evtlog_data(words, 0, 8),
	};
	struct host *from = &hosts[received ? 1 - number : number];

	if (!received) {
		from->sent[from->next++ % 256] = own;
		return;
	}
	for (size_t i = 0; i < 256; i++) {
		const struct sent *sent = &from->sent[i];
		int64_t took = time_ns - sent->time_ns;

		if (sent->time_ns && sent->id == own.id &&
		    sent->sequence == own.sequence && sent->type == own.type &&
		    took < least[number])
			least[number] = took;
	}
}

static void take(const struct evtlog_file *file, unsigned int slot,
		 const struct evtlog_event *event)
{
	const struct clock *clock = file_clock(file, slot);
	bool received = event->known == EVTLOG_ICMP_RX;
	uint32_t local = event->words[2];
	uint64_t words[4] = { 0 }, ticks, first;
	struct host *host;
	int number;

	number = local == hosts[1].address;
	host = &hosts[number];
	if (local != host->address)
		return;
	/* Only the second host was in a separate network namespace. */
	if (!event->words[received ? 4 : 3] == !!number)
		abort();
	words[0] = event->words[1];
	words[1] = event->words[2];
	first = clock_ns(clock, event->ticks);
	if (received && event->words[3])
		first = clock_ns(clock, event->words[3]);
	note_travel(number, event->words, received, first);
	if (received && event->words[3])
		words[2] = clock_of(number, first);
	ticks = clock_of(number, clock_ns(clock, event->ticks));
	if (ticks < host->last_ns[slot])
		ticks = host->last_ns[slot];
	host->last_ns[slot] = ticks;
	loggen_record(host->gen, slot, ticks, event->known,
		      evtlog_data(event->words, 0, 8), received ? 5 : 4, words);
	host->records++;
}

/* Reads in order of time: a packet is sent before it is received. */
static void read_all(struct evtlog_file *file)
{
	const struct evtlog_event *event;
	struct evtlog_cpu_merge *merge;
	int result;

	if (evtlog_cpu_merge_new(file, &merge))
		abort();
	while ((result = evtlog_cpu_merge_next(merge, &event)) > 0)
		if (event->known == EVTLOG_ICMP_RX ||
		    event->known == EVTLOG_ICMP_TX)
			take(file, file_slot(file, event->cpu), event);
	if (result < 0)
		abort();
	evtlog_cpu_merge_free(merge);
}

static int finish(struct host *host, int number, unsigned int cpus,
		  const char *directory, FILE *truth)
{
	char path[4096];

	for (unsigned int cpu = 0; cpu < cpus; cpu++) {
		uint64_t end = clock_of(number, end_ns);

		loggen_end(host->gen, cpu, end > host->last_ns[cpu] ? end :
			   host->last_ns[cpu]);
	}
	loggen_close(host->gen);
	for (uint64_t i = 0; i <= TRUTHS; i++) {
		uint64_t t = begin_ns + (end_ns - begin_ns) / TRUTHS * i;

		fprintf(truth, "%s %" PRIu64 " %" PRIu64 "\n", host->name, t,
			clock_of(number, t));
	}
	snprintf(path, sizeof(path), "%s/%s-1.evl", directory, host->name);
	return loggen_save(host->gen, path);
}

int main(int argc, char **argv)
{
	uint8_t one[4] = { 10, 88, 0, 1 }, two[4] = { 10, 88, 0, 2 };
	struct evtlog_error error;
	struct evtlog_file *file;
	unsigned int cpus;
	char path[4096];
	FILE *truth;

	if (argc != 7) {
		fprintf(stderr, "Usage: split FILE DIRECTORY OFFSET_NS RATE_PPB "
			"WANDER_PPB WANDER_S\n");
		return 2;
	}
	memcpy(&hosts[0].address, one, 4);
	memcpy(&hosts[1].address, two, 4);
	offset_ns = strtoll(argv[3], NULL, 10);
	rate_ppb = strtoll(argv[4], NULL, 10);
	wander_ppb = strtoll(argv[5], NULL, 10);
	wander_s = strtod(argv[6], NULL);
	if (evtlog_open(argv[1], &file, &error)) {
		fprintf(stderr, "split: %s: %s\n", argv[1], error.reason);
		return 1;
	}
	/* The margin covers packets that were sent before the log begins. */
	begin_ns = evtlog_begin_ns(file) - MARGIN_NS;
	end_ns = evtlog_end_ns(file) + MARGIN_NS;
	cpus = evtlog_cpu_count(file);
	for (int i = 0; i < 2; i++)
		start(&hosts[i], i, cpus);
	read_all(file);
	snprintf(path, sizeof(path), "%s/truth.txt", argv[2]);
	truth = fopen(path, "we");
	if (!truth)
		return 1;
	for (int i = 0; i < 2; i++)
		if (finish(&hosts[i], i, cpus, argv[2], truth))
			return 1;
	if (fclose(truth))
		return 1;
	printf("records %" PRIu64 " %" PRIu64 " least %" PRId64 " %" PRId64
	       " half %" PRId64 "\n", hosts[0].records, hosts[1].records,
	       least[1], least[0], (least[0] + least[1]) / 2);
	evtlog_close(file);
	return !hosts[0].records || !hosts[1].records;
}
