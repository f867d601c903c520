// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keeps what each CPU did, and compares it with the log
 */
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "ring.h"

#include "expect.h"
#include "random.h"
#include "ring_nmis.h"
#include "ring_read.h"
#include "ring_story.h"

#define KEPT	(1U << 18)
#define RUNS	16
#define ABSENCES	64
#define NONE	(~0ULL)

#define load(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define store(x, v)	__atomic_store_n(&(x), v, __ATOMIC_RELAXED)

/* Bounds of a CPU's part of a run, in numbers of events */
struct bounds {
	u64 run;
	u64 first;	/* began after the CPU saw the start */
	u64 last;	/* the last event that ended before the stop */
	u64 never;	/* the first event that began after the stop was known */
};

/* Time in ticks without the CPU; @until is 0 while the entry is being replaced. */
struct absence {
	u64 since, until;
};

/* Written by the CPU; @judged by the reader */
static struct {
	u32 tags[KEPT];
	u64 next;
	u64 seen, stopped;
	struct bounds bounds[RUNS];
	u64 away[RUNS];
	struct absence absence[ABSENCES];
	u64 absences;
	u64 judged;
} __attribute__((__aligned__(64))) story[SHIM_CPUS];

static u64 last_stopped;

/* Until this run, one CPU has no ring. */
static u64 poor_until;

/* Counters in a log */
/* LINES: all lines without their own counter */
enum { SWITCHES, ICMP, LINES, SOFTIRQS, IRQS = SOFTIRQS + NR_SOFTIRQS, COUNTERS = IRQS + SHIM_IRQS };

/* For the reader: a CPU's part of a run so far */
struct part {
	u64 run, sequence, lost, nmis, end_ticks;
	u32 *tags;
	size_t nr, room;
	u64 counted[COUNTERS];
	u64 told[2][COUNTERS];
	bool is_told[2][COUNTERS];
	u64 told_in;	/* the buffer with the counters of the end */
	u32 task;
	bool task_known;
	bool has_ended;
};
static struct part parts[SHIM_CPUS];

static struct {
	u64 run;
	u32 seen, wanted;
} finals[RUNS];

struct story_totals story_totals;

u64 story_payload(u64 number)
{
	return random_mix(number);
}

u64 story_next(unsigned int cpu)
{
	return story[cpu].next;
}

u64 story_event_begins(unsigned int cpu, u32 tag, bool deferred)
{
	u64 epoch = load(evtlog_epoch), run = epoch >> EVTLOG_EPOCH_RUN_SHIFT;
	u64 stopped = __atomic_load_n(&last_stopped, __ATOMIC_ACQUIRE);
	struct bounds *b = &story[cpu].bounds[run % RUNS];
	u64 number = story[cpu].next;

	if (epoch & EVTLOG_EPOCH_RECORDING && run != story[cpu].seen) {
		story[cpu].seen = run;
		store(b->first, number);
		store(b->last, NONE);
		store(b->never, NONE);
		__atomic_store_n(&b->run, run, __ATOMIC_RELEASE);
	}
	if (stopped && stopped == story[cpu].seen && !deferred &&
	    stopped != story[cpu].stopped) {
		story[cpu].stopped = stopped;
		store(story[cpu].bounds[stopped % RUNS].never, number);
	}
	store(story[cpu].tags[number % KEPT], tag);
	__atomic_store_n(&story[cpu].next, number + 1, __ATOMIC_RELEASE);
	return number;
}

void story_event_ended(unsigned int cpu, u64 number)
{
	u64 epoch = load(evtlog_epoch), run = epoch >> EVTLOG_EPOCH_RUN_SHIFT;
	struct bounds *b = &story[cpu].bounds[run % RUNS];

	if (epoch & EVTLOG_EPOCH_RECORDING && run == story[cpu].seen &&
	    number >= load(b->first))
		store(b->last, number);
}

bool story_is_full(unsigned int cpu)
{
	return story[cpu].next - load(story[cpu].judged) > KEPT / 2;
}

void story_goes_away(unsigned int cpu)
{
	u64 run = load(evtlog_epoch) >> EVTLOG_EPOCH_RUN_SHIFT;

	store(story[cpu].away[run % RUNS], run);
}

