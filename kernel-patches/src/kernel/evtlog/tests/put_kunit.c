// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: tests evtlog_put() and the choice of events.
 *
 * Uses a real run: starts it, puts events in every context, stops it, and reads the rings of all
 * CPUs.
 */
#include <kunit/test.h>
#include <linux/evtlog.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/timer.h>

#include "buffers.h"
#include "events.h"
#include "ring.h"
#include "run.h"

#define IDS		8
#define ID(context)	(1000 + (context))

enum context {
	IN_TASK, IN_TASKLET, IN_TIMER, IN_IRQ_WORK, IN_HRTIMER, IN_NMI,
};

/* The event put in each context, and its record in the rings */
struct put {
	struct evtlog_entry entry;
	bool fill_in_time;
	bool in_hardirq, in_softirq;
	int result;
	u32 puts;
	u32 found;
	u64 ticks, data, timestamp;
	u32 type;
};

static struct put put[IDS];
static u64 events_before;

static void put_now(enum context context)
{
	struct put *p = &put[context];
	u64 data = 0xfeed0000 + context;

	p->entry.id = ID(context);
	memcpy(p->entry.data, &data, sizeof(data));
	p->in_hardirq = in_hardirq();
	p->in_softirq = in_serving_softirq();
	p->result = evtlog_put(&p->entry, p->fill_in_time);
	WRITE_ONCE(p->puts, p->puts + 1);
}

static void tasklet_runs(struct tasklet_struct *unused)
{
	put_now(IN_TASKLET);
}
static DECLARE_TASKLET(tasklet, tasklet_runs);

static void timer_fires(struct timer_list *unused)
{
	put_now(IN_TIMER);
}
static DEFINE_TIMER(timer, timer_fires);

static void irq_work_runs(struct irq_work *unused)
{
	put_now(IN_IRQ_WORK);
}
static struct irq_work irq_work = IRQ_WORK_INIT_HARD(irq_work_runs);

static enum hrtimer_restart hrtimer_fires(struct hrtimer *unused)
{
	put_now(IN_HRTIMER);
	return HRTIMER_NORESTART;
}

static void put_in_nmi(void)
{
	unsigned long flags;

	local_irq_save(flags);
	preempt_count_add(NMI_OFFSET);
	put_now(IN_NMI);
	preempt_count_sub(NMI_OFFSET);
	local_irq_restore(flags);
}

static bool set_geometry(unsigned int buffers, unsigned int buffer_kb)
{
	int error;

	rt_mutex_lock(&evtlog_run_lock);
	error = evtlog_run_set_geometry(buffers, buffer_kb);
	rt_mutex_unlock(&evtlog_run_lock);
	return !error;
}

static void choose(const char *text)
{
	u64 events = evtlog_events();
	char copy[64];

	strscpy(copy, text, sizeof(copy));
	if (!evtlog_events_parse(copy, &events)) {
		rt_mutex_lock(&evtlog_run_lock);
		evtlog_events_set(events);
		rt_mutex_unlock(&evtlog_run_lock);
	}
}

struct told {
	u64 puts, lost, header_full, header_nmi;
	u32 finals;
	bool damaged;
};

static void read_record(struct told *told, const u64 *at, u32 type, u64 ticks)
{
	u32 id = *at >> EVTLOG_DATA_SHIFT;

	if (type == EVTLOG_LOST)
		told->lost += at[1];
	if (type != EVTLOG_PUT && type != EVTLOG_PUT_AT)
		return;
	told->puts++;
	if (id >= ID(0) && id < ID(IDS)) {
		struct put *p = &put[id - ID(0)];

		p->found++;
		p->type = type;
		p->ticks = ticks;
		p->data = at[1];
		p->timestamp = type == EVTLOG_PUT_AT ? at[2] : 0;
	}
}

