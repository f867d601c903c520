// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog: the directory and its control files.
 *
 * User space starts, stops and queries runs here.  proc_cpu.c has the data files, proc_access.c
 * checks the permission to open a file.  Features add their own files (feature.h).
 */
#include <linux/cpu.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "buffers.h"
#include "clock.h"
#include "clock_step.h"
#include "counters.h"
#include "events.h"
#include "feature.h"
#include "notify.h"
#include "proc.h"
#include "run.h"
#include "session.h"

/* Files of the core, of features, and in folders */
#define ARRAYS_MAX	16

static struct {
	const char *folder;
	const struct evtlog_proc_file *files;
} arrays[ARRAYS_MAX] __ro_after_init;
static unsigned int array_count __ro_after_init;

static int enable_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "%d\n", READ_ONCE(evtlog_run.recording));
	return 0;
}

/*
 * "0", "1", or "1 NAME": a run whose files have this name on every host.  "arm", "disarm": prepare
 * what a start needs, or undo this.
 */
static int enable_write(char *text)
{
	struct evtlog_run_request request = { .reference_ticks = evtlog_ticks64() };

	if (!strcmp(text, "0"))
		return evtlog_run_stop();
	if (!strcmp(text, "arm"))
		return evtlog_run_arm();
	if (!strcmp(text, "disarm"))
		return evtlog_run_disarm();
	if (*text++ != '1')
		return -EINVAL;
	if (*text) {
		request.name = skip_spaces(text);
		if (request.name == text || !evtlog_run_name_is_valid(request.name))
			return -EINVAL;
	}
	return evtlog_run_start(&request);
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
	/* A session's worker is in another pid namespace than the writer was. */
	if (pid < 0 || (pid && current->flags & PF_KTHREAD))
		return -EINVAL;
	return evtlog_logger_announce(pid);
}

/* '~': a filter rejects some of the events. */
static char events_sign(u64 events, unsigned int type)
{
	if (!(events >> type & 1))
		return '-';
	return READ_ONCE(evtlog_rejecting) >> type & 1 ? '~' : '+';
}

static int events_show(struct seq_file *m, void *unused)
{
	u64 events = evtlog_events();
	unsigned int i;

	for (i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		if (evtlog_type_name(i) && evtlog_events_possible() >> i & 1)
			seq_printf(m, "%c%s\n", events_sign(events, i), evtlog_type_name(i));
	}
	return 0;
}

