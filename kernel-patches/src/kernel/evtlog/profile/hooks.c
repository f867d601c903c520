// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hooks while profiles are kept: they record if this is enabled, then charge the time.
 *
 * Called through linux/evtlog.h instead of the hooks of records, at the same places and in the same
 * contexts.
 */
#define __evtlog_hook	/* hot here, cold to callers: see linux/evtlog.h */

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/evtlog.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/static_call.h>

#include <asm/unistd.h>

#include "clock.h"
#include "events.h"
#include "profile/profile.h"
#include "profile/switch.h"
#include "ring.h"

/* The offsets in tree.h on which evtlog_profile_call() relies */
static_assert(offsetof(struct evtlog_profile_cpu, top) == EVTLOG_PROFILE_CPU_TOP);
static_assert(offsetof(struct evtlog_profile_cpu, current_profile) == EVTLOG_PROFILE_CPU_CURRENT);
static_assert(offsetof(struct evtlog_profile, calls) == EVTLOG_PROFILE_OF_CALLS);
static_assert(EVTLOG_PROFILE_CALLS - 1 == EVTLOG_PROFILE_CALLS_MASK);
static_assert(offsetof(struct evtlog_profile, nodes[0].sums.exclusive) == EVTLOG_PROFILE_OF_ROOT);
static_assert(offsetof(struct evtlog_profile_node, key) == EVTLOG_PROFILE_NODE_KEY);
static_assert(offsetof(struct evtlog_profile_node, start) == EVTLOG_PROFILE_NODE_START);
static_assert(offsetof(struct evtlog_profile_node, sums.exclusive) ==
	      EVTLOG_PROFILE_NODE_EXCLUSIVE);
static_assert(EVTLOG_PROFILE_EVENT(EVTLOG_PROFILE_SYSCALL, 0) == EVTLOG_PROFILE_FIRST_CALL);

#define is_in(types, type)	(READ_ONCE(types) & BIT_ULL(type))

/* Position of this CPU's ring before a record */
struct place {
	const struct evtlog_buffer_header *header;
	u64 *pos;
	u64 slow_ticks;
};

static __always_inline struct place place_now(void)
{
	return (struct place){
		this_cpu_read(evtlog_ring.current_header), this_cpu_read(evtlog_ring.pos),
		this_cpu_read(evtlog_ring.slow_ticks),
	};
}

/*
 * Returns the time of the record that was written since @before: log and profile use one reading of
 * the counter.  Without a record, returns the current time.
 */
static noinline u64 ticks_since(struct place before)
{
	u64 slow_ticks = this_cpu_read(evtlog_ring.slow_ticks);

	if (slow_ticks != before.slow_ticks)
		return slow_ticks;
	/* A lost record may have closed the buffer and opened the next: @before.pos is empty. */
	if (this_cpu_read(evtlog_ring.current_header) != before.header ||
	    this_cpu_read(evtlog_ring.pos) <= before.pos)
		return evtlog_ticks64();
	return evtlog_record_ticks(before.pos);
}

/* As evtlog_ticks64(), with fewer moves. */
static __always_inline u64 ticks(void)
{
	u64 now;

	asm volatile("rdtsc\n\t"
		     "shlq $32, %%rdx\n\t"
		     "orq %%rdx, %%rax" : "=a" (now) : : "rdx", "cc");
	return now;
}

/*
 * BOUNDARY(type, name, parameters, arguments, record, charge) defines name_boundary().  @charge
 * charges the time until "now", in ticks; "is_slow": tasks may have traces.  With the slow key
 * on, @type is checked: if it is recorded, @record writes the record, whose time is "now"; if it
 * is profiled, @charge runs.  Interrupts are off, and @record keeps them off.
 */
#define BOUNDARY(type, name, parameters, arguments, record, charge)	\
static noinline __cold void name##_slowly parameters			\
{									\
	struct place before = place_now();				\
	const bool is_slow __maybe_unused = true;			\
	u64 now;							\
									\
	if (is_in(evtlog_events_recorded, type))			\
		record;							\
	now = ticks_since(before);					\
	if (is_in(evtlog_events_profiled, type))			\
		charge;							\
}									\
									\
