// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples over many seeds: sums are unbiased, and stated errors are the real errors.
 *
 * Tests the kernel's own decision (sample/draw.c, parse.c) and the estimator of evtlog stat
 * (estimate.c), on hits with known sums. Values follow a pattern of length N, which would mislead a
 * sample of every Nth hit.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stat/estimate.h"
#include "expect.h"
#include "limits.h"
#include "random.h"
#include "sample/sample.h"

#define SEEDS		200
#define CPUS		2
#define BUCKETS		50
#define VALUES		2
#define RUN_NS		1e9
/* One in 150,000 correct samples is farther off. */
#define Z_MAX		4.5

static const unsigned int hits_of[CPUS] = { 40000, 7003 };
static struct limits limits = { .seconds = 1 };
static struct random numbers;
static const char *text = "";

/* The same hits for all seeds, except by time, where only the hits are random */
struct hit {
	double value;
	u64 key;
	u64 time_ns;
};
static struct hit hits[CPUS][40000];
static double truth[VALUES];
/* Hits come in bursts; the first hit of each has a large value. */
static bool in_bursts;

void fail(const char *format, ...)
{
	va_list arguments;

	printf("FAIL: sample %s: ", text);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\nSEED=%llu\n", (unsigned long long)limits.seed);
	exit(1);
}

static double next_pause(void)
{
	return -log((random_below(&numbers, 1 << 30) + 1.0) / (1 << 30));
}

/* Uniform times: sums of exponential pauses, divided by their total with one more pause */
static void make_times(unsigned int cpu)
{
	static double sums[40000];
	double sum = 0;

	for (unsigned int i = 0; i < hits_of[cpu]; i++)
		sums[i] = sum += next_pause();
	sum += next_pause();
	for (unsigned int i = 0; i < hits_of[cpu]; i++)
		hits[cpu][i].time_ns = sums[i] / sum * RUN_NS;
}

/* Bursts of 50 hits on average; a sample by time has at most one record per burst */
static void make_bursts(unsigned int cpu)
{
	double pause_ns = RUN_NS / (hits_of[cpu] / 50.0) - 50 * 500, now = 0;
	bool is_first = true;

	for (unsigned int i = 0; i < hits_of[cpu]; i++) {
		now += is_first ? next_pause() * pause_ns : 500;
		hits[cpu][i].value = is_first ? 1000 : 40;
		hits[cpu][i].time_ns = now;
		truth[1] += hits[cpu][i].value;
		is_first = random_one_in(&numbers, 50);
	}
	truth[0] += hits_of[cpu];
}

static void make_hits(void)
{
	memset(truth, 0, sizeof(truth));
	for (unsigned int cpu = 0; in_bursts && cpu < CPUS; cpu++)
		make_bursts(cpu);
	if (in_bursts)
		return;
	for (unsigned int cpu = 0; cpu < CPUS; cpu++) {
		for (unsigned int i = 0; i < hits_of[cpu]; i++) {
			struct hit *hit = &hits[cpu][i];

			hit->value = 40 + 1000 * (i % 100 < 10) + random_below(&numbers, 60);
			/* Some packets pass once, others five times. */
			hit->key = random_below(&numbers, 15000) / (1 + i % 2);
			truth[0] += 1;
			truth[1] += hit->value;
		}
		make_times(cpu);
	}
}

/* The decision as in probes: slow.c and stubs */
static bool is_in_sample(const struct evtlog_sample *s, struct evtlog_sample_state *state,
			 const struct hit *hit, u64 skipped)
{
	switch (s->kind) {
	case EVTLOG_SAMPLE_COUNT:
	case EVTLOG_SAMPLE_PROBABILITY:
		if (--state->left)
			return false;
		evtlog_sample_draw(s, state, 0, 0);
		return true;
	case EVTLOG_SAMPLE_TIME:
		return evtlog_sample_is_due(s, state, skipped, hit->time_ns);
	default:
		return evtlog_sample_hash(s->seed, &hit->key, sizeof(hit->key)) <= s->limit;
	}
}

static enum evtlog_sampling sampling_of(const struct evtlog_sample *s)
{
	static const enum evtlog_sampling of[] = {
		[EVTLOG_SAMPLE_COUNT] = EVTLOG_SAMPLING_COUNT,
		[EVTLOG_SAMPLE_PROBABILITY] = EVTLOG_SAMPLING_PROBABILITY,
		[EVTLOG_SAMPLE_TIME] = EVTLOG_SAMPLING_TIME,
		[EVTLOG_SAMPLE_KEY] = EVTLOG_SAMPLING_KEY,
	};

	return of[s->kind];
}

struct result {
	double total[VALUES];
	double error[VALUES];
};

