// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog/named/NAME: the folder of a named buffer, and its text files.
 *
 * Nothing is changed here: /proc/evtlog/named/control takes all orders.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "event/builtin.h"
#include "named/named.h"

struct sums {
	u64 records;
	u64 rejected;
	u64 lost;
	u64 overwritten;
	u32 waiting;
};

static struct sums add_up(struct evtlog_named *n)
{
	struct sums sums = {};
	unsigned int cpu, cause;

	for_each_possible_cpu(cpu) {
		const struct evtlog_named_cpu *c = per_cpu_ptr(n->cpus, cpu);

		sums.records += READ_ONCE(c->records);
		sums.rejected += READ_ONCE(c->rejected);
		sums.overwritten += READ_ONCE(c->overwritten);
		sums.waiting += evtlog_ring_waiting(&c->ring);
		for (cause = 0; cause < EVTLOG_LOST_CAUSES; cause++)
			sums.lost += evtlog_ring_lost(&c->ring, cause);
	}
	return sums;
}

/**
 * evtlog_named_show() - write a named buffer in one line
 *
 * The numbers may change meanwhile, so they are not all of the same moment.
 */
void evtlog_named_show(struct seq_file *m, struct evtlog_named *n)
{
	struct sums sums = add_up(n);

	seq_printf(m, "buffer %s run %llu state %s buffers %u kb %u records %llu rejected %llu lost %llu waiting %u events %s urgent %s%s",
		   n->ring_owner.name, n->serial,
		   READ_ONCE(n->has_ended) ? "ended" : "recording", n->geometry.buffers,
		   n->geometry.buffer_kb, sums.records, sums.rejected, sums.lost, sums.waiting,
		   n->route.events ?: "-", n->route.urgent ?: "-", n->shared ? " global" : "");
	if (n->overwrites)
		seq_printf(m, " overwritten %llu", sums.overwritten);
	if (n->condition)
		seq_printf(m, " if %s", n->condition);
	seq_putc(m, '\n');
}

static int status_show(struct seq_file *m, void *unused)
{
	struct evtlog_named *n = m->private;
	unsigned int cpu;

	seq_printf(m, "boot_id %pUb\n", evtlog_boot_id);
	seq_printf(m, "ticks_hz %llu\n", evtlog_ticks_hz());
	evtlog_named_show(m, n);
	for_each_possible_cpu(cpu) {
		const struct evtlog_named_cpu *c = per_cpu_ptr(n->cpus, cpu);

		if (!c->ring.nr_buffers)
			continue;
		evtlog_status_show_ring(m, &c->ring, cpu);
		seq_printf(m, " records %llu rejected %llu\n", READ_ONCE(c->records),
			   READ_ONCE(c->rejected));
	}
	return 0;
}

static int events_show(struct seq_file *m, void *unused)
{
	struct evtlog_named *n = m->private;

	evtlog_builtin_show(m, READ_ONCE(n->types));
	evtlog_event_route_show(m, &n->route);
	return 0;
}

static int buffers_show(struct seq_file *m, void *unused)
{
	struct evtlog_named *n = m->private;

	seq_printf(m, "%u\n", n->geometry.buffers);
	return 0;
}

static int buffer_kb_show(struct seq_file *m, void *unused)
{
	struct evtlog_named *n = m->private;

	seq_printf(m, "%u\n", n->geometry.buffer_kb);
	return 0;
}

static const struct {
	const char *name;
	int (*show)(struct seq_file *m, void *unused);
} texts[] = {
	{ "format", evtlog_format_show },
	{ "status", status_show },
	{ "events", events_show },
	{ "buffers", buffers_show },
	{ "buffer_kb", buffer_kb_show },
};

static int text_open(struct inode *inode, struct file *file)
{
	const char *name = file->f_path.dentry->d_name.name;
	int error = evtlog_may_open(file);
	unsigned int i = 0;

	if (error)
		return error;
	while (strcmp(texts[i].name, name))
		i++;
	return single_open(file, texts[i].show, pde_data(inode));
}

static const struct proc_ops text_ops = {
	.proc_open = text_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

/**
 * evtlog_named_make_folder() - create a named buffer's folder
 * @n:		complete, but without events
 * @parent:	/proc/evtlog/named
 *
 * Return: 0; -ENOMEM: n->dir may have been created.
 */
int evtlog_named_make_folder(struct evtlog_named *n, struct proc_dir_entry *parent)
{
	struct proc_dir_entry *dir;
	unsigned int cpu, i;
	char name[16];

	dir = evtlog_readers_mkdir(n->ring_owner.name, 0550, parent);
	if (!dir)
		return -ENOMEM;
	n->dir = dir;
	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		if (!proc_create_data(texts[i].name, evtlog_readers_mode(0440), dir, &text_ops, n))
			return -ENOMEM;
	}
	for_each_possible_cpu(cpu) {
		struct evtlog_named_cpu *c = per_cpu_ptr(n->cpus, cpu);

		if (n->shared && c != n->shared)
			continue;
		snprintf(name, sizeof(name), n->shared ? "all" : "cpu%u", cpu);
		if (!proc_create_data(name, evtlog_readers_mode(0440), dir,
				      &evtlog_named_cpu_ops, c))
			return -ENOMEM;
	}
	return 0;
}
