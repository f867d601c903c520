// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Kinds of events, as shown in lanes.
 *
 * The kind depends only on the type of a record.
 */
#include <evtlog/index.h>

#include "lib/codec/record-class.h"

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
	return known_type <= EVTLOG_TYPE_MAX ? record_kind(record_class(known_type)) :
	       EVTLOG_KIND_OTHER;
}
