// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starts and stops in one store, on a machine whose CPUs are threads: run.c, arm.c,
 * publish.c, join.c, counters.c and ring.c as the kernel has them.
 *
 * CPU 0 starts and stops, the others switch, are interrupted, serve softirqs, are idle, run
 * without any event or are unplugged.  What they did is kept in ring_story.c, which
 * compares it with the log.
 */
#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

#include "machine.h"

#include "buffers.h"
#include "context.h"
#include "counters.h"
#include "join.h"
#include "notify.h"
#include "proc.h"
#include "ring.h"
#include "run.h"

#include "expect.h"
#include "limits.h"
#include "random.h"
#include "ring_story.h"

#define MY(array)	((array)[smp_processor_id()])

static struct limits limits = { .seconds = 3 };
static bool over, reader_over;
static bool trusted = true;
static u64 ticks_now = 1ULL << 40;

/* Of each CPU, for others to see. */
static struct {
	u64 ticks;	/* each with at least one event */
	u32 task;
	bool silent;
} __attribute__((__aligned__(64))) cpus[SHIM_CPUS];

/* Of this CPU. */
static __thread struct random rng;
static __thread bool in_softirq;
static __thread bool just_woken;
/* The last stop in which it may be interrupted for want of events. */
static __thread u64 excused;
static u64 stops_begun;

static u64 runs, calls, offline;

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

static void sleep_us(u32 us)
{
	const struct timespec some = { .tv_nsec = 1000L * us };

	nanosleep(&some, NULL);
}

/* Supplied to the kernel's files */

u64 shim_ticks(void)
{
	u64 step = 1 + random_below(&rng, 3);

	if (random_one_in(&rng, 5000))
		step += 1ULL << 31;
	return __atomic_add_fetch(&ticks_now, step, __ATOMIC_RELAXED);
}

void evtlog_clock_set_read(struct evtlog_clock_set *set)
{
	shim_pause();
	memset(set, 0, sizeof(*set));
	set->ticks = shim_ticks();
}

u64 evtlog_ticks_hz(void)
{
	return 1000;
}

bool evtlog_ticks_trusted(void)
{
	return __atomic_load_n(&trusted, __ATOMIC_RELAXED);
}

void evtlog_context_fill(struct evtlog_buffer_header *h)
{
	evtlog_context_fill_other(h, smp_processor_id());
	shim_pause();
}

void evtlog_context_fill_other(struct evtlog_buffer_header *h, unsigned int cpu)
{
	h->begin_pid = __atomic_load_n(&cpus[cpu].task, __ATOMIC_RELAXED);
}

bool evtlog_context_in_softirq(void)
{
	return in_softirq;
}

void evtlog_ring_handed_over(struct evtlog_ring *r)
{
	shim_pause();
}

struct evtlog_geometry evtlog_geometry;
struct wait_queue_head {
	int none;
} evtlog_readers;

/* Rings end with their threads. */
static void *memory[SHIM_CPUS][EVTLOG_BUFFERS_MAX];

int evtlog_buffers_alloc(unsigned int cpu)
{
	struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);
	u32 i, nr = cpu ? 4 + cpu : 16;

	if (r->nr_buffers)
		return 0;
	r->cpu = cpu;
	r->buffer_bytes = sizeof(struct evtlog_buffer_header) + 8 * (24 + 40 * cpu);
	for (i = 0; i < nr; i++) {
		r->buffer[i] = memory[cpu][i] = malloc(r->buffer_bytes);
		if (!r->buffer[i])
			fail("out of memory");
		memset(r->buffer[i], 0x5a, r->buffer_bytes);
	}
	smp_store_release(&r->nr_buffers, nr);
	return 0;
}

void evtlog_buffers_free_all(void)
{
}

bool evtlog_proc_cpu_is_open(void)
{
	return true;
}

void evtlog_keys_apply(bool armed)
{
}

u64 evtlog_events(void)
{
	return 0;
}

void evtlog_events_set(u64 types)
{
}

