// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The attribution of jitter on logs made by hand, where each part is known.
 *
 * One tick is one ns. CPU 0's task is 100, "bench", in user mode unless said.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <evtlog/jitter.h>

#include "../../tools/jitter/samples-write.h"
#include "../lib/loggen.h"

#define BASE		5000000000
#define BENCH		100
#define DAEMON		200
#define OTHER		201
#define KWORKER		50
#define SLEEPS		1
#define PREEMPTED	EVTLOG_STATE_PREEMPTED
#define TIMER		1
#define SCHED		7

static struct loggen *gen;
static struct evtlog_file *file;
static struct evtlog_samples *samples;
static struct evtlog_jitter *jitter;
static struct evtlog_error why;

static void at_cpu(unsigned int cpu, uint64_t at, unsigned int type, uint32_t data)
{
	loggen_record(gen, cpu, BASE + at, type, data, 1, NULL);
}

static void at(uint64_t ticks, unsigned int type, uint32_t data)
{
	at_cpu(0, ticks, type, data);
}

static void switch_on(unsigned int cpu, uint64_t ticks, uint32_t next, unsigned int state)
{
	at_cpu(cpu, ticks, EVTLOG_SCHED_SWITCH, next | state << EVTLOG_PID_BITS);
}

static void switch_to(uint64_t ticks, uint32_t next, unsigned int state)
{
	switch_on(0, ticks, next, state);
}

static void leave(uint64_t ticks)
{
	at(ticks, EVTLOG_USER_EXIT, EVTLOG_USER_EXIT_OTHER);
}

static void enter(uint64_t ticks, uint32_t pid)
{
	at(ticks, EVTLOG_USER_ENTER, pid);
}

static void name(uint32_t pid, const char *comm, uint32_t flags)
{
	uint64_t words[6] = { pid, 0, (uint64_t)flags << 32, 0 };

	loggen_comm(words + 4, comm);
	loggen_record(gen, 0, BASE, EVTLOG_TASK, pid, 7, words);
}

static void start(unsigned int cpus)
{
	struct loggen_options options = loggen_defaults();

	options.cpus = cpus;
	gen = loggen_new(&options);
	loggen_begin(gen, 0, BASE, BENCH, "bench");
	name(BENCH, "bench", 0);
	name(DAEMON, "daemon", 0);
	name(OTHER, "other", 0);
	name(KWORKER, "kworker/0:1", EVTLOG_TASK_KTHREAD);
	enter(1, BENCH);
}

static void finish(unsigned int cpus, uint64_t ticks)
{
	size_t length;
	const uint8_t *bytes;

	for (unsigned int cpu = 0; cpu < cpus; cpu++)
		loggen_end(gen, cpu, BASE + ticks);
	loggen_close(gen);
	bytes = loggen_bytes(gen, &length);
	assert_int_equal(evtlog_open_bytes(bytes, length, &file, &why), 0);
}

/* A sample of the loop, which takes 10 ticks undisturbed. */
struct span {
	uint64_t begin;
	uint64_t end;
};

/* For which there was no room */
static uint64_t dropped;

static void take_samples(const struct span *spans, size_t count, uint64_t end)
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
	assert_int_equal(samples_write(path, &to), 0);
	assert_int_equal(evtlog_samples_open(path, &samples, &why), 0);
	unlink(path);
	free(list);
}

static int attribute_by(const struct evtlog_jitter_options *options)
{
	return evtlog_jitter_new(file, samples, options, &jitter, &why);
}

static void attribute(void)
{
	static const struct evtlog_jitter_options none;

	if (attribute_by(&none))
		fail_msg("%s", why.reason);
}

static int give_back(void **state)
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
	return 0;
}

/* What a part must be; @source by its name. */
struct expected {
	uint64_t begin;
	uint64_t end;
	uint64_t own;
	const char *source;
	uint32_t pid;
	bool activation;
};

static void expect_parts(size_t number, const struct expected *expected, size_t count)
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

#define EXPECT(number, ...) do {						\
	const struct expected list[] = { __VA_ARGS__ };				\
	expect_parts(number, list, sizeof(list) / sizeof(list[0]));		\
} while (0)

static const struct evtlog_jitter_source *source(const char *wanted)
{
	size_t count;
	const struct evtlog_jitter_source *at = evtlog_jitter_sources(jitter, &count);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(at[i].name, wanted))
			return &at[i];
	fail_msg("no source %s", wanted);
	return NULL;
}

