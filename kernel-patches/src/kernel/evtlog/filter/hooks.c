// SPDX-License-Identifier: GPL-2.0-only
/*
 * Table of the hooks of static events that can have a filter, with the names of their fields.
 *
 * Used by events.c.  It excludes events that name tasks, without which a log cannot be read, and
 * events that occur only once.
 */
#include <linux/evtlog.h>
#include <linux/sched.h>
#include <linux/static_call.h>

#include "code/emit.h"
#include "filter/hook.h"
#include "hooks/icmp.h"
#include "put.h"

/* Registers of a C function's arguments, in order. */
#define FIRST	EVTLOG_RDI
#define SECOND	EVTLOG_RSI
#define THIRD	EVTLOG_RDX

#define OF_TASK(name)	{ FIRST, offsetof(struct task_struct, name) }

/* Bits of the trees of a task; 0 in a kernel without trees. */
#ifdef MODULE
#define TREES_OF_TASK	{ FIRST, FILTER_TREES_OF }
#elif defined(CONFIG_EVTLOG_SAMPLER)
#define TREES_OF_TASK	OF_TASK(evtlog_trees)
#else
#define TREES_OF_TASK	{ 0, FILTER_CONSTANT }
#endif

static const struct evtlog_filter_field switch_fields[] = {
	{ "next_pid", 0, 4, true }, { "next_tgid", 1, 4, true }, { "next_prio", 2, 4, true },
	{ "state_bits", 3, 4, false }, { "preempt", 4, 1, false },
	{ "next_trees", 5, 4, false },
};

static const struct filter_source switch_sources[] = {
	OF_TASK(pid), OF_TASK(tgid), OF_TASK(prio),
	{ SECOND, FILTER_IN_REGISTER }, { THIRD, FILTER_IN_REGISTER },
	TREES_OF_TASK,
};

static const struct evtlog_filter_field task_fields[] = {
	{ "pid", 0, 4, true }, { "tgid", 1, 4, true }, { "prio", 2, 4, true },
	{ "trees", 3, 4, false },
};

static const struct evtlog_filter_field new_fields[] = {
	{ "pid", 0, 4, true }, { "tgid", 1, 4, true }, { "prio", 2, 4, true },
	{ "trees", 3, 4, false }, { "target_cpu", 4, 4, false },
};

static const struct evtlog_filter_field migrate_fields[] = {
	{ "pid", 0, 4, true }, { "tgid", 1, 4, true }, { "prio", 2, 4, true },
	{ "trees", 3, 4, false }, { "orig_cpu", 4, 4, false }, { "dest_cpu", 5, 4, false },
};

/* For the task that is woken or moved. */
static const struct filter_source task_sources[] = {
	OF_TASK(pid), OF_TASK(tgid), OF_TASK(prio), TREES_OF_TASK, OF_TASK(thread_info.cpu),
	{ SECOND, FILTER_IN_REGISTER },
};

static const struct evtlog_filter_field softirq_fields[] = { { "vec", 0, 4, false } };

static const struct evtlog_filter_field irq_fields[] = {
	{ "irq", 0, 4, false }, { "ret", 1, 4, false },
};

static const struct filter_source number_sources[] = {
	{ FIRST, FILTER_IN_REGISTER }, { SECOND, FILTER_IN_REGISTER },
};

#ifndef MODULE
static const struct evtlog_filter_field exit_fields[] = {
	{ "cause", 0, 4, false }, { "nr", 1, 4, true },
};

static const struct filter_source exit_sources[] = {
	{ EVTLOG_USER_EXIT_OTHER, FILTER_CONSTANT }, { (u8)-1, FILTER_CONSTANT },
};

static const struct filter_source syscall_sources[] = {
	{ EVTLOG_USER_EXIT_SYSCALL, FILTER_CONSTANT }, { SECOND, FILTER_IN_REGISTER },
};

static const struct filter_source compat_sources[] = {
	{ EVTLOG_USER_EXIT_COMPAT, FILTER_CONSTANT }, { FIRST, FILTER_IN_REGISTER },
};
#endif

static const struct evtlog_filter_field vector_fields[] = { { "vector", 0, 4, false } };
static const struct filter_source vector_sources[] = { { FIRST, FILTER_IN_TAG } };

static const struct evtlog_filter_field put_fields[] = {
	{ "id", 0, 4, false }, { "data", 1, 8, false }, { "timestamp", 2, 8, false },
};

#define OF_ENTRY(name)	{ FIRST, offsetof(struct evtlog_entry, name) }

static const struct filter_source put_sources[] = {
	OF_ENTRY(id), OF_ENTRY(data), OF_ENTRY(timestamp),
};

#ifdef CONFIG_INET
#define ICMP_SLOT(name)	(offsetof(struct evtlog_icmp_fields, name) / sizeof(u64))

