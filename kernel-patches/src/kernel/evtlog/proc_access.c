// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog: the permission to open files.
 *
 * A log shows what runs on a machine, and a start or stop affects every CPU.  So all files are for
 * root with capabilities in the initial user namespace, independent of who mounted this procfs, and
 * follow the lockdown of tracefs.  A group named on the kernel's command line may also read the
 * log, with CAP_PERFMON; the capability alone does not pass the files' modes.  Members of the group
 * map buffers and wait for them; consumer.c decides which process takes them.
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/moduleparam.h>
#include <linux/proc_fs.h>
#include <linux/security.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include "proc.h"

/* The parameter is evtlog.gid, without the name of this file. */
#ifndef MODULE
#undef MODULE_PARAM_PREFIX
#define MODULE_PARAM_PREFIX	"evtlog."
#endif

#define NO_GROUP	((unsigned int)-1)

/* The group that may read, with CAP_PERFMON; its number in the initial user namespace */
static unsigned int reader_gid = NO_GROUP;
module_param_named(gid, reader_gid, uint, 0);

/**
 * evtlog_may_open() - check if this file may be opened with its flags
 * @file:	being opened, by current
 *
 * In addition to the files' modes, which are for root and for the group of evtlog.gid.
 *
 * Return: 0; -EPERM: CAP_SYS_ADMIN is needed to write, CAP_PERFMON to read, or the kernel is locked
 * down.
 */
int evtlog_may_open(const struct file *file)
{
	int error = security_locked_down(LOCKDOWN_TRACEFS);

	if (error)
		return error;
	if (file->f_mode & FMODE_WRITE && !capable(CAP_SYS_ADMIN))
		return -EPERM;
	/* Also with both bits of O_ACCMODE: such a file has ioctl() and poll(). */
	if ((file->f_flags & O_ACCMODE) != O_WRONLY && !perfmon_capable())
		return -EPERM;
	return 0;
}

static kgid_t readers_group(void)
{
	return make_kgid(&init_user_ns, reader_gid);
}

/**
 * evtlog_readers_mode() - return the mode of a file or directory for readers of a log
 * @mode:	the mode if there is a group of readers
 *
 * Return: @mode; without the group's bits if there is no such group.
 */
umode_t evtlog_readers_mode(umode_t mode)
{
	return gid_valid(readers_group()) ? mode : mode & ~S_IRWXG;
}

/**
 * evtlog_readers_mkdir() - create a directory of the group of readers, if there is one
 * @name:	in @parent
 * @mode:	the mode if there is such a group
 *
 * Files created in it later also belong to the group.
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