static void read_buffer(struct told *told, const struct evtlog_buffer_header *h)
{
	const u64 *at = (const void *)h + sizeof(*h);
	const u64 *end = (const void *)h + h->used_bytes;
	u64 upper = h->begin_ticks >> 32;

	told->header_full += h->lost[EVTLOG_LOST_FULL];
	told->header_nmi += h->lost[EVTLOG_LOST_NMI];
	told->finals += !!(h->flags & EVTLOG_BUFFER_FINAL);
	while (at < end) {
		u32 type = *at >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX;
		u32 words = evtlog_record_words(*at);

		if (!words || words > end - at) {
			told->damaged = true;
			return;
		}
		if (type == EVTLOG_TIME)
			upper = at[1] >> 32;
		read_record(told, at, type, upper << 32 | (u32)*at);
		at += words;
	}
}

/* No run records, so the rings do not change. */
static struct told read_all(void)
{
	const struct evtlog_buffer_header *h;
	struct told told = { 0 };
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);

		while ((h = evtlog_ring_peek(r, NULL))) {
			read_buffer(&told, h);
			evtlog_ring_release(r);
			evtlog_run_reader_returned(cpu);
		}
	}
	return told;
}

static bool wait_for(enum context context)
{
	unsigned long patience = jiffies + 5 * HZ;

	while (!READ_ONCE(put[context].puts) && time_before(jiffies, patience))
		schedule_timeout_uninterruptible(1);
	return READ_ONCE(put[context].puts);
}