void story_comes_back(unsigned int cpu, u64 since, u64 until)
{
	struct absence *a = &story[cpu].absence[story[cpu].absences++ % ABSENCES];

	__atomic_store_n(&a->until, 0, __ATOMIC_SEQ_CST);
	__atomic_store_n(&a->since, since, __ATOMIC_SEQ_CST);
	__atomic_store_n(&a->until, until, __ATOMIC_SEQ_CST);
}

void story_stopped(u64 run)
{
	__atomic_store_n(&last_stopped, run, __ATOMIC_SEQ_CST);
}

void story_is_poor(u64 run)
{
	store(poor_until, run);
}

u32 story_is_missing(u64 run)
{
	return run && run <= load(poor_until);
}

u32 story_finals(u64 run, u32 *wanted)
{
	if (__atomic_load_n(&finals[run % RUNS].run, __ATOMIC_ACQUIRE) != run)
		return *wanted = 0;
	*wanted = load(finals[run % RUNS].wanted);
	return load(finals[run % RUNS].seen);
}

/* Returns the counter of such records; -1 if none. */
static int counter_of(const struct record *record)
{
	switch (record->type) {
	case EVTLOG_SCHED_SWITCH:
		return SWITCHES;
	case EVTLOG_ICMP_RX:
		return record->word[4] ? -1 : ICMP;
	case EVTLOG_SOFTIRQ_ENTRY:
		return SOFTIRQS + (int)record->data;
	case EVTLOG_IRQ_HANDLER_ENTRY:
		return IRQS + (int)record->data;
	}
	return -1;
}

/* A CPU that went offline wrote its end into its last buffer; it may come back and continue. */
static bool comes_back(struct part *p)
{
	if (!p->is_told[1][SWITCHES] || p->told_in == p->sequence)
		return false;
	memset(p->is_told[1], 0, sizeof(p->is_told[1]));
	return true;
}

static void read_counter(struct part *p, const struct record *record)
{
	bool at_end = record->data & 1;
	u32 counter = record->data >> 1 & 31, index = record->data >> 6;
	unsigned int n = SWITCHES;

	if (counter == EVTLOG_COUNTER_SOFTIRQ) {
		expect(index < NR_SOFTIRQS);
		n = SOFTIRQS + index;
		if (!at_end && p->nr && !index)
			story_totals.softirqs_late++;
	} else if (counter == EVTLOG_COUNTER_IRQ) {
		expect(index < SHIM_IRQS);
		n = IRQS + index;
	} else if (counter == EVTLOG_COUNTER_ICMP || counter == EVTLOG_COUNTER_IRQS) {
		expect_equal(index, 0);
		n = counter == EVTLOG_COUNTER_ICMP ? ICMP : LINES;
	} else {
		expect_equal(counter, EVTLOG_COUNTER_SWITCHES);
	}
	expect(!p->is_told[at_end][n] || (at_end && comes_back(p)));
	p->is_told[at_end][n] = true;
	p->told_in = p->sequence;
	p->told[at_end][n] = record->word[1];
}

static void read_event(struct part *p, const struct record *record)
{
	u32 tag = EVTLOG_TAG(record->type, record->data);
	int counter = counter_of(record);

	/* No switch comes after the counters of the end. */
	expect(!p->is_told[1][SWITCHES] || comes_back(p));
	if (counter >= 0)
		p->counted[counter]++;
	if (record->type == EVTLOG_SCHED_SWITCH) {
		p->task = record->data & STORY_NUMBER_MAX;
		p->task_known = true;
	}
	if (p->nr == p->room) {
		p->room = p->room ? 2 * p->room : 1024;
		p->tags = realloc(p->tags, p->room * sizeof(*p->tags));
		expect(p->tags);
	}
	p->tags[p->nr++] = tag;
}

static bool has_number(u32 tag)
{
	u32 type = tag & EVTLOG_TYPE_MAX;

	return type == EVTLOG_SCHED_SWITCH || type == EVTLOG_SCHED_WAKING ||
	       type == EVTLOG_PUT;
}

/* The latest event with the number in @tag */
static u64 number_of(unsigned int cpu, u32 tag)
{
	u64 next = __atomic_load_n(&story[cpu].next, __ATOMIC_ACQUIRE);
	u64 back = (next - 1 - (tag >> EVTLOG_TYPE_BITS)) & STORY_NUMBER_MAX;

	expect(back < next);
	return next - 1 - back;
}