static const struct evtlog_jitter_sample *sample(size_t number)
{
	size_t count;
	const struct evtlog_jitter_sample *at = evtlog_jitter_samples(jitter, &count);

	assert_true(number < count);
	return &at[number];
}

/* A timer in a softirq in a daemon in a timer: each tick is the innermost's. */
static void nested_time_is_the_innermost_ones(void **state)
{
	start(1);
	leave(1000);
	at(1010, EVTLOG_LOCAL_TIMER_ENTRY, 236);
	at(1050, EVTLOG_LOCAL_TIMER_EXIT, 236);
	at(1055, EVTLOG_SOFTIRQ_ENTRY, TIMER);
	at(1060, EVTLOG_IRQ_HANDLER_ENTRY, 11);
	at(1067, EVTLOG_IRQ_HANDLER_EXIT, 11 | 1 << 24);
	at(1080, EVTLOG_SOFTIRQ_EXIT, TIMER);
	switch_to(1100, DAEMON, PREEMPTED);
	enter(1120, DAEMON);
	leave(1300);
	at(1310, EVTLOG_LOCAL_TIMER_ENTRY, 236);
	at(1330, EVTLOG_LOCAL_TIMER_EXIT, 236);
	enter(1340, DAEMON);
	at(1400, EVTLOG_USER_EXIT, EVTLOG_USER_EXIT_SYSCALL | 35 << 2);
	switch_to(1450, KWORKER, SLEEPS);
	switch_to(1500, BENCH, SLEEPS);
	enter(1520, BENCH);
	finish(1, 5000);
	take_samples(&(struct span) { 990, 1540 }, 1, 4000);
	attribute();
	EXPECT(0, { 1000, 1520, 10 + 5 + 20 + 20, "kernel entry and exit", BENCH, true },
	       { 1010, 1050, 40, "timer interrupt", BENCH, true },
	       { 1055, 1080, 25 - 7, "softirq TIMER", BENCH, true },
	       { 1060, 1067, 7, "irq 11 virtio0", BENCH, true },
	       { 1100, 1450, 350 - 20, "daemon", DAEMON, true },
	       { 1310, 1330, 20, "timer interrupt", DAEMON, true },
	       { 1450, 1500, 50, "kworker", KWORKER, true });
	assert_int_equal(source("timer interrupt")->count, 2);
	assert_int_equal(source("timer interrupt")->total_ticks, 60);
	assert_int_equal(source("timer interrupt")->family, EVTLOG_FAMILY_INTERRUPT);
	assert_int_equal(source("daemon")->family, EVTLOG_FAMILY_USER);
	assert_int_equal(source("kworker")->family, EVTLOG_FAMILY_KERNEL);
	assert_int_equal(sample(0)->noise_ticks, 540);
	assert_int_equal(sample(0)->kernel_ticks, 520);
	assert_int_equal(sample(0)->parts_ticks, 520);
	assert_int_equal(sample(0)->flags, EVTLOG_JITTER_MATCHED);
	assert_int_equal(sample(0)->crossing_ticks, 20);
	assert_int_equal(sample(0)->residual_ticks, 0);
}

/* Preempted and back is one part; over two interruptions it is one activation. */
static void preempted_tasks_go_on(void **state)
{
	start(1);
	leave(1000);
	switch_to(1010, DAEMON, PREEMPTED);
	switch_to(1100, OTHER, PREEMPTED);
	switch_to(1150, DAEMON, SLEEPS);
	switch_to(1250, BENCH, PREEMPTED);
	enter(1260, BENCH);
	leave(2000);
	at(2001, EVTLOG_RESCHEDULE_ENTRY, 253);
	at(2002, EVTLOG_RESCHEDULE_EXIT, 253);
	switch_to(2010, DAEMON, PREEMPTED);
	switch_to(2030, OTHER, SLEEPS);
	switch_to(2040, DAEMON, SLEEPS);
	switch_to(2070, 0, SLEEPS);
	switch_to(2090, BENCH, 0);
	enter(2100, BENCH);
	finish(1, 5000);
	take_samples(NULL, 0, 4000);
	attribute();
	EXPECT(0, { 1000, 1260, 20, "kernel entry and exit", BENCH, true },
	       { 1010, 1260, 190, "daemon", DAEMON, true },
	       { 1100, 1150, 50, "other", OTHER, true });
	EXPECT(1, { 2000, 2100, 1 + 8 + 10, "kernel entry and exit", BENCH, true },
	       { 2001, 2002, 1, "reschedule interrupt", BENCH, true },
	       { 2010, 2030, 20, "daemon", DAEMON, false },
	       { 2030, 2040, 10, "other", OTHER, true },
	       { 2040, 2070, 30, "daemon", DAEMON, true },
	       { 2070, 2090, 20, "idle", 0, true });
	assert_int_equal(source("daemon")->count, 3);
	assert_int_equal(source("daemon")->min_ticks, 20);
	assert_int_equal(source("daemon")->max_ticks, 190);
	assert_int_equal(source("daemon")->activations, 2);
	assert_int_equal(source("daemon")->activation_max, 210);
	assert_int_equal(source("daemon")->activation_min, 30);
	assert_int_equal(evtlog_jitter_summary(jitter)->missed, 2);
}