void evtlog_notify(void)
{
}

void evtlog_snapshot(void)
{
}

/* What CPUs do */

static void take_call(void)
{
	if (!shim_take_call())
		return;
	__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
	if (excused != __atomic_load_n(&stops_begun, __ATOMIC_RELAXED))
		fail("cpu %u was interrupted, though it has events or is idle: epoch %llx",
		     smp_processor_id(), (unsigned long long)evtlog_ring.epoch);
}

/* A hook and the numbers that it has; interrupts are off. */
static void event(u32 type)
{
	unsigned int cpu = smp_processor_id();
	u32 tag = EVTLOG_TAG(type, story_next(cpu) & STORY_NUMBER_MAX);
	u64 number = story_event_begins(cpu, tag, in_softirq);
	u64 *record;

	if (type == EVTLOG_PUT) {
		record = evtlog_reserve_irqoff(tag, 2);
		if (record)
			record[1] = story_payload(number & STORY_NUMBER_MAX);
	} else {
		evtlog_write_irqoff(tag);
	}
	story_event_ended(cpu, number);
}

static void random_event(void)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	event(random_one_in(&rng, 2) ? EVTLOG_SCHED_WAKING : EVTLOG_PUT);
	raw_local_irq_restore(flags);
}

/* Between an event's count and its hook; where the stopper may just look whether it is idle. */
static void be_slow(void)
{
	if (just_woken)
		shim_pause_often();
	just_woken = false;
	shim_pause();
}

static void switch_task(void)
{
	unsigned int cpu = smp_processor_id();

	raw_local_irq_disable();
	shim_rq[cpu].nr_switches++;
	be_slow();
	event(EVTLOG_SCHED_SWITCH);
	__atomic_store_n(&cpus[cpu].task, (story_next(cpu) - 1) & STORY_NUMBER_MAX,
			 __ATOMIC_RELAXED);
	raw_local_irq_enable();
}

static void irq_event(u32 type, u32 irq)
{
	u32 tag = EVTLOG_TAG(type, irq);
	u64 number = story_event_begins(smp_processor_id(), tag, in_softirq);

	evtlog_write_irqoff(tag);
	story_event_ended(smp_processor_id(), number);
}

static void interrupt(void)
{
	u32 irq = random_below(&rng, SHIM_IRQS);

	raw_local_irq_disable();
	MY(shim_irq_counts)[irq]++;
	be_slow();
	irq_event(EVTLOG_IRQ_HANDLER_ENTRY, irq);
	if (random_one_in(&rng, 2))
		random_event();
	irq_event(EVTLOG_IRQ_HANDLER_EXIT, irq);
	raw_local_irq_enable();
}

/* Interrupts are on. */
static void be_interrupted(u32 rarity)
{
	shim_pause();
	take_call();
	if (random_one_in(&rng, rarity))
		interrupt();
}

static void softirq_event(u32 type, u32 vec)
{
	u32 tag = EVTLOG_TAG(type, vec);
	u64 number = story_event_begins(smp_processor_id(), tag, false);

	evtlog_write_irqon(tag);
	story_event_ended(smp_processor_id(), number);
}

/* The reader is far behind. */
static bool must_wait(void)
{
	const struct evtlog_ring *r = this_cpu_ptr(&evtlog_ring);

	return story_is_full(smp_processor_id()) ||
	       evtlog_ring_waiting(r) + 2 > smp_load_acquire(&r->nr_buffers);
}

/*
 * Without a clock that all share, an idle CPU tells its end itself; and so does one that saw
 * the stop behind a softirq's last hook.
 */
static void excuse_idleness(void)
{
	if (!evtlog_ticks_trusted() || READ_ONCE(evtlog_ring.epoch) & EVTLOG_EPOCH_LEAVING)
		excused = __atomic_load_n(&stops_begun, __ATOMIC_SEQ_CST);
}

