// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libevtlog's public interface finds the right clocks for difficult files.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <evtlog/evtlog.h>

#include "../support/loggen.h"
#include "../support/seed.h"
#include "world.h"

#define S	UINT64_C(1000000000)
#define FILES	4

static uint64_t state;

/* 4 in the format before 0.5.0 */
static unsigned int words_of_rx = 5;

/* Files in memory */
struct files {
	struct loggen *gen[FILES];
	struct evtlog_file *at[FILES];
	struct evtlog_clocksync *hosts;
};

static struct loggen_options options_of(const char *host, uint64_t boot,
					uint64_t run)
{
	struct loggen_options options = loggen_defaults();

	options.host = host;
	options.boot = boot;
	options.run = run;
	options.cpus = 1;
	options.boot_raw_ns = options.boot_ticks;
	return options;
}

static void start(struct files *files, size_t at,
		  const struct loggen_options *options, uint64_t begin_ns)
{
	files->gen[at] = loggen_new(options);
	for (unsigned int cpu = 0; cpu < options->cpus; cpu++)
		loggen_begin(files->gen[at], cpu, begin_ns, 0, "swapper");
}

static void finish(struct files *files, size_t at, unsigned int cpus,
		   uint64_t end_ns)
{
	struct evtlog_error error;
	const uint8_t *bytes;
	size_t length;

	for (unsigned int cpu = 0; cpu < cpus; cpu++)
		loggen_end(files->gen[at], cpu, end_ns);
	loggen_close(files->gen[at]);
	bytes = loggen_bytes(files->gen[at], &length);
	if (evtlog_open_bytes(bytes, length, &files->at[at], &error))
		fail_msg("%s", error.reason);
}

static void end(struct files *files)
{
	evtlog_clocksync_free(files->hosts);
	for (size_t i = 0; i < FILES; i++) {
		evtlog_close(files->at[i]);
		if (files->gen[i])
			loggen_free(files->gen[i]);
	}
}

/* An address is one letter. */
static void put_in(struct files *files, size_t at, uint64_t ns, bool received, char peer,
		   char local, unsigned int type, uint16_t sequence, uint64_t netns)
{
	uint64_t words[4] = {
		7 | (uint64_t)sequence << 16 | (uint64_t)peer << 32,
		local | UINT64_C(64) << 32, received ? ns : netns, netns,
	};

	/* A received packet reaches ICMP after it arrived. */
	loggen_record(files->gen[at], 0, ns + (received ? 5000 : 0), received ?
		      EVTLOG_ICMP_RX : EVTLOG_ICMP_TX, type,
		      received ? words_of_rx : words_of_rx - 1, words);
}

static void put(struct files *files, size_t at, uint64_t ns, bool received,
		char peer, char local, unsigned int type, uint16_t sequence)
{
	put_in(files, at, ns, received, peer, local, type, sequence, 0);
}

/* Host one pings host two. Host two's clock is 3 s ahead; its records are @early too early. */
static void put_ping(struct files *files, uint16_t number, uint64_t early)
{
	uint64_t t = 10 * S + number * (S / 10), there = t + 3 * S - early;

	put(files, 0, t, false, 'b', 'a', 8, number);
	put(files, 1, there + 10000, true, 'a', 'b', 8, number);
	put(files, 1, there + 20000, false, 'a', 'b', 0, number);
	put(files, 0, t + 30000, true, 'b', 'a', 0, number);
}

/*
 * File 0 is of host one. Files 1 and 2 are two runs of host two, 3 s ahead; only file 1 has pings.
 */
static void make_runs_of(struct files *files, bool tsc_bad, const char *format)
{
	struct loggen_options one = options_of("one", 1, 1);
	struct loggen_options two = options_of("two", 2, 1);
	struct loggen_options again = options_of("two", 2, 2);

	one.format = two.format = again.format = format;
	two.tsc_bad = tsc_bad;
	start(files, 0, &one, 10 * S);
	start(files, 1, &two, 13 * S);
	start(files, 2, &again, 20 * S);
	for (uint16_t i = 1; i < 50; i++)
		put_ping(files, i, 0);
	finish(files, 0, 1, 15 * S);
	finish(files, 1, 1, 18 * S);
	finish(files, 2, 1, 25 * S);
}

static void make_runs(struct files *files, bool tsc_bad)
{
	make_runs_of(files, tsc_bad, NULL);
}