/* What a window cuts is in it neither as a sample nor as an interruption. */
static void a_window_has_whole_samples(void **state)
{
	static const struct span spans[] = { { 900, 1500 }, { 1500, 2500 }, { 2500, 3500 } };
	struct evtlog_jitter_options options = { 0 };
	const struct evtlog_jitter_thread *thread;
	const struct evtlog_jitter_summary *summary;
	uint64_t zero_ns;
	size_t count;

	start(1);
	for (unsigned int i = 1; i <= 3; i++) {
		leave(1000 * i);
		at(1000 * i + 10, EVTLOG_EXCEPTION_ENTRY, 14);
		at(1000 * i + 90, EVTLOG_EXCEPTION_EXIT, 14);
		enter(1000 * i + 100, BENCH);
	}
	switch_to(4500, 0, SLEEPS);
	finish(1, 5000);
	take_samples(spans, 3, 4000);
	attribute();
	zero_ns = evtlog_jitter_threads(jitter, &count)->begin_ns - 5;
	evtlog_jitter_free(jitter);
	options.from_ns = zero_ns + 950;
	options.to_ns = zero_ns + 3400;
	assert_int_equal(attribute_by(&options), 0);
	summary = evtlog_jitter_summary(jitter);
	assert_int_equal(summary->missed, 0);
	assert_int_equal(summary->interruptions, 1);
	assert_int_equal(summary->samples, 1);
	assert_int_equal(summary->window_ticks, 1000);
	thread = evtlog_jitter_threads(jitter, &count);
	assert_int_equal(thread->begin_ticks, BASE + 1500);
	assert_int_equal(thread->end_ticks, BASE + 2500);
	/* All of it is in one sample. */
	evtlog_jitter_free(jitter);
	options.from_ns = zero_ns + 1600;
	options.to_ns = zero_ns + 2400;
	assert_int_equal(attribute_by(&options), 0);
	assert_int_equal(evtlog_jitter_summary(jitter)->window_ticks, 0);
	assert_int_equal(evtlog_jitter_summary(jitter)->interruptions, 0);
}

/* A page fault that waits: the fault goes on, the CPU's time meanwhile is others'. */
static void a_fault_that_sleeps_is_one_part(void **state)
{
	start(1);
	leave(1000);
	at(1005, EVTLOG_EXCEPTION_ENTRY, 14);
	switch_to(1020, DAEMON, 2);
	at(1030, EVTLOG_EXCEPTION_ENTRY, 14);
	switch_to(1040, 0, 2);
	at(1050, EVTLOG_IRQ_HANDLER_ENTRY, 12);
	at(1060, EVTLOG_IRQ_HANDLER_EXIT, 12);
	switch_to(1070, DAEMON, 0);
	at(1075, EVTLOG_EXCEPTION_EXIT, 14);
	switch_to(1080, BENCH, SLEEPS);
	at(1090, EVTLOG_EXCEPTION_EXIT, 14);
	enter(1100, BENCH);
	finish(1, 5000);
	take_samples(&(struct span) { 990, 1140 }, 1, 4000);
	attribute();
	EXPECT(0, { 1000, 1100, 15, "kernel entry and exit", BENCH, true },
	       { 1005, 1090, 25, "page fault", BENCH, true },
	       { 1020, 1040, 10, "daemon", DAEMON, true },
	       { 1030, 1040, 10, "page fault", DAEMON, true },
	       { 1040, 1070, 20, "idle", 0, true },
	       { 1050, 1060, 10, "irq 12", 0, true },
	       { 1070, 1080, 5, "daemon", DAEMON, true },
	       { 1070, 1075, 5, "page fault", DAEMON, true });
}

