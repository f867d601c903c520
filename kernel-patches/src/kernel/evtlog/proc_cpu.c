// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog/cpuN: whole buffers, read or mapped.
 *
 * One open file at a time takes a CPU's buffers (consumer.c).  Other files may map them, poll, and
 * read the position.
 *
 * While a process that may take buffers has a file open, their number and size cannot change.  A
 * process that may only read keeps nothing: freed buffers stay in its mapping, which counts as locked
 * memory of its user, and get no more records.
 */
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/proc_fs.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include "buffers.h"
#include "consumer.h"
#include "notify.h"
#include "lines.h"
#include "proc.h"
#include "publish.h"
#include "ring.h"
#include "run.h"

static DEFINE_PER_CPU(struct evtlog_consumer, consumers);

/* Files that keep the buffers: their @private_data is not NULL.  Guarded by evtlog_run_lock. */
static unsigned int keepers;

/**
 * evtlog_proc_cpu_is_kept() - return true if a process that may take buffers has a cpuN open
 *
 * Context: the run's lock is held.
 */
bool evtlog_proc_cpu_is_kept(void)
{
	lockdep_assert_held(&evtlog_run_lock);
	return keepers;
}

static unsigned int file_cpu(const struct file *file)
{
	return (unsigned long)pde_data(file_inode(file));
}

static void keep_buffers(struct file *file)
{
	rt_mutex_lock(&evtlog_run_lock);
	if (!file->private_data) {
		WRITE_ONCE(file->private_data, &keepers);
		keepers++;
	}
	rt_mutex_unlock(&evtlog_run_lock);
}

static int cpu_open(struct inode *inode, struct file *file)
{
	int error = evtlog_may_open(file) ?: evtlog_proc_hold();

	if (error)
		return error;
	if (evtlog_consumer_may(file))
		keep_buffers(file);
	return nonseekable_open(inode, file);
}

static int cpu_release(struct inode *inode, struct file *file)
{
	evtlog_consumer_close(per_cpu_ptr(&consumers, file_cpu(file)), file);
	if (file->private_data) {
		rt_mutex_lock(&evtlog_run_lock);
		keepers--;
		evtlog_arm_free_unused();
		rt_mutex_unlock(&evtlog_run_lock);
	}
	evtlog_proc_let_go();
	return 0;
}

/* If a CPU has not taken part in a run, its buffers are allocated at the first read. */
static int see_to_buffers(unsigned int cpu)
{
	const struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);
	int error = 0;

	/* Pairs with the release in evtlog_buffers_alloc(). */
	if (!smp_load_acquire(&r->nr_buffers)) {
		error = evtlog_run_prepare_reader(cpu);
		if (!error && !smp_load_acquire(&r->nr_buffers))
			error = -ENODATA;
	}
	return error;
}

/* Makes @file the consumer and waits for a full buffer.  On success the lock is held. */
static int lock_full(struct file *file, struct evtlog_consumer *consumer,
		     struct evtlog_ring *r)
{
	int error;

	error = evtlog_consumer_become(consumer, file);
	/* A logger without rights of its own, which was announced after it opened the file */
	if (!error && !READ_ONCE(file->private_data))
		keep_buffers(file);
	if (!error)
		error = see_to_buffers(file_cpu(file));
	if (error)
		return error;
	for (;;) {
		error = mutex_lock_interruptible(&consumer->lock);
		if (error)
			return error;
		if (evtlog_ring_waiting(r))
			return 0;
		mutex_unlock(&consumer->lock);

		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		error = wait_event_interruptible(*evtlog_readers_of(file_cpu(file)),
						 evtlog_ring_waiting(r));
		if (error)
			return error;
	}
}

static ssize_t cpu_read(struct file *file, char __user *to, size_t count,
			loff_t *pos)
{
	unsigned int cpu = file_cpu(file);
	struct evtlog_consumer *consumer = per_cpu_ptr(&consumers, cpu);
	struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);
	const struct evtlog_buffer_header *h;
	ssize_t done;

	done = lock_full(file, consumer, r);
	if (done)
		return done;
	h = evtlog_ring_peek(r, NULL);
	done = h->used_bytes;
	if (count < done)
		done = -EMSGSIZE;
	else if (copy_to_user(to, h, done))
		done = -EFAULT;
	else
		evtlog_consumer_release(consumer, r);
	mutex_unlock(&consumer->lock);
	if (done > 0)
		evtlog_run_reader_returned(cpu);
	return done;
}

