// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starts and stops by one store, on a machine whose CPUs are threads: the kernel's run.c, arm.c,
 * publish.c, join.c, counters.c and ring.c.
 *
 * CPU 0 starts and stops; the other CPUs act as in ring_cpus.c. ring_story.c keeps what they did,
 * and compares it with the log.
 */
#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <unistd.h>

#include "ring_cpus.h"

#include "ring.h"
#include "run.h"

#include "expect.h"
#include "limits.h"
#include "ring_story.h"

/* Number of runs without a ring of the last CPU */
#define POOR_RUNS	20

/* --ops times this is the limit of runs until everything has happened. */
#define PATIENCE	20

static struct limits limits = { .seconds = 3 };
static bool reader_over;
static bool all_happened;
static u64 runs;

void fail(const char *format, ...)
{
	char text[512];
	va_list list;
	int n;

	va_start(list, format);
	n = vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	dprintf(STDERR_FILENO, "FAIL: %.*s (SEED=%" PRIu64 ")\n", n, text, limits.seed);
	_exit(1);
}

/* Reading */

static u64 checksum(const void *data, u32 bytes)
{
	const u64 *word = data;
	u64 sum = 0;
	u32 i;

	for (i = 0; i < bytes / 8; i++)
		sum = random_mix(sum + word[i]);
	return sum;
}

static bool read_one(unsigned int cpu)
{
	struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);
	const struct evtlog_buffer_header *h;
	u64 before;

	if (!smp_load_acquire(&r->nr_buffers))
		return false;
	h = evtlog_ring_peek(r, NULL);
	if (!h)
		return false;
	before = checksum(h, r->buffer_bytes);
	story_judge(cpu, h, r->buffer_bytes);
	if (random_one_in(&rng, 32))
		sleep_us(random_below(&rng, 200));
	if (checksum(h, r->buffer_bytes) != before)
		fail("cpu %u: a buffer was written after it was handed over", cpu);
	memset((void *)h, 0x5a, r->buffer_bytes);
	evtlog_ring_release(r);
	evtlog_run_reader_returned(cpu);
	return true;
}

/* Rare cases take some runs. Called by the reader, or after the threads have ended. */
static bool has_all_happened(bool rare)
{
	const struct story_totals *t = &story_totals;
	u64 offline = __atomic_load_n(&cpu_totals.offline, __ATOMIC_RELAXED);
	u64 calls = __atomic_load_n(&cpu_totals.calls, __ATOMIC_RELAXED);
	u64 lines = __atomic_load_n(&cpu_totals.lines, __ATOMIC_RELAXED);

	return t->unused && t->counters && t->softirqs_late && t->nmis &&
	       (!rare || (offline && calls && lines && t->unused_nmis));
}

static void *reader_main(void *arg)
{
	unsigned int cpu;
	bool any, last;

	rng.state = *(const u64 *)arg;
	shim_races_seed(random_next(&rng));
	do {
		last = __atomic_load_n(&reader_over, __ATOMIC_ACQUIRE);
		any = false;
		for (cpu = 0; cpu < SHIM_CPUS; cpu++)
			any |= read_one(cpu);
		if (!any)
			sleep_us(50);
		__atomic_store_n(&all_happened, has_all_happened(true), __ATOMIC_RELAXED);
	} while (any || !last);
	return NULL;
}

/* Starting and stopping, on CPU 0 */

/* The stopper's number of looks */
static u32 rounds;

/* Each CPU that is active has had an event. */
static void wait_for_tick(void)
{
	unsigned int cpu, i;
	u64 before[SHIM_CPUS];

	for (cpu = 1; cpu < SHIM_CPUS; cpu++)
		before[cpu] = __atomic_load_n(&cpus[cpu].ticks, __ATOMIC_ACQUIRE);
	for (cpu = 1; cpu < SHIM_CPUS; cpu++) {
		for (i = 0; __atomic_load_n(&cpus[cpu].ticks, __ATOMIC_ACQUIRE) ==
		     before[cpu]; i++) {
			if (!(shim_idle_look(cpu) & 1) || !cpu_online(cpu) ||
			    __atomic_load_n(&cpus[cpu].silent, __ATOMIC_SEQ_CST))
				break;
			if (i > 200000)
				fail("cpu %u stands still", cpu);
			sleep_us(20);
		}
	}
}

long schedule_timeout_uninterruptible(long ticks)
{
	if (rounds++ > 1000)
		fail("a CPU does not leave");
	cpu_switches_task();
	shim_idle_enter();
	wait_for_tick();
	shim_idle_exit();
	cpu_switches_task();
	return 0;
}

long schedule_timeout_interruptible(long ticks)
{
	sleep_us(100);
	return 0;
}

static void pass_time(void)
{
	u32 n;

	switch (random_below(&rng, 4)) {
	case 0:
		break;
	case 1:
		sleep_us(random_below(&rng, 2000));
		break;
	default:
		for (n = random_below(&rng, 20); n; n--)
			cpu_does_something();
	}
}

/* A CPU without a ring also took part, and is missing in the log. */
static void wait_for_reader(u64 run)
{
	u32 wanted, i = 0;

	shim_idle_enter();
	while (story_finals(run, &wanted) + story_is_missing(run) != wanted || !wanted) {
		if (i++ > 200000)
			fail("run %" PRIu64 ": a FINAL buffer is missing: %u of %u",
			     (uint64_t)run, story_finals(run, &wanted), wanted);
		sleep_us(50);
	}
	shim_idle_exit();
}

