// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * LTTng-UST's writer, which native.c calls like the ring's. ust-session starts the session before.
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "ust-provider.h"

#include "ust.h"

/* EVTLOG_DATA_MAX of include/evtlog/abi.h, whose types cannot be used here */
#define PID_MAX		((1U << 26) - 1)

bool ust_recording(void)
{
	return lttng_ust_tracepoint_enabled(evtlog_native, record);
}

void ust_write(unsigned int n)
{
	uint32_t pid = 1;

	while (n--) {
		lttng_ust_tracepoint(evtlog_native, record, pid);
		pid ^= n;
		pid &= PID_MAX;
	}
}
