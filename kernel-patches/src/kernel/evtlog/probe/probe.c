// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes as a feature: their file in /proc/evtlog.
 */
#include <linux/init.h>

#include "feature.h"
#include "probe/probe.h"
#include "proc.h"

static const struct evtlog_proc_file files[] = {
	{ "probes", 0600, evtlog_probe_show, evtlog_probe_write, EVTLOG_PROBE_WRITE_MAX },
	{ }
};

static struct evtlog_feature probe __ro_after_init = {
	.name = "probe",
	.files = files,
	.run_stopped = evtlog_probe_run_stopped,
};
evtlog_feature(probe);
