// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog/profile/trace: the last events of tasks that have a trace.
 *
 *	keep RINGS MISSING DROPPED
 *	trace PID TGID live|ended WRITTEN COMM
 *	  TICKS CPU enter|leave|user|off|on EVENT
 *
 * Commands: "PID EVENTS" keeps this many events of a task; "PID EVENTS tree" also of its process's
 * threads and of all that these fork; "-PID", "-*" remove traces; "keep RINGS" sets how many traces
 * of ended tasks are kept.
 */
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/pid_namespace.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "proc.h"
#include "profile/profile.h"
#include "profile/trace_ring.h"

static const char *const kinds[] = {
	[EVTLOG_PROFILE_TRACE_ENTER] = "enter",
	[EVTLOG_PROFILE_TRACE_LEAVE] = "leave",
	[EVTLOG_PROFILE_TRACE_USER] = "user",
	[EVTLOG_PROFILE_TRACE_OFF] = "off",
	[EVTLOG_PROFILE_TRACE_ON] = "on",
};

/*
 * struct copy - a copy of a ring
 * @first:	the oldest event that is complete
 * @end:	after the newest event
 */
struct copy {
	u64 first;
	u64 end;
	struct evtlog_profile_trace_event events[];
};

/* Leaves out events that are overwritten meanwhile, and the event after them. */
static void copy_ring(struct copy *copy, const struct evtlog_profile_trace *ring)
{
	u64 now, size = (u64)ring->mask + 1;

	/* Pairs with the writer's smp_store_release(). */
	copy->end = smp_load_acquire(&ring->written);
	memcpy(copy->events, ring->events, size * sizeof(*ring->events));
	smp_rmb();
	now = READ_ONCE(ring->written);
	copy->first = now + 1 > size ? now + 1 - size : 0;
	copy->first = min(copy->first, copy->end);
	if (copy->end - copy->first > ring->wanted)
		copy->first = copy->end - ring->wanted;
}

static void show_one(struct seq_file *m, const struct evtlog_profile_trace_event *event)
{
	if (event->kind >= ARRAY_SIZE(kinds))
		return;
	seq_printf(m, "  %llu %u %s", event->ticks, event->cpu, kinds[event->kind]);
	if (event->kind != EVTLOG_PROFILE_TRACE_USER && event->kind != EVTLOG_PROFILE_TRACE_ON) {
		seq_putc(m, ' ');
		evtlog_profile_show_event(m, event->event);
	}
	seq_putc(m, '\n');
}

static int trace_show(struct seq_file *m, void *at)
{
	const struct evtlog_profile_trace *ring = at;
	char comm[TASK_COMM_LEN];
	struct copy *copy;
	u64 i;

	if (at == SEQ_START_TOKEN) {
		evtlog_profile_trace_show_counts(m);
		return 0;
	}
	copy = kvmalloc(struct_size(copy, events, (size_t)ring->mask + 1), GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	copy_ring(copy, ring);
	seq_printf(m, "trace %d %d %s %llu ", ring->pid, ring->tgid,
		   READ_ONCE(ring->has_ended) ? "ended" : "live", copy->end);
	evtlog_profile_trace_comm(ring, comm);
	evtlog_profile_show_comm(m, comm);
	seq_putc(m, '\n');
	for (i = copy->first; i < copy->end && !seq_has_overflowed(m); i++)
		show_one(m, &copy->events[i & ring->mask]);
	kvfree(copy);
	return 0;
}

/* The position is the serial number of the next ring. */
static void *trace_start(struct seq_file *m, loff_t *pos)
{
	return *pos ? evtlog_profile_trace_get(*pos) : SEQ_START_TOKEN;
}

static void trace_stop(struct seq_file *m, void *at)
{
	if (at && at != SEQ_START_TOKEN)
		evtlog_profile_trace_put(at);
}

static void *trace_next(struct seq_file *m, void *at, loff_t *pos)
{
	*pos = at == SEQ_START_TOKEN ? 1 : ((struct evtlog_profile_trace *)at)->serial + 1;
	trace_stop(m, at);
	return trace_start(m, pos);
}

static const struct seq_operations trace_seq = {
	.start = trace_start,
	.next = trace_next,
	.stop = trace_stop,
	.show = trace_show,
};

static int order(char *text)
{
	char *word = strsep(&text, " "), *more;
	u32 number, events;

	/* Pids of another namespace are pids of other tasks here. */
	if (task_active_pid_ns(current) != &init_pid_ns)
		return -EPERM;
	if (!strcmp(word, "-*"))
		return evtlog_profile_trace_remove(0);
	if (*word == '-')
		return kstrtou32(word + 1, 10, &number) || !number || number > INT_MAX || text ?
		       -EINVAL : evtlog_profile_trace_remove(number);
	more = strsep(&text, " ");
	if (!more || kstrtou32(more, 10, &events))
		return -EINVAL;
	if (!strcmp(word, "keep")) {
		if (text)
			return -EINVAL;
		evtlog_profile_trace_keep(events);
		return 0;
	}
	if (kstrtou32(word, 10, &number) || !number || number > INT_MAX ||
	    (text && strcmp(text, "tree")))
		return -EINVAL;
	return evtlog_profile_trace_begin(number, events, text);
}

static ssize_t trace_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	char text[64];
	int error;

	if (count >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, count))
		return -EFAULT;
	text[count] = '\0';
	error = order(strim(text));
	return error ?: count;
}

static int trace_open(struct inode *inode, struct file *file)
{
	int error = evtlog_may_open(file);

	return error ?: seq_open(file, &trace_seq);
}

const struct proc_ops evtlog_profile_trace_ops = {
	.proc_open = trace_open,
	.proc_read = seq_read,
	.proc_write = trace_write,
	.proc_lseek = seq_lseek,
	.proc_release = seq_release,
};