static void an_event_put_in_any_context_is_read_back(struct kunit *test)
{
	struct hrtimer hrtimer;
	struct told told;
	int context;

	for (context = 0; context < IDS; context++)
		put[context].fill_in_time = true;
	KUNIT_ASSERT_TRUE(test, set_geometry(2, 256));
	KUNIT_ASSERT_EQ(test, evtlog_run_start(NULL), 0);

	put_now(IN_TASK);
	tasklet_schedule(&tasklet);
	mod_timer(&timer, jiffies + 1);
	irq_work_queue(&irq_work);
	hrtimer_init_on_stack(&hrtimer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	hrtimer.function = hrtimer_fires;
	hrtimer_start(&hrtimer, ns_to_ktime(100 * NSEC_PER_USEC),
		      HRTIMER_MODE_REL_HARD);
	put_in_nmi();
	for (context = IN_TASK; context <= IN_NMI; context++)
		KUNIT_EXPECT_TRUE(test, wait_for(context));

	del_timer_sync(&timer);
	hrtimer_cancel(&hrtimer);
	destroy_hrtimer_on_stack(&hrtimer);
	KUNIT_EXPECT_EQ(test, evtlog_run_stop(), 0);
	told = read_all();

	KUNIT_EXPECT_FALSE(test, told.damaged);
	KUNIT_EXPECT_EQ(test, told.puts, 5);
	KUNIT_EXPECT_EQ(test, told.header_nmi, 1);
	KUNIT_EXPECT_EQ(test, told.finals, num_online_cpus());
	KUNIT_EXPECT_TRUE(test, put[IN_TASKLET].in_softirq);
	KUNIT_EXPECT_TRUE(test, put[IN_TIMER].in_softirq);
	KUNIT_EXPECT_TRUE(test, put[IN_IRQ_WORK].in_hardirq);
	KUNIT_EXPECT_TRUE(test, put[IN_HRTIMER].in_hardirq);
	for (context = IN_TASK; context <= IN_HRTIMER; context++) {
		struct put *p = &put[context];

		KUNIT_EXPECT_EQ(test, p->result, 0);
		KUNIT_EXPECT_EQ(test, p->found, 1);
		KUNIT_EXPECT_EQ(test, p->type, (u32)EVTLOG_PUT);
		KUNIT_EXPECT_EQ(test, p->data, 0xfeed0000 + context);
		KUNIT_EXPECT_EQ(test, p->ticks, p->entry.timestamp);
	}
	KUNIT_EXPECT_EQ(test, put[IN_NMI].result, -EBUSY);
	KUNIT_EXPECT_EQ(test, put[IN_NMI].found, 0);
}

static void a_callers_time_is_kept_beside_the_time_of_the_call(struct kunit *test)
{
	u64 before, after;

	put[IN_TASK].fill_in_time = false;
	put[IN_TASK].entry.timestamp = 0x123456789abcdef0;
	KUNIT_ASSERT_TRUE(test, set_geometry(2, 256));
	KUNIT_ASSERT_EQ(test, evtlog_run_start(NULL), 0);
	before = evtlog_ticks64();
	put_now(IN_TASK);
	after = evtlog_ticks64();
	KUNIT_EXPECT_EQ(test, evtlog_run_stop(), 0);
	KUNIT_EXPECT_FALSE(test, read_all().damaged);

	KUNIT_EXPECT_EQ(test, put[IN_TASK].result, 0);
	KUNIT_EXPECT_EQ(test, put[IN_TASK].found, 1);
	KUNIT_EXPECT_EQ(test, put[IN_TASK].type, (u32)EVTLOG_PUT_AT);
	KUNIT_EXPECT_EQ(test, put[IN_TASK].timestamp, 0x123456789abcdef0);
	KUNIT_EXPECT_EQ(test, put[IN_TASK].entry.timestamp, 0x123456789abcdef0);
	KUNIT_EXPECT_GE(test, put[IN_TASK].ticks, before);
	KUNIT_EXPECT_LE(test, put[IN_TASK].ticks, after);
}

static void an_id_of_more_than_26_bits_is_refused(struct kunit *test)
{
	struct evtlog_entry entry = { .id = EVTLOG_DATA_MAX + 1 };

	KUNIT_EXPECT_EQ(test, evtlog_put(&entry, true), -EINVAL);
	entry.id = U32_MAX;
	KUNIT_EXPECT_EQ(test, evtlog_put(&entry, false), -EINVAL);
	KUNIT_ASSERT_EQ(test, evtlog_run_start(NULL), 0);
	KUNIT_EXPECT_EQ(test, evtlog_put(&entry, true), -EINVAL);
	entry.id = EVTLOG_DATA_MAX;
	KUNIT_EXPECT_EQ(test, evtlog_put(&entry, true), 0);
	KUNIT_EXPECT_EQ(test, evtlog_run_stop(), 0);
	KUNIT_EXPECT_EQ(test, read_all().puts, 1);
}

static void without_a_run_or_unwanted_there_is_nowhere_to_put(struct kunit *test)
{
	struct evtlog_entry entry = { .id = 1, .timestamp = 5 };
	struct told told;

	KUNIT_EXPECT_EQ(test, evtlog_put(&entry, true), -ENODATA);
	KUNIT_EXPECT_EQ(test, evtlog_put(&entry, false), -ENODATA);
	KUNIT_EXPECT_EQ(test, entry.timestamp, 5);
	choose("-put_at");
	KUNIT_ASSERT_EQ(test, evtlog_run_start(NULL), 0);
	KUNIT_EXPECT_EQ(test, evtlog_put(&entry, true), 0);
	KUNIT_EXPECT_EQ(test, evtlog_put(&entry, false), -ENODATA);
	KUNIT_EXPECT_EQ(test, evtlog_run_stop(), 0);
	told = read_all();
	KUNIT_EXPECT_EQ(test, told.puts, 1);
	KUNIT_EXPECT_EQ(test, told.lost, 0);
}

static void a_full_ring_refuses_and_counts(struct kunit *test)
{
	struct evtlog_entry entry = { .id = 1 };
	u64 put_well = 0, refused = 0;
	struct told told;
	int i, error;

	choose("-all +put");
	KUNIT_ASSERT_TRUE(test, set_geometry(2, 4));
	KUNIT_ASSERT_EQ(test, evtlog_run_start(NULL), 0);
	for (i = 0; i < 5000; i++) {
		error = evtlog_put(&entry, true);
		put_well += !error;
		refused += error == -ENOBUFS;
	}
	KUNIT_EXPECT_EQ(test, evtlog_run_stop(), 0);
	told = read_all();
	KUNIT_EXPECT_FALSE(test, told.damaged);
	KUNIT_EXPECT_EQ(test, put_well + refused, 5000);
	KUNIT_EXPECT_GT(test, refused, 0);
	KUNIT_EXPECT_EQ(test, told.puts, put_well);
	/* The counters at the run's end found no room either. */
	KUNIT_EXPECT_GE(test, told.lost, refused);
	KUNIT_EXPECT_EQ(test, told.lost, told.header_full);
}

/* The choice of events */

#define BIT_OF(name)	BIT_ULL(EVTLOG_##name)

static void a_choice_of_events_means_what_it_says(struct kunit *test)
{
	static const struct {
		const char *text;
		u64 from;
		int result;
		u64 to;
	} cases[] = {
		{ "", 5, 0, 5 },
		{ "+sched_switch", 0, 0, BIT_OF(SCHED_SWITCH) },
		{ "-sched_switch", ~0ULL, 0, ~BIT_OF(SCHED_SWITCH) },
		{ "+softirq", 0, 0,
		  BIT_OF(SOFTIRQ_ENTRY) | BIT_OF(SOFTIRQ_EXIT) },
		{ "-all\t+put\n", ~0ULL, 0, BIT_OF(PUT) },
		{ "  +all   -put  ", 0, 0, ~BIT_OF(PUT) },
		{ "+irq_work -irq_work_exit", 0, 0, BIT_OF(IRQ_WORK_ENTRY) },
		{ "+icmp", 0, 0, BIT_OF(ICMP_RX) | BIT_OF(ICMP_TX) },
		{ "sched_switch", 5, -EINVAL, 5 },
		{ "+no_such_type", 5, -EINVAL, 5 },
		{ "+put -no_such_type", 5, -EINVAL, 5 },
		{ "+sched_swit", 5, -EINVAL, 5 },
		{ "+", 5, -EINVAL, 5 },
		{ "+ put", 5, -EINVAL, 5 },
	};
	unsigned int i;
	char text[64];
	u64 events;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		strscpy(text, cases[i].text, sizeof(text));
		events = cases[i].from;
		KUNIT_EXPECT_EQ_MSG(test, evtlog_events_parse(text, &events),
				    cases[i].result, "\"%s\"", cases[i].text);
		KUNIT_EXPECT_EQ_MSG(test, events, cases[i].to, "\"%s\"",
				    cases[i].text);
	}
}