static void runs_of_one_boot_have_one_clock(void **unused)
{
	struct files files = { 0 };
	const struct evtlog_host_clock *clock;
	struct evtlog_error error;

	make_runs(&files, false);
	assert_int_equal(evtlog_clocksync_new(files.at, 3, NULL, &files.hosts,
					      &error), 0);
	assert_int_equal(evtlog_clocksync_reference(files.hosts), 0);
	clock = evtlog_clocksync_clock(files.hosts, 2);
	assert_ptr_equal(clock, evtlog_clocksync_clock(files.hosts, 1));
	assert_int_equal(clock->method, EVTLOG_CLOCK_PACKETS);
	assert_int_equal(clock->packets, 98);
	assert_int_equal(clock->violations, 0);
	/* The round trip takes 20 us. */
	assert_in_range(evtlog_clocksync_time(files.hosts, 1, 15 * S),
			12 * S - 10100, 12 * S + 10100);
	assert_in_range(evtlog_clocksync_bound(files.hosts, 1, 15 * S), 9900, 11000);
	/* The other run has no packets. */
	assert_in_range(evtlog_clocksync_time(files.hosts, 2, 22 * S),
			19 * S - 40000, 19 * S + 40000);
	assert_in_range(evtlog_clocksync_bound(files.hosts, 2, 22 * S), 12000, 60000);
	assert_null(evtlog_clocksync_clock(files.hosts, 3));
	end(&files);
}

static void a_file_that_is_there_twice_counts_once(void **unused)
{
	struct files files = { 0 };
	struct evtlog_file *twice[4];
	struct evtlog_error error;

	make_runs(&files, false);
	memcpy(twice, files.at, 3 * sizeof(*twice));
	twice[3] = files.at[1];
	assert_int_equal(evtlog_clocksync_new(twice, 4, NULL, &files.hosts, &error),
			 0);
	assert_int_equal(evtlog_clocksync_clock(files.hosts, 3)->packets, 98);
	assert_int_equal(evtlog_clocksync_clock(files.hosts, 3)->dropped, 0);
	end(&files);
}

/*
 * The clocks are read 4 ms apart. For half a second, one host records packets 0.6 ms too early. No
 * line satisfies all packets, but the stated error holds.
 */
static void order_and_bound_are_told_apart(void **unused)
{
	struct loggen_options one = options_of("one", 1, 1), two = options_of("two", 2, 1);
	const struct evtlog_host_clock *clock;
	struct files files = { 0 };
	struct evtlog_error error;
	uint64_t latest = 0;

	two.width_ticks = 4000000;
	start(&files, 0, &one, 10 * S);
	start(&files, 1, &two, 13 * S);
	for (uint16_t i = 1; i < 50; i++)
		put_ping(&files, i, i >= 20 && i < 25 ? 600000 : 0);
	finish(&files, 0, 1, 15 * S);
	finish(&files, 1, 1, 18 * S);
	assert_int_equal(evtlog_clocksync_new(files.at, 2, NULL, &files.hosts, &error), 0);
	clock = evtlog_clocksync_clock(files.hosts, 1);
	assert_int_equal(clock->method, EVTLOG_CLOCK_PACKETS);
	assert_false(clock->contradicted);
	assert_in_range(clock->violations, 1, 98);
	for (uint64_t t = 14 * S; t < 18 * S; t += S / 50) {
		int64_t off = evtlog_clocksync_time(files.hosts, 1, t) - (int64_t)(t - 3 * S);
		uint64_t early = off < 0 ? -off : off;

		assert_true(early <= evtlog_clocksync_bound(files.hosts, 1, t));
		if (early > latest)
			latest = early;
	}
	assert_true(clock->bound_ns >= latest);
	end(&files);
}

static void a_counter_that_is_not_trusted_relates_nothing(void **unused)
{
	struct evtlog_clocksync_options options = { .assume_ntp = true };
	const struct evtlog_host_clock *clock;
	struct files files = { 0 };
	struct evtlog_error error;

	make_runs(&files, true);
	assert_int_equal(evtlog_clocksync_new(files.at, 3, NULL, &files.hosts,
					      &error), 0);
	clock = evtlog_clocksync_clock(files.hosts, 1);
	assert_int_equal(clock->method, EVTLOG_CLOCK_NONE);
	assert_true(clock->tsc_bad);
	assert_true(clock->bound_ns == UINT64_MAX);
	assert_int_equal(evtlog_clocksync_time(files.hosts, 1, 123456), 123456);
	assert_true(evtlog_clocksync_bound(files.hosts, 1, 123456) == UINT64_MAX);
	evtlog_clocksync_free(files.hosts);
	assert_int_equal(evtlog_clocksync_new(files.at, 3, &options, &files.hosts,
					      &error), 0);
	clock = evtlog_clocksync_clock(files.hosts, 1);
	assert_int_equal(clock->method, EVTLOG_CLOCK_NTP);
	assert_true(clock->bound_ns >= EVTLOG_NTP_ERROR_NS);
	end(&files);
}