/* System calls are the program's own; NMIs in user mode are told later. */
static void calls_do_not_interrupt_and_nmis_do(void **state)
{
	const uint64_t nmi[] = { 300, BASE + 2000 };

	start(1);
	at(1000, EVTLOG_USER_EXIT, EVTLOG_USER_EXIT_SYSCALL | 39 << 2);
	switch_to(1010, DAEMON, SLEEPS);
	switch_to(1020, BENCH, SLEEPS);
	enter(1030, BENCH);
	leave(3000);
	loggen_record(gen, 0, BASE + 3000, EVTLOG_USER_NMI, 1, 3, nmi);
	at(3001, EVTLOG_LOCAL_TIMER_ENTRY, 236);
	at(3041, EVTLOG_LOCAL_TIMER_EXIT, 236);
	enter(3100, BENCH);
	finish(1, 5000);
	take_samples((const struct span[]) { { 1990, 2330 }, { 2990, 3150 } }, 2, 4000);
	attribute();
	EXPECT(0, { 2000, 2300, 300, "NMI", BENCH, true });
	EXPECT(1, { 3000, 3100, 60, "kernel entry and exit", BENCH, true },
	       { 3001, 3041, 40, "timer interrupt", BENCH, true });
	assert_int_equal(sample(0)->flags, EVTLOG_JITTER_MATCHED);
	assert_int_equal(sample(0)->kernel_ticks, 300);
	assert_int_equal(sample(1)->flags, EVTLOG_JITTER_MATCHED);
	assert_int_equal(evtlog_jitter_summary(jitter)->missed, 0);
}

/* What is lost is in nothing, and counted. */
static void lost_records_exclude_their_samples(void **state)
{
	start(1);
	leave(500);
	switch_to(510, DAEMON, PREEMPTED);
	switch_to(520, BENCH, SLEEPS);
	enter(530, BENCH);
	leave(1000);
	at(1001, EVTLOG_LOCAL_TIMER_ENTRY, 236);
	at(1041, EVTLOG_LOCAL_TIMER_EXIT, 236);
	enter(1100, BENCH);
	leave(2000);
	loggen_lose(gen, 0, BASE + 2010, BASE + 2500, 7, BENCH, 0);
	enter(2600, BENCH);
	leave(3000);
	at(3001, EVTLOG_LOCAL_TIMER_ENTRY, 236);
	at(3041, EVTLOG_LOCAL_TIMER_EXIT, 236);
	enter(3100, BENCH);
	finish(1, 4000);
	take_samples((const struct span[]) { { 990, 1140 }, { 1990, 2640 },
		       { 2990, 3150 }, { 3900, 4100 } }, 4, 5000);
	attribute();
	assert_int_equal(sample(0)->flags, EVTLOG_JITTER_MATCHED);
	assert_int_equal(sample(1)->flags, EVTLOG_JITTER_EXCLUDED);
	assert_int_equal(sample(2)->flags, EVTLOG_JITTER_MATCHED);
	assert_int_equal(sample(3)->flags, EVTLOG_JITTER_EXCLUDED);
	assert_int_equal(evtlog_jitter_summary(jitter)->samples, 2);
	assert_int_equal(evtlog_jitter_summary(jitter)->matched, 2);
	assert_int_equal(evtlog_jitter_summary(jitter)->excluded, 2);
	assert_int_equal(evtlog_jitter_summary(jitter)->interruptions, 3);
	assert_int_equal(source("kernel entry and exit")->count, 3);
	{
		size_t count;
		const struct evtlog_jitter_thread *thread =
			evtlog_jitter_threads(jitter, &count);

		assert_int_equal(thread->lost, 7);
		assert_int_equal(thread->lost_ticks, 490 + 1000);
	}
}