static int events_write(char *text)
{
	int error = evtlog_events_prepare(EVTLOG_EVENTS_ALL);
	u64 events;

	cpus_read_lock();
	rt_mutex_lock(&evtlog_run_lock);
	events = evtlog_events();
	error = error ?: evtlog_events_parse(text, &events);
	if (!error)
		error = evtlog_run_set_events(events);
	rt_mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
	evtlog_events_settle();
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
	evtlog_events_prepare(EVTLOG_EVENTS_NONE);
	cpus_read_lock();
	rt_mutex_lock(&evtlog_run_lock);
	/* Loggers have the buffers mapped. */
	if (evtlog_proc_cpu_is_kept())
		error = -EBUSY;
	else
		error = evtlog_run_set_geometry(
				is_size ? evtlog_geometry.buffers : value,
				is_size ? value : evtlog_geometry.buffer_kb);
	rt_mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
	evtlog_events_settle();
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

static const struct evtlog_proc_file core_files[] = {
	{ "enable", 0600, enable_show, enable_write },
	{ "pid", 0600, pid_show, pid_write },
	{ "events", 0600, events_show, events_write },
	{ "buffers", 0600, buffers_show, buffers_write },
	{ "buffer_kb", 0600, buffer_kb_show, buffer_kb_write },
	{ "format", 0440, evtlog_format_show },
	{ "status", 0440, evtlog_status_show },
	{ }
};

static int control_open(struct inode *inode, struct file *file)
{
	const struct evtlog_proc_file *what = pde_data(inode);
	int error = evtlog_may_open(file);

	if (error)
		return error;
	if (file->f_mode & FMODE_READ && !what->show)
		return -EACCES;
	error = evtlog_proc_hold();
	if (error)
		return error;
	error = single_open(file, what->show, NULL);
	if (error)
		evtlog_proc_let_go();
	return error;
}

static int control_release(struct inode *inode, struct file *file)
{
	int error = single_release(inode, file);

	evtlog_proc_let_go();
	return error;
}

/**
 * evtlog_proc_copy_text() - copy the text of a write
 * @from:	in user space
 * @count:	number of bytes
 *
 * Return: the text, NUL-terminated; free it with kvfree_sensitive() of @count + 1 bytes.  Or an
 * error pointer: -ENOMEM; -EFAULT; -EINVAL: there is a NUL in front of the last byte.
 */
char *evtlog_proc_copy_text(const char __user *from, size_t count)
{
	char *text = kvmalloc(count + 1, GFP_KERNEL_ACCOUNT);

	if (!text)
		return ERR_PTR(-ENOMEM);
	if (copy_from_user(text, from, count)) {
		kvfree(text);
		return ERR_PTR(-EFAULT);
	}
	text[count] = '\0';
	/* The text after the NUL would be ignored without an error. */
	if (count && memchr(text, '\0', count - 1)) {
		kvfree_sensitive(text, count + 1);
		return ERR_PTR(-EINVAL);
	}
	return text;
}

static ssize_t control_write(struct file *file, const char __user *from,
			     size_t count, loff_t *pos)
{
	const struct evtlog_proc_file *what = pde_data(file_inode(file));
	char *text;
	int error;

	if (!what->write)
		return -EBADF;
	if (count > evtlog_proc_bytes_max(what))
		return -E2BIG;
	text = evtlog_proc_copy_text(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	error = what->write(strim(text));
	kvfree_sensitive(text, count + 1);
	return error ? error : count;
}

/* Seeking calls @show for the text that it skips; a write-only file has no text to show. */
static loff_t control_lseek(struct file *file, loff_t offset, int whence)
{
	const struct evtlog_proc_file *what = pde_data(file_inode(file));

	return what->show ? seq_lseek(file, offset, whence) : -ESPIPE;
}

static const struct proc_ops control_ops = {
	.proc_open = control_open,
	.proc_read = seq_read,
	.proc_write = control_write,
	.proc_lseek = control_lseek,
	.proc_release = control_release,
};

/**
 * evtlog_proc_create_files() - create text files
 * @dir:	their directory
 * @folder:	prefix of their names below /proc/evtlog: "" or "NAME/"
 * @files:	never freed
 *
 * Context: while the kernel boots.
 * Return: 0 or -ENOMEM; the caller removes the directory.
 */
int __init evtlog_proc_create_files(struct proc_dir_entry *dir, const char *folder,
				    const struct evtlog_proc_file *files)
{
	if (!files)
		return 0;
	if (WARN_ON(array_count == ARRAYS_MAX))
		return -ENOMEM;
	arrays[array_count].folder = folder;
	arrays[array_count++].files = files;
	for (; files->name; files++) {
		if (!proc_create_data(files->name, evtlog_readers_mode(files->mode), dir,
				      &control_ops, (void *)files))
			return -ENOMEM;
	}
	return 0;
}

/**
 * evtlog_proc_find() - find a text file that can be written
 * @path:	below /proc/evtlog
 *
 * Return: the file, or NULL.
 */
const struct evtlog_proc_file *evtlog_proc_find(const char *path)
{
	const struct evtlog_proc_file *file;
	size_t length;
	unsigned int i;

	for (i = 0; i < array_count; i++) {
		length = str_has_prefix(path, arrays[i].folder);
		if (!length && *arrays[i].folder)
			continue;
		for (file = arrays[i].files; file->name; file++) {
			if (file->write && !strcmp(file->name, path + length))
				return file;
		}
	}
	return NULL;
}

static int __init create_all(struct proc_dir_entry *dir)
{
	const struct evtlog_feature *feature;
	int error = evtlog_proc_create_files(dir, "", core_files);

	if (error)
		return error;
	for_each_evtlog_feature(feature) {
		error = evtlog_proc_create_files(dir, "", feature->files);
		if (!error && feature->make_folder)
			error = feature->make_folder(dir);
		if (error)
			return error;
	}
	if (!proc_create("session", 0200, dir, &evtlog_session_ops))
		return -ENOMEM;
	return evtlog_proc_cpu_create(dir);
}

/* Only readers may list the directory; the files have their own modes. */
static umode_t __init directory_mode(void)
{
	const struct evtlog_feature *feature;
	umode_t mode = 0550;

	for_each_evtlog_feature(feature) {
		if (feature->is_public)
			mode |= S_IXOTH;
	}
	return mode;
}

static struct proc_dir_entry *dir;

static int __init evtlog_init(void)
{
	int error;

	evtlog_features_close();
	evtlog_notify_init();
	error = evtlog_events_init() ?: evtlog_session_init() ?: evtlog_run_init();
	if (!error) {
		evtlog_clock_step_init();
		dir = evtlog_readers_mkdir("evtlog", directory_mode(), NULL);
		error = dir ? create_all(dir) : -ENOMEM;
	}
	if (error)
		evtlog_exit();
	return error;
}
late_initcall(evtlog_init);

/**
 * evtlog_exit() - undo evtlog_init() as far as it succeeded
 *
 * Context: the module is unloaded, or evtlog_init() has failed.
 */
void evtlog_exit(void)
{
	proc_remove(dir);
	/* A run would keep settings of sessions from being restored. */
	evtlog_run_stop();
	evtlog_session_exit();
	evtlog_run_exit();
	evtlog_clock_step_exit();
	evtlog_notify_exit();
	evtlog_counters_exit();
}
