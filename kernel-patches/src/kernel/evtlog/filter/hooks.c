// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which hooks of static events a filter can stand before, and what their fields are named.
 *
 * Read by events.c.  Not here: events that name tasks, without which a log cannot be read; those
 * of user mode and system vectors, several of which share a hook; ICMP; evtlog_put().
 */
#include <linux/evtlog.h>
#include <linux/sched.h>
#include <linux/static_call.h>

#include "filter/asm.h"
#include "filter/hook.h"

/* Arguments of a function in C, in their order. */
#define FIRST	ASM_RDI
#define SECOND	ASM_RSI
#define THIRD	ASM_RDX

#define OF_TASK(name)	{ FIRST, offsetof(struct task_struct, name) }

static const struct evtlog_filter_field switch_fields[] = {
	{ "next_pid", 0, 4, true }, { "next_tgid", 1, 4, true }, { "next_prio", 2, 4, true },
	{ "state_bits", 3, 4, false }, { "preempt", 4, 1, false },
};

static const struct filter_source switch_sources[] = {
	OF_TASK(pid), OF_TASK(tgid), OF_TASK(prio),
	{ SECOND, FILTER_IN_REGISTER }, { THIRD, FILTER_IN_REGISTER },
};

static const struct evtlog_filter_field task_fields[] = {
	{ "pid", 0, 4, true }, { "tgid", 1, 4, true }, { "prio", 2, 4, true },
};

static const struct evtlog_filter_field new_fields[] = {
	{ "pid", 0, 4, true }, { "tgid", 1, 4, true }, { "prio", 2, 4, true },
	{ "target_cpu", 3, 4, false },
};

static const struct evtlog_filter_field migrate_fields[] = {
	{ "pid", 0, 4, true }, { "tgid", 1, 4, true }, { "prio", 2, 4, true },
	{ "orig_cpu", 3, 4, false }, { "dest_cpu", 4, 4, false },
};

/* Of the task that is woken, or moved. */
static const struct filter_source task_sources[] = {
	OF_TASK(pid), OF_TASK(tgid), OF_TASK(prio), OF_TASK(thread_info.cpu),
	{ SECOND, FILTER_IN_REGISTER },
};

static const struct evtlog_filter_field softirq_fields[] = { { "vec", 0, 4, false } };

static const struct evtlog_filter_field irq_fields[] = {
	{ "irq", 0, 4, false }, { "ret", 1, 4, false },
};

static const struct filter_source number_sources[] = {
	{ FIRST, FILTER_IN_REGISTER }, { SECOND, FILTER_IN_REGISTER },
};

#define HOOK(TYPE, name, on, its_fields, its_sources, nr) {		\
	.type = EVTLOG_##TYPE,						\
	.irqs_on = on,							\
	.key = &STATIC_CALL_KEY(evtlog_##name),				\
	.trampoline = STATIC_CALL_TRAMP_ADDR(evtlog_##name),		\
	.function = __evtlog_##name,					\
	.fields = its_fields,						\
	.sources = its_sources,						\
	.nr_fields = nr,						\
}

const struct filter_hook filter_hooks[] = {
	HOOK(SCHED_SWITCH, sched_switch, false, switch_fields, switch_sources, 5),
	/* A task that wakes itself may have interrupts on. */
	HOOK(SCHED_WAKING, sched_waking, true, task_fields, task_sources, 3),
	HOOK(SCHED_WAKEUP_NEW, sched_wakeup_new, false, new_fields, task_sources, 4),
	HOOK(SCHED_MIGRATE_TASK, sched_migrate_task, false, migrate_fields, task_sources, 5),
	HOOK(SOFTIRQ_ENTRY, softirq_entry, true, softirq_fields, number_sources, 1),
	HOOK(SOFTIRQ_EXIT, softirq_exit, true, softirq_fields, number_sources, 1),
	HOOK(IRQ_HANDLER_ENTRY, irq_handler_entry, false, irq_fields, number_sources, 1),
	HOOK(IRQ_HANDLER_EXIT, irq_handler_exit, false, irq_fields, number_sources, 2),
	/* A broken handler may have turned them on. */
	HOOK(IRQ_HANDLER_EXIT, irq_percpu_exit, true, irq_fields, number_sources, 2),
};

const unsigned int filter_nr_hooks = ARRAY_SIZE(filter_hooks);
