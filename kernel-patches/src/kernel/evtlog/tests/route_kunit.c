// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: events go to the route that has their names, or to none.
 *
 * The route belongs to the test: it keeps one record, and counts.  Named buffers are tested in a
 * guest, except a CPU that stopped while it held the lock of a global one.
 */
#include <kunit/test.h>
#include <linux/cpu.h>
#include <linux/evtlog.h>
#include <linux/panic.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "clock.h"
#include "event/builtin.h"
#include "event/route.h"
#include "event/table.h"
#include "events.h"
#include "named/named.h"
#include "run.h"

struct place {
	struct evtlog_event_route route;
	u64 words[1 + EVTLOG_EVENT_BYTES_MAX / 8];
	u32 tag;
	unsigned int begun, committed, formats, urgent, nmis;
	int refuses;
};

static struct place place;

static struct place *place_of(struct evtlog_event_route *route)
{
	return container_of(route, struct place, route);
}

static int reserve(struct evtlog_event_route *route, u32 tag, unsigned int bytes, bool urgent,
		   u64 **record)
{
	struct place *p = place_of(route);

	if ((tag & EVTLOG_TYPE_MAX) != EVTLOG_EVENT_FORMAT) {
		if (p->refuses)
			return p->refuses;
		p->begun++;
		p->urgent += urgent;
		p->tag = tag;
	}
	*record = p->words;
	return 0;
}

static void commit(struct evtlog_event_route *route)
{
	place_of(route)->committed++;
}

static void drop(struct evtlog_event_route *route, unsigned int cause)
{
	place_of(route)->nmis++;
}

/* Without a run, hooks of EVENTs are off unless they are pinned. */
static void pin(bool on)
{
	cpus_read_lock();
	rt_mutex_lock(&evtlog_run_lock);
	evtlog_events_pin(on ? BIT_ULL(EVTLOG_EVENT) : 0);
	evtlog_events_apply(evtlog_run.armed);
	rt_mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
}

static void open_place_for(struct kunit *test, const char *events, const char *urgent,
			   bool is_for_builtins)
{
	char culprit[EVTLOG_EVENT_NAME_MAX + 1];

	memset(&place, 0, sizeof(place));
	place.route = (struct evtlog_event_route){
		.name = "kunit", .events = events, .urgent = urgent, .reserve = reserve,
		.commit = commit, .drop = drop, .is_one = true, .is_for_builtins = is_for_builtins,
	};
	pin(true);
	KUNIT_ASSERT_EQ(test, evtlog_event_route_add(&place.route, culprit, sizeof(culprit)), 0);
	place.committed = 0;
}

static void open_place(struct kunit *test, const char *events, const char *urgent)
{
	open_place_for(test, events, urgent, false);
}

static void close_place(void)
{
	evtlog_event_route_remove(&place.route);
	pin(false);
}