static const struct evtlog_filter_field icmp_fields[] = {
	{ "type", ICMP_SLOT(type), 4, false }, { "code", ICMP_SLOT(code), 4, false },
	{ "id", ICMP_SLOT(id), 4, false }, { "seq", ICMP_SLOT(seq), 4, false },
	{ "peer", ICMP_SLOT(peer), 4, false }, { "local", ICMP_SLOT(local), 4, false },
	{ "len", ICMP_SLOT(len), 4, false }, { "netns", ICMP_SLOT(netns), 8, false },
};
#endif

/*
 * For a run of one tree: at a switch, one of both tasks is in the tree; at a wake-up or migration,
 * the task that is woken or moved; otherwise, the running task, which the event interrupts.
 */
#define TREE_OF_SWITCH	"trees&%#x || next_trees&%#x"
#define TREE_OF_TASK	"trees&%#x"

#define HOOK_OF(TYPE, name, its_function, on, its_fields, its_sources, nr, ...) { \
	.type = EVTLOG_##TYPE,						\
	.irqs_on = on,							\
	.key = &STATIC_CALL_KEY(evtlog_##name),				\
	.trampoline = STATIC_CALL_TRAMP_ADDR(evtlog_##name),		\
	.function = its_function,					\
	.fields = its_fields,						\
	.sources = its_sources,						\
	.nr_fields = nr,						\
	__VA_ARGS__							\
}
#define HOOK(TYPE, name, on, its_fields, its_sources, nr, ...)		\
	HOOK_OF(TYPE, name, __evtlog_##name, on, its_fields, its_sources, nr, __VA_ARGS__)
#define VECTOR(TYPE, name)						\
	HOOK_OF(TYPE, name, __evtlog_vector, false, vector_fields, vector_sources, 1,	\
		.tree_text = TREE_OF_TASK),
#define EXCEPTION(TYPE, name)						\
	HOOK_OF(TYPE, name, __evtlog_exception, false, vector_fields, vector_sources, 1,	\
		.tree_text = TREE_OF_TASK)
#define HOOK_IN_TREE(TYPE, name, on, its_fields, its_sources, nr, ...)	\
	HOOK(TYPE, name, on, its_fields, its_sources, nr, .tree_text = TREE_OF_TASK, __VA_ARGS__)

const struct filter_hook filter_hooks[] = {
	HOOK(SCHED_SWITCH, sched_switch, false, switch_fields, switch_sources, 6,
	     .in_tree = __evtlog_sched_switch_tree, .tree_text = TREE_OF_SWITCH),
	/* A task that wakes itself may have interrupts on. */
	HOOK_IN_TREE(SCHED_WAKING, sched_waking, true, task_fields, task_sources, 4),
	HOOK_IN_TREE(SCHED_WAKEUP_NEW, sched_wakeup_new, false, new_fields, task_sources, 5),
	HOOK_IN_TREE(SCHED_MIGRATE_TASK, sched_migrate_task, false, migrate_fields, task_sources, 6),
	HOOK_IN_TREE(SOFTIRQ_ENTRY, softirq_entry, true, softirq_fields, number_sources, 1),
	HOOK_IN_TREE(SOFTIRQ_EXIT, softirq_exit, true, softirq_fields, number_sources, 1),
	HOOK_IN_TREE(IRQ_HANDLER_ENTRY, irq_handler_entry, false, irq_fields, number_sources, 1),
	HOOK_IN_TREE(IRQ_HANDLER_EXIT, irq_handler_exit, false, irq_fields, number_sources, 2),
	/* A broken handler may have turned interrupts on. */
	HOOK_IN_TREE(IRQ_HANDLER_EXIT, irq_percpu_exit, true, irq_fields, number_sources, 2),
	EVTLOG_VECTORS(VECTOR)
#ifndef MODULE
	EXCEPTION(EXCEPTION_ENTRY, exception_entry),
	EXCEPTION(EXCEPTION_EXIT, exception_exit),
	HOOK_IN_TREE(USER_EXIT, user_exit, false, exit_fields, exit_sources, 2),
	HOOK_IN_TREE(USER_EXIT, user_exit_syscall, false, exit_fields, syscall_sources, 2,
	     .saves_all = true),
	HOOK_IN_TREE(USER_EXIT, user_exit_compat, false, exit_fields, compat_sources, 2),
	HOOK_IN_TREE(USER_ENTER, user_enter, false, NULL, NULL, 0),
#endif
	HOOK(PUT, put_now, true, put_fields, put_sources, 2, .returns = true),
	HOOK(PUT_AT, put_at, true, put_fields, put_sources, 3, .returns = true),
#ifdef CONFIG_INET
	HOOK(ICMP_RX, icmp_rx, true, icmp_fields, NULL, ARRAY_SIZE(icmp_fields),
	     .load = evtlog_icmp_rx_fields),
	HOOK(ICMP_TX, icmp_tx, true, icmp_fields, NULL, ARRAY_SIZE(icmp_fields),
	     .load = evtlog_icmp_tx_fields),
#endif
};

const unsigned int filter_nr_hooks = ARRAY_SIZE(filter_hooks);
