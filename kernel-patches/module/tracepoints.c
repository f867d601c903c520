// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls the hooks from the kernel's tracepoints.
 *
 * flip.c chooses the types.  A tracepoint without a probe costs what it costs without this module.
 * Their names are looked up when the module is loaded, because no tracepoint is exported.
 */
#include <linux/bits.h>
#include <linux/evtlog.h>
#include <linux/ftrace.h>
#include <linux/skbuff.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/version.h>
#include <asm/trace/irq_vectors.h>
#include <trace/events/irq.h>
#include <trace/events/net.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>

#include "events.h"
#include "module/module.h"
#include "module/tracepoints.h"
#include "ring.h"

static void on_switch(void *unused, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	static_call(evtlog_sched_switch)(next, prev_state, preempt);
}

static void on_waking(void *unused, struct task_struct *p)
{
	static_call(evtlog_sched_waking)(p);
}

static void on_wakeup_new(void *unused, struct task_struct *p)
{
	static_call(evtlog_sched_wakeup_new)(p);
}

static void on_migrate(void *unused, struct task_struct *p, int dest_cpu)
{
	static_call(evtlog_sched_migrate_task)(p, dest_cpu);
}

static void on_fork(void *unused, struct task_struct *child, unsigned long flags)
{
	__evtlog_sched_process_fork(child);
}

static void on_exec(void *unused, struct task_struct *p, pid_t old_pid, struct linux_binprm *bprm)
{
	__evtlog_sched_process_exec(p, old_pid);
}

static void on_exit(void *unused, struct task_struct *p)
{
	__evtlog_sched_process_exit(p);
}

static void on_rename(void *unused, struct task_struct *p, const char *comm)
{
	__evtlog_task_rename(p, comm);
}

static void on_softirq_entry(void *unused, unsigned int vec)
{
	static_call(evtlog_softirq_entry)(vec);
}

static void on_softirq_exit(void *unused, unsigned int vec)
{
	static_call(evtlog_softirq_exit)(vec);
}

static void on_irq_entry(void *unused, int irq, struct irqaction *action)
{
	static_call(evtlog_irq_handler_entry)(irq);
}

static void on_irq_exit(void *unused, int irq, struct irqaction *action, int ret)
{
	static_call(evtlog_irq_percpu_exit)(irq, ret);
}

static void on_xmit(void *unused, const struct sk_buff *skb, const struct net_device *dev)
{
	static_call(evtlog_icmp_tx)((struct sk_buff *)skb, (struct net_device *)dev);
}

static void on_receive(void *unused, struct sk_buff *skb)
{
	__evtlog_rx_stamp();
}

/* Each vector's tracepoints have the vector as argument.  @site: static call of the hook */
#define VECTORS(X)							\
	X(local_timer_entry, LOCAL_TIMER_ENTRY, local_timer_entry)	\
	X(local_timer_exit, LOCAL_TIMER_EXIT, local_timer_exit)		\
	X(reschedule_entry, RESCHEDULE_ENTRY, reschedule_entry)		\
	X(reschedule_exit, RESCHEDULE_EXIT, reschedule_exit)		\
	X(call_function_entry, CALL_FUNCTION_ENTRY, call_function_entry) \
	X(call_function_exit, CALL_FUNCTION_EXIT, call_function_exit)	\
	X(call_function_single_entry, CALL_FUNCTION_SINGLE_ENTRY, call_function_single_entry) \
	X(call_function_single_exit, CALL_FUNCTION_SINGLE_EXIT, call_function_single_exit) \
	X(irq_work_entry, IRQ_WORK_ENTRY, irq_work_entry)		\
	X(irq_work_exit, IRQ_WORK_EXIT, irq_work_exit)			\
	X(x86_platform_ipi_entry, VECTOR_ENTRY, vector_entry)		\
	X(x86_platform_ipi_exit, VECTOR_EXIT, vector_exit)		\
	X(error_apic_entry, VECTOR_ENTRY, vector_entry)			\
	X(error_apic_exit, VECTOR_EXIT, vector_exit)			\
	X(spurious_apic_entry, VECTOR_ENTRY, vector_entry)		\
	X(spurious_apic_exit, VECTOR_EXIT, vector_exit)			\
	X(thermal_apic_entry, VECTOR_ENTRY, vector_entry)		\
	X(thermal_apic_exit, VECTOR_EXIT, vector_exit)			\
	X(threshold_apic_entry, VECTOR_ENTRY, vector_entry)		\
	X(threshold_apic_exit, VECTOR_EXIT, vector_exit)		\
	X(deferred_error_apic_entry, VECTOR_ENTRY, vector_entry)	\
	X(deferred_error_apic_exit, VECTOR_EXIT, vector_exit)

