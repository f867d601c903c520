// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The table of record classes.
 *
 * Stage: next to the stream of events.  If a type is listed twice, it does not compile.
 */
#include "record-class.h"

#pragma GCC diagnostic error "-Woverride-init"

#define KIND(is)	.kind_from_other = EVTLOG_KIND_##is ^ EVTLOG_KIND_OTHER
#define POINT(NAME, is) \
	[EVTLOG_##NAME] = { RECORD_POINT, KIND(is) }
#define WRITER(NAME) \
	[EVTLOG_##NAME] = { RECORD_WRITER, KIND(OTHER) }

/* An entry, and the exit that ends it */
#define SPAN(ENTRY, EXIT, ...) \
	[EVTLOG_##ENTRY] = { RECORD_ENTRY, .pair = EVTLOG_##EXIT, __VA_ARGS__ }, \
	[EVTLOG_##EXIT] = { RECORD_EXIT, .pair = EVTLOG_##ENTRY, __VA_ARGS__ }
#define NAMED(NAME, ...)	SPAN(NAME##_ENTRY, NAME##_EXIT, __VA_ARGS__)
#define DATA(bits)	.number_bits = bits
/* A system vector, identified by its type */
#define VECTOR(NAME) \
	NAMED(NAME, KIND(VECTOR), .context = EVTLOG_IN_VECTOR, \
	      .nests_in = EVTLOG_CONTEXT_SOFTIRQ, .number = EVTLOG_##NAME##_ENTRY)

const struct record_class record_classes[EVTLOG_TYPE_MAX + 1] = {
	WRITER(TIME),
	WRITER(COUNTER),
	WRITER(TASK),
	WRITER(EVENT_FORMAT),
	WRITER(ON_CPU),
	POINT(LOST, OTHER),
	POINT(PUT, PUT),
	POINT(PUT_AT, PUT),
	POINT(EVENT, PUT),

	[EVTLOG_SCHED_SWITCH] = { RECORD_SWITCH, KIND(SWITCH) },
	POINT(SCHED_WAKING, WAKING),
	POINT(SCHED_WAKEUP_NEW, WAKING),
	POINT(SCHED_MIGRATE_TASK, MIGRATION),
	POINT(SCHED_PROCESS_FORK, TASK),
	POINT(SCHED_PROCESS_EXEC, TASK),
	POINT(SCHED_PROCESS_EXIT, TASK),
	POINT(TASK_RENAME, TASK),

	/* Contexts of the CPU.  An irq_handler_exit has 24 bits of the irq. */
	NAMED(SOFTIRQ, KIND(SOFTIRQ), .context = EVTLOG_IN_SOFTIRQ, DATA(26)),
	NAMED(IRQ_HANDLER, KIND(IRQ), .context = EVTLOG_IN_IRQ,
	      .nests_in = EVTLOG_CONTEXT_SOFTIRQ, DATA(24)),
	VECTOR(LOCAL_TIMER),
	VECTOR(RESCHEDULE),
	VECTOR(CALL_FUNCTION),
	VECTOR(CALL_FUNCTION_SINGLE),
	VECTOR(IRQ_WORK),
	VECTOR(VECTOR),

	/* Contexts of the task */
	SPAN(USER_ENTER, USER_EXIT, KIND(USER)),
	POINT(USER_NMI, USER),
	NAMED(EXCEPTION, KIND(EXCEPTION), DATA(8),
	      .nests_in = EVTLOG_CONTEXT_SOFTIRQ | EVTLOG_CONTEXT_HARDIRQ),

	POINT(ICMP_RX, ICMP),
	POINT(ICMP_TX, ICMP),
	POINT(REMOTE, REMOTE),
	POINT(REMOTE_BOOST, REMOTE),
	POINT(REMOTE_UNBOOST, REMOTE),
};
