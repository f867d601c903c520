/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * evtlog's hooks, and evtlog_put() and evtlog_event_put() for all other kernel code.
 *
 * Each hook is a static key (a NOP while off) and a direct call.  Hooks do not sleep, wake tasks or
 * print: most run under run-queue locks.  With CONFIG_EVTLOG=n they generate no code.
 */
#ifndef _LINUX_EVTLOG_H
#define _LINUX_EVTLOG_H

#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/types.h>

struct evtlog_entry;
struct net_device;
struct sched_attr;
struct sk_buff;
struct task_struct;

/**
 * struct evtlog_entry - an event for evtlog_put()
 * @id:		kind of the event, chosen by the caller; less than 2^26
 * @timestamp:	ticks of the CPU's counter (on x86 the TSC)
 * @data:	payload, in the caller's format
 */
struct evtlog_entry {
	u32 id;
	u64 timestamp;
	u8 data[8];
};

#ifdef CONFIG_EVTLOG

#include <linux/instrumentation.h>
#include <linux/jump_label.h>
#include <linux/static_call_types.h>
#include <uapi/linux/evtlog.h>
#if defined(CONFIG_X86_64) && defined(CONFIG_GENERIC_ENTRY) && defined(CONFIG_CC_IS_GCC)
#include <asm/asm.h>
#endif

/* One static key per record type: on while hooks of the type are needed, see events.c. */
extern struct static_key_false evtlog_event_keys[EVTLOG_TYPE_MAX + 1];

enum {
#define X(number, NAME, name, words, fields) evtlog_key_##name = number,
	EVTLOG_TYPES(X)
#undef X
};

/* On while control messages, which may boost tasks, are accepted. */
#ifdef CONFIG_EVTLOG_REMOTE
DECLARE_STATIC_KEY_FALSE(evtlog_boost_key);
#define evtlog_boost_possible()	static_branch_unlikely(&evtlog_boost_key)
#else
#define evtlog_boost_possible()	false
#endif

/* On while profiles are kept; checked after the hook's own key, so it costs nothing otherwise. */
#ifdef CONFIG_EVTLOG_PROFILE
DECLARE_STATIC_KEY_FALSE(evtlog_profile_key);
/* On while profiles are kept and types are recorded or traced too: hooks check what to do. */
DECLARE_STATIC_KEY_FALSE(evtlog_profile_slow_key);
#define evtlog_profile_on()	static_branch_unlikely(&evtlog_profile_key)
/* On while profiles that include signals are kept. */
DECLARE_STATIC_KEY_FALSE(evtlog_profile_signal_key);
#else
#define evtlog_profile_on()	false
#endif

/* On while the sampler is notified of forks; see kernel/evtlog/lineage. */
#ifdef CONFIG_EVTLOG_SAMPLER
DECLARE_STATIC_KEY_FALSE(evtlog_births_key);
extern u32 evtlog_trees_live;
void __evtlog_task_born(struct task_struct *task);
#endif

#define evtlog_hook_on(name)	static_branch_unlikely(&evtlog_event_keys[evtlog_key_##name])

/*
 * Callers see the hooks as cold.  Otherwise the compiler would reserve registers for the hooks'
 * arguments, and the code around them would be slower even while evtlog is off.  The files that
 * define the hooks override this.
 */
#ifndef __evtlog_hook
#define __evtlog_hook	__cold
#endif

/*
 * The entry of system calls has no free registers.  A call that may change registers would make it
 * save them, even while evtlog is off.  These functions change no registers, and the calls are
 * written so that the compiler relies on this.  Not with clang: its attribute (14) does not
 * preserve the registers of arguments, and if a function ends with a call, it restores all other
 * registers before the call.
 */
#if defined(CONFIG_X86_64) && defined(CONFIG_GENERIC_ENTRY) && defined(CONFIG_CC_IS_GCC)
#if __has_attribute(__zero_call_used_regs__)
#define __evtlog_saves_all	__attribute__((__no_caller_saved_registers__, \
					       __zero_call_used_regs__("skip")))
#else
#define __evtlog_saves_all	__attribute__((__no_caller_saved_registers__))
#endif
#define evtlog_call_symbol(symbol, second)				\
	asm volatile("call " symbol					\
		     : ASM_CALL_CONSTRAINT				\
		     : "S" (second) : "memory", "cc")
