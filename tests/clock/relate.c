// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Relates the clocks of files, prints the result, and checks it against the truth.
 *
 * Stage: between libevtlog's clock model and its tests. Uses only the public interface. The exit
 * status is 1 if the truth is outside the bound, if time steps back, or if a packet is received
 * before it is sent.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/evtlog.h>

#include "../support/options.h"
#include "lib/file/file.h"
#include "tally.h"

/* A host's clock and tick counter at a true time; @ticks is 0 if unknown */
struct truth {
	char host[64];
	uint64_t true_ns;
	uint64_t raw_ns;
	uint64_t ticks;
};

static struct evtlog_file **files;
static size_t file_count;
static struct evtlog_clocksync *hosts;
static struct truth *truths;
static size_t truth_count;
static bool bad;

static const char *host_of(size_t file)
{
	const char *name = evtlog_meta(files[file], "host");

	return name ? name : "";
}

static void show(size_t file)
{
	const struct evtlog_host_clock *c = evtlog_clocksync_clock(hosts, file);

	printf("%s run %" PRIu64 " hz %" PRIu64 " %s offset %" PRId64 " rate %" PRId64
	       " bound %" PRIu64 " best %" PRIu64 " rho %" PRIu64
	       "%s packets %" PRIu64 " dropped %" PRIu64 " violations %" PRIu64
	       " segments %" PRIu32 " hops %" PRIu32 "%s%s\n", host_of(file),
	       evtlog_run(files[file]), evtlog_ticks_hz(files[file]),
	       evtlog_clock_method_name(c->method),
	       c->offset_ns, c->rate_ppb, c->bound_ns, c->best_bound_ns,
	       c->rho_ppb, c->rho_raised ? " raised" : "", c->packets,
	       c->dropped, c->violations, c->segments, c->hops,
	       c->tsc_bad ? " tsc_bad" : "",
	       c->contradicted ? " contradicted" : "");
	bad |= c->violations;
}

static void read_truth(const char *path)
{
	FILE *in = fopen(path, "re");
	struct truth truth;
	size_t capacity = 0;
	char line[256];

	if (!in) {
		fprintf(stderr, "relate: %s: %m\n", path);
		exit(1);
	}
	while (fgets(line, sizeof(line), in)) {
		truth.ticks = 0;
		if (sscanf(line, "%63s %" SCNu64 " %" SCNu64 " %" SCNu64, truth.host, &truth.true_ns,
			   &truth.raw_ns, &truth.ticks) < 3)
			abort();
		if (truth_count == capacity) {
			capacity = 2 * capacity + 1024;
			truths = reallocarray(truths, capacity, sizeof(*truths));
			if (!truths)
				abort();
		}
		truths[truth_count++] = truth;
	}
	fclose(in);
}

/* Returns the reference's clock at this true time. */
static const struct truth *reference_at(uint64_t true_ns)
{
	const char *reference = host_of(evtlog_clocksync_reference(hosts));

	for (size_t i = 0; i < truth_count; i++) {
		if (strcmp(truths[i].host, reference))
			continue;
		while (i < truth_count && !strcmp(truths[i].host, reference) &&
		       truths[i].true_ns < true_ns)
			i++;
		if (i < truth_count && truths[i].true_ns == true_ns)
			return &truths[i];
	}
	return NULL;
}

/* The host's clock by the file's conversion of the ticks, if the ticks are known */
static uint64_t raw_of(size_t file, const struct truth *truth)
{
	return truth->ticks ? clock_ns(&files[file]->clocks[0], truth->ticks) : truth->raw_ns;
}

static void check_one(size_t file, const struct truth *truth,
		      int64_t expected, struct tally *tally)
{
	int64_t time = evtlog_clocksync_time(hosts, file, raw_of(file, truth));
	uint64_t bound = evtlog_clocksync_bound(hosts, file, raw_of(file, truth));
	uint64_t error = llabs(time - expected);

	if (tally_add(tally, error, bound))
		fprintf(stderr, "relate: %s at %" PRIu64 ": off by %" PRIu64
			" ns, bound %" PRIu64 "\n", truth->host, truth->true_ns,
			error, bound);
}