/* What is left is the machine's, or the other thread's of the core when it was busy. */
static void the_rest_is_inferred(void **state)
{
	start(2);
	loggen_begin(gen, 1, BASE, 0, "swapper/1");
	leave(1000);
	at(1001, EVTLOG_LOCAL_TIMER_ENTRY, 236);
	at(1041, EVTLOG_LOCAL_TIMER_EXIT, 236);
	enter(1100, BENCH);
	switch_on(1, 3000, DAEMON, 0);
	switch_on(1, 3200, 0, SLEEPS);
	finish(2, 5000);
	take_samples((const struct span[]) { { 990, 1120 }, { 2000, 2310 },
		       { 3000, 3210 }, { 3300, 3510 } }, 4, 4000);
	attribute();
	assert_int_equal(sample(0)->crossing_ticks, 20);
	assert_int_equal(sample(0)->inferred_ticks, 0);
	assert_int_equal(sample(1)->inferred_ticks, 300);
	assert_int_equal(sample(1)->flags, 0);
	assert_true(source("crossing")->inferred);
	assert_int_equal(source("crossing")->total_ticks, 20);
	assert_int_equal(source("hypervisor or hardware")->count, 2);
	assert_int_equal(source("hypervisor or hardware")->total_ticks, 500);
	assert_int_equal(source("core's other thread")->count, 1);
	assert_int_equal(source("core's other thread")->total_ticks, 200);
	assert_int_equal(source("core's other thread")->family, EVTLOG_FAMILY_SMT);
	assert_int_equal(evtlog_jitter_summary(jitter)->samples, 4);
	assert_int_equal(evtlog_jitter_summary(jitter)->matched, 1);
	assert_int_equal(evtlog_jitter_summary(jitter)->max_residual_ticks, 300);
}

/* What nearly all samples lost to the host is no crossing, however regular it is. */
static void no_crossing_takes_long(void **state)
{
	start(1);
	for (uint64_t t = 100000; t <= 200000; t += 100000) {
		leave(t);
		at(t + 1, EVTLOG_LOCAL_TIMER_ENTRY, 236);
		at(t + 41, EVTLOG_LOCAL_TIMER_EXIT, 236);
		enter(t + 100, BENCH);
	}
	switch_to(450000, 0, SLEEPS);
	finish(1, 500000);
	take_samples((const struct span[]) { { 80000, 100112 }, { 180000, 200111 } }, 2, 400000);
	attribute();
	assert_int_equal(sample(0)->crossing_ticks, 0);
	assert_int_equal(sample(0)->inferred_ticks, 20002);
	assert_int_equal(sample(1)->inferred_ticks, 20001);
	assert_int_equal(source("hypervisor or hardware")->total_ticks, 40003);
}

/* Where there was no more room for samples, there are no interruptions without one. */
static void a_window_ends_where_the_room_does(void **state)
{
	start(1);
	for (uint64_t t = 1000; t <= 3000; t += 1000) {
		leave(t);
		at(t + 1, EVTLOG_LOCAL_TIMER_ENTRY, 236);
		at(t + 91, EVTLOG_LOCAL_TIMER_EXIT, 236);
		enter(t + 100, BENCH);
	}
	switch_to(4500, 0, SLEEPS);
	finish(1, 5000);
	dropped = 1;
	take_samples((const struct span[]) { { 990, 1120 }, { 1990, 2120 } }, 2, 4000);
	attribute();
	assert_int_equal(evtlog_jitter_summary(jitter)->dropped, 1);
	assert_int_equal(evtlog_jitter_summary(jitter)->missed, 0);
	assert_int_equal(evtlog_jitter_summary(jitter)->interruptions, 2);
	assert_int_equal(evtlog_jitter_summary(jitter)->window_ticks, 2120 - 5);
	assert_int_equal(source("timer interrupt")->count, 2);
}

/* Without samples: who waits is followed to the CPU that it goes on on. */
static void a_task_that_migrates_is_followed(void **state)
{
	const uint32_t pids[] = { BENCH };
	const struct evtlog_jitter_options options = { .pids = pids, .pid_count = 1 };

	start(2);
	loggen_begin(gen, 1, BASE, OTHER, "other");
	leave(1000);
	at(1001, EVTLOG_RESCHEDULE_ENTRY, 253);
	at(1002, EVTLOG_RESCHEDULE_EXIT, 253);
	switch_to(1010, DAEMON, PREEMPTED);
	switch_on(1, 1200, BENCH, SLEEPS);
	at_cpu(1, 1220, EVTLOG_USER_ENTER, BENCH);
	at_cpu(1, 1300, EVTLOG_USER_EXIT, EVTLOG_USER_EXIT_OTHER);
	at_cpu(1, 1310, EVTLOG_LOCAL_TIMER_ENTRY, 236);
	switch_to(1315, 0, SLEEPS);
	at_cpu(1, 1320, EVTLOG_LOCAL_TIMER_EXIT, 236);
	at_cpu(1, 1330, EVTLOG_USER_ENTER, BENCH);
	finish(2, 5000);
	if (attribute_by(&options))
		fail_msg("%s", why.reason);
	EXPECT(0, { 1000, 1220, 1 + 8 + 20, "kernel entry and exit", BENCH, true },
	       { 1001, 1002, 1, "reschedule interrupt", BENCH, true },
	       { 1010, 1200, 190, "daemon", DAEMON, true });
	EXPECT(1, { 1300, 1330, 20, "kernel entry and exit", BENCH, true },
	       { 1310, 1320, 10, "timer interrupt", BENCH, true });
}