static void names_of_builtin_events(struct kunit *test)
{
	static const struct {
		const char *names;
		u64 types;
		const char *refused;
	} cases[] = {
		{ NULL, 0 },
		{ "", 0 },
		{ "udp_*,sample", 0 },
		{ "*", 0 },
		{ "sched_*", 0 },
		{ "sched_switch", BIT_ULL(EVTLOG_SCHED_SWITCH) },
		{ "sched_switc", 0 },
		{ "x,softirq", BIT_ULL(EVTLOG_SOFTIRQ_ENTRY) | BIT_ULL(EVTLOG_SOFTIRQ_EXIT) },
		{ "irq_handler,softirq_exit", BIT_ULL(EVTLOG_IRQ_HANDLER_ENTRY) |
		  BIT_ULL(EVTLOG_IRQ_HANDLER_EXIT) | BIT_ULL(EVTLOG_SOFTIRQ_EXIT) },
		{ "sched", BIT_ULL(EVTLOG_SCHED_SWITCH) | BIT_ULL(EVTLOG_SCHED_WAKING) |
		  BIT_ULL(EVTLOG_SCHED_WAKEUP_NEW) | BIT_ULL(EVTLOG_SCHED_MIGRATE_TASK) },
		{ "x,user", BIT_ULL(EVTLOG_USER_EXIT) | BIT_ULL(EVTLOG_USER_ENTER) |
		  BIT_ULL(EVTLOG_USER_NMI) },
		{ "user_exit", BIT_ULL(EVTLOG_USER_EXIT) | BIT_ULL(EVTLOG_USER_NMI) },
		{ "user_nmi,softirq", 0, "user_nmi" },
		{ "sched_process_fork,x", 0, "sched_process_fork,x" },
		{ "local_timer_entry", BIT_ULL(EVTLOG_LOCAL_TIMER_ENTRY) },
		{ "put", BIT_ULL(EVTLOG_PUT) },
		{ "task", 0, "task" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		u64 types;
		const char *refused = evtlog_builtin_find(cases[i].names, &types);

		KUNIT_EXPECT_STREQ(test, refused ?: "", cases[i].refused ?: "");
		if (!refused)
			KUNIT_EXPECT_EQ(test, types, cases[i].types);
	}
}

static void an_event_goes_where_it_is_asked_for(struct kunit *test)
{
	int before = evtlog_event_register("kunit_before", ""), after, other;
	u64 data = 0x1122334455667788;

	KUNIT_ASSERT_GT(test, before, 0);
	open_place(test, "kunit_before,kunit_af*", "kunit_after");
	after = evtlog_event_register("kunit_after", "a:0:8:x");
	other = evtlog_event_register("kunit_other", "");
	place.committed = 0;
	KUNIT_EXPECT_TRUE(test, evtlog_event_is_routed(before) && evtlog_event_is_routed(after));
	KUNIT_EXPECT_FALSE(test, evtlog_event_is_routed(other));
	KUNIT_EXPECT_EQ(test, evtlog_event_put(before, &data, 3), 0);
	KUNIT_EXPECT_EQ(test, place.tag, EVTLOG_EVENT_TAG(before, 3));
	KUNIT_EXPECT_EQ(test, place.words[1], data & 0xffffff);
	KUNIT_EXPECT_EQ(test, place.urgent, 0);
	KUNIT_EXPECT_EQ(test, evtlog_event_put(after, &data, 8), 0);
	KUNIT_EXPECT_EQ(test, place.words[1], data);
	KUNIT_EXPECT_EQ(test, place.urgent, 1);
	KUNIT_EXPECT_EQ(test, evtlog_event_put(other, &data, 8), -ENODATA);
	KUNIT_EXPECT_EQ(test, place.begun, 2);
	KUNIT_EXPECT_EQ(test, place.committed, 2);
	close_place();
	pin(true);
	KUNIT_EXPECT_EQ(test, evtlog_event_put(before, &data, 8), -ENODATA);
	KUNIT_EXPECT_EQ(test, place.begun, 2);
	pin(false);
	evtlog_event_unregister(before);
	evtlog_event_unregister(after);
	evtlog_event_unregister(other);
}

static void what_a_route_refuses_is_told(struct kunit *test)
{
	unsigned long flags;
	int id;

	open_place(test, "kunit_refused", NULL);
	id = evtlog_event_register("kunit_refused", "");
	place.committed = 0;
	place.refuses = -ENOBUFS;
	KUNIT_EXPECT_EQ(test, evtlog_event_put(id, "x", 1), -ENOBUFS);
	KUNIT_EXPECT_PTR_EQ(test, evtlog_event_reserve(id, 8, &flags), NULL);
	place.refuses = -ECANCELED;
	KUNIT_EXPECT_EQ(test, evtlog_event_put(id, "x", 1), -ECANCELED);
	KUNIT_EXPECT_FALSE(test, irqs_disabled());
	KUNIT_EXPECT_EQ(test, place.committed, 0);
	__preempt_count_add(NMI_OFFSET);
	evtlog_event_put(id, "x", 1);
	__preempt_count_sub(NMI_OFFSET);
	KUNIT_EXPECT_EQ(test, place.nmis, 1);
	KUNIT_EXPECT_EQ(test, place.begun, 0);
	close_place();
	evtlog_event_unregister(id);
}

static void a_record_begun_before_the_route_goes_is_committed(struct kunit *test)
{
	unsigned long flags;
	void *payload;
	int id;

	open_place(test, "kunit_late", NULL);
	id = evtlog_event_register("kunit_late", "");
	place.committed = 0;
	payload = evtlog_event_reserve(id, 8, &flags);
	KUNIT_EXPECT_PTR_EQ(test, payload, (void *)&place.words[1]);
	/* The first step of a close, which then waits until interrupts are on */
	evtlog_event_route_set(id, NULL, false);
	evtlog_event_commit(flags);
	KUNIT_EXPECT_EQ(test, place.committed, 1);
	KUNIT_EXPECT_FALSE(test, irqs_disabled());
	close_place();
	evtlog_event_unregister(id);
}

/* Its filter uses only fields of built-in types. */
static void a_route_of_built_in_events_gets_no_other(struct kunit *test)
{
	int before = evtlog_event_register("kunit_before", ""), after;

	KUNIT_ASSERT_GT(test, before, 0);
	open_place_for(test, "kunit_before,kunit_after", NULL, true);
	after = evtlog_event_register("kunit_after", "");
	KUNIT_EXPECT_GT(test, after, 0);
	KUNIT_EXPECT_FALSE(test, evtlog_event_is_routed(before));
	KUNIT_EXPECT_FALSE(test, evtlog_event_is_routed(after));
	close_place();
	evtlog_event_unregister(before);
	if (after > 0)
		evtlog_event_unregister(after);
}

/* Returns the time to lose a record. */
static u64 lose(struct kunit *test, struct evtlog_named *n, bool in_panic)
{
	unsigned long flags;
	u64 *record, begin, ticks;
	int error;

	local_irq_save(flags);
	arch_spin_lock(&n->ring_lock);
	if (in_panic)
		atomic_set(&panic_cpu, smp_processor_id());
	begin = evtlog_ticks64();
	error = evtlog_named_global_reserve(&n->route, EVTLOG_EVENT_TAG(1, 8), 8, false, &record);
	ticks = evtlog_ticks64() - begin;
	atomic_set(&panic_cpu, PANIC_CPU_INVALID);
	arch_spin_unlock(&n->ring_lock);
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, error, -ENOBUFS);
	return ticks;
}

