/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's tracepoints that call the hooks of a module */
#ifndef EVTLOG_MODULE_TRACEPOINTS_H
#define EVTLOG_MODULE_TRACEPOINTS_H

#include <linux/types.h>

u64 evtlog_tracepoints_find(void);
void evtlog_tracepoints_forget(void);
int evtlog_tracepoints_set(u64 types);

#endif /* EVTLOG_MODULE_TRACEPOINTS_H */
