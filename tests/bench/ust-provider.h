/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LTTng-UST's tracepoint for tests/bench/native.c: one event with one field of 32 bits, not more
 * than a record of evtlog. LTTng's macros include this file several times, hence the odd guard.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER evtlog_native

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "ust-provider.h"

#if !defined(UST_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define UST_PROVIDER_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(
	evtlog_native, record,
	LTTNG_UST_TP_ARGS(uint32_t, pid),
	LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint32_t, pid, pid))
)

#endif /* UST_PROVIDER_H */

#include <lttng/tracepoint-event.h>
