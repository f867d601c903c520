/* SPDX-License-Identifier: GPL-2.0-only */
/* The events of a profile, to which time is charged: each has a class and a number within it. */
#ifndef EVTLOG_PROFILE_EVENT_H
#define EVTLOG_PROFILE_EVENT_H

#define EVTLOG_PROFILE_NUMBER_BITS	12
#define EVTLOG_PROFILE_NUMBER_MAX	((1U << EVTLOG_PROFILE_NUMBER_BITS) - 1)

/* Both fit 16 bits. */
#define EVTLOG_PROFILE_EVENT(class, number)				\
	((unsigned int)(class) << EVTLOG_PROFILE_NUMBER_BITS | (number))

/*
 * enum evtlog_profile_class - classes of events
 * @EVTLOG_PROFILE_STATE: an enum evtlog_profile_state
 * @EVTLOG_PROFILE_SYSCALL: a system call, by its number
 * @EVTLOG_PROFILE_COMPAT: a system call of a 32-bit program
 * @EVTLOG_PROFILE_EXCEPTION: an exception, by its vector
 * @EVTLOG_PROFILE_IRQ: handlers of a device interrupt, by its Linux number
 * @EVTLOG_PROFILE_VECTOR: a system vector
 * @EVTLOG_PROFILE_SOFTIRQ: a softirq, by its vector
 * @EVTLOG_PROFILE_SIGNAL: the delivery of a signal, by its number
 * @EVTLOG_PROFILE_FUNCTION: a function with a probe "%timer", by evtlog_profile_function()
 * @EVTLOG_PROFILE_NET: an enum evtlog_net_span
 * @EVTLOG_PROFILE_BLOCK: an enum evtlog_block_span
 * @EVTLOG_PROFILE_VALUE: an enum evtlog_value: without a time, and only in records (exit.c)
 */
enum evtlog_profile_class {
	EVTLOG_PROFILE_STATE,
	EVTLOG_PROFILE_SYSCALL,
	EVTLOG_PROFILE_COMPAT,
	EVTLOG_PROFILE_EXCEPTION,
	EVTLOG_PROFILE_IRQ,
	EVTLOG_PROFILE_VECTOR,
	EVTLOG_PROFILE_SOFTIRQ,
	EVTLOG_PROFILE_SIGNAL,
	EVTLOG_PROFILE_FUNCTION,
	EVTLOG_PROFILE_NET,
	EVTLOG_PROFILE_BLOCK,
	EVTLOG_PROFILE_VALUE,
};

/*
 * enum evtlog_profile_state - the state of a task or CPU when there is no more specific event
 * @EVTLOG_PROFILE_NONE: no event; 0 marks free entries in tables
 * @EVTLOG_PROFILE_USER: user mode
 * @EVTLOG_PROFILE_KERNEL: the kernel: its threads, and entry and exit code
 * @EVTLOG_PROFILE_IDLE: the idle task
 * @EVTLOG_PROFILE_RUNQUEUE: waits for a CPU, after it was blocked or new
 * @EVTLOG_PROFILE_PREEMPTED: waits for a CPU, after another task took the CPU, or it yielded
 * @EVTLOG_PROFILE_BLOCKED_INTERRUPTIBLE: sleeps; a signal wakes it
 * @EVTLOG_PROFILE_BLOCKED_UNINTERRUPTIBLE: sleeps
 * @EVTLOG_PROFILE_BLOCKED_IO: sleeps, and waits for I/O
 * @EVTLOG_PROFILE_BLOCKED_OTHER: stopped, traced, or dead
 * @EVTLOG_PROFILE_WAITING: waits for which a profile has no node left
 * @EVTLOG_PROFILE_REST: events for which a profile has no node left
 * @EVTLOG_PROFILE_OFFLINE: the CPU is offline; within its idle task
 * @EVTLOG_PROFILE_TASK: a task in user mode or the kernel, where these are not distinguished
 */
enum evtlog_profile_state {
	EVTLOG_PROFILE_NONE,
	EVTLOG_PROFILE_USER,
	EVTLOG_PROFILE_KERNEL,
	EVTLOG_PROFILE_IDLE,
	EVTLOG_PROFILE_RUNQUEUE,
	EVTLOG_PROFILE_PREEMPTED,
	EVTLOG_PROFILE_BLOCKED_INTERRUPTIBLE,
	EVTLOG_PROFILE_BLOCKED_UNINTERRUPTIBLE,
	EVTLOG_PROFILE_BLOCKED_IO,
	EVTLOG_PROFILE_BLOCKED_OTHER,
	EVTLOG_PROFILE_WAITING,
	EVTLOG_PROFILE_REST,
	EVTLOG_PROFILE_OFFLINE,
	EVTLOG_PROFILE_TASK,
};

#endif /* EVTLOG_PROFILE_EVENT_H */
