// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a module can reach only by its address: functions of the kernel that are not exported.
 *
 * Each is optional.  They are called through static calls, which are direct calls: an indirect
 * branch to a function without ENDBR would fault.  outside=0 looks nothing up.
 */
#include <linux/interrupt.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/static_call.h>

#include "module/module.h"

const char *const evtlog_softirq_names[NR_SOFTIRQS] = {
	"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL",
	"TASKLET", "SCHED", "HRTIMER", "RCU"
};

atomic_t evtlog_no_panic = ATOMIC_INIT(PANIC_CPU_INVALID);

static bool outside = true;
module_param(outside, bool, 0444);
MODULE_PARM_DESC(outside, "use functions of the kernel that are not exported");

rwlock_t *evtlog_tasklist_lock __ro_after_init;

static unsigned long no_address(const char *name)
{
	return 0;
}

static struct task_struct *no_task(int cpu)
{
	return NULL;
}

static unsigned long long no_count(int cpu)
{
	return 0;
}

static void no_walk(struct task_struct *top, proc_visitor visitor, void *data)
{
}

static int no_call(struct task_struct *task, task_call_f function, void *data)
{
	return 0;
}

static bool no_stop(unsigned int cpu, cpu_stop_fn_t function, void *data,
		    struct cpu_stop_work *work)
{
	return false;
}

DEFINE_STATIC_CALL(evtlog_kallsyms_lookup_name, no_address);
DEFINE_STATIC_CALL(evtlog_walk_tree, no_walk);
DEFINE_STATIC_CALL(evtlog_call_func, no_call);
DEFINE_STATIC_CALL(evtlog_stop_one, no_stop);
DEFINE_STATIC_CALL(evtlog_nr_switches, no_count);
DEFINE_STATIC_CALL(evtlog_cpu_curr_snapshot, no_task);

/**
 * evtlog_address_of() - find a function of the kernel
 * @name:	the function; a kprobe must be allowed there
 *
 * Return: its address; 0 if there is none.
 */
unsigned long __init evtlog_address_of(const char *name)
{
	/* A disabled probe changes no code. */
	struct kprobe probe = { .symbol_name = name, .flags = KPROBE_FLAG_DISABLED };
	unsigned long address;

	if (register_kprobe(&probe))
		return 0;
	address = (unsigned long)probe.addr;
	unregister_kprobe(&probe);
#ifdef CONFIG_X86_KERNEL_IBT
	/* A kprobe at the entry follows the ENDBR. */
	if (is_endbr(*(u32 *)(address - 4)))
		address -= 4;
#endif
	return address;
}

#define LOOK_UP(name, function)						\
do {									\
	unsigned long address_ = static_call(evtlog_kallsyms_lookup_name)(function); \
									\
	if (address_)							\
		static_call_update(evtlog_##name, (void *)address_);	\
} while (0)

void __init evtlog_outside_init(void)
{
	unsigned long lookup = outside ? evtlog_address_of("kallsyms_lookup_name") : 0;

	if (!lookup)
		return;
	static_call_update(evtlog_kallsyms_lookup_name, (void *)lookup);
	LOOK_UP(cpu_curr_snapshot, "cpu_curr_snapshot");
	LOOK_UP(walk_tree, "walk_process_tree");
	LOOK_UP(call_func, "task_call_func");
	LOOK_UP(stop_one, "stop_one_cpu_nowait");
	evtlog_tasklist_lock =
		(rwlock_t *)static_call(evtlog_kallsyms_lookup_name)("tasklist_lock");
	LOOK_UP(nr_switches, "nr_context_switches_cpu");
}

bool evtlog_has_switch_count(void)
{
	return static_call_query(evtlog_nr_switches) != no_count;
}

u64 evtlog_switch_count(int cpu)
{
	return static_call(evtlog_nr_switches)(cpu);
}

/* Returns the address of a function or a variable; 0: unknown. */
unsigned long __init evtlog_outside_find(const char *name)
{
	return static_call(evtlog_kallsyms_lookup_name)(name);
}

/* NULL: unknown */
struct task_struct *evtlog_cpu_curr(int cpu)
{
	return static_call(evtlog_cpu_curr_snapshot)(cpu);
}

void evtlog_walk_process_tree(struct task_struct *top, proc_visitor visitor, void *data)
{
	static_call(evtlog_walk_tree)(top, visitor, data);
}

int evtlog_task_call_func(struct task_struct *task, task_call_f function, void *data)
{
	return static_call(evtlog_call_func)(task, function, data);
}

bool evtlog_stop_one_cpu_nowait(unsigned int cpu, cpu_stop_fn_t function, void *data,
				struct cpu_stop_work *work)
{
	return static_call(evtlog_stop_one)(cpu, function, data, work);
}

/* Returns true if all functions that trees need were found. */
bool evtlog_outside_has_trees(void)
{
	return evtlog_tasklist_lock && static_call_query(evtlog_walk_tree) != no_walk &&
	       static_call_query(evtlog_call_func) != no_call &&
	       static_call_query(evtlog_stop_one) != no_stop;
}
