// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog: who may open what.
 *
 * A log tells what runs on a machine, and starting or stopping one concerns every CPU:
 * all files are for root with capabilities in the initial user namespace, whoever mounted this
 * procfs, and follow the lockdown of tracefs.  A group that the kernel's command line names may
 * read the log, too, with CAP_PERFMON; that capability alone does not pass the files' modes.
 * Its members map buffers and wait for them; consumer.c decides who takes them.
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/moduleparam.h>
#include <linux/proc_fs.h>
#include <linux/security.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include "proc.h"

/* Not of this file: the parameter is evtlog.gid. */
#undef MODULE_PARAM_PREFIX
#define MODULE_PARAM_PREFIX	"evtlog."

#define NO_GROUP	((unsigned int)-1)

/* Who may read, with CAP_PERFMON; as the initial user namespace numbers groups. */
static unsigned int reader_gid = NO_GROUP;
module_param_named(gid, reader_gid, uint, 0);

/**
 * evtlog_may_open() - may this file be opened as it is?
 * @file:	being opened, by current
 *
 * Beside the files' modes, which are for root, and for the group of evtlog.gid.
 *
 * Return: 0; -EPERM: CAP_SYS_ADMIN is needed to write, CAP_PERFMON to read,
 * or the kernel is locked down.
 */
int evtlog_may_open(const struct file *file)
{
	int error = security_locked_down(LOCKDOWN_TRACEFS);

	if (error)
		return error;
	if (file->f_mode & FMODE_WRITE && !capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (file->f_mode & FMODE_READ && !perfmon_capable())
		return -EPERM;
	return 0;
}

static kgid_t readers_group(void)
{
	return make_kgid(&init_user_ns, reader_gid);
}

/**
 * evtlog_readers_mode() - the mode of a file or directory that a log is read with
 * @mode:	what it is where there is a group of readers
 *
 * Return: @mode, without the group's bits where there is none.
 */
umode_t evtlog_readers_mode(umode_t mode)
{
	return gid_valid(readers_group()) ? mode : mode & ~S_IRWXG;
}

/**
 * evtlog_readers_mkdir() - make a directory of the group of readers, if there is one
 * @name:	in @parent
 * @mode:	what it is where there is such a group
 *
 * What is created in it later has its group, too.
 *
 * Return: the directory, or NULL.
 */
struct proc_dir_entry *evtlog_readers_mkdir(const char *name, umode_t mode,
					    struct proc_dir_entry *parent)
{
	struct proc_dir_entry *dir = proc_mkdir_mode(name, evtlog_readers_mode(mode), parent);

	if (dir && gid_valid(readers_group()))
		proc_set_user(dir, GLOBAL_ROOT_UID, readers_group());
	return dir;
}