#define evtlog_call_saves_all(name, second)				\
do {									\
	__STATIC_CALL_ADDRESSABLE(name);				\
	evtlog_call_symbol(STATIC_CALL_TRAMP_STR(name), second);	\
} while (0)
#define evtlog_call_function_saves_all(function, second)		\
	evtlog_call_symbol(#function, second)
#else
#define __evtlog_saves_all
#define evtlog_call_saves_all(name, second)	static_call(name)(NULL, second)
#define evtlog_call_function_saves_all(function, second)	function(NULL, second)
#endif

int evtlog_put(struct evtlog_entry *entry, bool fill_in_time);

/* The 32 bits of an EVENT's first word that are not time */
#define EVTLOG_EVENT_TAG(id, bytes)					\
	((u32)EVTLOG_EVENT | (u32)(id) << EVTLOG_TYPE_BITS |		\
	 (u32)(bytes) << (EVTLOG_TYPE_BITS + EVTLOG_EVENT_ID_BITS))

int evtlog_event_register(const char *name, const char *fields);
void evtlog_event_unregister(int id);
int evtlog_event_put(int id, const void *data, size_t bytes);
void *evtlog_event_reserve(int id, size_t bytes, unsigned long *flags);
void evtlog_event_commit(unsigned long flags);

void __evtlog_hook __evtlog_sched_switch_tree(struct task_struct *next,
					      unsigned int prev_state, bool preempt);
void __evtlog_hook __evtlog_sched_process_fork(struct task_struct *child);
void __evtlog_hook __evtlog_boost_fork(struct task_struct *child);
bool __evtlog_hook __evtlog_setscheduler_is_boosted(struct task_struct *p);
bool __evtlog_hook __evtlog_setscheduler_refuses(struct task_struct *p,
						 const struct sched_attr *attr);
void __evtlog_hook __evtlog_setscheduler(struct task_struct *p,
					 const struct sched_attr *attr);
void __evtlog_hook __evtlog_vector(u32 tag);
void __evtlog_hook __evtlog_user_exit(void);
void __evtlog_hook __evtlog_saves_all __evtlog_user_exit_syscall(void *unused, long nr);
void __evtlog_hook __evtlog_user_nmi_entry(void);
void __evtlog_hook __evtlog_user_nmi_exit(void);
void __evtlog_hook __evtlog_exception(u32 tag);

/* Called instead while profiles are kept; each calls its hook above if the type is recorded. */
void __evtlog_hook __evtlog_profile_fork(struct task_struct *child);
void __evtlog_hook __evtlog_profile_vector_entry(u32 tag);
void __evtlog_hook __evtlog_profile_vector_exit(u32 tag);
void __evtlog_hook __evtlog_profile_user_exit(void);
void __evtlog_hook __evtlog_saves_all __evtlog_profile_user_exit_syscall(void *unused, long nr);
void __evtlog_hook __evtlog_profile_exception_entry(u32 tag);
void __evtlog_hook __evtlog_profile_exception_exit(u32 tag);
void __evtlog_hook __evtlog_profile_signal(unsigned int number);
void __evtlog_profile_free(struct task_struct *task);

/*
 * Call sites that can be patched: a filter (kernel/evtlog/filter) replaces the hook in them.
 * Without a filter they cost nothing, because the call stays direct.
 */
#define EVTLOG_DECLARE_SITES(name, function)				\
	DECLARE_STATIC_CALL(evtlog_##name, function);			\
	extern typeof(function) __evtlog_hook STATIC_CALL_TRAMP(evtlog_##name)
EVTLOG_DECLARE_SITES(user_exit, __evtlog_user_exit);
EVTLOG_DECLARE_SITES(user_exit_syscall, __evtlog_user_exit_syscall);

/* Several of these types share a hook, but each has its own call sites. */
#define EVTLOG_VECTORS(X)						\
	X(LOCAL_TIMER_ENTRY, local_timer_entry)				\
	X(LOCAL_TIMER_EXIT, local_timer_exit)				\
	X(RESCHEDULE_ENTRY, reschedule_entry)				\
	X(RESCHEDULE_EXIT, reschedule_exit)				\
	X(CALL_FUNCTION_ENTRY, call_function_entry)			\
	X(CALL_FUNCTION_EXIT, call_function_exit)			\
	X(CALL_FUNCTION_SINGLE_ENTRY, call_function_single_entry)	\
	X(CALL_FUNCTION_SINGLE_EXIT, call_function_single_exit)		\
	X(IRQ_WORK_ENTRY, irq_work_entry)				\
	X(IRQ_WORK_EXIT, irq_work_exit)					\
	X(VECTOR_ENTRY, vector_entry)					\
	X(VECTOR_EXIT, vector_exit)

#define X(TYPE, name) EVTLOG_DECLARE_SITES(name, __evtlog_vector);
EVTLOG_VECTORS(X)
#undef X
EVTLOG_DECLARE_SITES(exception_entry, __evtlog_exception);
EVTLOG_DECLARE_SITES(exception_exit, __evtlog_exception);

/*
 * evtlog_NAME() is the site of a hook: it calls __evtlog_NAME() while events of @key are recorded.
 * For its context, see __evtlog_NAME() in kernel/evtlog/hooks.
 */
#define EVTLOG_HOOK(name, key, parameters, arguments)			\
void __evtlog_hook __evtlog_##name parameters;				\
static __always_inline void evtlog_##name parameters			\
{									\
	if (evtlog_hook_on(key))					\
		__evtlog_##name arguments;				\
}

/* As EVTLOG_HOOK(), for a hook that a filter can replace */
#define EVTLOG_FILTERED_HOOK(name, key, parameters, arguments)		\
void __evtlog_hook __evtlog_##name parameters;				\
EVTLOG_DECLARE_SITES(name, __evtlog_##name);				\
static __always_inline void evtlog_##name parameters			\
{									\
	if (evtlog_hook_on(key))					\
		static_call(evtlog_##name) arguments;			\
}

/* As EVTLOG_FILTERED_HOOK(); while profiles are kept, __evtlog_profile_NAME() calls the hook. */
#define EVTLOG_PROFILED_HOOK(name, key, parameters, arguments)		\
void __evtlog_hook __evtlog_##name parameters;				\
void __evtlog_hook __evtlog_profile_##name parameters;			\
EVTLOG_DECLARE_SITES(name, __evtlog_##name);				\
static __always_inline void evtlog_##name parameters			\
{									\
	if (evtlog_hook_on(key)) {					\
		if (evtlog_profile_on())				\
			__evtlog_profile_##name arguments;		\
		else							\
			static_call(evtlog_##name) arguments;		\
	}								\
}

EVTLOG_PROFILED_HOOK(sched_switch, sched_switch,
		     (struct task_struct *next, unsigned int prev_state, bool preempt),
		     (next, prev_state, preempt))
EVTLOG_PROFILED_HOOK(sched_waking, sched_waking, (struct task_struct *p), (p))
EVTLOG_FILTERED_HOOK(sched_wakeup_new, sched_wakeup_new, (struct task_struct *p), (p))
EVTLOG_FILTERED_HOOK(sched_migrate_task, sched_migrate_task,
		     (struct task_struct *p, int dest_cpu), (p, dest_cpu))
EVTLOG_HOOK(sched_process_exec, sched_process_exec, (struct task_struct *p, pid_t old_pid),
	    (p, old_pid))
EVTLOG_HOOK(sched_process_exit, sched_process_exit, (struct task_struct *p), (p))
EVTLOG_HOOK(task_rename, task_rename, (struct task_struct *p, const char *comm), (p, comm))
EVTLOG_PROFILED_HOOK(softirq_entry, softirq_entry, (unsigned int vec), (vec))
EVTLOG_PROFILED_HOOK(softirq_exit, softirq_exit, (unsigned int vec), (vec))
EVTLOG_PROFILED_HOOK(irq_handler_entry, irq_handler_entry, (unsigned int irq), (irq))
EVTLOG_PROFILED_HOOK(irq_handler_exit, irq_handler_exit, (unsigned int irq, int ret), (irq, ret))
EVTLOG_PROFILED_HOOK(irq_percpu_exit, irq_handler_exit, (unsigned int irq, int ret), (irq, ret))
EVTLOG_PROFILED_HOOK(user_exit_compat, user_exit, (unsigned int nr), (nr))
EVTLOG_PROFILED_HOOK(user_enter, user_enter, (void), ())
EVTLOG_FILTERED_HOOK(icmp_rx, icmp_rx, (struct sk_buff *skb), (skb))
#ifdef CONFIG_INET
EVTLOG_FILTERED_HOOK(icmp_tx, icmp_tx, (struct sk_buff *skb, struct net_device *dev), (skb, dev))
EVTLOG_HOOK(rx_stamp, icmp_rx, (void), ())
#else
#define evtlog_icmp_tx(skb, dev)	do { } while (0)
#define evtlog_rx_stamp()	do { } while (0)
#endif

/* Called by the parent before the child may run: for the record, and for a boosted parent. */
static __always_inline void evtlog_sched_process_fork(struct task_struct *child)
{
	if (evtlog_hook_on(sched_process_fork)) {
		if (evtlog_profile_on())
			__evtlog_profile_fork(child);
		else
			__evtlog_sched_process_fork(child);
	}
	if (evtlog_boost_possible())
		__evtlog_boost_fork(child);
}

/*
 * Called before the last part of the scheduler's check of a system call that changes the policy:
 * may the caller clear reset-on-fork?  Returns true if the task is boosted:
 * evtlog_setscheduler_refuses() then makes this check.
 */
static __always_inline bool evtlog_setscheduler_is_boosted(struct task_struct *p)
{
	return evtlog_boost_possible() && __evtlog_setscheduler_is_boosted(p);
}

/*
 * Called after the scheduler's check of a system call that changes the policy has passed.  Returns
 * true if the check passed only because the task is boosted.
 */
static __always_inline bool evtlog_setscheduler_refuses(struct task_struct *p,
							const struct sched_attr *attr)
{
	return evtlog_boost_possible() && __evtlog_setscheduler_refuses(p, attr);
}

/* Called with the task's run queue locked; the task still has the old policy. */
static __always_inline void evtlog_setscheduler(struct task_struct *p,
						const struct sched_attr *attr)
{
	if (evtlog_boost_possible())
		__evtlog_setscheduler(p, attr);
}

static __always_inline bool evtlog_is_entry_of_vector(unsigned int type)
{
	return type == EVTLOG_LOCAL_TIMER_ENTRY || type == EVTLOG_RESCHEDULE_ENTRY ||
	       type == EVTLOG_CALL_FUNCTION_ENTRY || type == EVTLOG_CALL_FUNCTION_SINGLE_ENTRY ||
	       type == EVTLOG_IRQ_WORK_ENTRY || type == EVTLOG_VECTOR_ENTRY;
}

/*
 * evtlog_vector(local_timer_entry, EVTLOG_LOCAL_TIMER_ENTRY, vector) - a system vector begins or
 * has ended.  Interrupts are off.
 */
#define evtlog_vector(name, type, vector)				\
do {									\
	if (evtlog_hook_on(name)) {					\
		u32 tag_ = (type) | (vector) << EVTLOG_TYPE_BITS;	\
									\
		if (!evtlog_profile_on())				\
			static_call(evtlog_##name)(tag_);		\
		else if (evtlog_is_entry_of_vector(type))		\
			__evtlog_profile_vector_entry(tag_);		\
		else							\
			__evtlog_profile_vector_exit(tag_);		\
	}								\
} while (0)

/* User mode was left.  Interrupts are off, RCU is watching.  The caller may be noinstr. */
static __always_inline void evtlog_user_exit(void)
{
	instrumentation_begin();
	if (evtlog_hook_on(user_exit)) {
		if (evtlog_profile_on())
			__evtlog_profile_user_exit();
		else
			static_call(evtlog_user_exit)();
	}
	instrumentation_end();
}

/*
 * A system call is entered while profiles are kept.  If nothing is recorded and the task has made
 * this call recently, the root is charged and the call's node is resumed
 * (kernel/evtlog/profile/tree.h).  The root is on top, because hooks are on at both sides of user
 * mode before a clock begins.  Changes only registers that no caller uses at this point.
 */
#define EVTLOG_PROFILE_CPU_TOP		0
#define EVTLOG_PROFILE_CPU_CURRENT	8
#define EVTLOG_PROFILE_OF_CALLS		112
#define EVTLOG_PROFILE_CALLS_MASK	31
#define EVTLOG_PROFILE_OF_ROOT		(EVTLOG_PROFILE_OF_CALLS + 256 + EVTLOG_PROFILE_NODE_EXCLUSIVE)
#define EVTLOG_PROFILE_NODE_KEY		0
#define EVTLOG_PROFILE_NODE_START	24
#define EVTLOG_PROFILE_NODE_EXCLUSIVE	56
#define EVTLOG_PROFILE_FIRST_CALL	0x1000

#if defined(CONFIG_EVTLOG_PROFILE) && defined(CONFIG_X86_64) && defined(CONFIG_GENERIC_ENTRY) && \
	defined(CONFIG_SMP) && !defined(CONFIG_EVTLOG_DEBUG)
static __always_inline void evtlog_profile_call(long nr)
{
	if (static_branch_unlikely(&evtlog_profile_slow_key))
		goto slowly;
	asm goto("movq %%gs:evtlog_profile_cpu + %c[profile], %%rcx\n\t"
		 "movl %%esi, %%eax\n\t"
		 "andl %[mask], %%eax\n\t"
		 "movq %c[calls](%%rcx,%%rax,8), %%r8\n\t"
		 "leal %c[first](%%rsi), %%eax\n\t"
		 "cmpl %%eax, %c[key](%%r8)\n\t"
		 "jne %l[slowly]\n\t"
		 "rdtsc\n\t"
		 "shlq $32, %%rdx\n\t"
		 "orq %%rdx, %%rax\n\t"
		 "addq %%rax, %c[root](%%rcx)\n\t"
		 "movq %%rax, %c[start](%%r8)\n\t"
		 "subq %%rax, %c[exclusive](%%r8)\n\t"
		 "movq %%r8, %%gs:evtlog_profile_cpu + %c[top]"
		 : : "S" (nr), [profile] "i" (EVTLOG_PROFILE_CPU_CURRENT),
		 [mask] "i" (EVTLOG_PROFILE_CALLS_MASK), [calls] "i" (EVTLOG_PROFILE_OF_CALLS),
		 [first] "i" (EVTLOG_PROFILE_FIRST_CALL), [key] "i" (EVTLOG_PROFILE_NODE_KEY),
		 [root] "i" (EVTLOG_PROFILE_OF_ROOT), [start] "i" (EVTLOG_PROFILE_NODE_START),
		 [exclusive] "i" (EVTLOG_PROFILE_NODE_EXCLUSIVE),
		 [top] "i" (EVTLOG_PROFILE_CPU_TOP)
		 : "rax", "rcx", "rdx", "r8", "memory", "cc" : slowly);
	return;
slowly:
	evtlog_call_function_saves_all(__evtlog_profile_user_exit_syscall, nr);
}
#else
#define evtlog_profile_call(nr)						\
	evtlog_call_function_saves_all(__evtlog_profile_user_exit_syscall, nr)
#endif

static __always_inline void evtlog_tell_syscall(long nr)
{
	if (evtlog_profile_on())
		evtlog_profile_call(nr);
	else
		evtlog_call_saves_all(evtlog_user_exit_syscall, nr);
}

/* User mode was left by a system call. */
static __always_inline void evtlog_user_exit_syscall(long nr)
{
	instrumentation_begin();
	if (evtlog_hook_on(user_exit))
		evtlog_tell_syscall(nr);
	instrumentation_end();
}

/*
 * User mode was left by a system call of either kind.  A macro, because it needs
 * in_compat_syscall().  The caller may be noinstr.
 */
#define evtlog_user_exit_prepare(regs)					\
do {									\
	instrumentation_begin();					\
	if (evtlog_hook_on(user_exit)) {				\
		long nr_ = syscall_get_nr(current, regs);		\
									\
		if (!in_compat_syscall())				\
			evtlog_tell_syscall(nr_);			\
		else if (evtlog_profile_on())				\
			__evtlog_profile_user_exit_compat(nr_);		\
		else							\
			static_call(evtlog_user_exit_compat)(nr_);	\
	}								\
	instrumentation_end();						\
} while (0)

/* Called in an NMI, or where code is treated as an NMI.  Macros, because they need user_mode(). */
#define evtlog_nmi_entry(regs)						\
do {									\
	if (evtlog_hook_on(user_nmi) && user_mode(regs))		\
		__evtlog_user_nmi_entry();				\
} while (0)

#define evtlog_nmi_exit(regs)						\
do {									\
	if (evtlog_hook_on(user_nmi) && user_mode(regs))		\
		__evtlog_user_nmi_exit();				\
} while (0)

/* An exception's handler begins or has ended.  Interrupts are off; also within NMIs. */
#define EVTLOG_EXCEPTION_HOOK(name, type)				\
static __always_inline void evtlog_##name(unsigned int vector)		\
{									\
	u32 tag = (type) | vector << EVTLOG_TYPE_BITS;			\
									\
	if (evtlog_hook_on(name)) {					\
		if (evtlog_profile_on())				\
			__evtlog_profile_##name(tag);			\
		else							\
			static_call(evtlog_##name)(tag);		\
	}								\
}
EVTLOG_EXCEPTION_HOOK(exception_entry, EVTLOG_EXCEPTION_ENTRY)
EVTLOG_EXCEPTION_HOOK(exception_exit, EVTLOG_EXCEPTION_EXIT)

/* A signal is delivered to the current task, in get_signal().  Interrupts are off. */
static __always_inline void evtlog_signal_deliver(int number)
{
#ifdef CONFIG_EVTLOG_PROFILE
	if (static_branch_unlikely(&evtlog_profile_signal_key))
		__evtlog_profile_signal(number);
#endif
}

/* Adds what readers of a crash dump need to vmcoreinfo; called once at boot. */
void evtlog_save_vmcoreinfo(void);

#ifdef CONFIG_EVTLOG_REMOTE
/* On while a key for control messages is set. */
DECLARE_STATIC_KEY_FALSE(evtlog_remote_on);

bool __evtlog_hook __evtlog_remote_rx(struct sk_buff *skb);

/*
 * In the receive softirq, under RCU; the ICMP header is pulled, the checksum is correct.  Returns
 * true if the packet was a control message and was obeyed.
 */
static __always_inline bool evtlog_remote_rx(struct sk_buff *skb)
{
	return static_branch_unlikely(&evtlog_remote_on) &&
	       __evtlog_remote_rx(skb);
}
#endif

#else /* !CONFIG_EVTLOG */

static inline int evtlog_put(struct evtlog_entry *entry, bool fill_in_time)
{
	return -ENODEV;
}

static inline int evtlog_event_register(const char *name, const char *fields)
{
	return -ENODEV;
}

static inline void evtlog_event_unregister(int id)
{
}

static inline int evtlog_event_put(int id, const void *data, size_t bytes)
{
	return -ENODEV;
}

static inline void *evtlog_event_reserve(int id, size_t bytes, unsigned long *flags)
{
	return NULL;
}

static inline void evtlog_event_commit(unsigned long flags)
{
}

/*
 * Macros, because even an empty inline function changes how the compiler numbers the code that
 * follows: it then swaps the operands of a comparison.  With CONFIG_EVTLOG=n the hooked functions
 * keep exactly their instructions.
 */
#define evtlog_sched_switch(next, prev_state, preempt)	do { } while (0)
#define evtlog_sched_waking(p)	do { } while (0)
#define evtlog_sched_wakeup_new(p)	do { } while (0)
#define evtlog_sched_migrate_task(p, dest_cpu)	do { } while (0)
#define evtlog_sched_process_fork(child)	do { } while (0)
#define evtlog_setscheduler_is_boosted(p)	false
#define evtlog_setscheduler_refuses(p, attr)	false
#define evtlog_setscheduler(p, attr)	do { } while (0)
#define evtlog_sched_process_exec(p, old_pid)	do { } while (0)
#define evtlog_sched_process_exit(p)	do { } while (0)
#define evtlog_task_rename(p, comm)	do { } while (0)
#define evtlog_softirq_entry(vec)	do { } while (0)
#define evtlog_softirq_exit(vec)	do { } while (0)
#define evtlog_irq_handler_entry(irq)	do { } while (0)
#define evtlog_irq_handler_exit(irq, ret)	do { } while (0)
#define evtlog_irq_percpu_exit(irq, ret)	do { } while (0)
#define evtlog_user_exit()	do { } while (0)
#define evtlog_user_exit_syscall(nr)	do { } while (0)
#define evtlog_user_exit_compat(nr)	do { } while (0)
#define evtlog_user_exit_prepare(regs)	do { } while (0)
#define evtlog_user_enter()	do { } while (0)
#define evtlog_nmi_entry(regs)	do { } while (0)
#define evtlog_nmi_exit(regs)	do { } while (0)
#define evtlog_exception_entry(vector)	do { } while (0)
#define evtlog_exception_exit(vector)	do { } while (0)
#define evtlog_signal_deliver(number)	do { } while (0)
#define evtlog_icmp_rx(skb)	do { } while (0)
#define evtlog_icmp_tx(skb, dev)	do { } while (0)
#define evtlog_rx_stamp()	do { } while (0)
#define evtlog_vector(name, type, vector)	do { } while (0)
#define evtlog_save_vmcoreinfo()	do { } while (0)

#endif /* CONFIG_EVTLOG */

struct module;

/*
 * evtlog_filter_handler_t - a module's own filter for the hits of a probe
 * @args:	the arguments that the probe names, 64 bits each.  For bytes, their address.  Any
 *		pointer among the arguments may be invalid
 * @nr:		number of arguments
 *
 * Context: the probed function's, with interrupts off; any but NMI.  The handler must not sleep,
 * must not take locks that may be held there, and must not turn interrupts on.
 *
 * Return: true if the hit is to be recorded.
 */
typedef bool (*evtlog_filter_handler_t)(const u64 *args, unsigned int nr);

#ifdef CONFIG_EVTLOG_PROBE
int __evtlog_filter_handler_register(const char *name, evtlog_filter_handler_t function,
				     struct module *owner);
int evtlog_filter_handler_unregister(const char *name);
#else
static inline int __evtlog_filter_handler_register(const char *name,
						   evtlog_filter_handler_t function,
						   struct module *owner)
{
	return -EOPNOTSUPP;
}

static inline int evtlog_filter_handler_unregister(const char *name)
{
	return -ENOENT;
}
#endif

/**
 * evtlog_filter_handler_register() - let probes call a function: `if handler NAME(skb, len)`
 * @name:	a C identifier of at most 31 characters; copied
 * @function:	called for each hit that the filter in front of it accepts
 *
 * A probe that uses the handler holds a reference to the caller's module.
 *
 * Context: task context, may sleep.
 * Return: 0, valid until evtlog_filter_handler_unregister(); -EINVAL: invalid name; -EEXIST: the
 * name is taken; -ENOMEM; -EOPNOTSUPP: this kernel has no probes.
 */
#define evtlog_filter_handler_register(name, function)			\
	__evtlog_filter_handler_register(name, function, THIS_MODULE)

#ifndef CONFIG_EVTLOG_REMOTE
#define evtlog_remote_rx(skb)	false
#endif

/* Macros, because they need struct task_struct. */
#ifdef CONFIG_EVTLOG_PROFILE
#define evtlog_task_init(task)						\
do {									\
	(task)->evtlog_profile = NULL;					\
} while (0)

#define evtlog_task_free(task)						\
do {									\
	if ((task)->evtlog_profile)					\
		__evtlog_profile_free(task);				\
} while (0)
#else
#define evtlog_task_init(task)	do { } while (0)
#define evtlog_task_free(task)	do { } while (0)
#endif

/*
 * The child belongs to the trees that its parent belongs to now, not at the time of the copy.  The
 * sampler has not yet added it to its tasks.
 */
#ifdef CONFIG_EVTLOG_SAMPLER
#define evtlog_task_link(task)						\
do {									\
	(task)->evtlog_trees = READ_ONCE(current->evtlog_trees) &	\
			       READ_ONCE(evtlog_trees_live);		\
	(task)->evtlog_sampled = 0;					\
	if (static_branch_unlikely(&evtlog_births_key))			\
		__evtlog_task_born(task);				\
} while (0)
/* Bits of the trees that the task belongs to */
#define evtlog_task_trees(task)	READ_ONCE((task)->evtlog_trees)
#else
#define evtlog_task_link(task)	do { } while (0)
#ifndef evtlog_task_trees
#define evtlog_task_trees(task)	0U
#endif
#endif

#endif /* _LINUX_EVTLOG_H */
