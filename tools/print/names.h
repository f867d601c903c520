/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the names of numbers in records.
 *
 * It has no names of tasks, because these change from event to event.
 */
#ifndef EVTLOG_PRINT_NAMES_H
#define EVTLOG_PRINT_NAMES_H

#include <stdint.h>

#include <evtlog/evtlog.h>

enum name_kind {
	NAME_NONE,
	NAME_SOFTIRQ,
	NAME_OPERATION,		/* operation of a control message */
	NAME_GROUP,
	NAME_CAUSE,		/* why user mode was left */
	NAME_CALL,		/* system call; 64-bit or 32-bit by the cause */
	NAME_EXCEPTION,
	NAME_VECTOR,
	NAME_COUNTER,
	NAME_COUNTED,		/* what the counter counts */
	NAME_LOSS,
	NAME_ICMP,
	NAME_IRQ_RETURN,
	NAME_TASK_FLAGS,
	NAME_EVENT,		/* registered at run time: name in the log */
	NAME_LINE,		/* a device interrupt: fields_irq_name() */
};

/* Returns the kind of names that a field of a type has. */
enum name_kind names_kind(const struct evtlog_type_info *type,
			  const struct evtlog_field *field);

/**
 * names_find() - find the name of a value
 * @kind:	result of names_kind() for a field of @event's type
 *
 * Return: a constant, or a string of @file; NULL if unknown.
 */
const char *names_find(const struct evtlog_file *file, enum name_kind kind,
		       const struct evtlog_event *event, uint64_t value);

/* Returns the name of a task state as in /proc/PID/status: "sleeping"; NULL if unknown. */
const char *names_state(char letter);

/* Returns the name of an ICMP type: "echo request"; NULL if unknown. */
const char *icmp_name(unsigned int type);

/*
 * ---- syscalls.c: system calls ----
 *
 * The names come from the kernel headers of the build, so newer calls have no name.
 */

/* For x86-64, and for 32-bit programs on x86-64; NULL if unknown */
const char *syscall_name(uint64_t number);
const char *syscall_name_32(uint64_t number);

#endif /* EVTLOG_PRINT_NAMES_H */
