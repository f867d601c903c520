// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes records of built-in events that go to a named buffer: called by their hooks' sites.
 *
 * The records are the same as in hooks/ and put.c.  The fast path of ring.h writes them if the
 * route has a ring for it; else the route begins and commits them.  builtin.c chooses the route.
 */
#define __evtlog_hook	/* hot here, cold to callers: see linux/evtlog.h */

#include <linux/evtlog.h>
#include <linux/minmax.h>
#include <linux/static_call.h>
#include <linux/string.h>

#include "clock.h"
#include "event/builtin.h"
#include "event/route.h"
#include "hooks/icmp.h"
#include "hooks/sched.h"
#include "hooks/user.h"
#include "put.h"
#include "ring.h"

struct evtlog_place evtlog_places[EVTLOG_TYPE_MAX + 1];
u64 evtlog_places_since;

static noinline int
write_slowly(u32 tag, const u64 *body, unsigned int words, u32 *low)
{
	const struct evtlog_place *p = &evtlog_places[tag & EVTLOG_TYPE_MAX];
	/* Pairs with the release in evtlog_builtin_route(). */
	struct evtlog_event_route *route = smp_load_acquire(&p->route);
	u64 *record;
	int error;

	if (!route)
		return -ENODATA;
	if (in_nmi()) {
		route->drop(route, EVTLOG_LOST_NMI);
		return -EBUSY;
	}
	error = route->reserve(route, tag, (words - 1) * sizeof(*body), p->urgent, &record);
	if (error)
		return error;
	memcpy(record + 1, body, (words - 1) * sizeof(*body));
	*low = (u32)*record;
	route->commit(route);
	return 0;
}

/* For callers that must not change registers */
static noinline __cold __evtlog_saves_all void write_slowly_saving(u32 tag)
{
	u32 low;

	write_slowly(tag, NULL, 1, &low);
}

/* Interrupts off.  @saves: for one word, and no register may change, as a filter would do. */
static __always_inline int write_irqoff(u32 tag, const u64 *body, unsigned int words, bool saves,
					u32 *low)
{
	const struct evtlog_place *p = &evtlog_places[tag & EVTLOG_TYPE_MAX];
	/* Pairs with the release in evtlog_builtin_route(). */
	struct evtlog_ring __percpu *ring = smp_load_acquire(&p->ring);
	unsigned int i;
	u64 *record;

	if (unlikely(!ring))
		goto slow;
	if (p->accepts) {
		if (saves)
			goto slow;
		if (!p->accepts()) {
			this_cpu_inc(*p->rejected);
			return -ECANCELED;
		}
	}
	record = evtlog_ring_try_reserve(ring, tag, words);
	if (unlikely(!record))
		goto slow;
	this_cpu_inc(*p->records);
	for (i = 1; i < words; i++)
		record[i] = body[i - 1];
	*low = (u32)*record;
	return 0;
slow:
	if (saves) {
		write_slowly_saving(tag);
		return 0;
	}
	return write_slowly(tag, body, words, low);
}

/* Interrupts off */
static __always_inline void write_one(u32 tag)
{
	u32 low;

	write_irqoff(tag, NULL, 1, false, &low);
}

static __always_inline void write(u32 tag)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	write_one(tag);
	raw_local_irq_restore(flags);
}

static __always_inline void write_word(u32 tag, u64 word)
{
	unsigned long flags;
	u32 low;

	raw_local_irq_save(flags);
	write_irqoff(tag, &word, 2, false, &low);
	raw_local_irq_restore(flags);
}

static noinline __cold void switch_slowly(struct task_struct *next, unsigned int prev_state,
					  bool preempt)
{
	u32 low, state = evtlog_switch_any_state(prev_state, preempt);

	write_irqoff(evtlog_switch_tag(next, state), NULL, 1, false, &low);
}

