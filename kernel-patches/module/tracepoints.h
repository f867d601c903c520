/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's tracepoints that call the hooks of a module */
#ifndef EVTLOG_MODULE_TRACEPOINTS_H
#define EVTLOG_MODULE_TRACEPOINTS_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/types.h>

/* A tracepoint is found by its name; this kernel's prototype of it must be the probe's. */
#define EVTLOG_PROBE_FITS(name, probe)					\
	__same_type(check_trace_callback_type_##name, void (typeof(probe) *))
#define EVTLOG_PROBE(name, probe)					\
	#name, (void *)(probe) + BUILD_BUG_ON_ZERO(!EVTLOG_PROBE_FITS(name, probe))

u64 evtlog_tracepoints_find(void);
void evtlog_tracepoints_forget(void);
int evtlog_tracepoints_set(u64 types);

#endif /* EVTLOG_MODULE_TRACEPOINTS_H */