static long cpu_get(struct file *file, struct evtlog_get __user *to)
{
	unsigned int cpu = file_cpu(file);
	struct evtlog_consumer *consumer = per_cpu_ptr(&consumers, cpu);
	struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);
	struct evtlog_get get = { 0 };
	long error;

	error = lock_full(file, consumer, r);
	if (error)
		return error;
	get.used_bytes = evtlog_ring_peek(r, &get.index)->used_bytes;
	get.offset = (u64)get.index * r->buffer_bytes;
	consumer->held = true;
	mutex_unlock(&consumer->lock);
	return copy_to_user(to, &get, sizeof(get)) ? -EFAULT : 0;
}

static long cpu_put(struct file *file)
{
	unsigned int cpu = file_cpu(file);
	int error = evtlog_consumer_put(per_cpu_ptr(&consumers, cpu), per_cpu_ptr(&evtlog_ring, cpu), file);

	if (!error)
		evtlog_run_reader_returned(cpu);
	return error;
}

static void take_position(void *position)
{
	evtlog_ring_look(this_cpu_ptr(&evtlog_ring));
	evtlog_ring_position(this_cpu_ptr(&evtlog_ring), position);
}

static long cpu_position(const struct file *file, struct evtlog_position __user *to)
{
	struct evtlog_position position;
	int error;

	error = smp_call_function_single(file_cpu(file), take_position, &position, true);
	if (error)
		return error;
	return copy_to_user(to, &position, sizeof(position)) ? -EFAULT : 0;
}

static long cpu_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case EVTLOG_IOC_GET:
		return cpu_get(file, (struct evtlog_get __user *)arg);
	case EVTLOG_IOC_PUT:
		return cpu_put(file);
	case EVTLOG_IOC_POSITION:
		return cpu_position(file, (struct evtlog_position __user *)arg);
	default:
		return -ENOTTY;
	}
}

static __poll_t cpu_poll(struct file *file, poll_table *wait)
{
	const struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, file_cpu(file));

	poll_wait(file, evtlog_readers_of(file_cpu(file)), wait);
	return evtlog_ring_waiting(r) ? EPOLLIN | EPOLLRDNORM : 0;
}

/* A file that does not keep buffers maps the existing ones, and allocates none. */
static int cpu_mmap(struct file *file, struct vm_area_struct *vma)
{
	const struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, file_cpu(file));
	bool keeps = READ_ONCE(file->private_data);
	int error;

	error = keeps ? see_to_buffers(file_cpu(file)) : 0;
	if (error)
		return error;
	rt_mutex_lock(&evtlog_run_lock);
	error = evtlog_buffers_map(r, vma, !keeps);
	rt_mutex_unlock(&evtlog_run_lock);
	return error;
}

static const struct proc_ops cpu_ops = {
	.proc_open = cpu_open,
	.proc_read = cpu_read,
	.proc_poll = cpu_poll,
	.proc_ioctl = cpu_ioctl,
#ifdef CONFIG_COMPAT
	.proc_compat_ioctl = cpu_ioctl,
#endif
	.proc_mmap = cpu_mmap,
	.proc_lseek = no_llseek,
	.proc_release = cpu_release,
};

/**
 * evtlog_proc_cpu_create() - create cpuN for every possible CPU
 * @dir:	/proc/evtlog
 *
 * Return: 0 or -ENOMEM; the caller removes the directory.
 */
int evtlog_proc_cpu_create(struct proc_dir_entry *dir)
{
	unsigned int cpu;
	char name[16];

	for_each_possible_cpu(cpu) {
		mutex_init(&per_cpu_ptr(&consumers, cpu)->lock);
		snprintf(name, sizeof(name), "cpu%u", cpu);
		if (!proc_create_data(name, evtlog_readers_mode(0440), dir, &cpu_ops,
				      (void *)(unsigned long)cpu))
			return -ENOMEM;
	}
	return 0;
}
