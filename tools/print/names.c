// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the names of numbers in records.
 */
#include <string.h>

#include <evtlog/remote.h>

#include "input/open-log.h"
#include "names.h"

static const struct {
	uint8_t type;
	const char *field;
	enum name_kind kind;
} kinds[] = {
	{ EVTLOG_LOST, "cause", NAME_LOSS },
	{ EVTLOG_COUNTER, "counter", NAME_COUNTER },
	{ EVTLOG_COUNTER, "index", NAME_COUNTED },
	{ EVTLOG_TASK, "flags", NAME_TASK_FLAGS },
	{ EVTLOG_IRQ_HANDLER_EXIT, "ret", NAME_IRQ_RETURN },
	{ EVTLOG_ICMP_RX, "type", NAME_ICMP },
	{ EVTLOG_ICMP_TX, "type", NAME_ICMP },
	{ EVTLOG_REMOTE, "operation", NAME_OPERATION },
	{ EVTLOG_REMOTE, "group_kind", NAME_GROUP },
	{ EVTLOG_USER_EXIT, "cause", NAME_CAUSE },
	{ EVTLOG_USER_EXIT, "nr", NAME_CALL },
	{ EVTLOG_EXCEPTION_ENTRY, "vector", NAME_EXCEPTION },
	{ EVTLOG_EXCEPTION_EXIT, "vector", NAME_EXCEPTION },
	{ EVTLOG_VECTOR_ENTRY, "vector", NAME_VECTOR },
	{ EVTLOG_VECTOR_EXIT, "vector", NAME_VECTOR },
	{ EVTLOG_EVENT, "id", NAME_EVENT },
	{ EVTLOG_EVENT_FORMAT, "id", NAME_EVENT },
};

enum name_kind names_kind(const struct evtlog_type_info *type,
			  const struct evtlog_field *field)
{
	if (field->kind == 'v')
		return NAME_SOFTIRQ;
	if (field->kind == 'u' && !strcmp(field->name, "irq"))
		return NAME_LINE;
	for (size_t i = 0; type->known && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].type == type->known && !strcmp(kinds[i].field, field->name))
			return kinds[i].kind;
	return NAME_NONE;
}

#define NAMED(names, value) \
	((value) < sizeof(names) / sizeof((names)[0]) ? (names)[value] : NULL)

/* Vectors without their own record type: asm/irq_vectors.h */
static const char *vector_name(uint64_t vector)
{
	static const char *const names[] = {
		[0x00] = "deferred error", [0x03] = "platform IPI", [0x05] = "threshold",
		[0x06] = "thermal", [0x0a] = "APIC error", [0x0b] = "spurious",
	};

	return vector >= 0xf4 ? NAMED(names, vector - 0xf4) : NULL;
}

static const char *counted_name(const struct evtlog_file *file,
				const struct evtlog_event *event, uint64_t index)
{
	const struct evtlog_type_info *type;

	switch (evtlog_data(event->words, 1, 5)) {
	case EVTLOG_COUNTER_SOFTIRQ:
		return index < 64 ? evtlog_softirq_name(file, index) : NULL;
	case EVTLOG_COUNTER_VECTOR:
		type = index <= EVTLOG_TYPE_MAX ? evtlog_type_info(file, index) : NULL;
		return type ? type->name : NULL;
	default:
		return NULL;
	}
}

const char *icmp_name(unsigned int type)
{
	static const char *const names[] = {
		[0] = "echo reply",
		[3] = "destination unreachable",
		[4] = "source quench",
		[5] = "redirect",
		[8] = "echo request",
		[9] = "router advertisement",
		[10] = "router solicitation",
		[11] = "time exceeded",
		[12] = "parameter problem",
		[13] = "timestamp request",
		[14] = "timestamp reply",
	};

	return type < sizeof(names) / sizeof(names[0]) ? names[type] : NULL;
}

static const char *event_name(const struct evtlog_file *file, uint64_t id)
{
	const struct evtlog_event_format *format = evtlog_event_format(file, id);

	return format ? format->name : NULL;
}