static void a_log_without_the_events_is_refused(void **state)
{
	struct loggen_options options = loggen_defaults();

	options.cpus = 1;
	gen = loggen_new(&options);
	loggen_begin(gen, 0, BASE, BENCH, "bench");
	switch_to(1000, DAEMON, PREEMPTED);
	switch_to(1100, BENCH, SLEEPS);
	finish(1, 5000);
	take_samples(NULL, 0, 4000);
	assert_int_equal(attribute_by(NULL), -ENODATA);
	assert_non_null(strstr(why.reason, "user_exit"));
}

/* What comes in the same order is a pattern, however long it takes. */
static void patterns_are_sequences(void **state)
{
	const struct evtlog_jitter_pattern *patterns;
	const struct evtlog_interruption *i;
	const struct evtlog_jitter_source *sources;
	const uint32_t *sequence;
	size_t count;

	start(1);
	for (uint64_t t = 1000; t < 4000; t += 1000) {
		leave(t);
		at(t + 1, EVTLOG_LOCAL_TIMER_ENTRY, 236);
		at(t + 1 + t / 100, EVTLOG_LOCAL_TIMER_EXIT, 236);
		if (t != 2000) {
			switch_to(t + 100, DAEMON, PREEMPTED);
			switch_to(t + 200, BENCH, SLEEPS);
		}
		enter(t + 300, BENCH);
	}
	leave(4000);
	enter(4010, BENCH);
	finish(1, 5000);
	take_samples(NULL, 0, 4500);
	attribute();
	i = evtlog_jitter_interruptions(jitter, &count);
	assert_int_equal(count, 4);
	assert_int_equal(i[0].pattern, i[2].pattern);
	assert_int_equal(i[0].pattern, 0);
	assert_int_equal(i[1].pattern, 1);
	assert_int_equal(i[3].pattern, 2);
	patterns = evtlog_jitter_patterns(jitter, &count);
	assert_int_equal(count, 3);
	assert_int_equal(patterns[0].count, 2);
	assert_int_equal(patterns[0].total_ticks, 600);
	assert_int_equal(patterns[0].length, 2);
	sequence = evtlog_jitter_pattern_sources(jitter, &patterns[0]);
	sources = evtlog_jitter_sources(jitter, &count);
	assert_string_equal(sources[sequence[0]].name, "timer interrupt");
	assert_string_equal(sources[sequence[1]].name, "daemon");
	sequence = evtlog_jitter_pattern_sources(jitter, &patterns[2]);
	assert_string_equal(sources[sequence[0]].name, "kernel entry and exit");
}