static __always_inline void name##_boundary parameters			\
{									\
	if (static_branch_unlikely(&evtlog_profile_slow_key)) {		\
		name##_slowly arguments;				\
	} else {							\
		const bool is_slow __maybe_unused = false;		\
		u64 now = ticks();					\
									\
		charge;							\
	}								\
}

/* Defines the hook itself; its parameters and context are those of __evtlog_NAME(). */
#define HOOK(type, name, parameters, arguments, record, charge)		\
BOUNDARY(type, name, parameters, arguments, record, charge)		\
									\
void __evtlog_profile_##name parameters					\
{									\
	name##_boundary arguments;					\
}

static __always_inline void enter(unsigned int class, unsigned int number, u64 now, bool is_slow)
{
	unsigned int event = EVTLOG_PROFILE_EVENT(class, number);

	evtlog_profile_enter(event, now);
	if (is_slow)
		evtlog_profile_trace_current(EVTLOG_PROFILE_TRACE_ENTER, event, now);
}

static __always_inline void leave(unsigned int class, unsigned int number, u64 now, bool is_slow)
{
	unsigned int event = EVTLOG_PROFILE_EVENT(class, number);

	evtlog_profile_exit(event, now);
	if (is_slow)
		evtlog_profile_trace_current(EVTLOG_PROFILE_TRACE_LEAVE, event, now);
}

/*
 * How the current task leaves its CPU.  If it is still runnable, it was preempted or has yielded:
 * nivcsw of __schedule().  @preempt is not enough: on the way to user mode it is false.
 */
static __always_inline unsigned int off_event(unsigned int prev_state, bool preempt)
{
	if (preempt || !prev_state)
		return EVTLOG_PROFILE_PREEMPTED;
	if (prev_state & (TASK_INTERRUPTIBLE | TASK_NOLOAD))
		return EVTLOG_PROFILE_BLOCKED_INTERRUPTIBLE;
	if (!(prev_state & TASK_UNINTERRUPTIBLE))
		return EVTLOG_PROFILE_BLOCKED_OTHER;
	return current->in_iowait ? EVTLOG_PROFILE_BLOCKED_IO :
				    EVTLOG_PROFILE_BLOCKED_UNINTERRUPTIBLE;
}

static noinline void trace_switch(struct evtlog_profile *next, unsigned int off_event, u64 now)
{
	if (!this_cpu_read(evtlog_profile_cpu.counts))
		return;
	evtlog_profile_trace_current(EVTLOG_PROFILE_TRACE_OFF, off_event, now);
	if (next)
		evtlog_profile_trace(next, EVTLOG_PROFILE_TRACE_ON, 0, now);
}

static __always_inline void charge_switch(struct task_struct *next, unsigned int prev_state,
					  bool preempt, u64 now, bool is_slow)
{
	struct evtlog_profile *p = READ_ONCE(next->evtlog_profile);
	unsigned int event = off_event(prev_state, preempt);

	if (is_slow)
		trace_switch(p, event, now);
	evtlog_profile_switch(p, event, now);
}

HOOK(EVTLOG_SCHED_SWITCH, sched_switch,
	 (struct task_struct *next, unsigned int prev_state, bool preempt), (next, prev_state, preempt),
	 static_call(evtlog_sched_switch)(next, prev_state, preempt),
	 charge_switch(next, prev_state, preempt, now, is_slow))

static __always_inline void charge_waking(struct task_struct *task, u64 now)
{
	struct evtlog_profile *p = READ_ONCE(task->evtlog_profile);

	if (p)
		evtlog_profile_waking(p, now);
}

BOUNDARY(EVTLOG_SCHED_WAKING, sched_waking,
	 (struct task_struct *task), (task),
	 static_call(evtlog_sched_waking)(task),
	 charge_waking(task, now))

void __evtlog_profile_sched_waking(struct task_struct *task)
{
	unsigned long flags;

	if (!static_branch_unlikely(&evtlog_profile_slow_key)) {
		/* A single store, with preemption off: interrupts may come in between. */
		charge_waking(task, ticks());
		return;
	}
	raw_local_irq_save(flags);
	sched_waking_slowly(task);
	raw_local_irq_restore(flags);
}

/**
 * evtlog_profile_record_fork() - a task is about to be born
 * @child:	the task
 *
 * Context: copy_process(), the parent's context.
 * Return: the time, in ticks.
 */