/* Compares each record. Returns the first event's number, NONE if unknown. */
static u64 compare(unsigned int cpu, const struct part *p)
{
	u64 begin = NONE;
	size_t i;

	for (i = 0; i < p->nr && begin == NONE; i++) {
		if (has_number(p->tags[i]))
			begin = number_of(cpu, p->tags[i]) - i;
	}
	if (begin == NONE)
		return begin;
	for (i = 0; i < p->nr; i++) {
		u32 wanted = load(story[cpu].tags[(begin + i) % KEPT]);

		if (p->tags[i] != wanted)
			fail("cpu %u run %llu: record %zu of %zu is %x, event %llu was %x",
			     cpu, (unsigned long long)p->run, i, p->nr, p->tags[i],
			     (unsigned long long)(begin + i), wanted);
	}
	return begin;
}

static void judge_bounds(unsigned int cpu, const struct part *p, u64 begin)
{
	const struct bounds *b = &story[cpu].bounds[p->run % RUNS];
	u64 first, last, never;

	if (__atomic_load_n(&b->run, __ATOMIC_ACQUIRE) != p->run)
		return;
	first = load(b->first);
	last = load(b->last);
	never = load(b->never);
	if (last != NONE && p->nr < last - first + 1)
		fail("cpu %u run %llu: %zu records of %llu events within the run", cpu,
		     (unsigned long long)p->run, p->nr,
		     (unsigned long long)(last - first + 1));
	if (!p->nr || begin == NONE)
		return;
	if (last != NONE && (begin > first || begin + p->nr <= last))
		fail("cpu %u run %llu: events %llu to %llu are within, records are %llu to %llu",
		     cpu, (unsigned long long)p->run, (unsigned long long)first,
		     (unsigned long long)last, (unsigned long long)begin,
		     (unsigned long long)(begin + p->nr - 1));
	if (never != NONE && begin + p->nr > never)
		fail("cpu %u run %llu: event %llu of %llu recorded began after the stop", cpu,
		     (unsigned long long)p->run, (unsigned long long)never,
		     (unsigned long long)(begin + p->nr - 1));
}

static void judge_counters(unsigned int cpu, struct part *p)
{
	unsigned int i;

	if (!p->nr) {
		expect(!p->is_told[0][SWITCHES] && !p->is_told[1][SWITCHES]);
		return;
	}
	expect(p->is_told[0][SWITCHES]);
	if (!p->is_told[1][SWITCHES]) {
		expect_equal(load(story[cpu].away[p->run % RUNS]), p->run);
		story_totals.uncounted++;
		return;
	}
	for (i = IRQS; i < COUNTERS; i++) {
		if (!p->is_told[0][i] && !p->is_told[1][i]) {
			p->counted[LINES] += p->counted[i];
			p->counted[i] = 0;
		}
	}
	for (i = 0; i < COUNTERS; i++) {
		/* Lines that never interrupted are left out. */
		if (i < IRQS && !(p->is_told[0][i] && p->is_told[1][i]))
			fail("cpu %u run %llu: counter %u is told at the start %d, at the end %d; %zu records",
			     cpu, (unsigned long long)p->run, i, p->is_told[0][i],
			     p->is_told[1][i], p->nr);
		if (p->told[1][i] - p->told[0][i] != p->counted[i])
			fail("cpu %u run %llu: counter %u went from %llu to %llu, %llu recorded",
			     cpu, (unsigned long long)p->run, i,
			     (unsigned long long)p->told[0][i],
			     (unsigned long long)p->told[1][i],
			     (unsigned long long)p->counted[i]);
		story_totals.counters++;
	}
}

static void judge_part(unsigned int cpu, struct part *p)
{
	u64 next = __atomic_load_n(&story[cpu].next, __ATOMIC_ACQUIRE);

	nmis_judge(cpu, p->run, p->nmis);
	story_totals.nmis += p->nmis;
	story_totals.unused_nmis += p->nr ? 0 : p->nmis;

	story_totals.parts++;
	story_totals.records += p->nr;
	story_totals.lost += p->lost;
	if (p->lost) {
		story_totals.lossy++;
	} else {
		judge_bounds(cpu, p, compare(cpu, p));
		judge_counters(cpu, p);
		story_totals.unused += !p->nr;
	}
	store(story[cpu].judged, next);
}

