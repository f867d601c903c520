// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds logs and samples by hand, and attributes them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "by-hand.h"
#include "jitter/bench/run.h"

struct loggen *gen;
struct evtlog_jitter *jitter;
struct evtlog_error why;
uint64_t dropped;
const char *meta;

static struct evtlog_file *file;
static struct evtlog_samples *samples;

void at_cpu(unsigned int cpu, uint64_t at, unsigned int type, uint32_t data)
{
	loggen_record(gen, cpu, BASE + at, type, data, 1, NULL);
}

void at(uint64_t ticks, unsigned int type, uint32_t data)
{
	at_cpu(0, ticks, type, data);
}

void switch_on(unsigned int cpu, uint64_t ticks, uint32_t next, unsigned int state)
{
	at_cpu(cpu, ticks, EVTLOG_SCHED_SWITCH, next | state << EVTLOG_PID_BITS);
}

void switch_to(uint64_t ticks, uint32_t next, unsigned int state)
{
	switch_on(0, ticks, next, state);
}

void leave(uint64_t ticks)
{
	at(ticks, EVTLOG_USER_EXIT, EVTLOG_USER_EXIT_OTHER);
}

void enter(uint64_t ticks, uint32_t pid)
{
	at(ticks, EVTLOG_USER_ENTER, pid);
}

void interrupt(uint64_t from, uint64_t to)
{
	at(from, EVTLOG_LOCAL_TIMER_ENTRY, 236);
	at(to, EVTLOG_LOCAL_TIMER_EXIT, 236);
}

void interrupt_each(uint64_t step, uint64_t last, uint64_t length)
{
	for (uint64_t t = step; t <= last; t += step) {
		leave(t);
		interrupt(t + 1, t + 1 + length);
		enter(t + 100, BENCH);
	}
}

static void name(uint32_t pid, const char *comm, uint32_t flags)
{
	uint64_t words[6] = { pid, 0, (uint64_t)flags << 32, 0 };

	loggen_comm(words + 4, comm);
	loggen_record(gen, 0, BASE, EVTLOG_TASK, pid, 7, words);
}

void begin_log(unsigned int cpus)
{
	struct loggen_options options = loggen_defaults();

	options.cpus = cpus;
	options.meta = meta;
	gen = loggen_new(&options);
	loggen_begin(gen, 0, BASE, BENCH, "bench");
	name(BENCH, "bench", 0);
	name(DAEMON, "daemon", 0);
	name(OTHER, "other", 0);
	name(KWORKER, "kworker/0:1", EVTLOG_TASK_KTHREAD);
	enter(1, BENCH);
}

void end_log(unsigned int cpus, uint64_t ticks)
{
	size_t length;
	const uint8_t *bytes;

	for (unsigned int cpu = 0; cpu < cpus; cpu++)
		loggen_end(gen, cpu, BASE + ticks);
	loggen_close(gen);
	bytes = loggen_bytes(gen, &length);
	assert_int_equal(evtlog_open_bytes(bytes, length, &file, &why), 0);
}

void take_samples(const struct span *spans, size_t count, uint64_t end)
{
	struct evtlog_sample *list = calloc(count + 1, sizeof(*list));
	struct evtlog_samples_thread thread = {
		.pid = BENCH,
		.begin_ticks = BASE + 5,
		.end_ticks = BASE + end,
		.base_ticks = 10,
		.threshold_ticks = 50,
		.samples = count,
		.dropped = dropped,
	};
	const struct evtlog_sample *lists[] = { list };
	char path[] = "/tmp/engine-test-XXXXXX";
	struct samples_file to = {
		.flags = EVTLOG_SAMPLES_LOGGED,
		.method = EVTLOG_SAMPLES_LOOP,
		.ticks_hz = 1000000000,
		.text = "host=testhost\nirq.11=virtio0\nsmt.0=0-1\n",
		.threads = &thread,
		.samples = lists,
		.count = 1,
	};
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	unlink(path);
	for (size_t i = 0; i < count; i++)
		list[i] = (struct evtlog_sample) {
			.begin_ticks = BASE + spans[i].begin,
			.end_ticks = BASE + spans[i].end,
		};
	assert_int_equal(samples_save(path, &to), 0);
	assert_int_equal(evtlog_samples_open(path, &samples, &why), 0);
	unlink(path);
	free(list);
}

int attribute_by(const struct evtlog_jitter_options *options)
{
	return evtlog_jitter_new(file, samples, options, &jitter, &why);
}

int attribute_of(const struct evtlog_jitter_span *spans, size_t count,
		 const struct evtlog_jitter_options *options)
{
	evtlog_jitter_free(jitter);
	return evtlog_jitter_new_of(file, spans, count, options, &jitter, &why);
}

void attribute(void)
{
	static const struct evtlog_jitter_options none;

	if (attribute_by(&none))
		fail_msg("%s", why.reason);
}

int give_back(void **state)
{
	evtlog_jitter_free(jitter);
	evtlog_samples_close(samples);
	evtlog_close(file);
	if (gen)
		loggen_free(gen);
	jitter = NULL;
	samples = NULL;
	file = NULL;
	gen = NULL;
	dropped = 0;
	meta = NULL;
	return 0;
}

void expect_parts(size_t number, const struct expected *expected, size_t count)
{
	size_t all;
	const struct evtlog_interruption *i = evtlog_jitter_interruptions(jitter, &all);
	const struct evtlog_jitter_part *part = evtlog_jitter_parts(jitter, &all);
	const struct evtlog_jitter_source *sources = evtlog_jitter_sources(jitter, &all);
	uint64_t sum = 0;

	i += number;
	part += i->first_part;
	for (size_t k = 0; k < count && k < i->parts; k++, part++, expected++) {
		if (part->begin_ticks != BASE + expected->begin ||
		    part->end_ticks != BASE + expected->end ||
		    part->own_ticks != expected->own ||
		    strcmp(sources[part->source].name, expected->source) ||
		    part->pid != expected->pid ||
		    part->activation != expected->activation)
			fail_msg("part %zu: %d to %d, own %d, %s of %u, %d; expected %s", k,
				 (int)(part->begin_ticks - BASE),
				 (int)(part->end_ticks - BASE), (int)part->own_ticks,
				 sources[part->source].name, part->pid, part->activation,
				 expected->source);
		sum += part->own_ticks;
	}
	assert_int_equal(i->parts, count);
	assert_int_equal(sum, i->enter_ticks - i->leave_ticks);
}

const struct evtlog_jitter_source *source(const char *wanted)
{
	size_t count;
	const struct evtlog_jitter_source *at = evtlog_jitter_sources(jitter, &count);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(at[i].name, wanted))
			return &at[i];
	fail_msg("no source %s", wanted);
	return NULL;
}

const struct evtlog_jitter_sample *sample(size_t number)
{
	size_t count;
	const struct evtlog_jitter_sample *at = evtlog_jitter_samples(jitter, &count);

	assert_true(number < count);
	return &at[number];
}
