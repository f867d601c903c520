// SPDX-License-Identifier: GPL-2.0-only
/*
 * evtlog.ko: loads and unloads evtlog on a kernel without the patch.
 */
#include <linux/module.h>

#include "module/module.h"
#include "module/tracepoints.h"
#include "proc.h"

/* In the order in which a kernel with the patch calls them: compat.h */
#define INITIAL(X)							\
	X(tasks_register)						\
	X(rx_stamp_register)						\
	X(evtlog_init)

#define X(function)	int evtlog_init_##function(void);
INITIAL(X)
#undef X

static int (*const initial[])(void) __initconst = {
#define X(function)	evtlog_init_##function,
	INITIAL(X)
#undef X
};

static void unload(void)
{
	evtlog_exit();
	evtlog_tracepoints_forget();
}

static int __init load(void)
{
	unsigned int i;
	int error = 0;

	evtlog_outside_init();
	for (i = 0; !error && i < ARRAY_SIZE(initial); i++)
		error = initial[i]();
	/* evtlog_init() has undone its own part. */
	if (error)
		evtlog_tracepoints_forget();
	return error;
}

module_init(load);
module_exit(unload);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Event log: context switches, interrupts, softirqs, ICMP");