/* Hits before the run give the sample a random start. */
static void begin(const struct evtlog_sample *s, struct evtlog_sample_state *state)
{
	static const struct hit before;

	evtlog_sample_begin(s, state, random_next(&numbers));
	if (s->kind == EVTLOG_SAMPLE_COUNT) {
		for (u32 i = random_below(&numbers, s->every); i; i--)
			is_in_sample(s, state, &before, 0);
	}
}

/* Makes one run. @taken: number of recorded hits per bucket */
static struct result run(const struct evtlog_sample *s, u64 *taken)
{
	struct estimate_how how = {
		.sampling = sampling_of(s),
		.every = s->kind == EVTLOG_SAMPLE_TIME ? s->interval_ns : s->every,
		.probability = (double)s->nano / EVTLOG_SAMPLE_P_ONE,
		.values = VALUES,
	};
	struct estimate *e = estimate_new(&how, CPUS);
	struct result result;

	expect(e);
	for (unsigned int cpu = 0; cpu < CPUS; cpu++) {
		struct evtlog_sample_state state;
		u64 skipped = 0, weights = 0, last = 0;

		begin(s, &state);
		for (unsigned int i = 0; i < hits_of[cpu]; i++) {
			const struct hit *hit = &hits[cpu][i];
			double values[VALUES] = { 1, hit->value };
			u64 weight;

			if (!is_in_sample(s, &state, hit, skipped)) {
				skipped++;
				continue;
			}
			weight = evtlog_sample_weight(s, &state, skipped, hit->time_ns);
			expect(weight >= 1);
			if (evtlog_sample_weight_is_fixed(s))
				expect_equal(weight, s->weight);
			if (s->kind == EVTLOG_SAMPLE_TIME && last)
				expect(hit->time_ns - last >= s->interval_ns);
			last = hit->time_ns;
			weights += weight;
			taken[(u64)i * BUCKETS / hits_of[cpu]]++;
			expect(!estimate_add(e, cpu, hit->time_ns, weight, values, hit->key));
		}
		/* By time, weights and the rest add up exactly. */
		if (s->kind == EVTLOG_SAMPLE_TIME)
			expect_equal(weights + skipped - state.last, hits_of[cpu]);
	}
	for (unsigned int i = 0; i < VALUES; i++)
		result.total[i] = estimate_total(e, i, RUN_NS, &result.error[i]);
	estimate_free(e);
	return result;
}

/* The chi-square value of @degrees that one in 150,000 exceeds, by Wilson and Hilferty */
static double chi_square_max(double degrees)
{
	double variance = 2 / (9 * degrees);

	return degrees * pow(1 - variance + Z_MAX * sqrt(variance), 3);
}

static double chi_square(const u64 *count, unsigned int n, double clustering)
{
	double mean = 0, sum = 0;

	for (unsigned int i = 0; i < n; i++)
		mean += (double)count[i] / n;
	for (unsigned int i = 0; i < n; i++)
		sum += (count[i] - mean) * (count[i] - mean) / mean;
	return sum / clustering;
}

/* @from, @to: percentage of intervals that must hold the truth; @bias_max: of a sum, by time */
static void try_sample_within(const char *how, unsigned int from, unsigned int to, double bias_max)
{
	double sum[VALUES] = { 0 }, squares[VALUES] = { 0 }, stated[VALUES] = { 0 };
	u64 taken[BUCKETS] = { 0 };
	unsigned int held[VALUES] = { 0 };
	struct evtlog_sample s;

	text = how;
	expect(!evtlog_sample_parse(how, &s));
	s.ticks = s.interval_ns;
	for (unsigned int seed = 0; seed < SEEDS; seed++) {
		struct result result;

		if (s.kind == EVTLOG_SAMPLE_TIME)
			make_hits();
		/* The text's seed would give the same choice each time. */
		if (s.kind == EVTLOG_SAMPLE_KEY)
			s.seed = random_next(&numbers);
		result = run(&s, taken);
		for (unsigned int i = 0; i < VALUES; i++) {
			double off = result.total[i] - truth[i];

			sum[i] += off;
			squares[i] += off * off;
			stated[i] += result.error[i] * result.error[i];
			held[i] += fabs(off) <= ESTIMATE_Z * result.error[i] + 1e-6;
		}
	}
	for (unsigned int i = 0; i < VALUES; i++) {
		double deviation = sqrt(squares[i] / SEEDS);
		double z = deviation > 0 ? sum[i] / SEEDS / (deviation / sqrt(SEEDS)) : 0;

		printf("%-20s %s%s: bias %+.4f %% of the truth, z %+.2f; error %.3f %%, stated %.3f %%; %.1f %% of intervals hold the truth\n",
		       how, in_bursts ? "in bursts " : "", i ? "sum  " : "total", 100 * sum[i] / SEEDS / truth[i], z,
		       100 * deviation / truth[i], 100 * sqrt(stated[i] / SEEDS) / truth[i],
		       100.0 * held[i] / SEEDS);
		/* By time, the part after the last record is estimated by a model. */
		if (s.kind == EVTLOG_SAMPLE_TIME && !(i && in_bursts) &&
		    fabs(sum[i] / SEEDS) > 0.6 * sqrt(stated[i] / SEEDS))
			fail("value %u is biased", i);
		/* Pauses as long as the interval: hits after them are a bit more probable. */
		if (s.kind == EVTLOG_SAMPLE_TIME && i && fabs(sum[i] / SEEDS / truth[i]) > bias_max)
			fail("value %u is biased", i);
		if (s.kind != EVTLOG_SAMPLE_TIME && fabs(z) > Z_MAX)
			fail("value %u is biased: z %.2f", i, z);
		if ((s.nano || s.kind == EVTLOG_SAMPLE_KEY) && deviation > 0 &&
		    fabs(log(sqrt(stated[i] / SEEDS) / deviation)) > 0.25)
			fail("value %u: the stated error is not the true one", i);
		if (100 * held[i] < from * SEEDS || 100 * held[i] > to * SEEDS)
			fail("value %u: %u of %u intervals hold the truth", i, held[i], SEEDS);
	}
	if (s.kind != EVTLOG_SAMPLE_TIME && chi_square(taken, BUCKETS, 4) > chi_square_max(BUCKETS - 1))
		fail("some hits are recorded more often than others");
}