/* KWORKER comes after DAEMON, OTHER at any time: only that is a rule. */
static void tasks_that_follow_each_other_are_chains(void **state)
{
	const struct evtlog_jitter_pattern *chains;
	const struct evtlog_jitter_source *sources;
	const uint32_t *sequence;
	uint64_t t = 1000, random = 12345;
	size_t count, ignored;

	start(1);
	for (int i = 0; i < 40; i++) {
		leave(t);
		at(t + 1, EVTLOG_LOCAL_TIMER_ENTRY, 236);
		at(t + 9, EVTLOG_LOCAL_TIMER_EXIT, 236);
		switch_to(t + 10, DAEMON, PREEMPTED);
		switch_to(t + 20, BENCH, SLEEPS);
		enter(t + 30, BENCH);
		leave(t + 200);
		switch_to(t + 210, KWORKER, PREEMPTED);
		switch_to(t + 220, BENCH, SLEEPS);
		enter(t + 230, BENCH);
		for (random = random * 6364136223846793005u + 1; random >> 62;
		     random = random * 6364136223846793005u + 1) {
			t += 1000;
			leave(t);
			switch_to(t + 10, OTHER, PREEMPTED);
			switch_to(t + 20, BENCH, SLEEPS);
			enter(t + 30, BENCH);
		}
		t += 1000;
	}
	finish(1, t + 5000);
	take_samples(NULL, 0, t);
	attribute();
	chains = evtlog_jitter_chains(jitter, &count);
	sources = evtlog_jitter_sources(jitter, &ignored);
	assert_int_equal(count, 1);
	assert_int_equal(chains[0].length, 2);
	assert_int_equal(chains[0].count, 40);
	assert_int_equal(chains[0].min_ticks, 200);
	assert_int_equal(chains[0].max_ticks, 200);
	assert_int_equal(chains[0].total_ticks, 8000);
	sequence = evtlog_jitter_chain_sources(jitter, &chains[0]);
	assert_string_equal(sources[sequence[0]].name, "daemon");
	assert_string_equal(sources[sequence[1]].name, "kworker");
}

/* Only what lies in it as a whole. */
static void a_part_of_the_run_is_a_window(void **state)
{
	/* Ticks are ns, and 2 s less than the events' time: see loggen_defaults(). */
	const uint64_t origin = 7000000000;
	struct evtlog_jitter_options options = {
		.from_ns = origin + 1500,
		.to_ns = origin + 3050,
	};
	const struct evtlog_jitter_thread *thread;
	size_t count;

	start(1);
	for (uint64_t t = 1000; t <= 3000; t += 1000) {
		leave(t);
		at(t + 1, EVTLOG_LOCAL_TIMER_ENTRY, 236);
		at(t + 50, EVTLOG_LOCAL_TIMER_EXIT, 236);
		switch_to(t + 60, DAEMON, PREEMPTED);
		switch_to(t + 70, BENCH, SLEEPS);
		enter(t + 100, BENCH);
	}
	finish(1, 5000);
	take_samples((const struct span[]) { { 990, 1120 }, { 1990, 2120 }, { 2990, 3120 } },
		     3, 4000);
	assert_int_equal(attribute_by(&options), 0);
	assert_int_equal(evtlog_jitter_summary(jitter)->interruptions, 1);
	assert_int_equal(evtlog_jitter_summary(jitter)->samples, 1);
	assert_int_equal(evtlog_jitter_summary(jitter)->matched, 1);
	/* Up to the sample that is not in it whole */
	assert_int_equal(evtlog_jitter_summary(jitter)->window_ticks, 1490);
	assert_int_equal(source("timer interrupt")->total_ticks, 49);
	thread = evtlog_jitter_threads(jitter, &count);
	assert_int_equal(thread->begin_ns, options.from_ns);
	assert_int_equal(thread->end_ns, origin + 2990);
	assert_int_equal(evtlog_jitter_time_ns(jitter, 0, BASE + 2000), origin + 2000);
}

static void percentiles_are_values_that_were_seen(void **state)
{
	const uint64_t values[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };

	assert_int_equal(evtlog_jitter_percentile(values, 10, 0), 1);
	assert_int_equal(evtlog_jitter_percentile(values, 10, 10), 1);
	assert_int_equal(evtlog_jitter_percentile(values, 10, 10.1), 2);
	assert_int_equal(evtlog_jitter_percentile(values, 10, 50), 5);
	assert_int_equal(evtlog_jitter_percentile(values, 10, 99.999), 10);
	assert_int_equal(evtlog_jitter_percentile(values, 0, 50), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_teardown(name, give_back)
		TEST(nested_time_is_the_innermost_ones),
		TEST(preempted_tasks_go_on),
		TEST(a_window_has_whole_samples),
		TEST(a_fault_that_sleeps_is_one_part),
		TEST(calls_do_not_interrupt_and_nmis_do),
		TEST(lost_records_exclude_their_samples),
		TEST(the_rest_is_inferred),
		TEST(no_crossing_takes_long),
		TEST(a_window_ends_where_the_room_does),
		TEST(a_task_that_migrates_is_followed),
		TEST(a_log_without_the_events_is_refused),
		TEST(patterns_are_sequences),
		TEST(tasks_that_follow_each_other_are_chains),
		TEST(a_part_of_the_run_is_a_window),
		TEST(percentiles_are_values_that_were_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
