// SPDX-License-Identifier: GPL-2.0-only
/*
 * The boundary of user mode: where it is left and entered, and exceptions.
 *
 * Called from kernel/entry/common.c, arch/x86/mm/fault.c and arch/x86/kernel/traps.c through
 * linux/evtlog.h.  hooks/irq.c records interrupts.
 */
#define __evtlog_hook	/* hot here, cold to callers: see linux/evtlog.h */

#include <linux/evtlog.h>
#include <linux/minmax.h>
#include <linux/static_call.h>

#include "hooks/user.h"
#include "outside.h"
#include "ring.h"

DEFINE_PER_CPU(struct evtlog_user_nmis, evtlog_user_nmis);

#define NMI_WORDS	3

/* Cold functions, which save the registers so that their callers need not */
static noinline __cold __evtlog_saves_all void write_slowly(u32 tag)
{
	evtlog_ring_slow(this_cpu_ptr(&evtlog_ring), tag, 1);
}

static noinline __cold __evtlog_saves_all void tell_nmis(void)
{
	struct evtlog_user_nmis *n = this_cpu_ptr(&evtlog_user_nmis);
	u64 *record;

	if (n->began < evtlog_run_label.start_ticks)
		goto forget;
	record = evtlog_reserve_irqoff(EVTLOG_TAG(EVTLOG_USER_NMI,
						  min_t(u32, n->count,
							EVTLOG_DATA_MAX)),
				       NMI_WORDS);
	if (record) {
		record[1] = n->ticks;
		record[2] = n->began;
	}
forget:
	n->count = 0;
	n->ticks = 0;
}

static __always_inline void write_exit(u32 tag)
{
	if (unlikely(!evtlog_try_write_irqoff(tag)) && !evtlog_ring_is_idle())
		write_slowly(tag);
	if (unlikely(this_cpu_read(evtlog_user_nmis.count)))
		tell_nmis();
}

/**
 * __evtlog_user_exit() - an interrupt or exception left user mode
 *
 * Context: first thing in the kernel, interrupts off, not an NMI.
 */
void __evtlog_user_exit(void)
{
	write_exit(EVTLOG_TAG(EVTLOG_USER_EXIT, EVTLOG_USER_EXIT_OTHER));
}
DEFINE_STATIC_CALL(evtlog_user_exit, __evtlog_user_exit);

/**
 * __evtlog_user_exit_syscall() - a system call left user mode
 * @unused:	not a parameter: it puts @nr where the callers have it
 * @nr:		its number from user mode, may be any value
 *
 * Context: as for __evtlog_user_exit().
 */
__evtlog_saves_all void __evtlog_user_exit_syscall(void *unused, long nr)
{
	if (unlikely(nr < 0 || nr > EVTLOG_SYSCALL_OTHER))
		nr = EVTLOG_SYSCALL_OTHER;
	write_exit(EVTLOG_TAG(EVTLOG_USER_EXIT,
			      EVTLOG_USER_EXIT_SYSCALL | (u32)nr << 2));
}
DEFINE_STATIC_CALL(evtlog_user_exit_syscall, __evtlog_user_exit_syscall);

/**
 * __evtlog_user_exit_compat() - a system call of a 32-bit program left user mode
 * @nr:		its number in the 32-bit table
 *
 * Context: as for __evtlog_user_exit().
 */
void __evtlog_user_exit_compat(unsigned int nr)
{
	nr = min_t(unsigned int, nr, EVTLOG_SYSCALL_OTHER);
	write_exit(EVTLOG_TAG(EVTLOG_USER_EXIT, EVTLOG_USER_EXIT_COMPAT | nr << 2));
}
DEFINE_STATIC_CALL(evtlog_user_exit_compat, __evtlog_user_exit_compat);

/**
 * __evtlog_user_enter() - the current task enters user mode
 *
 * Context: last thing in the kernel, interrupts off.
 */
void __evtlog_user_enter(void)
{
	evtlog_write_irqoff(EVTLOG_TAG(EVTLOG_USER_ENTER, current->pid));
}
DEFINE_STATIC_CALL(evtlog_user_enter, __evtlog_user_enter);

/**
 * __evtlog_user_nmi_entry() - an NMI interrupts user mode
 *
 * Times before the run do not belong to the run, nor do times of a task outside its tree.
 *
 * Context: NMI.  Writes no record.
 */
void __evtlog_user_nmi_entry(void)
{
	struct evtlog_user_nmis *n = this_cpu_ptr(&evtlog_user_nmis);

	if (evtlog_is_outside(current)) {
		/* The task may be in the tree when the NMI ends. */
		n->began = 0;
		return;
	}
	if (n->began < READ_ONCE(evtlog_run_label.start_ticks)) {
		n->count = 0;
		n->ticks = 0;
	}
	n->began = evtlog_ticks64();
}

/**
 * __evtlog_user_nmi_exit() - an NMI returns to user mode
 *
 * Context: NMI.  Writes no record.  If the kernel was armed during the NMI, its begin is unknown
 * and it is not counted.
 */
void __evtlog_user_nmi_exit(void)
{
	struct evtlog_user_nmis *n = this_cpu_ptr(&evtlog_user_nmis);

	if (!n->began || evtlog_is_outside(current))
		return;
	n->ticks += evtlog_ticks64() - n->began;
	n->count++;
}

/**
 * __evtlog_exception() - an exception's handler begins or has ended
 * @tag:	type and vector, from EVTLOG_TAG()
 *
 * Context: interrupts off.  An NMI handler may fault: this is counted, not written.
 */
void __evtlog_exception(u32 tag)
{
	if (unlikely(in_nmi()))
		evtlog_drop_nmi();
	else
		evtlog_write_irqoff(tag);
}
DEFINE_STATIC_CALL(evtlog_exception_entry, __evtlog_exception);
DEFINE_STATIC_CALL(evtlog_exception_exit, __evtlog_exception);
