/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between a part of the kernel and a module.  Each source file of the module begins
 * with it.
 */
#ifndef EVTLOG_MODULE_COMPAT_H
#define EVTLOG_MODULE_COMPAT_H

#include <linux/context_tracking_irq.h>
#include <linux/context_tracking_state.h>
#include <linux/idr.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/panic.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/stop_machine.h>
#include <linux/version.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>

/* main.c calls the functions in their order: a module has one initial function. */
#undef early_initcall
#undef device_initcall
#undef late_initcall
#define early_initcall(function)					\
int evtlog_init_##function(void);					\
int __init evtlog_init_##function(void)					\
{									\
	return function();						\
}
#define device_initcall(function)	early_initcall(function)
#define late_initcall(function)		early_initcall(function)

/* ---- Functions that are not exported ---- */

static inline struct irq_desc *evtlog_irq_to_desc(unsigned int irq)
{
	struct irq_data *data = irq_get_irq_data(irq);

	return data ? irq_data_to_desc(data) : NULL;
}
#define irq_to_desc	evtlog_irq_to_desc

static inline struct pid *evtlog_find_ge_pid(int nr, struct pid_namespace *ns)
{
	return idr_get_next(&ns->idr, &nr);
}
#define find_ge_pid	evtlog_find_ge_pid

/* Not on a node of choice */
#undef __vmalloc_node
#define __vmalloc_node(bytes, align, flags, node, caller)	__vmalloc(bytes, flags)

struct task_struct *evtlog_cpu_curr(int cpu);
#define cpu_curr_snapshot	evtlog_cpu_curr

extern const char *const evtlog_softirq_names[];
#define softirq_to_name		evtlog_softirq_names

/* RCU watches where tracepoints are, except at idle entry: there a filter of trees is not safe. */
#define ct_nmi_enter()		do { } while (0)
#define ct_nmi_exit()		do { } while (0)

/* A panic is not noticed: a writer that waits for a stopped CPU gives up after some time. */
extern atomic_t evtlog_no_panic;
#define panic_cpu		evtlog_no_panic

/* A module does not reach the count of a run queue; since 6.12 there is a function. */
bool evtlog_has_switch_count(void);
u64 evtlog_switch_count(int cpu);

/* As the kernel's own function, which is not exported, or has another name */
static inline bool evtlog_rcu_is_idle_cpu(int cpu)
{
	/* Pairs with the atomic operations by which a CPU enters and leaves idle. */
	smp_mb();
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
	return !(ct_dynticks_cpu_acquire(cpu) & RCU_DYNTICKS_IDX);
#else
	return !(ct_rcu_watching_cpu_acquire(cpu) & CT_RCU_WATCHING);
#endif
}
#define rcu_is_idle_cpu		evtlog_rcu_is_idle_cpu

/* For trees: trees.c, outside.c.  A task that is about to leave its CPU still runs. */
u32 evtlog_trees_of(const struct task_struct *task);
#define evtlog_task_trees	evtlog_trees_of
#define task_curr(task)		READ_ONCE((task)->on_cpu)

extern rwlock_t *evtlog_tasklist_lock;
#define tasklist_lock		(*evtlog_tasklist_lock)

void evtlog_walk_process_tree(struct task_struct *top, proc_visitor visitor, void *data);
#define walk_process_tree	evtlog_walk_process_tree

int evtlog_task_call_func(struct task_struct *task, task_call_f function, void *data);
#define task_call_func		evtlog_task_call_func

bool evtlog_stop_one_cpu_nowait(unsigned int cpu, cpu_stop_fn_t function, void *data,
				struct cpu_stop_work *work);
#define stop_one_cpu_nowait	evtlog_stop_one_cpu_nowait

/* For probes: outside_probe.c.  X(TYPE, NAME, PARAMETERS, ARGUMENTS) */
struct btf;
struct btf_type;
struct kprobe;
struct stack_info;

