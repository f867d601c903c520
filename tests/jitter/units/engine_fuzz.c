// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * engine_fuzz SEED LOGS - attributes jitter in random records and samples.
 *
 * The files are complete, but their contents make no sense.  The parts of each interruption must
 * add up to it and lie in it in order, and all indexes must be valid.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <evtlog/jitter.h>

#include "../../support/loggen.h"
#include "jitter/bench/run.h"

#define BASE		5000000000
#define CPUS_MAX	4
#define SAMPLES_MAX	200

static uint64_t state, interruptions;

static uint64_t below(uint64_t limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 16) % limit;
}

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "engine_fuzz: WRONG: %s\n", what);
	abort();
}

/* Mostly the types that matter, with few pids; sometimes any type and data. */
static void add_record(struct loggen *gen, unsigned int cpu, uint64_t now)
{
	static const unsigned int types[] = {
#define X(number, NAME, name, words, fields) number,
		EVTLOG_TYPES(X)
#undef X
	};
	static const unsigned int often[] = {
		EVTLOG_USER_EXIT, EVTLOG_USER_ENTER, EVTLOG_SCHED_SWITCH,
		EVTLOG_LOCAL_TIMER_ENTRY, EVTLOG_LOCAL_TIMER_EXIT, EVTLOG_SOFTIRQ_ENTRY,
		EVTLOG_SOFTIRQ_EXIT, EVTLOG_EXCEPTION_ENTRY, EVTLOG_EXCEPTION_EXIT,
		EVTLOG_USER_NMI,
	};
	const size_t kinds = sizeof(types) / sizeof(types[0]);
	unsigned int wanted = often[below(10)];
	uint64_t more[8];
	uint32_t data = below(4) | below(10) << EVTLOG_PID_BITS;
	size_t kind = below(kinds);

	/* The writer adds time records itself, with correct times. */
	do
		kind = below(kinds);
	while (types[kind] == EVTLOG_TIME);
	if (below(10))
		for (kind = 0; types[kind] != wanted; kind++)
			;
	if (!below(10))
		data = below(EVTLOG_DATA_MAX + 1);
	if (types[kind] == EVTLOG_USER_EXIT && below(5))
		data = EVTLOG_USER_EXIT_OTHER;
	for (int i = 0; i < 8; i++)
		more[i] = below(4) ? below(5) : below(3) ? now - below(5000) :
			  (uint64_t)-1 >> below(64);
	/* Records of variable size are not larger than @more. */
	if (types[kind] == EVTLOG_EVENT || types[kind] == EVTLOG_EVENT_FORMAT)
		data = (data & EVTLOG_EVENT_ID_MAX) | below(57) << EVTLOG_EVENT_ID_BITS;
	loggen_record(gen, cpu, now, types[kind], data,
		      evtlog_record_words((uint64_t)types[kind] << EVTLOG_TYPE_SHIFT |
					  (uint64_t)data << EVTLOG_DATA_SHIFT), more);
}

static struct loggen *make_log(unsigned int *cpus)
{
	struct loggen_options options = loggen_defaults();
	uint64_t now = BASE, start = BASE - (below(2) ? 0 : below(20000));
	unsigned int records = below(2000);
	struct loggen *gen;

	options.cpus = 1 + below(CPUS_MAX);
	options.tsc_bad = !below(10);
	gen = loggen_new(&options);
	for (unsigned int cpu = 0; cpu < options.cpus; cpu++)
		loggen_join(gen, cpu, start, now, below(4), "any");
	for (unsigned int i = 0; i < records; i++) {
		unsigned int cpu = below(options.cpus);

		now += below(20) ? below(30) : below(3000);
		if (!below(100)) {
			loggen_lose(gen, cpu, now, now + below(300), below(9), below(4), 0);
			now += 300;
		}
		add_record(gen, cpu, now);
	}
	for (unsigned int cpu = 0; cpu < options.cpus; cpu++)
		if (!cpu || below(20))
			loggen_end(gen, cpu, now + 1);
	loggen_close(gen);
	*cpus = options.cpus;
	return gen;
}

static struct evtlog_samples *make_samples(const char *path)
{
	static struct evtlog_sample lists[CPUS_MAX][SAMPLES_MAX];
	const struct evtlog_sample *samples[CPUS_MAX];
	struct evtlog_samples_thread threads[CPUS_MAX] = { 0 };
	struct samples_file file = {
		.method = below(3),
		.ticks_hz = 1000000000,
		.text = below(2) ? "irq.3=disk\nsmt.0=0-3\nsmt.1=x,,9-,-\n" : "boot_id=xyz\n",
		.threads = threads,
		.samples = samples,
		.count = below(CPUS_MAX + 1),
	};
	struct evtlog_samples *read;
	struct evtlog_error why;
	uint64_t at;

	for (unsigned int i = 0; i < file.count; i++) {
		struct evtlog_samples_thread *thread = &threads[i];

		at = BASE + below(3000);
		samples[i] = lists[i];
		thread->cpu = i ? threads[i - 1].cpu + 1 + !below(9) : !below(9);
		thread->pid = below(5);
		thread->begin_ticks = at;
		thread->base_ticks = below(30);
		thread->base_work = below(5) + 1;
		thread->threshold_ticks = below(60);
		thread->begin.run = below(3) ? 0 : below(3);
		thread->samples = below(SAMPLES_MAX);
		for (uint64_t k = 0; k < thread->samples; k++) {
			lists[i][k].begin_ticks = at += below(500);
			lists[i][k].end_ticks = at += below(4) ? below(300) : below(5000);
			lists[i][k].work = file.method == EVTLOG_SAMPLES_QUANTUM ? below(9) : 0;
		}
		thread->end_ticks = at + below(1000);
	}
	must(!samples_save(path, &file), "samples are written");
	if (evtlog_samples_open(path, &read, &why)) {
		fprintf(stderr, "engine_fuzz: %s\n", why.reason);
		read = NULL;
	}
	unlink(path);
	return read;
}

