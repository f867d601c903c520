// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Kinds of events, as lanes show them.
 *
 * It does not look at records, only at their types.
 */
#include <evtlog/index.h>

const char *evtlog_kind_name(enum evtlog_kind kind)
{
	static const char *const names[EVTLOG_KINDS] = {
		[EVTLOG_KIND_SWITCH] = "switch",
		[EVTLOG_KIND_WAKING] = "waking",
		[EVTLOG_KIND_MIGRATION] = "migration",
		[EVTLOG_KIND_SOFTIRQ] = "softirq",
		[EVTLOG_KIND_IRQ] = "irq",
		[EVTLOG_KIND_VECTOR] = "vector",
		[EVTLOG_KIND_ICMP] = "icmp",
		[EVTLOG_KIND_REMOTE] = "remote",
		[EVTLOG_KIND_TASK] = "task",
		[EVTLOG_KIND_PUT] = "put",
		[EVTLOG_KIND_OTHER] = "other",
		[EVTLOG_KIND_EXCEPTION] = "exception",
		[EVTLOG_KIND_USER] = "user",
	};

	return (unsigned int)kind < EVTLOG_KINDS ? names[kind] : "?";
}

enum evtlog_kind evtlog_kind_of(unsigned int known_type)
{
	switch (known_type) {
	case EVTLOG_SCHED_SWITCH:
		return EVTLOG_KIND_SWITCH;
	case EVTLOG_SCHED_WAKING:
	case EVTLOG_SCHED_WAKEUP_NEW:
		return EVTLOG_KIND_WAKING;
	case EVTLOG_SCHED_MIGRATE_TASK:
		return EVTLOG_KIND_MIGRATION;
	case EVTLOG_SOFTIRQ_ENTRY:
	case EVTLOG_SOFTIRQ_EXIT:
		return EVTLOG_KIND_SOFTIRQ;
	case EVTLOG_IRQ_HANDLER_ENTRY:
	case EVTLOG_IRQ_HANDLER_EXIT:
		return EVTLOG_KIND_IRQ;
	case EVTLOG_LOCAL_TIMER_ENTRY:
	case EVTLOG_LOCAL_TIMER_EXIT:
	case EVTLOG_RESCHEDULE_ENTRY:
	case EVTLOG_RESCHEDULE_EXIT:
	case EVTLOG_CALL_FUNCTION_ENTRY:
	case EVTLOG_CALL_FUNCTION_EXIT:
	case EVTLOG_CALL_FUNCTION_SINGLE_ENTRY:
	case EVTLOG_CALL_FUNCTION_SINGLE_EXIT:
	case EVTLOG_IRQ_WORK_ENTRY:
	case EVTLOG_IRQ_WORK_EXIT:
	case EVTLOG_VECTOR_ENTRY:
	case EVTLOG_VECTOR_EXIT:
		return EVTLOG_KIND_VECTOR;
	case EVTLOG_ICMP_RX:
	case EVTLOG_ICMP_TX:
		return EVTLOG_KIND_ICMP;
	case EVTLOG_REMOTE:
	case EVTLOG_REMOTE_BOOST:
	case EVTLOG_REMOTE_UNBOOST:
		return EVTLOG_KIND_REMOTE;
	case EVTLOG_SCHED_PROCESS_FORK:
	case EVTLOG_SCHED_PROCESS_EXEC:
	case EVTLOG_SCHED_PROCESS_EXIT:
	case EVTLOG_TASK_RENAME:
		return EVTLOG_KIND_TASK;
	case EVTLOG_PUT:
	case EVTLOG_PUT_AT:
		return EVTLOG_KIND_PUT;
	case EVTLOG_EXCEPTION_ENTRY:
	case EVTLOG_EXCEPTION_EXIT:
		return EVTLOG_KIND_EXCEPTION;
	case EVTLOG_USER_EXIT:
	case EVTLOG_USER_ENTER:
	case EVTLOG_USER_NMI:
		return EVTLOG_KIND_USER;
	default:
		return EVTLOG_KIND_OTHER;
	}
}