static void misuse_is_told(void **unused)
{
	struct evtlog_clocksync_options options = { .reference = "nobody" };
	struct files files = { 0 };
	struct evtlog_error error;

	make_runs(&files, false);
	assert_int_equal(evtlog_clocksync_new(files.at, 0, NULL, &files.hosts,
					      &error), -EINVAL);
	assert_int_equal(evtlog_clocksync_new(files.at, 3, &options, &files.hosts,
					      &error), -ENOENT);
	assert_string_equal(error.reason, "no file is of host nobody");
	assert_null(files.hosts);
	evtlog_clocksync_free(NULL);
	/* A single file is its own reference. */
	assert_int_equal(evtlog_clocksync_new(files.at, 1, NULL, &files.hosts,
					      &error), 0);
	assert_int_equal(evtlog_clocksync_time(files.hosts, 0, 77), 77);
	assert_int_equal(evtlog_clocksync_clock(files.hosts, 0)->method,
			 EVTLOG_CLOCK_REFERENCE);
	end(&files);
}

/* Any record, at any time, with any time of arrival */
static void put_lie(struct files *files, size_t at, uint64_t *ticks)
{
	uint64_t r = xorshift(&state);
	uint64_t words[4] = {
		(r & 3) | (r >> 2 & 31) << 16 | (uint64_t)('a' + (r >> 8) % FILES) << 32,
		'a' + (r >> 16) % FILES, xorshift(&state) >> (r >> 24) % 64,
	};

	*ticks += xorshift(&state) >> (20 + (r >> 32) % 44);
	loggen_record(files->gen[at], 0, *ticks, r >> 40 & 1 ? EVTLOG_ICMP_RX :
		      EVTLOG_ICMP_TX, r >> 41 & 1 ? 8 : 0,
		      r >> 40 & 1 ? 5 : 4, words);
}

/* evtlog_clocksync_raw() returns the host's first time that is not before @time. */
static void check_inverse(const struct files *files, size_t file, int64_t time)
{
	uint64_t raw = evtlog_clocksync_raw(files->hosts, file, time);

	if (evtlog_clocksync_time(files->hosts, file, raw) < time)
		assert_int_equal(raw, INT64_MAX);
	if (raw)
		assert_true(evtlog_clocksync_time(files->hosts, file, raw - 1) < time);
}

static void check_inverses(const struct files *files, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (unsigned int bit = 0; bit < 64; bit++) {
			int64_t time = evtlog_clocksync_time(files->hosts, i,
							     UINT64_C(1) << bit);

			for (int64_t near = -2; near <= 2; near++)
				if (time > INT64_MIN + 2 && time < INT64_MAX - 2)
					check_inverse(files, i, time + near);
			check_inverse(files, i, -time);
		}
		for (int n = 0; n < 200; n++)
			check_inverse(files, i, 10 * S + xorshift(&state) % (20 * S));
	}
}

static void records_that_lie_do_no_harm(void **unused)
{
	static const char *const names[FILES] = { "a", "b", "c", "d" };

	for (int round = 0; round < 300; round++) {
		struct files files = { 0 };
		struct evtlog_error error;

		for (size_t i = 0; i < FILES; i++) {
			struct loggen_options options =
				options_of(names[i], 1 + i, 1);
			uint64_t ticks = options.boot_ticks;

			if (round % 3 == 1)
				options.boot_raw_ns = INT64_MAX - 5 * S;
			if (round % 3 == 2)
				options.boot_real_ns = 5;
			start(&files, i, &options, ticks);
			for (int n = 0; n < 200; n++)
				put_lie(&files, i, &ticks);
			finish(&files, i, 1, ticks + 1);
		}
		assert_int_equal(evtlog_clocksync_new(files.at, FILES, NULL,
						      &files.hosts, &error), 0);
		for (size_t i = 0; i < FILES; i++) {
			int64_t last = INT64_MIN;

			for (unsigned int bit = 0; bit < 64; bit++) {
				uint64_t raw = UINT64_C(1) << bit;
				int64_t time = evtlog_clocksync_time(files.hosts, i, raw);

				assert_true(time >= last);
				last = time;
				evtlog_clocksync_bound(files.hosts, i, raw);
			}
		}
		check_inverses(&files, FILES);
		end(&files);
	}
}

/* On host two, network namespace 7 has host one's address and pings itself. */
static void make_forged(struct files *files)
{
	struct loggen_options one = options_of("one", 1, 1);
	struct loggen_options two = options_of("two", 2, 1);

	start(files, 0, &one, 10 * S);
	start(files, 1, &two, 13 * S);
	for (uint16_t i = 1; i < 50; i++) {
		uint64_t there = 13 * S + i * (S / 10);

		put_ping(files, i, 0);
		put_in(files, 1, there + 50000, false, 'a', 'a', 8, i, 7);
		put_in(files, 1, there + 60000, true, 'a', 'a', 8, i, 7);
	}
	finish(files, 0, 1, 15 * S);
	finish(files, 1, 1, 18 * S);
}