/* An interrupt wakes an idle CPU; one that has a call alone lets it sleep on. */
static void idle_for(u32 looks)
{
	shim_idle_enter();
	for (; looks || must_wait(); looks -= !!looks) {
		if (__atomic_load_n(&over, __ATOMIC_RELAXED))
			break;
		sleep_us(20);
		if (!shim_is_called())
			continue;
		shim_idle_exit();
		excuse_idleness();
		take_call();
		shim_idle_enter();
	}
	shim_idle_exit();
	just_woken = true;
	excuse_idleness();
}

static void serve_softirqs(void)
{
	u32 vec;

	in_softirq = true;
	for (vec = random_below(&rng, NR_SOFTIRQS); vec < NR_SOFTIRQS; vec++) {
		MY(shim_softirqs)[vec]++;
		be_interrupted(4);
		softirq_event(EVTLOG_SOFTIRQ_ENTRY, vec);
		be_interrupted(8);
		if (random_one_in(&rng, 2))
			random_event();
		be_interrupted(8);
		softirq_event(EVTLOG_SOFTIRQ_EXIT, vec);
		be_interrupted(8);
	}
	/* Behind the last hook, where a CPU may see a start or a stop, and then be idle. */
	shim_pause_often();
	be_interrupted(2);
	in_softirq = false;
	__atomic_fetch_add(&MY(cpus).ticks, 1, __ATOMIC_RELEASE);
	if (random_one_in(&rng, 32))
		idle_for(random_below(&rng, 8));
}

static void do_something(void)
{
	switch (random_below(&rng, 4)) {
	case 0:
		switch_task();
		break;
	case 1:
		interrupt();
		if (random_one_in(&rng, 2))
			serve_softirqs();
		break;
	case 2:
		serve_softirqs();
		break;
	case 3:
		random_event();
		break;
	}
	__atomic_fetch_add(&MY(cpus).ticks, 1, __ATOMIC_RELEASE);
	be_interrupted(1000);
}

/* In user mode, without a tick. */
static void be_silent_for(u32 looks)
{
	__atomic_store_n(&MY(cpus).silent, true, __ATOMIC_SEQ_CST);
	while (looks--) {
		excused = __atomic_load_n(&stops_begun, __ATOMIC_RELAXED);
		take_call();
		sleep_us(20);
	}
	__atomic_store_n(&MY(cpus).silent, false, __ATOMIC_SEQ_CST);
	excused = __atomic_load_n(&stops_begun, __ATOMIC_SEQ_CST);
}

/* Events also come while the CPU is not counted as online yet, or no more. */
static void be_unplugged(void)
{
	unsigned int cpu = smp_processor_id();

	if (!shim_cpus_write_trylock())
		return;
	shim_set_online(cpu, false);
	sleep_us(random_below(&rng, 100));
	switch_task();
	story_goes_away(cpu);
	shim_idle_enter();
	shim_cpu_is_dead(cpu);
	shim_cpus_write_unlock();
	__atomic_fetch_add(&offline, 1, __ATOMIC_RELAXED);

	do {
		sleep_us(random_below(&rng, 1000));
	} while (!shim_cpus_write_trylock());
	shim_cpu_prepare(cpu);
	shim_idle_exit();
	if (random_one_in(&rng, 2))
		random_event();
	sleep_us(random_below(&rng, 100));
	shim_set_online(cpu, true);
	shim_cpus_write_unlock();
}

struct thread {
	pthread_t id;
	unsigned int cpu;
	u64 seed;
};
static pthread_barrier_t all_there;

static void cpu_begins(unsigned int cpu, u64 seed)
{
	rng.state = seed;
	shim_cpu_start(cpu, random_next(&rng));
}