static void sched_switch(struct task_struct *next, unsigned int prev_state, bool preempt)
{
	if (unlikely(prev_state & ~EVTLOG_PLAIN_STATES))
		switch_slowly(next, prev_state, preempt);
	else
		write_one(evtlog_switch_tag(next, evtlog_switch_plain_state(prev_state, preempt)));
}

static void sched_waking(struct task_struct *p)
{
	write(EVTLOG_TAG(EVTLOG_SCHED_WAKING, p->pid));
}

static void sched_wakeup_new(struct task_struct *p)
{
	write_word(EVTLOG_TAG(EVTLOG_SCHED_WAKEUP_NEW, p->pid),
		   task_cpu(p) | (u64)(u32)p->prio << 32);
}

static void sched_migrate_task(struct task_struct *p, int dest_cpu)
{
	write_word(EVTLOG_TAG(EVTLOG_SCHED_MIGRATE_TASK, p->pid),
		   task_cpu(p) | (u64)(u32)dest_cpu << 32);
}

static void softirq_entry(unsigned int vec)
{
	write(EVTLOG_TAG(EVTLOG_SOFTIRQ_ENTRY, vec));
}

static void softirq_exit(unsigned int vec)
{
	write(EVTLOG_TAG(EVTLOG_SOFTIRQ_EXIT, vec));
}

static void irq_handler_entry(unsigned int irq)
{
	write_one(EVTLOG_TAG(EVTLOG_IRQ_HANDLER_ENTRY, irq));
}

static void irq_handler_exit(unsigned int irq, int ret)
{
	write(EVTLOG_TAG(EVTLOG_IRQ_HANDLER_EXIT, (irq & 0xffffff) | (ret & 3) << 24));
}

static void vector(u32 tag)
{
	write_one(tag);
}

#ifndef MODULE
static void exception(u32 tag)
{
	u32 low;

	/* A handler of an NMI may fault: the loss is counted there. */
	if (unlikely(in_nmi()))
		write_slowly(tag, NULL, 1, &low);
	else
		write_one(tag);
}

static noinline __cold __evtlog_saves_all void tell_nmis(void)
{
	struct evtlog_user_nmis *n = this_cpu_ptr(&evtlog_user_nmis);
	u64 body[] = { n->ticks, n->began };
	u32 low, count = min_t(u32, n->count, EVTLOG_DATA_MAX);

	n->count = 0;
	n->ticks = 0;
	if (n->began >= READ_ONCE(evtlog_places_since))
		write_slowly(EVTLOG_TAG(EVTLOG_USER_NMI, count), body, 1 + ARRAY_SIZE(body), &low);
}

static __always_inline void write_exit(u32 tag, bool saves)
{
	u32 low;

	write_irqoff(tag, NULL, 1, saves, &low);
	if (unlikely(this_cpu_read(evtlog_user_nmis.count)))
		tell_nmis();
}

static void user_exit(void)
{
	write_exit(EVTLOG_TAG(EVTLOG_USER_EXIT, EVTLOG_USER_EXIT_OTHER), false);
}

static __evtlog_saves_all void user_exit_syscall(void *unused, long nr)
{
	if (unlikely(nr < 0 || nr > EVTLOG_SYSCALL_OTHER))
		nr = EVTLOG_SYSCALL_OTHER;
	write_exit(EVTLOG_TAG(EVTLOG_USER_EXIT, EVTLOG_USER_EXIT_SYSCALL | (u32)nr << 2), true);
}

static void user_exit_compat(unsigned int nr)
{
	nr = min_t(unsigned int, nr, EVTLOG_SYSCALL_OTHER);
	write_exit(EVTLOG_TAG(EVTLOG_USER_EXIT, EVTLOG_USER_EXIT_COMPAT | nr << 2), false);
}

static void user_enter(void)
{
	write_one(EVTLOG_TAG(EVTLOG_USER_ENTER, current->pid));
}

#endif /* !MODULE */