static void check(size_t file, struct tally *tally)
{
	const struct evtlog_host_clock *clock = evtlog_clocksync_clock(hosts, file);
	int64_t last = INT64_MIN;

	if (clock->method == EVTLOG_CLOCK_NONE)
		return;
	for (size_t i = 0; i < truth_count; i++) {
		const struct truth *reference;
		int64_t time;

		if (strcmp(truths[i].host, host_of(file)))
			continue;
		reference = reference_at(truths[i].true_ns);
		if (!reference)
			continue;
		check_one(file, &truths[i], reference->raw_ns, tally);
		time = evtlog_clocksync_time(hosts, file, raw_of(file, &truths[i]));
		if (time < last) {
			fprintf(stderr, "relate: %s: time steps back\n",
				truths[i].host);
			bad = true;
		}
		last = time;
	}
}

/* Prints "HOST at TICKS TIME BOUND" over the run and a little beyond both ends. */
static void show_instants(size_t file, unsigned int count)
{
	const struct clock *clock = &files[file]->clocks[0];
	uint64_t first = clock->nodes[0].ticks, last = clock->nodes[clock->count - 1].ticks;
	uint64_t beyond = (last - first) / 50;

	for (unsigned int i = 0; i < count; i++) {
		uint64_t ticks = first - beyond + (last - first + 2 * beyond) / count * i;
		uint64_t raw_ns = clock_ns(clock, ticks);

		printf("%s at %" PRIu64 " %" PRId64 " %" PRIu64 "\n", host_of(file), ticks,
		       evtlog_clocksync_time(hosts, file, raw_ns),
		       evtlog_clocksync_bound(hosts, file, raw_ns));
	}
}

static void open_files(char **paths)
{
	files = calloc(file_count, sizeof(*files));
	if (!files)
		abort();
	for (size_t i = 0; i < file_count; i++) {
		struct evtlog_error error;

		if (!evtlog_open(paths[i], &files[i], &error))
			continue;
		fprintf(stderr, "relate: %s: %s\n", paths[i], error.reason);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	struct evtlog_clocksync_options options = { 0 };
	unsigned int instants = 0;
	const struct test_option table[] = {
		OPTION_TAKE("truth", "FILE", read_truth, "fails if a time is outside its bound"),
		OPTION("rho-ppb", "N", &options.rho_ppb, "the most by which rates wander"),
		OPTION("reference", "HOST", &options.reference, "whose clock is the common one"),
		OPTION("assume-ntp", "NS", &options.ntp_error_ns, "REALTIMEs agree within this error"),
		OPTION("instants", "N", &instants, "print so many times of each host"),
		{ }
	};
	char **paths = test_options(table, "[OPTION...] FILE...", -1, argc, argv);
	struct tally tally = { 0 };
	struct evtlog_error error;
	double checks;

	options.assume_ntp = options.ntp_error_ns;
	file_count = argv + argc - paths;
	open_files(paths);
	if (evtlog_clocksync_new(files, file_count, &options, &hosts, &error)) {
		fprintf(stderr, "relate: %s\n", error.reason);
		return 1;
	}
	for (size_t i = 0; i < file_count; i++) {
		size_t file = evtlog_clocksync_order(hosts, i);

		show(file);
		check(file, &tally);
		show_instants(file, instants);
	}
	checks = tally.checks ? tally.checks : 1;
	if (truth_count)
		printf("checks %" PRIu64 " outside %" PRIu64 " error %.0f max %"
		       PRIu64 " bound %.0f max %" PRIu64 "\n", tally.checks,
		       tally.outside, tally.error_sum / checks,
		       tally.error_max, tally.bound_sum / checks,
		       tally.bound_max);
	evtlog_clocksync_free(hosts);
	for (size_t i = 0; i < file_count; i++)
		evtlog_close(files[i]);
	free(files);
	free(truths);
	return bad || tally.outside ? 1 : 0;
}
