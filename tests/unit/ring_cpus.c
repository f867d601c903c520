// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The CPUs of ring_join: they switch, are interrupted, serve softirqs, receive messages, are idle,
 * run without events, and are unplugged.
 */
#include <inttypes.h>
#include <time.h>

#include "ring_cpus.h"

#include "counters.h"
#include "ring.h"

#include "expect.h"
#include "ring_nmis.h"
#include "ring_story.h"

#define MY(array)	((array)[smp_processor_id()])

struct cpu cpus[SHIM_CPUS];
__thread struct random rng;
__thread bool softirqs_off;
bool over, trusted = true, has_memory;
u64 stops_begun;
pthread_barrier_t all_there;
struct cpu_totals cpu_totals;

static __thread bool just_woken;
/* The last stop that may interrupt this CPU because it has no events */
static __thread u64 excused;

static void add_one(u64 *total)
{
	__atomic_fetch_add(total, 1, __ATOMIC_RELAXED);
}

void sleep_us(u32 us)
{
	const struct timespec some = { .tv_nsec = 1000L * us };

	nanosleep(&some, NULL);
}

static void take_call(void)
{
	if (!shim_take_call())
		return;
	add_one(&cpu_totals.calls);
	if (excused != __atomic_load_n(&stops_begun, __ATOMIC_RELAXED))
		fail("cpu %u was interrupted, though it has events or is idle: epoch %llx",
		     smp_processor_id(), (unsigned long long)evtlog_ring.epoch);
}

/* NMIs come at any place, also in calls from the kernel's files. */
void cpu_has_nmi(void)
{
	struct nmi nmi;

	nmi_begins(&nmi);
	shim_nmi_depth++;
	evtlog_drop_nmi();
	shim_nmi_depth--;
	nmi_ended(&nmi);
	add_one(&cpu_totals.nmis);
}

static void perhaps_nmi(u32 rarity)
{
	if (random_one_in(&rng, rarity))
		cpu_has_nmi();
}

/* With an event of this kind as the first or last, all counters are exact. */
static bool is_sure(u32 type)
{
	return !softirqs_off || type == EVTLOG_SOFTIRQ_ENTRY || type == EVTLOG_SOFTIRQ_EXIT ||
	       type == EVTLOG_ICMP_RX;
}

static void write_record(u32 tag, u64 number)
{
	u64 *record;

	switch (tag & EVTLOG_TYPE_MAX) {
	case EVTLOG_PUT:
		record = evtlog_reserve_irqoff(tag, 2);
		if (record)
			record[1] = story_payload(number & STORY_NUMBER_MAX);
		break;
	case EVTLOG_ICMP_RX:
		record = evtlog_reserve_irqoff(tag, 5);
		if (record)
			record[4] = !this_cpu_read(evtlog_counters_icmp);
		break;
	default:
		evtlog_write_irqoff(tag);
	}
}

/* A hook */
static void event(u32 type, u32 data)
{
	unsigned int cpu = smp_processor_id();
	u32 tag = EVTLOG_TAG(type, data);
	unsigned long flags;
	u64 number;

	raw_local_irq_save(flags);
	number = story_event_begins(cpu, tag, !is_sure(type));
	write_record(tag, number);
	story_event_ended(cpu, number);
	raw_local_irq_restore(flags);
}

/* An event that contains its own number */
static void numbered_event(u32 type)
{
	event(type, story_next(smp_processor_id()) & STORY_NUMBER_MAX);
}

static void random_event(void)
{
	numbered_event(random_one_in(&rng, 2) ? EVTLOG_SCHED_WAKING : EVTLOG_PUT);
}

/* Between an event's count and its hook; the stopper may look now whether the CPU is idle. */
static void be_slow(void)
{
	if (just_woken)
		shim_pause_often();
	just_woken = false;
	shim_pause();
	perhaps_nmi(16);
}