/* As __evtlog_put_now() and __evtlog_put_at() of put.c */
static int put(struct evtlog_entry *entry, bool fill_in_time)
{
	u32 tag = EVTLOG_TAG(fill_in_time ? EVTLOG_PUT : EVTLOG_PUT_AT, entry->id), low;
	u64 body[2] = { 0, entry->timestamp }, now;
	unsigned long flags;
	int error;

	memcpy(body, entry->data, sizeof(entry->data));
	raw_local_irq_save(flags);
	if (in_nmi())
		error = write_slowly(tag, body, fill_in_time ? 2 : 3, &low);
	else if (fill_in_time)
		error = write_irqoff(tag, body, 2, false, &low);
	else
		error = write_irqoff(tag, body, 3, false, &low);
	if (!error && fill_in_time) {
		now = evtlog_ticks64();
		/* The record's time is the last with its lower half. */
		entry->timestamp = now - (u32)((u32)now - low);
	}
	raw_local_irq_restore(flags);
	return error;
}

static int put_now(struct evtlog_entry *entry)
{
	return put(entry, true);
}

static int put_at(struct evtlog_entry *entry)
{
	return put(entry, false);
}

#ifdef CONFIG_INET
static void write_icmp(const struct evtlog_icmp_record *record)
{
	unsigned long flags;
	u32 low;

	raw_local_irq_save(flags);
	write_irqoff(record->tag, record->body, record->words, false, &low);
	raw_local_irq_restore(flags);
}

static void icmp_rx(struct sk_buff *skb)
{
	struct evtlog_icmp_record record;

	if (evtlog_icmp_rx_record(skb, &record))
		write_icmp(&record);
}

static void icmp_tx(struct sk_buff *skb, struct net_device *dev)
{
	struct evtlog_icmp_record record;

	if (evtlog_icmp_tx_record(skb, dev, &record))
		write_icmp(&record);
}
#endif

const struct evtlog_builtin evtlog_builtins[] = {
#define SITE(TYPE, name, run, route) {					\
	.type = EVTLOG_##TYPE,						\
	.key = &STATIC_CALL_KEY(evtlog_##name),				\
	.trampoline = STATIC_CALL_TRAMP_ADDR(evtlog_##name),		\
	.to_run = run,							\
	.to_route = route,						\
}
#define HOOK(TYPE, name)	SITE(TYPE, name, __evtlog_##name, name)
#define VECTOR(TYPE, name)	SITE(TYPE, name, __evtlog_vector, vector),
	HOOK(SCHED_SWITCH, sched_switch),
	HOOK(SCHED_WAKING, sched_waking),
	HOOK(SCHED_WAKEUP_NEW, sched_wakeup_new),
	HOOK(SCHED_MIGRATE_TASK, sched_migrate_task),
	HOOK(SOFTIRQ_ENTRY, softirq_entry),
	HOOK(SOFTIRQ_EXIT, softirq_exit),
	HOOK(IRQ_HANDLER_ENTRY, irq_handler_entry),
	HOOK(IRQ_HANDLER_EXIT, irq_handler_exit),
	SITE(IRQ_HANDLER_EXIT, irq_percpu_exit, __evtlog_irq_percpu_exit, irq_handler_exit),
	EVTLOG_VECTORS(VECTOR)
#ifndef MODULE
	SITE(EXCEPTION_ENTRY, exception_entry, __evtlog_exception, exception),
	SITE(EXCEPTION_EXIT, exception_exit, __evtlog_exception, exception),
	HOOK(USER_EXIT, user_exit),
	HOOK(USER_EXIT, user_exit_syscall),
	HOOK(USER_EXIT, user_exit_compat),
	HOOK(USER_ENTER, user_enter),
#endif
	HOOK(PUT, put_now),
	HOOK(PUT_AT, put_at),
#ifdef CONFIG_INET
	HOOK(ICMP_RX, icmp_rx),
	HOOK(ICMP_TX, icmp_tx),
#endif
};

const unsigned int evtlog_nr_builtins = ARRAY_SIZE(evtlog_builtins);
static_assert(ARRAY_SIZE(evtlog_builtins) <= EVTLOG_BUILTINS_MAX);