static void packets_of_other_namespaces_relate_nothing(void **unused)
{
	static const uint64_t numbers[] = { 7, 0 }, other[] = { 8 };
	struct evtlog_clocksync_options options = { 0 };
	const struct evtlog_host_clock *clock;
	struct files files = { 0 };
	struct evtlog_error error;

	make_forged(&files);
	assert_int_equal(evtlog_clocksync_new(files.at, 2, NULL, &files.hosts, &error), 0);
	clock = evtlog_clocksync_clock(files.hosts, 1);
	assert_int_equal(clock->method, EVTLOG_CLOCK_PACKETS);
	assert_int_equal(clock->packets, 98);
	assert_int_equal(clock->dropped, 0);
	assert_int_equal(clock->foreign, 98);
	assert_in_range(evtlog_clocksync_bound(files.hosts, 1, 15 * S), 9900, 11000);
	evtlog_clocksync_free(files.hosts);

	/* With packets of all namespaces, two hosts have the same address. */
	options.any_netns = true;
	assert_int_equal(evtlog_clocksync_new(files.at, 2, &options, &files.hosts, &error), 0);
	clock = evtlog_clocksync_clock(files.hosts, 1);
	assert_int_equal(clock->method, EVTLOG_CLOCK_NONE);
	assert_int_equal(clock->foreign, 0);
	evtlog_clocksync_free(files.hosts);

	options = (struct evtlog_clocksync_options) { .netns = numbers, .netns_count = 2 };
	assert_int_equal(evtlog_clocksync_new(files.at, 2, &options, &files.hosts, &error), 0);
	assert_int_equal(evtlog_clocksync_clock(files.hosts, 1)->method, EVTLOG_CLOCK_NONE);
	evtlog_clocksync_free(files.hosts);

	options = (struct evtlog_clocksync_options) { .netns = other, .netns_count = 1 };
	assert_int_equal(evtlog_clocksync_new(files.at, 2, &options, &files.hosts, &error), 0);
	clock = evtlog_clocksync_clock(files.hosts, 1);
	assert_int_equal(clock->method, EVTLOG_CLOCK_NONE);
	assert_int_equal(clock->foreign, 98 + 98);
	end(&files);
}

/* The format text of a kernel before 0.5.0 */
static char *old_format(void)
{
	static const struct {
		const char *now, *before;
	} changes[] = {
		{ " icmp_rx 5 ", " icmp_rx 4 " }, { " icmp_tx 4 ", " icmp_tx 3 " },
		{ " netns:4:0:64:u", "" }, { " netns:3:0:64:u", "" },
	};
	char *text = loggen_format_text(1000000000);

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		char *at = strstr(text, changes[i].now);
		size_t now = strlen(changes[i].now), before = strlen(changes[i].before);

		assert_non_null(at);
		memcpy(at, changes[i].before, before);
		memmove(at + before, at + now, strlen(at + now) + 1);
	}
	return text;
}

static void logs_without_namespaces_are_related_as_ever(void **unused)
{
	struct files files = { 0 };
	const struct evtlog_host_clock *clock;
	struct evtlog_error error;
	char *format = old_format();

	words_of_rx = 4;
	make_runs_of(&files, false, format);
	words_of_rx = 5;
	assert_int_equal(evtlog_clocksync_new(files.at, 3, NULL, &files.hosts, &error), 0);
	clock = evtlog_clocksync_clock(files.hosts, 2);
	assert_int_equal(clock->method, EVTLOG_CLOCK_PACKETS);
	assert_int_equal(clock->packets, 98);
	assert_int_equal(clock->foreign, 0);
	assert_in_range(evtlog_clocksync_bound(files.hosts, 1, 15 * S), 9900, 11000);
	end(&files);
	free(format);
}

static void times_are_turned_back(void **unused)
{
	struct files files = { 0 };
	struct evtlog_error error;

	make_runs(&files, false);
	assert_int_equal(evtlog_clocksync_new(files.at, 3, NULL, &files.hosts, &error), 0);
	check_inverses(&files, 3);
	end(&files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_of_one_boot_have_one_clock),
		cmocka_unit_test(a_file_that_is_there_twice_counts_once),
		cmocka_unit_test(order_and_bound_are_told_apart),
		cmocka_unit_test(a_counter_that_is_not_trusted_relates_nothing),
		cmocka_unit_test(misuse_is_told),
		cmocka_unit_test(records_that_lie_do_no_harm),
		cmocka_unit_test(times_are_turned_back),
		cmocka_unit_test(packets_of_other_namespaces_relate_nothing),
		cmocka_unit_test(logs_without_namespaces_are_related_as_ever),
	};

	state = seed_state();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