#define EVTLOG_OUTSIDE_OF_PROBES(X)					\
	X(unsigned long, kallsyms_lookup_name, (const char *name), (name)) \
	X(int, kallsyms_on_each_match_symbol,				\
	  (int (*take)(void *, unsigned long), const char *name, void *data), (take, name, data)) \
	X(int, kallsyms_lookup_size_offset,				\
	  (unsigned long address, unsigned long *size, unsigned long *offset), \
	  (address, size, offset))					\
	X(int, lookup_symbol_name, (unsigned long address, char *name), (address, name)) \
	X(int, core_kernel_text, (unsigned long address), (address))	\
	X(struct module *, __module_text_address, (unsigned long address), (address)) \
	X(unsigned long, ftrace_location, (unsigned long address), (address)) \
	X(struct kprobe *, get_kprobe, (void *address), (address))	\
	X(bool, get_stack_info_noinstr,					\
	  (unsigned long *stack, struct task_struct *task, struct stack_info *info), \
	  (stack, task, info))						\
	X(int, regs_query_register_offset, (const char *name), (name))	\
	X(long, strncpy_from_kernel_nofault, (char *to, const void *from, long bytes), \
	  (to, from, bytes))						\
	X(long, strncpy_from_user_nofault, (char *to, const void __user *from, long bytes), \
	  (to, from, bytes))						\
	X(struct btf *, bpf_get_btf_vmlinux, (void), ())		\
	X(void, btf_get, (struct btf *btf), (btf))			\
	X(void, btf_put, (struct btf *btf), (btf))			\
	X(bool, btf_is_module, (const struct btf *btf), (btf))		\
	X(struct module *, btf_try_get_module, (const struct btf *btf), (btf)) \
	X(u32, btf_nr_types, (const struct btf *btf), (btf))		\
	X(const char *, btf_name_by_offset, (const struct btf *btf, u32 offset), (btf, offset)) \
	X(const struct btf_type *, btf_type_skip_modifiers,		\
	  (const struct btf *btf, u32 id, u32 *result), (btf, id, result)) \
	X(const struct btf_type *, btf_resolve_size,			\
	  (const struct btf *btf, const struct btf_type *type, u32 *size), (btf, type, size))

#define X(type, name, parameters, arguments) type evtlog_##name parameters;
EVTLOG_OUTSIDE_OF_PROBES(X)
#undef X

#define kallsyms_lookup_name		evtlog_kallsyms_lookup_name
#define kallsyms_on_each_match_symbol	evtlog_kallsyms_on_each_match_symbol
#define kallsyms_lookup_size_offset	evtlog_kallsyms_lookup_size_offset
#define lookup_symbol_name		evtlog_lookup_symbol_name
#define core_kernel_text		evtlog_core_kernel_text
#define __module_text_address		evtlog___module_text_address
#define ftrace_location			evtlog_ftrace_location
#define get_kprobe			evtlog_get_kprobe
#define get_stack_info_noinstr		evtlog_get_stack_info_noinstr
#define regs_query_register_offset	evtlog_regs_query_register_offset
#define strncpy_from_kernel_nofault	evtlog_strncpy_from_kernel_nofault
#define strncpy_from_user_nofault	evtlog_strncpy_from_user_nofault
#define bpf_get_btf_vmlinux		evtlog_bpf_get_btf_vmlinux
#define btf_get				evtlog_btf_get
#define btf_put				evtlog_btf_put
#define btf_is_module			evtlog_btf_is_module
#define btf_try_get_module		evtlog_btf_try_get_module
#define btf_nr_types			evtlog_btf_nr_types
#define btf_name_by_offset		evtlog_btf_name_by_offset
#define btf_type_skip_modifiers		evtlog_btf_type_skip_modifiers
#define btf_resolve_size		evtlog_btf_resolve_size

extern struct idr *evtlog_btf_idr;
extern spinlock_t *evtlog_btf_idr_lock;
#define btf_idr				(*evtlog_btf_idr)
#define btf_idr_lock			(*evtlog_btf_idr_lock)

#endif /* EVTLOG_MODULE_COMPAT_H */