u64 evtlog_profile_record_fork(struct task_struct *child)
{
	struct place before;
	unsigned long flags;
	u64 now;

	raw_local_irq_save(flags);
	before = place_now();
	if (is_in(evtlog_events_recorded, EVTLOG_SCHED_PROCESS_FORK))
		__evtlog_sched_process_fork(child);
	now = ticks_since(before);
	raw_local_irq_restore(flags);
	return now;
}

/* The records' own functions turn interrupts on at their end; filters do not. */
#define RECORD_SOFTIRQ(type, hook, vec)					\
do {									\
	if (static_call_query(evtlog_##hook) == __evtlog_##hook)	\
		evtlog_write_irqoff(EVTLOG_TAG(type, vec));		\
	else								\
		static_call(evtlog_##hook)(vec);			\
} while (0)

BOUNDARY(EVTLOG_SOFTIRQ_ENTRY, softirq_entry,
	 (unsigned int vec), (vec),
	 RECORD_SOFTIRQ(EVTLOG_SOFTIRQ_ENTRY, softirq_entry, vec),
	 enter(EVTLOG_PROFILE_SOFTIRQ, vec, now, is_slow))

void __evtlog_profile_softirq_entry(unsigned int vec)
{
	raw_local_irq_disable();
	softirq_entry_boundary(vec);
	raw_local_irq_enable();
}

BOUNDARY(EVTLOG_SOFTIRQ_EXIT, softirq_exit,
	 (unsigned int vec), (vec),
	 RECORD_SOFTIRQ(EVTLOG_SOFTIRQ_EXIT, softirq_exit, vec),
	 leave(EVTLOG_PROFILE_SOFTIRQ, vec, now, is_slow))

void __evtlog_profile_softirq_exit(unsigned int vec)
{
	raw_local_irq_disable();
	softirq_exit_boundary(vec);
	raw_local_irq_enable();
}

static __always_inline unsigned int irq_number(unsigned int irq)
{
	return min(irq, EVTLOG_PROFILE_NUMBER_MAX);
}

HOOK(EVTLOG_IRQ_HANDLER_ENTRY, irq_handler_entry,
	 (unsigned int irq), (irq),
	 static_call(evtlog_irq_handler_entry)(irq),
	 enter(EVTLOG_PROFILE_IRQ, irq_number(irq), now, is_slow))

HOOK(EVTLOG_IRQ_HANDLER_EXIT, irq_handler_exit,
	 (unsigned int irq, int ret), (irq, ret),
	 static_call(evtlog_irq_handler_exit)(irq, ret),
	 leave(EVTLOG_PROFILE_IRQ, irq_number(irq), now, is_slow))

BOUNDARY(EVTLOG_IRQ_HANDLER_EXIT, irq_percpu_exit,
	 (unsigned int irq, int ret), (irq, ret),
	 static_call(evtlog_irq_percpu_exit)(irq, ret),
	 leave(EVTLOG_PROFILE_IRQ, irq_number(irq), now, is_slow))

void __evtlog_profile_irq_percpu_exit(unsigned int irq, int ret)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	irq_percpu_exit_boundary(irq, ret);
	raw_local_irq_restore(flags);
}

/* Each type has its own site, for filters. */
static void record_vector(u32 tag)
{
	switch (tag & EVTLOG_TYPE_MAX) {
#define X(TYPE, name)							\
	case EVTLOG_##TYPE:						\
		static_call(evtlog_##name)(tag);			\
		break;
	EVTLOG_VECTORS(X)
#undef X
	}
}

HOOK(tag & EVTLOG_TYPE_MAX, vector_entry,
	 (u32 tag), (tag),
	 record_vector(tag),
	 enter(EVTLOG_PROFILE_VECTOR, tag >> EVTLOG_TYPE_BITS, now, is_slow))

HOOK(tag & EVTLOG_TYPE_MAX, vector_exit,
	 (u32 tag), (tag),
	 record_vector(tag),
	 leave(EVTLOG_PROFILE_VECTOR, tag >> EVTLOG_TYPE_BITS, now, is_slow))

/* Time of an exception in an NMI belongs to the node that the NMI interrupted. */
HOOK(EVTLOG_EXCEPTION_ENTRY, exception_entry,
	 (u32 tag), (tag),
	 static_call(evtlog_exception_entry)(tag),
	 if (likely(!in_nmi()))
		enter(EVTLOG_PROFILE_EXCEPTION, tag >> EVTLOG_TYPE_BITS, now, is_slow))

HOOK(EVTLOG_EXCEPTION_EXIT, exception_exit,
	 (u32 tag), (tag),
	 static_call(evtlog_exception_exit)(tag),
	 if (likely(!in_nmi()))
		leave(EVTLOG_PROFILE_EXCEPTION, tag >> EVTLOG_TYPE_BITS, now, is_slow))

HOOK(EVTLOG_USER_EXIT, user_exit,
	 (void), (),
	 static_call(evtlog_user_exit)(),
	 enter(EVTLOG_PROFILE_STATE, EVTLOG_PROFILE_KERNEL, now, is_slow))

#ifdef CONFIG_IA32_EMULATION
#define COMPAT_CALLS	IA32_NR_syscalls
#else
#define COMPAT_CALLS	0
#endif

/* All invalid numbers count as one: programs may try every number. */
static __always_inline unsigned int call_number(unsigned long nr, unsigned int calls)
{
	static_assert(NR_syscalls <= EVTLOG_PROFILE_NUMBER_MAX);
	return nr < calls ? nr : EVTLOG_PROFILE_NUMBER_MAX;
}

BOUNDARY(EVTLOG_USER_EXIT, syscall,
	 (long nr), (nr),
	 evtlog_call_saves_all(evtlog_user_exit_syscall, nr),
	 enter(EVTLOG_PROFILE_SYSCALL, call_number(nr, NR_syscalls), now, is_slow))

/**
 * __evtlog_profile_user_exit_syscall() - a system call left user mode
 * @unused:	see __evtlog_user_exit_syscall()
 * @nr:		its number from user mode, which may be any value
 *
 * Context: as for __evtlog_profile_user_exit().  Called if evtlog_profile_call() has found no node,
 * or if there is something to record.
 */
__evtlog_saves_all void __evtlog_profile_user_exit_syscall(void *unused, long nr)
{
#ifdef CONFIG_EVTLOG_DEBUG
	/* evtlog_profile_call() relies on this. */
	WARN_ON_ONCE(this_cpu_read(evtlog_profile_cpu.counts) &&
		     is_in(evtlog_events_profiled, EVTLOG_USER_EXIT) &&
		     this_cpu_read(evtlog_profile_cpu.top)->parent);
#endif
	syscall_boundary(nr);
}

HOOK(EVTLOG_USER_EXIT, user_exit_compat,
	 (unsigned int nr), (nr),
	 static_call(evtlog_user_exit_compat)(nr),
	 enter(EVTLOG_PROFILE_COMPAT, call_number(nr, COMPAT_CALLS), now, is_slow))

static __always_inline void charge_user_enter(u64 now, bool is_slow)
{
	evtlog_profile_to_user(now);
	if (is_slow)
		evtlog_profile_trace_current(EVTLOG_PROFILE_TRACE_USER, 0, now);
}

HOOK(EVTLOG_USER_ENTER, user_enter,
	 (void), (),
	 static_call(evtlog_user_enter)(),
	 charge_user_enter(now, is_slow))

/**
 * __evtlog_profile_signal() - a signal is delivered to the current task
 * @number:	number of the signal
 *
 * It lasts until user mode, usually its handler, or the next signal.  It is not recorded.
 *
 * Context: get_signal(), the signal handlers' lock is held, interrupts off.
 */
void __evtlog_profile_signal(unsigned int number)
{
	struct evtlog_profile_node *top = this_cpu_read(evtlog_profile_cpu.top);
	u64 now = ticks();

	/* io_uring's workers take signals, and never go to user mode. */
	if (current->flags & (PF_KTHREAD | PF_IO_WORKER))
		return;
	if ((top->key & 0xffff) >> EVTLOG_PROFILE_NUMBER_BITS == EVTLOG_PROFILE_SIGNAL)
		evtlog_profile_exit(top->key & 0xffff, now);
	enter(EVTLOG_PROFILE_SIGNAL, number, now, true);
}