static void *cpu_main(void *arg)
{
	const struct thread *thread = arg;
	bool is_patient;
	u32 n;

	cpu_begins(thread->cpu, thread->seed);
	pthread_barrier_wait(&all_there);
	while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
		is_patient = !random_one_in(&rng, 50);
		for (n = random_below(&rng, random_one_in(&rng, 2) ? 4 : 400); n; n--) {
			if (is_patient && must_wait())
				idle_for(0);
			do_something();
		}
		switch (random_below(&rng, 16)) {
		case 0:
			be_silent_for(random_below(&rng, 20));
			break;
		case 1:
			be_unplugged();
			break;
		case 2 ... 8:
			idle_for(random_below(&rng, 4));
			do_something();
			break;
		case 9:
			idle_for(random_below(&rng, 30));
			do_something();
			break;
		}
	}
	/* It answers until nobody can call any more. */
	shim_idle_enter();
	return NULL;
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
	} while (any || !last);
	return NULL;
}

/* Starting and stopping, on CPU 0 */

/* Of a stop: how often it looked. */
static u32 rounds;

/* Each CPU that has events has had one. */
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
	switch_task();
	shim_idle_enter();
	wait_for_tick();
	shim_idle_exit();
	switch_task();
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
			do_something();
	}
}

static void wait_for_reader(u64 run)
{
	u32 wanted, i;

	shim_idle_enter();
	for (i = 0; story_finals(run, &wanted) != wanted || !wanted; i++) {
		if (i > 200000)
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
	error = random_one_in(&rng, 8) ? -EAGAIN : evtlog_run_publish_start(NULL);
	if (error == -EAGAIN) {
		while ((error = evtlog_run_start(NULL)) == -EBUSY)
			;
	}
	expect_equal(error, 0);
	pass_time();

	__atomic_store_n(&stops_begun, stops_begun + 1, __ATOMIC_SEQ_CST);
	expect_equal(evtlog_run_publish_stop(), 0);
	story_stopped(evtlog_run.run);
	if (random_one_in(&rng, 2))
		pass_time();
	rounds = 0;
	expect_equal(evtlog_run_stop(NULL), 0);
	runs++;
	if (random_one_in(&rng, 4) || runs % 4 == 0)
		wait_for_reader(evtlog_run.run);
	if (random_one_in(&rng, 2))
		pass_time();
}

static void report(void)
{
	const struct story_totals *t = &story_totals;

	printf("%" PRIu64 " runs in %.1f s, %" PRIu64 " parts: %" PRIu64 " without events, %"
	       PRIu64 " with losses, %" PRIu64 " offline at the end\n", (uint64_t)runs,
	       limits_elapsed(), (uint64_t)t->parts, (uint64_t)t->unused, (uint64_t)t->lossy,
	       (uint64_t)t->uncounted);
	printf("%" PRIu64 " records, %" PRIu64 " lost, %" PRIu64 " counters compared, %" PRIu64
	       " times softirqs' later; %" PRIu64 " times offline, %" PRIu64 " interruptions\n",
	       (uint64_t)t->records, (uint64_t)t->lost, (uint64_t)t->counters,
	       (uint64_t)t->softirqs_late, (uint64_t)offline, (uint64_t)calls);
	/* The rarer ones take some time on a busy machine. */
	if (!t->unused || !t->counters || !t->softirqs_late ||
	    (runs > 2000 && (!offline || !calls)))
		fail("something did not happen: this proved too little");
}

int main(int argc, char **argv)
{
	struct thread threads[SHIM_CPUS];
	pthread_t reader;
	unsigned int cpu;
	u64 seed;

	limits_parse(&limits, argc, argv);
	rng.state = limits.seed;
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
	if (pthread_create(&reader, NULL, reader_main, &seed))
		fail("no thread");

	expect_equal(evtlog_run_arm(), 0);
	do {
		run_once();
	} while (limits.seconds > 0 ? limits_elapsed() < limits.seconds : runs < limits.ops);
	wait_for_reader(evtlog_run.run);
	__atomic_store_n(&reader_over, true, __ATOMIC_RELEASE);
	pthread_join(reader, NULL);
	__atomic_store_n(&over, true, __ATOMIC_SEQ_CST);
	for (cpu = 1; cpu < SHIM_CPUS; cpu++)
		pthread_join(threads[cpu].id, NULL);
	report();
	return 0;
}