static void check_interruption(const struct evtlog_jitter *jitter,
			       const struct evtlog_interruption *i)
{
	size_t threads, parts, sources, samples, patterns;
	const struct evtlog_jitter_part *part = evtlog_jitter_parts(jitter, &parts);
	uint64_t sum = 0, last = i->leave_ticks;

	evtlog_jitter_threads(jitter, &threads);
	evtlog_jitter_sources(jitter, &sources);
	evtlog_jitter_samples(jitter, &samples);
	evtlog_jitter_patterns(jitter, &patterns);
	must(i->leave_ticks <= i->enter_ticks, "an interruption ends before it begins");
	must(i->thread < threads, "an interruption's thread");
	must(i->sample == EVTLOG_JITTER_NONE || i->sample < samples, "its sample");
	if (i->flags & EVTLOG_JITTER_EXCLUDED) {
		must(!i->parts && i->pattern == EVTLOG_JITTER_NONE, "what is excluded");
		return;
	}
	must(i->pattern < patterns, "its pattern");
	must(i->parts && i->first_part + (size_t)i->parts <= parts, "its parts");
	part += i->first_part;
	for (uint32_t k = 0; k < i->parts; k++, part++) {
		must(part->source < sources, "a part's source");
		must(part->begin_ticks >= last && part->end_ticks >= part->begin_ticks &&
		     part->end_ticks <= i->enter_ticks, "parts are in order, and in it");
		must(part->own_ticks <= part->end_ticks - part->begin_ticks, "a part's own");
		last = part->begin_ticks;
		sum += part->own_ticks;
	}
	must(sum == i->enter_ticks - i->leave_ticks, "parts partition it");
	interruptions++;
}

static void check(const struct evtlog_jitter *jitter)
{
	const struct evtlog_jitter_summary *summary = evtlog_jitter_summary(jitter);
	const struct evtlog_interruption *i;
	const struct evtlog_jitter_sample *s;
	const struct evtlog_jitter_source *source;
	const struct evtlog_jitter_thread *thread;
	size_t count, sources, all;

	i = evtlog_jitter_interruptions(jitter, &all);
	for (size_t k = 0; k < all; k++)
		check_interruption(jitter, &i[k]);
	source = evtlog_jitter_sources(jitter, &sources);
	for (size_t k = 0; k < sources; k++)
		must(source[k].count && source[k].min_ticks <= source[k].max_ticks &&
		     source[k].period_ticks >= 0 && source[k].sum_squares >= 0 &&
		     (!k || source[k].total_ticks <= source[k - 1].total_ticks), "a source");
	s = evtlog_jitter_samples(jitter, &count);
	for (size_t k = 0; k < count; k++) {
		must(s[k].inferred_source == EVTLOG_JITTER_NONE ||
		     s[k].inferred_source < sources, "a sample's source");
		must(s[k].first_interruption + (size_t)s[k].interruptions <= all,
		     "a sample's interruptions");
		must(s[k].flags & EVTLOG_JITTER_EXCLUDED || s[k].parts_ticks == s[k].kernel_ticks,
		     "a sample's parts");
	}
	thread = evtlog_jitter_threads(jitter, &count);
	for (size_t k = 0; k < count; k++)
		evtlog_jitter_time_ns(jitter, k, thread[k].end_ticks);
	must(summary->matched <= summary->samples, "more match than there are");
}

int main(int argc, char **argv)
{
	uint64_t rounds, attributed = 0;
	char path[] = "/tmp/engine-fuzz-XXXXXX";
	int fd;

	if (argc != 3)
		return 2;
	state = strtoull(argv[1], NULL, 0) * 2654435761u + 88172645463325252u;
	fd = mkstemp(path);
	if (fd < 0 || close(fd))
		return 1;
	for (rounds = 0; rounds < strtoull(argv[2], NULL, 0); rounds++) {
		uint32_t pids[] = { below(5), below(5), below(5) };
		struct evtlog_jitter_options options = {
			.by_task = below(2),
			.pids = pids,
			.pid_count = below(4),
			.from_ns = below(4) ? 0 : 7000000000 + below(20000),
			.to_ns = below(4) ? 0 : 7000000000 + below(20000),
		};
		struct evtlog_samples *samples = below(3) ? make_samples(path) : NULL;
		struct evtlog_jitter *jitter;
		struct evtlog_error why;
		struct evtlog_file *file;
		const uint8_t *bytes;
		unsigned int cpus;
		struct loggen *gen = make_log(&cpus);
		size_t length;

		bytes = loggen_bytes(gen, &length);
		must(!evtlog_open_bytes(bytes, length, &file, &why), "the log opens");
		if (!evtlog_jitter_new(file, samples, &options, &jitter, &why)) {
			attributed++;
			check(jitter);
			evtlog_jitter_free(jitter);
		} else {
			must(why.reason[0], "why it is refused");
		}
		evtlog_samples_close(samples);
		evtlog_close(file);
		loggen_free(gen);
	}
	printf("ok    %" PRIu64 " logs, %" PRIu64 " attributed, %" PRIu64
	       " interruptions partitioned\n", rounds, attributed, interruptions);
	return attributed && interruptions ? 0 : 1;
}
