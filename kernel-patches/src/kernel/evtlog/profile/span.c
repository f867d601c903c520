// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks of sockets and TCP/IP, VFS and block: see linux/evtlog_span.h.  They write no records.
 */
#include <linux/evtlog.h>
#include <linux/evtlog_span.h>
#include <linux/export.h>

#include "clock.h"
#include "profile/profile.h"

DEFINE_STATIC_KEY_FALSE(evtlog_profile_signal_key);
DEFINE_STATIC_KEY_FALSE(evtlog_profile_net_key);
DEFINE_STATIC_KEY_FALSE(evtlog_profile_block_key);
/* Used by inline functions: linux/sched/xacct.h. */
EXPORT_SYMBOL(evtlog_profile_block_key);
/* IPv6 may be a module. */
EXPORT_SYMBOL_GPL(evtlog_profile_net_key);

static void switch_key(struct static_key_false *key, bool on)
{
	if (on)
		static_branch_enable_cpuslocked(key);
	else
		static_branch_disable_cpuslocked(key);
}

/**
 * evtlog_profile_spans_switch() - turn hooks on and off
 * @signal:	hook of signals, see hooks.c
 * @net:	hooks of sockets and TCP/IP
 * @block:	hooks of VFS and block
 *
 * Context: the lock of CPU hotplug is held; clocks of CPUs do not run.
 */
void evtlog_profile_spans_switch(bool signal, bool net, bool block)
{
	switch_key(&evtlog_profile_signal_key, signal);
	switch_key(&evtlog_profile_net_key, net);
	switch_key(&evtlog_profile_block_key, block);
}

/* For another path than the last, or with traces.  A tail call: no register is saved. */
static noinline void enter_slowly(unsigned int event, unsigned long flags)
{
	u64 now = evtlog_ticks64();

	evtlog_profile_enter(event, now);
	if (static_branch_unlikely(&evtlog_profile_slow_key))
		evtlog_profile_trace_current(EVTLOG_PROFILE_TRACE_ENTER, event, now);
	raw_local_irq_restore(flags);
}

static noinline void leave_slowly(unsigned int event, unsigned long flags)
{
	u64 now = evtlog_ticks64();

	evtlog_profile_exit(event, now);
	if (static_branch_unlikely(&evtlog_profile_slow_key))
		evtlog_profile_trace_current(EVTLOG_PROFILE_TRACE_LEAVE, event, now);
	raw_local_irq_restore(flags);
}

static __always_inline bool is_slow(const struct evtlog_profile_node *node, unsigned int event)
{
	return static_branch_unlikely(&evtlog_profile_slow_key) ||
	       unlikely((u16)node->key != event);
}

/* @is_inner: do nothing if the event is on top already; see evtlog_net_span_inner(). */
static __always_inline void enter(unsigned int class, unsigned int number, bool is_inner)
{
	unsigned int event = EVTLOG_PROFILE_EVENT(class, number);
	struct evtlog_profile_node *top, *node;
	unsigned long flags;
	u64 now;

	raw_local_irq_save(flags);
	top = this_cpu_read(evtlog_profile_cpu.top);
	if (is_inner && unlikely((u16)top->key == event)) {
		raw_local_irq_restore(flags);
		return;
	}
	node = top->child;
	if (is_slow(node, event)) {
		enter_slowly(event, flags);
		return;
	}
	now = evtlog_ticks64();
	evtlog_profile_charge(top, now);
	node->start = now;
	evtlog_profile_resume(node, now);
	this_cpu_write(evtlog_profile_cpu.top, node);
	raw_local_irq_restore(flags);
}

/* @is_outer: do nothing if the inner span has left it; a span without a node is left each time. */
static __always_inline void leave(unsigned int class, unsigned int number, bool is_outer)
{
	unsigned int event = EVTLOG_PROFILE_EVENT(class, number);
	struct evtlog_profile_node *node;
	unsigned long flags;
	u64 now;

	raw_local_irq_save(flags);
	node = this_cpu_read(evtlog_profile_cpu.top);
	if (is_outer && (u16)node->key != event && (u16)node->key != EVTLOG_PROFILE_REST) {
		raw_local_irq_restore(flags);
		return;
	}
	if (is_slow(node, event)) {
		leave_slowly(event, flags);
		return;
	}
	now = evtlog_ticks64();
	evtlog_profile_charge(node, now);
	evtlog_profile_resume(evtlog_profile_leave(node, now), now);
	raw_local_irq_restore(flags);
}

void __evtlog_net_enter(unsigned int number)
{
	enter(EVTLOG_PROFILE_NET, number, false);
}
EXPORT_SYMBOL_GPL(__evtlog_net_enter);

void __evtlog_net_exit(unsigned int number)
{
	leave(EVTLOG_PROFILE_NET, number, false);
}
EXPORT_SYMBOL_GPL(__evtlog_net_exit);

void __evtlog_net_enter_inner(unsigned int number)
{
	enter(EVTLOG_PROFILE_NET, number, true);
}

void __evtlog_net_exit_outer(unsigned int number)
{
	leave(EVTLOG_PROFILE_NET, number, true);
}
EXPORT_SYMBOL_GPL(__evtlog_net_exit_outer);

void __evtlog_block_enter(unsigned int number)
{
	enter(EVTLOG_PROFILE_BLOCK, number, false);
}

void __evtlog_block_exit(unsigned int number)
{
	leave(EVTLOG_PROFILE_BLOCK, number, false);
}
