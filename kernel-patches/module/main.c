// SPDX-License-Identifier: GPL-2.0-only
/*
 * evtlog.ko: loads and unloads evtlog on a kernel without the patch.
 */
#include <linux/module.h>

#include "event/table.h"
#include "filter/hook.h"
#include "lineage/lineage.h"
#include "module/module.h"
#include "module/tracepoints.h"
#include "named/named.h"
#include "probe/probe.h"
#include "proc.h"
#include "run.h"
#include "session.h"
#include "watch/watch.h"

/* In the order in which a kernel with the patch calls them: compat.h */
#define INITIAL(X)							\
	X(form_register)						\
	X(event_register)						\
	X(probe_register)						\
	X(tasks_register)						\
	X(rx_stamp_register)						\
	X(offline_register)						\
	X(trees_register)						\
	X(lineage_register)						\
	X(filter_register)						\
	X(run_tree_register)						\
	X(named_register)						\
	X(watch_register)						\
	X(evtlog_init)

#define X(function)	int evtlog_init_##function(void);
INITIAL(X)
#undef X

static int (*const initial[])(void) __initconst = {
#define X(function)	evtlog_init_##function,
	INITIAL(X)
#undef X
};

/* @is_begun: evtlog_init() has succeeded; otherwise it has undone its own part. */
static void undo(bool is_begun)
{
	/* Sessions take back probes, watches and named buffers, but not during a run. */
	if (is_begun) {
		evtlog_run_stop();
		evtlog_session_exit();
	}
	evtlog_probe_exit();
	evtlog_watch_exit();
	evtlog_named_exit();
	if (is_begun)
		evtlog_exit();
	filter_events_exit();
	evtlog_event_exit();
	evtlog_lineage_exit();
	evtlog_tracepoints_forget();
	evtlog_offline_exit();
}

static void unload(void)
{
	undo(true);
}

static int __init load(void)
{
	int error = evtlog_offline_init();
	unsigned int i;

	if (error)
		return error;
	evtlog_outside_init();
	evtlog_outside_probe_init();
	for (i = 0; !error && i < ARRAY_SIZE(initial); i++)
		error = initial[i]();
	if (error)
		undo(false);
	return error;
}

module_init(load);
module_exit(unload);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Event log: context switches, interrupts, softirqs, ICMP");