static void try_sample(const char *how, unsigned int from, unsigned int to)
{
	try_sample_within(how, from, to, 0.05);
}

/* The mean of geometric numbers, and how often the next hit is the next recorded one */
static void try_gaps(const char *how, double p)
{
	const unsigned int draws = 40000;
	struct evtlog_sample_state state;
	double sum = 0, squares = 0, ones = 0, z, variance;
	struct evtlog_sample s;

	text = how;
	expect(!evtlog_sample_parse(how, &s));
	evtlog_sample_begin(&s, &state, random_next(&numbers));
	for (unsigned int i = 0; i < draws; i++) {
		expect(state.left >= 1);
		sum += state.left * p;
		squares += state.left * p * state.left * p;
		ones += state.left == 1;
		evtlog_sample_draw(&s, &state, 0, 0);
	}
	variance = 1 - p;
	z = variance > 0 ? (sum - draws) / sqrt(draws * variance) : sum - draws;
	if (fabs(z) > Z_MAX)
		fail("mean gap %.3f / p: z %.2f", sum / draws, z);
	/* Kurtosis 9 of an exponential distribution: the variance deviates by sqrt(8 / n). */
	if (fabs(squares / draws - 1 - variance) > 2 * Z_MAX * sqrt(8.0 / draws))
		fail("mean square of gaps %.3f, not %.3f", squares / draws, 1 + variance);
	if (fabs(ones - draws * p) > Z_MAX * sqrt(draws * p * (1 - p) + 1))
		fail("%.0f of %u gaps are 1", ones, draws);
}

/* Keys that differ in few bits are chosen like any others. */
static void try_keys(void)
{
	const unsigned int keys = 100000;

	text = "1/100 by key";
	for (unsigned int i = 0; i < 3 * 47; i++) {
		unsigned int shift = i % 47;
		u64 chosen[BUCKETS] = { 0 }, seed = random_next(&numbers), all = 0;
		double z;

		for (u64 key = 0; key < keys; key++) {
			u64 word = key << shift;
			bool is_in = evtlog_sample_hash(seed, &word, sizeof(word)) <= ~0ULL / 100;

			chosen[key * BUCKETS / keys] += is_in;
			all += is_in;
		}
		z = (all - keys / 100.0) / sqrt(keys / 100.0 * 0.99);
		if (fabs(z) > Z_MAX)
			fail("keys << %u: %llu of %u are chosen", shift, (unsigned long long)all, keys);
		if (chi_square(chosen, BUCKETS, 1) > chi_square_max(BUCKETS - 1))
			fail("keys << %u: the choice is no random one", shift);
	}
}

/* On different hosts, the same text chooses the same keys. Other bytes are another key. */
static void try_hosts(void)
{
	struct evtlog_sample a, b, c;
	unsigned int differ = 0;

	text = "1/10 by id seed 7";
	expect(!evtlog_sample_parse(text, &a) && !evtlog_sample_parse("1/10  by id", &b) &&
	       !evtlog_sample_parse("1/10 by id seed 0x7 ", &c));
	expect(a.seed == 7 && c.seed == 7 && b.seed == EVTLOG_SAMPLE_SEED);
	expect(a.by_len == 2 && !strncmp(a.by, "id", 2));
	for (u64 i = 0; i < 10000; i++) {
		char bytes[20] = { 0 };

		memcpy(bytes, &i, sizeof(i));
		differ += evtlog_sample_hash(7, bytes, 20) == evtlog_sample_hash(8, bytes, 20);
		bytes[17] = 1;
		differ += evtlog_sample_hash(7, bytes, 20) == evtlog_sample_hash(7, bytes, 16);
	}
	expect_equal(differ, 0);
}