static void run_once(void)
{
	int error;

	__atomic_store_n(&trusted, !random_one_in(&rng, 8), __ATOMIC_RELAXED);
	has_memory = runs >= POOR_RUNS;
	if (!has_memory)
		story_is_poor(evtlog_run.run + 1);
	do {
		/* Or start with the function that first gets buffers. */
		error = runs == POOR_RUNS || (has_memory && random_one_in(&rng, 8)) ?
			-EAGAIN : evtlog_run_publish_start(NULL);
		if (error == -EAGAIN)
			error = evtlog_run_start(NULL);
	} while (error == -EBUSY || (error == -ENOMEM && !has_memory));
	expect_equal(error, 0);
	pass_time();

	__atomic_store_n(&stops_begun, stops_begun + 1, __ATOMIC_SEQ_CST);
	expect_equal(evtlog_run_publish_stop(), 0);
	story_stopped(evtlog_run.run);
	if (random_one_in(&rng, 2))
		pass_time();
	rounds = 0;
	expect_equal(evtlog_run_stop(), 0);
	runs++;
	if (random_one_in(&rng, 4) || runs % 4 == 0)
		wait_for_reader(evtlog_run.run);
	if (random_one_in(&rng, 2))
		pass_time();
}

static void report(void)
{
	const struct story_totals *t = &story_totals;
	const struct cpu_totals *c = &cpu_totals;

	printf("%" PRIu64 " runs in %.1f s, %" PRIu64 " parts: %" PRIu64 " without events, %"
	       PRIu64 " with losses, %" PRIu64 " offline at the end\n", (uint64_t)runs,
	       limits_elapsed(), (uint64_t)t->parts, (uint64_t)t->unused, (uint64_t)t->lossy,
	       (uint64_t)t->uncounted);
	printf("%" PRIu64 " records, %" PRIu64 " lost, %" PRIu64 " counters compared, %" PRIu64
	       " times softirqs' later; %" PRIu64 " times offline, %" PRIu64 " interruptions\n",
	       (uint64_t)t->records, (uint64_t)t->lost, (uint64_t)t->counters,
	       (uint64_t)t->softirqs_late, (uint64_t)c->offline, (uint64_t)c->calls);
	printf("%" PRIu64 " messages, %" PRIu64 " interrupt lines given back, %" PRIu64
	       " NMIs: %" PRIu64 " told, %" PRIu64 " of parts without events\n",
	       (uint64_t)c->messages, (uint64_t)c->lines, (uint64_t)c->nmis, (uint64_t)t->nmis,
	       (uint64_t)t->unused_nmis);
	if (!has_all_happened(runs >= 1000))
		fail("something did not happen: this proved too little");
}

/* With --ops of 1,000 or more, rare cases must happen; their rate depends on the machine. */
static bool go_on(void)
{
	if (limits.seconds > 0)
		return limits_elapsed() < limits.seconds;
	return runs < limits.ops || (limits.ops >= 1000 && runs < PATIENCE * limits.ops &&
				     !__atomic_load_n(&all_happened, __ATOMIC_RELAXED));
}

/* Before any CPU has an event: a failed arming releases its buffers. */
static void arm_in_vain(void)
{
	unsigned int cpu;

	expect_equal(evtlog_run_arm(), -ENOMEM);
	expect(!evtlog_run_is_armed());
	for_each_possible_cpu(cpu)
		expect_equal(per_cpu_ptr(&evtlog_ring, cpu)->nr_buffers, 0);
}

/* The last CPU comes online without a ring. */
static void arm(void)
{
	shim_set_online(SHIM_CPUS - 1, false);
	expect_equal(evtlog_run_arm(), 0);
	shim_cpu_prepare(SHIM_CPUS - 1);
	shim_set_online(SHIM_CPUS - 1, true);
	shim_cpu_is_up(SHIM_CPUS - 1);
}

int main(int argc, char **argv)
{
	struct thread threads[SHIM_CPUS];
	pthread_t reader;
	unsigned int cpu;
	u64 seed;

	limits_parse(&limits, argc, argv);
	rng.state = limits.seed;
	shim_lines_begin();
	pthread_barrier_init(&all_there, NULL, SHIM_CPUS);
	seed = random_next(&rng);
	for (cpu = 1; cpu < SHIM_CPUS; cpu++) {
		threads[cpu] = (struct thread){ .cpu = cpu, .seed = random_next(&rng) };
		if (pthread_create(&threads[cpu].id, NULL, cpu_main, &threads[cpu]))
			fail("no thread");
	}
	cpu_begins(0, random_next(&rng));
	evtlog_run_init();
	pthread_barrier_wait(&all_there);
	arm_in_vain();
	arm();
	pthread_barrier_wait(&all_there);
	if (pthread_create(&reader, NULL, reader_main, &seed))
		fail("no thread");

	do {
		run_once();
	} while (go_on());
	wait_for_reader(evtlog_run.run);
	__atomic_store_n(&reader_over, true, __ATOMIC_RELEASE);
	pthread_join(reader, NULL);
	__atomic_store_n(&over, true, __ATOMIC_SEQ_CST);
	for (cpu = 1; cpu < SHIM_CPUS; cpu++)
		pthread_join(threads[cpu].id, NULL);
	expect_equal(evtlog_run_disarm(), 0);
	expect_equal(shim_lines_in_memory(), SHIM_LINES);
	report();
	return 0;
}