static void what_a_log_needs_cannot_be_turned_off(struct kunit *test)
{
	choose("-all");
	KUNIT_EXPECT_EQ(test, evtlog_events(),
			BIT_OF(TIME) | BIT_OF(LOST) | BIT_OF(COUNTER) |
			BIT_OF(TASK) | BIT_OF(EVENT_FORMAT) | BIT_OF(ON_CPU));
}

static int put_init(struct kunit *test)
{
	memset(put, 0, sizeof(put));
	events_before = evtlog_events();
	return 0;
}

/* Restores all settings, also after a failure: no run, all events, the default buffers. */
static void put_exit(struct kunit *test)
{
	evtlog_run_stop();
	rt_mutex_lock(&evtlog_run_lock);
	evtlog_events_set(events_before);
	rt_mutex_unlock(&evtlog_run_lock);
	set_geometry(2, 1024);
}

static struct kunit_case put_cases[] = {
	KUNIT_CASE(an_event_put_in_any_context_is_read_back),
	KUNIT_CASE(a_callers_time_is_kept_beside_the_time_of_the_call),
	KUNIT_CASE(an_id_of_more_than_26_bits_is_refused),
	KUNIT_CASE(without_a_run_or_unwanted_there_is_nowhere_to_put),
	KUNIT_CASE(a_full_ring_refuses_and_counts),
	KUNIT_CASE(a_choice_of_events_means_what_it_says),
	KUNIT_CASE(what_a_log_needs_cannot_be_turned_off),
	{}
};

static struct kunit_suite put_suite = {
	.name = "evtlog_put",
	.init = put_init,
	.exit = put_exit,
	.test_cases = put_cases,
};
kunit_test_suite(put_suite);
