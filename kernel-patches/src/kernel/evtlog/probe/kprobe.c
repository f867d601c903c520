// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes where no direct call is possible: kprobes, which the kernel replaces by jumps if it can.
 *
 * hit.c records the hits.
 */
#include <linux/evtlog.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <asm/stacktrace.h>

#include "probe/ftrace.h"
#include "probe/probe.h"

/*
 * A breakpoint counts as an NMI, but runs in the context of its instruction, which is not in a
 * writer: writers contain no probes.  Real NMIs and similar exceptions run on stacks of their own.
 */
static bool is_breakpoint(const struct pt_regs *regs)
{
	struct stack_info info;

	return in_nmi() && get_stack_info_noinstr((unsigned long *)regs, current, &info) &&
	       info.type < STACK_TYPE_EXCEPTION;
}

static int handler(struct kprobe *kp, struct pt_regs *regs)
{
	struct evtlog_probe *p = container_of(kp, struct evtlog_probe, kp);
	unsigned long flags;

	raw_local_irq_save(flags);
	if (!evtlog_hook_on(event)) {
		this_cpu_inc(p->counts->idle);
	} else if (is_breakpoint(regs)) {
		/* From here on, in_nmi() must describe the context of the probed instruction. */
		__preempt_count_sub(NMI_OFFSET);
		evtlog_probe_hit(p, regs);
		__preempt_count_add(NMI_OFFSET);
	} else if (in_nmi()) {
		evtlog_probe_slow(p);
	} else {
		evtlog_probe_hit(p, regs);
	}
	raw_local_irq_restore(flags);
	return 0;
}
NOKPROBE_SYMBOL(handler);

static int add(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	int status;

	if (evtlog_probe_is_own_code(p->address))
		return evtlog_probe_refuse(error, -EINVAL,
			"%.60s is evtlog's own function, which cannot be probed", p->symbol);
	memset(&p->kp, 0, sizeof(p->kp));
	p->kp.addr = (kprobe_opcode_t *)(p->address + p->symbol_offset);
	p->kp.pre_handler = handler;
	status = register_kprobe(&p->kp);
	if (status)
		p->kp.addr = NULL;
	switch (status) {
	case 0:
		return 0;
	case -EILSEQ:
		return evtlog_probe_refuse(error, status, "%.90s is not the start of an instruction",
					   p->name);
	case -EINVAL:
		return evtlog_probe_refuse(error, status,
			"%.90s cannot be probed, because the kernel's own handling of probes uses it", p->name);
	default:
		return evtlog_probe_refuse(error, status, "the kernel refuses a kprobe at %.90s: %pe", p->name,
					   ERR_PTR(status));
	}
}

/*
 * If ftrace is disabled, a kprobe at ftrace's site cannot be removed: unregister_kprobe() would
 * return while the kernel still uses the kprobe.
 */
static int disarm(struct evtlog_probe *p)
{
	if (kprobe_ftrace(&p->kp) && evtlog_ftrace_is_disabled())
		return -ENODEV;
	return disable_kprobe(&p->kp);
}

/**
 * evtlog_probe_kprobes_arm() - arm the kprobes that evtlog_probe_kprobes_disarm() has disarmed
 * @probes:	probes; those that were inserted as kprobes have an address
 */
void evtlog_probe_kprobes_arm(struct list_head *probes)
{
	struct evtlog_probe *p;

	list_for_each_entry(p, probes, list) {
		if (p->kp.addr && enable_kprobe(&p->kp))
			pr_warn("evtlog: probe %s could not be armed again, and records nothing\n", p->name);
	}
}

/**
 * evtlog_probe_kprobes_disarm() - disarm the kprobes of a batch before deletion
 * @probes:	as for evtlog_probe_kprobes_arm()
 *
 * Context: task context, the table's lock is held.
 * Return: 0, or a negative error: the kprobes are armed as before.
 */
int evtlog_probe_kprobes_disarm(struct list_head *probes)
{
	struct evtlog_probe *p;
	int status = 0;

	list_for_each_entry(p, probes, list) {
		if (p->kp.addr)
			status = disarm(p);
		if (status)
			break;
	}
	if (status)
		evtlog_probe_kprobes_arm(probes);
	return status;
}

/**
 * evtlog_probe_kprobes_add() - insert the kprobes of a batch
 * @probes:	probes; those of EVTLOG_PROBE_KPROBE are inserted
 * @error:	the reason, if a probe is refused
 *
 * Context: task context, the table's lock is held.
 * Return: 0, or a negative error: the caller removes the kprobes that were inserted.
 */
int evtlog_probe_kprobes_add(struct list_head *probes, struct evtlog_probe_error *error)
{
	struct evtlog_probe *p;
	int status;

	list_for_each_entry(p, probes, list) {
		if (p->mechanism != EVTLOG_PROBE_KPROBE)
			continue;
		status = add(p, error);
		if (status)
			return status;
	}
	return 0;
}

/**
 * evtlog_probe_kprobes_remove() - delete the kprobes of a batch
 * @probes:	as for evtlog_probe_kprobes_arm(); the kprobes are disarmed
 *
 * No handler runs after the return.
 */
void evtlog_probe_kprobes_remove(struct list_head *probes)
{
	struct evtlog_probe *p;
	struct kprobe **all;
	unsigned int nr = 0, i = 0;

	list_for_each_entry(p, probes, list)
		nr += !!p->kp.addr;
	if (!nr)
		return;
	all = kvcalloc(nr, sizeof(*all), GFP_KERNEL);
	list_for_each_entry(p, probes, list) {
		if (!p->kp.addr)
			continue;
		if (all)
			all[i++] = &p->kp;
		else
			unregister_kprobe(&p->kp);
	}
	if (all)
		unregister_kprobes(all, nr);
	kvfree(all);
	list_for_each_entry(p, probes, list)
		p->kp.addr = NULL;
}