/* The names are those of x86-64; other machines have other numbers. */
static const char *call_name(const struct evtlog_file *file,
			     const struct evtlog_event *event, uint64_t number)
{
	const char *machine = evtlog_meta(file, "machine");

	if (machine && strcmp(machine, "x86_64"))
		return NULL;
	switch (evtlog_data(event->words, 0, 2)) {
	case EVTLOG_USER_EXIT_SYSCALL:
		return syscall_name(number);
	case EVTLOG_USER_EXIT_COMPAT:
		return syscall_name_32(number);
	default:
		return NULL;
	}
}

const char *names_find(const struct evtlog_file *file, enum name_kind kind,
		       const struct evtlog_event *event, uint64_t value)
{
	static const char *const operations[] = {
		[EVTLOG_REMOTE_STATUS] = "status",
		[EVTLOG_REMOTE_START] = "start",
		[EVTLOG_REMOTE_STOP] = "stop",
		[EVTLOG_REMOTE_SCHED] = "sched",
		[EVTLOG_REMOTE_ARM] = "arm",
		[EVTLOG_REMOTE_DISARM] = "disarm",
		[EVTLOG_REMOTE_CANCEL] = "cancel",
	};
	static const char *const groups[] = {
		[EVTLOG_REMOTE_PGID] = "pgid",
		[EVTLOG_REMOTE_SID] = "sid",
		[EVTLOG_REMOTE_CGROUP] = "cgroup",
	};
	static const char *const causes[] = {
		[EVTLOG_USER_EXIT_OTHER] = "irq or exception",
		[EVTLOG_USER_EXIT_SYSCALL] = "syscall",
		[EVTLOG_USER_EXIT_COMPAT] = "compat",
	};
	static const char *const counters[] = {
		[EVTLOG_COUNTER_CTXT] = "switches of all",
		[EVTLOG_COUNTER_SOFTIRQ] = "softirq",
		[EVTLOG_COUNTER_IRQ] = "irq",
		[EVTLOG_COUNTER_VECTOR] = "vector",
		[EVTLOG_COUNTER_SWITCHES] = "switches",
		[EVTLOG_COUNTER_ICMP] = "icmp",
		[EVTLOG_COUNTER_REJECTED] = "rejected",
		[EVTLOG_COUNTER_IRQS] = "irqs",
		[EVTLOG_COUNTER_STEAL] = "steal",
	};
	/* enum irqreturn */
	static const char *const returns[] = { "none", "handled", "wake thread" };

	switch (kind) {
	case NAME_NONE:
	case NAME_LINE:
		return NULL;
	case NAME_SOFTIRQ:
		return value < 64 ? evtlog_softirq_name(file, value) : NULL;
	case NAME_OPERATION:
		return NAMED(operations, value);
	case NAME_GROUP:
		return NAMED(groups, value);
	case NAME_CAUSE:
		return NAMED(causes, value);
	case NAME_CALL:
		return call_name(file, event, value);
	case NAME_EXCEPTION:
		return evtlog_exception_name(value);
	case NAME_VECTOR:
		return vector_name(value);
	case NAME_COUNTER:
		return NAMED(counters, value);
	case NAME_COUNTED:
		return counted_name(file, event, value);
	case NAME_LOSS:
		return log_cause_name(value);
	case NAME_ICMP:
		return icmp_name(value);
	case NAME_IRQ_RETURN:
		return NAMED(returns, value);
	case NAME_TASK_FLAGS:
		return value == EVTLOG_TASK_KTHREAD ? "kthread" : NULL;
	case NAME_EVENT:
		return event_name(file, value);
	}
	return NULL;
}

const char *names_state(char letter)
{
	switch (letter) {
	case 'R':
		return "running";
	case 'S':
		return "sleeping";
	case 'D':
		return "disk sleep";
	case 'T':
		return "stopped";
	case 't':
		return "tracing stop";
	case 'X':
		return "dead";
	case 'Z':
		return "zombie";
	case 'P':
		return "parked";
	case 'I':
		return "idle";
	case '+':
		return "preempted";
	default:
		return NULL;
	}
}
