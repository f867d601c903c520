// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog: the directory and its control files.
 *
 * Stage: where user space starts, stops and asks.  The data is in proc_cpu.c.
 *
 * A log tells what runs on a machine, and stopping or starting one touches every CPU:
 * all is for root with capabilities in the initial user namespace, whoever
 * mounted this procfs, and follows the lockdown of tracefs.  A group that the kernel's command
 * line names may read the log, too, with CAP_PERFMON: that capability alone does not
 * pass the files' modes.
 */
#include <linux/capability.h>
#include <linux/cpu.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/proc_fs.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include "buffers.h"
#include "clock.h"
#include "events.h"
#include "notify.h"
#include "proc.h"
#include "remote/remote.h"
#include "run.h"

#define WRITE_MAX	4096

/* Not of this file: the parameter is evtlog.gid. */
#undef MODULE_PARAM_PREFIX
#define MODULE_PARAM_PREFIX	"evtlog."

#define NO_GROUP	((unsigned int)-1)

/* Who may read, with CAP_PERFMON; as the initial user namespace numbers groups. */
static unsigned int reader_gid = NO_GROUP;
module_param_named(gid, reader_gid, uint, 0);

/*
 * struct control - one file
 * @show:	NULL: nobody may read it, whatever the mode lets root do
 * @write:	the text written, NUL-terminated and without blanks around it;
 *		may be changed, and is wiped afterwards, for it may be a key.
 *		0 or a negative error.  NULL: read-only.
 */
struct control {
	const char *name;
	umode_t mode;
	int (*show)(struct seq_file *m, void *unused);
	int (*write)(char *text);
};

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
 */
umode_t evtlog_readers_mode(umode_t mode)
{
	return gid_valid(readers_group()) ? mode : mode & ~S_IRWXG;
}

static int enable_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "%d\n", READ_ONCE(evtlog_run.recording));
	return 0;
}

/*
 * "0", "1", or "1 NAME": the run's files are found by that name on every host.  "arm", "disarm":
 * what a start needs is there already, or no more.
 */
static int enable_write(char *text)
{
	struct evtlog_run_order order = { .reference_ticks = evtlog_ticks64() };

	if (!strcmp(text, "0"))
		return evtlog_run_stop(NULL);
	if (!strcmp(text, "arm"))
		return evtlog_run_arm();
	if (!strcmp(text, "disarm"))
		return evtlog_run_disarm();
	if (*text++ != '1')
		return -EINVAL;
	if (*text) {
		order.name = skip_spaces(text);
		if (order.name == text || !evtlog_run_name_is_valid(order.name))
			return -EINVAL;
	}
	return evtlog_run_start(&order);
}

static int pid_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "%d\n", evtlog_logger_pid());
	return 0;
}

static int pid_write(char *text)
{
	int pid, error = kstrtoint(text, 10, &pid);

	if (error)
		return error;
	if (pid < 0)
		return -EINVAL;
	return evtlog_logger_announce(pid);
}

static int events_show(struct seq_file *m, void *unused)
{
	u64 events = evtlog_events();
	unsigned int i;

	for (i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		if (evtlog_type_name(i))
			seq_printf(m, "%c%s\n", events & BIT_ULL(i) ? '+' : '-',
				   evtlog_type_name(i));
	}
	return 0;
}

static int events_write(char *text)
{
	u64 events;
	int error;

	cpus_read_lock();
	rt_mutex_lock(&evtlog_run_lock);
	events = evtlog_events();
	error = evtlog_events_parse(text, &events);
	if (!error)
		error = evtlog_run_set_events(events);
	rt_mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
	return error;
}

static int buffers_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "%u\n", READ_ONCE(evtlog_geometry.buffers));
	return 0;
}

static int buffer_kb_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "%u\n", READ_ONCE(evtlog_geometry.buffer_kb));
	return 0;
}

static int geometry_write(const char *text, bool is_size)
{
	unsigned int value;
	int error = kstrtouint(text, 10, &value);

	if (error)
		return error;
	cpus_read_lock();
	rt_mutex_lock(&evtlog_run_lock);
	/* The rings' readers have the buffers mapped. */
	if (evtlog_proc_cpu_is_open())
		error = -EBUSY;
	else
		error = evtlog_run_set_geometry(
				is_size ? evtlog_geometry.buffers : value,
				is_size ? value : evtlog_geometry.buffer_kb);
	rt_mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
	return error;
}

static int buffers_write(char *text)
{
	return geometry_write(text, false);
}

static int buffer_kb_write(char *text)
{
	return geometry_write(text, true);
}

static const struct control controls[] = {
	{ "enable", 0600, enable_show, enable_write },
	{ "pid", 0600, pid_show, pid_write },
	{ "events", 0600, events_show, events_write },
	{ "buffers", 0600, buffers_show, buffers_write },
	{ "buffer_kb", 0600, buffer_kb_show, buffer_kb_write },
	{ "format", 0440, evtlog_format_show },
	{ "status", 0440, evtlog_status_show },
#ifdef CONFIG_EVTLOG_REMOTE
	{ "remote_key", 0200, NULL, evtlog_remote_key_write },
#endif
};

static int control_open(struct inode *inode, struct file *file)
{
	const struct control *control = pde_data(inode);
	int error = evtlog_may_open(file);

	if (error)
		return error;
	if (file->f_mode & FMODE_READ && !control->show)
		return -EACCES;
	return single_open(file, control->show, NULL);
}

static ssize_t control_write(struct file *file, const char __user *from,
			     size_t count, loff_t *pos)
{
	const struct control *control = pde_data(file_inode(file));
	char *text;
	int error;

	if (!control->write)
		return -EBADF;
	if (count > WRITE_MAX)
		return -E2BIG;
	text = memdup_user_nul(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	error = control->write(strim(text));
	kfree_sensitive(text);
	return error ? error : count;
}

/* Seeking shows what is passed over; of a key there is nothing to show. */
static loff_t control_lseek(struct file *file, loff_t offset, int whence)
{
	const struct control *control = pde_data(file_inode(file));

	return control->show ? seq_lseek(file, offset, whence) : -ESPIPE;
}

static const struct proc_ops control_ops = {
	.proc_open = control_open,
	.proc_read = seq_read,
	.proc_write = control_write,
	.proc_lseek = control_lseek,
	.proc_release = single_release,
};

static int __init evtlog_init(void)
{
	struct proc_dir_entry *dir;
	unsigned int i;
	int error;

	evtlog_notify_init();
	error = evtlog_keys_init();
	if (error)
		return error;
	error = evtlog_run_init();
	if (error)
		return error;
	dir = proc_mkdir_mode("evtlog", evtlog_readers_mode(0550), NULL);
	if (!dir)
		return -ENOMEM;
	/* What is made in it has its group. */
	if (gid_valid(readers_group()))
		proc_set_user(dir, GLOBAL_ROOT_UID, readers_group());
	for (i = 0; i < ARRAY_SIZE(controls); i++) {
		if (!proc_create_data(controls[i].name, evtlog_readers_mode(controls[i].mode),
				      dir, &control_ops, (void *)&controls[i]))
			goto remove;
	}
	if (evtlog_proc_cpu_create(dir))
		goto remove;
	return 0;
remove:
	proc_remove(dir);
	return -ENOMEM;
}
late_initcall(evtlog_init);
