// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog/profile: its files.
 *
 *	control	root starts and stops
 *	self	for all users: the thread that reads it, or its page, mapped
 *	others	for all users: a list of pids is written, their profiles are read; ptrace's rights
 *	all	all tasks and CPUs: CAP_PERFMON
 *	family	root's: a command and all that it forks
 *	trace	root's: tasks' last events
 */
#include <linux/proc_fs.h>

#include "feature.h"
#include "proc.h"
#include "profile/profile.h"

static const struct evtlog_proc_file files[] = {
	{ "control", 0600, evtlog_profile_control_show_all, evtlog_profile_control_write },
	{ }
};

/* Others may go through it, not list it. */
static int __init make_folder(struct proc_dir_entry *parent)
{
	struct proc_dir_entry *dir;
	int error;

	dir = proc_mkdir_mode("profile", evtlog_readers_mode(0551), parent);
	if (!dir)
		return -ENOMEM;
	evtlog_readers_own(dir);
	if (!proc_create("self", 0444, dir, &evtlog_profile_self_ops) ||
	    !proc_create("others", 0666, dir, &evtlog_profile_others_ops) ||
	    !proc_create("all", evtlog_readers_mode(0440), dir, &evtlog_profile_all_ops))
		return -ENOMEM;
	error = evtlog_profile_family_make_file(dir);
	if (!error)
		error = evtlog_profile_trace_make_file(dir);
	return error ?: evtlog_proc_create_files(dir, "profile/", files);
}

static struct evtlog_feature profile __ro_after_init = {
	.name = "profile",
	.is_public = true,
	.make_folder = make_folder,
	.sleeps = evtlog_profile_sleep,
};
evtlog_feature(profile);