void cpu_switches_task(void)
{
	unsigned int cpu = smp_processor_id();

	raw_local_irq_disable();
	shim_rq[cpu].nr_switches++;
	be_slow();
	numbered_event(EVTLOG_SCHED_SWITCH);
	__atomic_store_n(&cpus[cpu].task, (story_next(cpu) - 1) & STORY_NUMBER_MAX,
			 __ATOMIC_RELAXED);
	raw_local_irq_enable();
}

/* A line that is being released does not interrupt. */
static void interrupt(void)
{
	struct irq_desc *desc;
	unsigned int irq;

	raw_local_irq_disable();
	rcu_read_lock();
	desc = shim_line(random_below(&rng, SHIM_LINES), &irq);
	if (desc) {
		MY(desc->kstat_irqs)++;
		MY(shim_irqs)++;
		be_slow();
		event(EVTLOG_IRQ_HANDLER_ENTRY, irq);
		if (random_one_in(&rng, 2))
			random_event();
		event(EVTLOG_IRQ_HANDLER_EXIT, irq);
	}
	rcu_read_unlock();
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

/* As icmp_rcv(): softirqs are off; any namespace, a correct or wrong checksum */
static void receive_message(void)
{
	unsigned long *counts = init_net.mib.icmp_statistics[smp_processor_id()].mibs;
	bool was_off = softirqs_off, is_first = random_below(&rng, 4), is_right;

	is_right = random_below(&rng, 4);
	softirqs_off = true;
	be_interrupted(8);
	counts[ICMP_MIB_INMSGS] += is_first;
	be_interrupted(4);
	if (is_right) {
		this_cpu_write(evtlog_counters_icmp, is_first);
		be_interrupted(16);
		event(EVTLOG_ICMP_RX, random_below(&rng, 256));
	} else {
		counts[ICMP_MIB_CSUMERRORS] += is_first;
	}
	be_interrupted(8);
	softirqs_off = was_off;
	add_one(&cpu_totals.messages);
}

/* Returns true if the CPU must wait for the reader. */
static bool must_wait(void)
{
	const struct evtlog_ring *r = this_cpu_ptr(&evtlog_ring);
	/* In this order: the CPU may get its buffers in between. */
	u32 waiting = evtlog_ring_waiting(r), nr_buffers = smp_load_acquire(&r->nr_buffers);

	/* The reader runs at the same time, as with poll() and status. */
	if (waiting > nr_buffers)
		fail("cpu %u: %u of %u buffers wait", smp_processor_id(), waiting, nr_buffers);
	return nr_buffers && (story_is_full(smp_processor_id()) || waiting + 2 > nr_buffers);
}

/*
 * Without a synchronous clock, an idle CPU records its own end. So does a CPU that saw the stop
 * while softirqs were off, after the last hook.
 */
static void excuse_idleness(void)
{
	if (!__atomic_load_n(&trusted, __ATOMIC_RELAXED) ||
	    READ_ONCE(evtlog_ring.epoch) & EVTLOG_EPOCH_LEAVING)
		excused = __atomic_load_n(&stops_begun, __ATOMIC_SEQ_CST);
}

/* An interrupt wakes an idle CPU; a call or an NMI alone does not. */
static void idle_for(u32 looks)
{
	shim_idle_enter();
	for (; looks || must_wait(); looks -= !!looks) {
		if (__atomic_load_n(&over, __ATOMIC_RELAXED))
			break;
		sleep_us(20);
		if (random_one_in(&rng, 4)) {
			shim_idle_exit();
			cpu_has_nmi();
			shim_idle_enter();
		}
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

	softirqs_off = true;
	for (vec = random_below(&rng, NR_SOFTIRQS); vec < NR_SOFTIRQS; vec++) {
		MY(shim_softirqs)[vec]++;
		be_interrupted(4);
		event(EVTLOG_SOFTIRQ_ENTRY, vec);
		be_interrupted(8);
		if (random_one_in(&rng, 2))
			random_event();
		if (random_one_in(&rng, 4))
			receive_message();
		be_interrupted(8);
		event(EVTLOG_SOFTIRQ_EXIT, vec);
		be_interrupted(8);
	}
	/* After the last hook, a CPU may see a start or a stop, and then be idle. */
	shim_pause_often();
	be_interrupted(2);
	softirqs_off = false;
	__atomic_fetch_add(&MY(cpus).ticks, 1, __ATOMIC_RELEASE);
	if (random_one_in(&rng, 32))
		idle_for(random_below(&rng, 8));
}

/* One driver leaves, another comes; the first lines stay. */
static void replace_line(void)
{
	if (shim_line_replace(2 + random_below(&rng, SHIM_LINES - 2)))
		add_one(&cpu_totals.lines);
}

void cpu_does_something(void)
{
	switch (random_below(&rng, 5)) {
	case 0:
		cpu_switches_task();
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
	case 4:
		receive_message();
		/* Then a task continues, which has events. */
		random_event();
		break;
	}
	if (random_one_in(&rng, 4000))
		replace_line();
	__atomic_fetch_add(&MY(cpus).ticks, 1, __ATOMIC_RELEASE);
	be_interrupted(1000);
}

/* In user mode, without a tick */
static void be_silent_for(u32 looks)
{
	__atomic_store_n(&MY(cpus).silent, true, __ATOMIC_SEQ_CST);
	while (looks--) {
		excused = __atomic_load_n(&stops_begun, __ATOMIC_RELAXED);
		take_call();
		perhaps_nmi(8);
		sleep_us(20);
	}
	__atomic_store_n(&MY(cpus).silent, false, __ATOMIC_SEQ_CST);
	excused = __atomic_load_n(&stops_begun, __ATOMIC_SEQ_CST);
}

/* Events also come before the CPU counts as online, and after it does not. */
static void be_unplugged(void)
{
	unsigned int cpu = smp_processor_id();
	u64 since;

	if (!smp_load_acquire(&evtlog_ring.nr_buffers) || !shim_cpus_write_trylock())
		return;
	shim_set_online(cpu, false);
	sleep_us(random_below(&rng, 100));
	cpu_switches_task();
	story_goes_away(cpu);
	shim_idle_enter();
	shim_cpu_is_dead(cpu);
	since = evtlog_ticks64();
	shim_cpus_write_unlock();
	add_one(&cpu_totals.offline);

	do {
		sleep_us(random_below(&rng, 1000));
	} while (!shim_cpus_write_trylock());
	shim_cpu_prepare(cpu);
	sleep_us(random_below(&rng, 100));
	story_comes_back(cpu, since, evtlog_ticks64());
	shim_idle_exit();
	if (random_one_in(&rng, 2))
		random_event();
	sleep_us(random_below(&rng, 100));
	shim_set_online(cpu, true);
	shim_cpu_is_up(cpu);
	shim_cpus_write_unlock();
}

void cpu_begins(unsigned int cpu, u64 seed)
{
	rng.state = seed;
	shim_cpu_start(cpu, random_next(&rng));
}

void *cpu_main(void *arg)
{
	const struct thread *thread = arg;
	bool is_patient;
	u32 n;

	cpu_begins(thread->cpu, thread->seed);
	/* When all CPUs exist, and when CPU 0 has armed */
	pthread_barrier_wait(&all_there);
	pthread_barrier_wait(&all_there);
	while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
		is_patient = !random_one_in(&rng, 50);
		for (n = random_below(&rng, random_one_in(&rng, 2) ? 4 : 400); n; n--) {
			if (is_patient && must_wait())
				idle_for(0);
			cpu_does_something();
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
			cpu_does_something();
			break;
		case 9:
			idle_for(random_below(&rng, 30));
			cpu_does_something();
			break;
		}
	}
	/* The CPU answers until no other CPU can call. */
	shim_idle_enter();
	return NULL;
}