static void a_lock_that_is_not_given_back_loses_records(struct kunit *test)
{
	struct evtlog_named *n = kunit_kzalloc(test, sizeof(*n), GFP_KERNEL);
	u64 ticks;

	if (!IS_ENABLED(CONFIG_SMP))
		kunit_skip(test, "no lock is taken");
	KUNIT_ASSERT_NOT_NULL(test, n);
	n->cpus = alloc_percpu(struct evtlog_named_cpu);
	KUNIT_ASSERT_NOT_NULL(test, (void __force *)n->cpus);
	n->shared = per_cpu_ptr(n->cpus, 0);
	n->ring_lock = (arch_spinlock_t)__ARCH_SPIN_LOCK_UNLOCKED;
	n->geometry.buffer_kb = 64;
	ticks = lose(test, n, false);
	KUNIT_EXPECT_LT(test, 1000 * lose(test, n, true), ticks);
	KUNIT_EXPECT_EQ(test, n->shared->ring.lost[EVTLOG_LOST_NESTED], 2);
	KUNIT_EXPECT_FALSE(test, n->shared->is_within);
	free_percpu(n->cpus);
}

static struct kunit_case route_cases[] = {
	KUNIT_CASE(names_of_builtin_events),
	KUNIT_CASE(an_event_goes_where_it_is_asked_for),
	KUNIT_CASE(a_route_of_built_in_events_gets_no_other),
	KUNIT_CASE(what_a_route_refuses_is_told),
	KUNIT_CASE(a_record_begun_before_the_route_goes_is_committed),
	KUNIT_CASE(a_lock_that_is_not_given_back_loses_records),
	{}
};

static struct kunit_suite route_suite = {
	.name = "evtlog_route",
	.test_cases = route_cases,
};
kunit_test_suite(route_suite);