static void try_refused(void)
{
	static const char *const bad[] = {
		"", " ", "1", "1/", "1/0", "1/-1", "1/0x", "1/1000000001", "2/3", "1/1e3",
		"1/18446744073709551617", "1/99999999999999999999999", "1/10by x", "1/10 by",
		"1/10 by ", "1/10 by x seed", "1/10 by x seed y", "1/10 by x seed 0x",
		"1/10 by x seed 18446744073709551616", "1/10 by x y", "1/10 x", "by x", "p", "p=",
		"p=0", "p=0.", "p=.5", "p=0.0", "p=1.000000001", "p=1.1", "p=2", "p=01", "p=-0.1",
		"p=0.0000000001", "p=0.5x", "p=0,5", "p=0.1 by x", "p=nan", "10", "10m", "0ms", "-1ms",
		"1.5ms", "10 ms", "3601s", "99999999999999999999s", "18446744073709551617ns", "ms",
		"10msx", "10ms 1", "\xff", "1/\xff",
	};
	struct evtlog_sample s;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		text = bad[i];
		expect(evtlog_sample_parse(bad[i], &s));
	}
	text = "1/0x10";
	expect(!evtlog_sample_parse(text, &s) && s.every == 16);
	text = "3600s";
	expect(!evtlog_sample_parse(text, &s) && s.interval_ns == EVTLOG_SAMPLE_NS_MAX);
	text = "p=1.0";
	expect(!evtlog_sample_parse(text, &s) && evtlog_sample_takes_all(&s));
	text = "p=0.000000001";
	expect(!evtlog_sample_parse(text, &s) && s.weight == EVTLOG_SAMPLE_P_ONE && !s.more);
}

/* Random parts of the language: refused with a sentence, or numbers within their bounds */
static void try_random_texts(void)
{
	static const char *const parts[] = {
		"1/", "p=", "0.", "10", "ms", "s", "us", "by", " ", "seed", "x", "0x", "99999999999",
		"1", "0", ".", "-", "5", "000000", "\x80", "_", "\t", "by x", "ns",
	};

	while (limits_elapsed() < limits.seconds) {
		char *line = calloc(1, 128);
		struct evtlog_sample s;
		const char *fault;

		expect(line);
		for (unsigned int n = random_below(&numbers, 8); n; n--)
			strcat(line, parts[random_below(&numbers, sizeof(parts) / sizeof(parts[0]))]);
		/* In a copy of exact size, so that ASan detects reads after the end */
		line = realloc(line, strlen(line) + 1);
		text = line;
		fault = evtlog_sample_parse(line, &s);
		if (fault)
			expect(strlen(fault) > 10);
		else if (s.kind == EVTLOG_SAMPLE_TIME)
			expect(s.interval_ns >= 1 && s.interval_ns <= EVTLOG_SAMPLE_NS_MAX);
		else
			expect(s.weight >= 1 && s.weight <= EVTLOG_SAMPLE_EVERY_MAX &&
			       s.nr_digits <= EVTLOG_SAMPLE_DIGITS_MAX);
		text = "";
		free(line);
	}
}

int main(int argc, char **argv)
{
	limits_parse(&limits, argc, argv);
	numbers.state = limits.seed;
	make_hits();
	try_refused();
	try_sample("1/1", 100, 100);
	try_sample("1/7", 88, 100);
	try_sample("1/100", 88, 100);
	try_sample("p=1", 100, 100);
	try_sample("p=0.3", 88, 100);
	try_sample("p=0.01", 88, 100);
	try_sample("1/100 by key", 88, 100);
	/* Weights resemble the pattern: a value is often equal to the previous value. */
	try_sample("1ms", 75, 100);
	try_sample("10ms", 75, 100);
	in_bursts = true;
	try_sample_within("1ms", 55, 100, 0.25);
	try_sample_within("10ms", 50, 100, 0.15);
	in_bursts = false;
	try_gaps("p=1", 1);
	try_gaps("p=0.999999999", 0.999999999);
	try_gaps("p=0.5", 0.5);
	try_gaps("p=0.07", 0.07);
	try_gaps("p=0.0001", 0.0001);
	try_gaps("p=0.000000001", 1e-9);
	try_keys();
	try_hosts();
	try_random_texts();
	return 0;
}