#define X(name, TYPE, site)						\
static void on_##name(void *unused, int vector)				\
{									\
	static_call(evtlog_##site)(EVTLOG_TAG(EVTLOG_##TYPE, vector));	\
}
VECTORS(X)
#undef X

/* The tracepoints of all vectors are of one class; not every kernel has all of them. */
static_assert(EVTLOG_PROBE_FITS(local_timer_entry, on_local_timer_entry));

/* @tracepoint: NULL if the kernel does not have it */
static struct source {
	const char *name;
	void *probe;
	u8 type;
	bool is_on;
	struct tracepoint *tracepoint;
} sources[] = {
	{ EVTLOG_PROBE(sched_switch, on_switch), EVTLOG_SCHED_SWITCH },
	{ EVTLOG_PROBE(sched_waking, on_waking), EVTLOG_SCHED_WAKING },
	{ EVTLOG_PROBE(sched_wakeup_new, on_wakeup_new), EVTLOG_SCHED_WAKEUP_NEW },
	{ EVTLOG_PROBE(sched_migrate_task, on_migrate), EVTLOG_SCHED_MIGRATE_TASK },
	{ EVTLOG_PROBE(task_newtask, on_fork), EVTLOG_SCHED_PROCESS_FORK },
	{ EVTLOG_PROBE(sched_process_exec, on_exec), EVTLOG_SCHED_PROCESS_EXEC },
	{ EVTLOG_PROBE(sched_process_exit, on_exit), EVTLOG_SCHED_PROCESS_EXIT },
	{ EVTLOG_PROBE(task_rename, on_rename), EVTLOG_TASK_RENAME },
	{ EVTLOG_PROBE(softirq_entry, on_softirq_entry), EVTLOG_SOFTIRQ_ENTRY },
	{ EVTLOG_PROBE(softirq_exit, on_softirq_exit), EVTLOG_SOFTIRQ_EXIT },
	{ EVTLOG_PROBE(irq_handler_entry, on_irq_entry), EVTLOG_IRQ_HANDLER_ENTRY },
	{ EVTLOG_PROBE(irq_handler_exit, on_irq_exit), EVTLOG_IRQ_HANDLER_EXIT },
	{ EVTLOG_PROBE(net_dev_start_xmit, on_xmit), EVTLOG_ICMP_TX },
	{ EVTLOG_PROBE(netif_receive_skb, on_receive), EVTLOG_ICMP_RX },
#define X(name, TYPE, site)	{ #name, on_##name, EVTLOG_##TYPE },
	VECTORS(X)
#undef X
};

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define ftrace_regs_get_argument(fregs, n)	regs_get_kernel_argument(&(fregs)->regs, n)
#endif

/*
 * No tracepoint shows a received ICMP message.  At this function's entry the checksum has not been
 * verified, unless the device did it.  The sum that is made here stays in the packet.
 */
static void on_icmp_rcv(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			struct ftrace_regs *fregs)
{
	struct sk_buff *skb = (struct sk_buff *)ftrace_regs_get_argument(fregs, 0);

	if (skb->ip_summed == CHECKSUM_UNNECESSARY || !skb_checksum_simple_validate(skb))
		static_call(evtlog_icmp_rx)(skb);
}

static struct ftrace_ops icmp_rcv = {
	.func = on_icmp_rcv,
	.flags = FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_PERMANENT,
};

static void note(struct tracepoint *tracepoint, void *unused)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sources); i++) {
		if (!strcmp(tracepoint->name, sources[i].name))
			sources[i].tracepoint = tracepoint;
	}
}

/**
 * evtlog_tracepoints_find() - find the tracepoints of this kernel
 *
 * Return: a bit for each record type whose tracepoint exists.
 */
u64 __init evtlog_tracepoints_find(void)
{
	unsigned long address = evtlog_address_of("icmp_rcv");
	bool has_icmp_rcv;
	unsigned int i;
	u64 found = 0;

	for_each_kernel_tracepoint(note, NULL);
	/* By its name, ftrace would search all functions, for seconds on a slow machine. */
	has_icmp_rcv = address && !ftrace_set_filter_ip(&icmp_rcv, address, 0, 1);
	for (i = 0; i < ARRAY_SIZE(sources); i++) {
		if (sources[i].tracepoint)
			found |= BIT_ULL(sources[i].type);
	}
	return has_icmp_rcv ? found : found & ~BIT_ULL(EVTLOG_ICMP_RX);
}

static int set_icmp_rcv(bool on)
{
	static bool is_on;
	int error;

	if (is_on == on)
		return 0;
	error = on ? register_ftrace_function(&icmp_rcv) : unregister_ftrace_function(&icmp_rcv);
	if (!error)
		is_on = on;
	else if (!on)
		/* ftrace has shut itself down, and calls this module for ever. */
		__module_get(THIS_MODULE);
	return error;
}

static int set_one(struct source *source, bool on)
{
	int error;

	if (!source->tracepoint || source->is_on == on)
		return 0;
	error = on ? tracepoint_probe_register(source->tracepoint, source->probe, NULL) :
		     tracepoint_probe_unregister(source->tracepoint, source->probe, NULL);
	if (!error)
		source->is_on = on;
	return error;
}

/* Frees what evtlog_tracepoints_find() has allocated; no hook is called any more. */
void evtlog_tracepoints_forget(void)
{
	ftrace_free_filter(&icmp_rcv);
}

/**
 * evtlog_tracepoints_set() - choose the types whose hooks are called
 * @types:	a bit for each
 *
 * Context: task context, may sleep; one caller at a time, without the CPU hotplug lock.
 * Return: 0; -ENOMEM or an error of ftrace, and some of the types may be off.
 */
int evtlog_tracepoints_set(u64 types)
{
	int error = 0, result = 0;
	bool were_off = false;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sources); i++) {
		bool on = types & BIT_ULL(sources[i].type);

		were_off |= sources[i].is_on && !on;
		error = set_one(&sources[i], on);
		if (error)
			result = error;
	}
	error = set_icmp_rcv(types & evtlog_events_possible() & BIT_ULL(EVTLOG_ICMP_RX));
	if (error)
		result = error;
	/* Probes that run at this moment use the rings. */
	if (were_off)
		tracepoint_synchronize_unregister();
	return result;
}