/* The log has no events of a CPU from a time when it was offline. */
static void judge_absences(unsigned int cpu, u64 begin)
{
	for (unsigned int i = 0; i < ABSENCES; i++) {
		const struct absence *a = &story[cpu].absence[i];
		u64 until = __atomic_load_n(&a->until, __ATOMIC_SEQ_CST);
		u64 since = __atomic_load_n(&a->since, __ATOMIC_SEQ_CST);

		if (begin > since && begin < until &&
		    __atomic_load_n(&a->until, __ATOMIC_SEQ_CST) == until)
			fail("cpu %u: a part begins in an absence", cpu);
	}
}

static void begin_part(unsigned int cpu, const struct evtlog_buffer_header *h)
{
	struct part *p = &parts[cpu];
	u32 *tags = p->tags;
	size_t room = p->room;

	judge_absences(cpu, h->begin_ticks);
	if (h->run <= p->run)
		fail("cpu %u: run %llu begins after run %llu", cpu,
		     (unsigned long long)h->run, (unsigned long long)p->run);
	memset(p, 0, sizeof(*p));
	p->run = h->run;
	p->tags = tags;
	p->room = room;
}

/* Each FINAL buffer of a run contains the number of FINAL buffers. */
static void count_final(const struct evtlog_buffer_header *h)
{
	u32 i = h->run % RUNS;

	if (finals[i].run != h->run) {
		expect_equal(finals[i].seen + story_is_missing(finals[i].run),
			     finals[i].wanted);
		finals[i].seen = 0;
		finals[i].wanted = h->cpus_in_run;
	}
	if (finals[i].wanted != h->cpus_in_run)
		fail("cpu %u run %llu: buffer %llu says %u CPUs took part, another %u",
		     h->cpu, (unsigned long long)h->run, (unsigned long long)h->sequence,
		     h->cpus_in_run, finals[i].wanted);
	store(finals[i].seen, finals[i].seen + 1);
	__atomic_store_n(&finals[i].run, h->run, __ATOMIC_RELEASE);
}

/* The task at a buffer's begin is the target of the previous switch. */
static void judge_task(struct part *p, const struct evtlog_buffer_header *h)
{
	if (h->begin_pid == EVTLOG_PID_UNKNOWN)
		return;
	if (p->task_known && !p->lost)
		expect_equal(h->begin_pid, p->task);
	p->task = h->begin_pid;
	p->task_known = true;
}

void story_judge(unsigned int cpu, const struct evtlog_buffer_header *h, u32 bytes)
{
	struct part *p = &parts[cpu];
	struct reading reading;
	struct record record;
	u64 before = h->begin_ticks;
	const char *wrong;
	int more;

	wrong = reading_begin(&reading, h, bytes);
	if (wrong)
		fail("cpu %u run %llu: a header's %s", cpu, (unsigned long long)h->run, wrong);
	expect_equal(h->cpu, cpu);
	if (h->flags & EVTLOG_BUFFER_FIRST)
		begin_part(cpu, h);
	expect_equal(h->run, p->run);
	if (p->has_ended)
		fail("cpu %u run %llu: buffer %llu comes after the FINAL one", cpu,
		     (unsigned long long)h->run, (unsigned long long)h->sequence);
	expect_equal(h->sequence, p->sequence);
	expect(h->begin_ticks >= p->end_ticks);
	expect_equal(h->lost[EVTLOG_LOST_NESTED], 0);
	p->sequence++;
	p->end_ticks = h->end_ticks;
	p->lost += h->lost[EVTLOG_LOST_FULL];
	p->nmis += h->lost[EVTLOG_LOST_NMI];
	judge_task(p, h);

	while ((more = reading_next(&reading, &record)) > 0) {
		expect(record.ticks >= before && record.ticks <= h->end_ticks);
		before = record.ticks;
		switch (record.type) {
		case EVTLOG_TIME:
		case EVTLOG_LOST:
			break;
		case EVTLOG_COUNTER:
			read_counter(p, &record);
			break;
		case EVTLOG_PUT:
			expect_equal(record.word[1], story_payload(record.data));
			/* fallthrough */
		default:
			read_event(p, &record);
		}
	}
	expect_equal(more, 0);
	if (h->flags & EVTLOG_BUFFER_FINAL) {
		p->has_ended = true;
		judge_part(cpu, p);
		count_final(h);
	}
}
