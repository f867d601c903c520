/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the numbers in records stand for, by name.
 *
 * Names of tasks are not here: they change as events come.
 */
#ifndef EVTLOG_PRINT_NAMES_H
#define EVTLOG_PRINT_NAMES_H

#include <stdint.h>

#include <evtlog/evtlog.h>

enum name_kind {
	NAME_NONE,
	NAME_SOFTIRQ,
	NAME_OPERATION,		/* of a control message */
	NAME_GROUP,
	NAME_CAUSE,		/* why user mode was left */
	NAME_CALL,		/* system call; of which machine the cause tells */
	NAME_EXCEPTION,
	NAME_VECTOR,
	NAME_COUNTER,
	NAME_COUNTED,		/* what the counter counts */
	NAME_LOSS,
	NAME_ICMP,
	NAME_IRQ_RETURN,
	NAME_TASK_FLAGS,
	NAME_EVENT,		/* registered at run time: the log tells */
	NAME_LINE,		/* a device interrupt: fields_irq_name() */
};

/* What a field of a type has names for. */
enum name_kind names_kind(const struct evtlog_type_info *type,
			  const struct evtlog_field *field);

/**
 * names_find() - the name of a value
 * @kind:	as of names_kind(), for a field of @event's type
 *
 * Returns a constant, or a string of @file; NULL: nobody knows.
 */
const char *names_find(const struct evtlog_file *file, enum name_kind kind,
		       const struct evtlog_event *event, uint64_t value);

/* Of a task state's letter, as /proc/PID/status has it: "sleeping"; NULL: unknown. */
const char *names_state(char letter);

/* "echo request"; NULL if none is known. */
const char *icmp_name(unsigned int type);

/*
 * ---- syscalls.c: system calls ----
 *
 * They are those of the kernel's headers that this program was built with: a call that is newer
 * has none.
 */

/* Of x86-64, and of 32-bit programs on it; NULL: unknown. */
const char *syscall_name(uint64_t number);
const char *syscall_name_32(uint64_t number);

#endif /* EVTLOG_PRINT_NAMES_H */
