// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog/named/NAME/cpuN: whole buffers, read or mapped, and several methods to wait for one.
 *
 * As cpuN of runs (proc_cpu.c), with an end of file, watermarks, SIGIO, and asynchronous reads of
 * io_uring, for which a read with IOCB_NOWAIT must not wait.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/proc_fs.h>
#include <linux/uaccess.h>
#include <linux/uio.h>

#include "lines.h"
#include "named/named.h"

static struct evtlog_named_cpu *cpu_of(const struct file *file)
{
	return pde_data(file_inode(file));
}

static int cpu_open(struct inode *inode, struct file *file)
{
	int error = evtlog_may_open(file) ?: evtlog_proc_hold();

	if (error)
		return error;
	file->f_mode |= FMODE_NOWAIT;
	return nonseekable_open(inode, file);
}

static int cpu_release(struct inode *inode, struct file *file)
{
	evtlog_named_close(cpu_of(file), file);
	evtlog_proc_let_go();
	return 0;
}

static ssize_t cpu_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	struct file *file = iocb->ki_filp;
	struct evtlog_named_cpu *c = cpu_of(file);
	bool waits = !(file->f_flags & O_NONBLOCK) && !(iocb->ki_flags & IOCB_NOWAIT);
	const struct evtlog_buffer_header *h;
	ssize_t done;

	done = evtlog_named_lock_full(c, file, waits);
	if (done <= 0)
		return done;
	h = evtlog_ring_peek(&c->ring, NULL);
	done = h->used_bytes;
	if (iov_iter_count(to) < done)
		done = -EMSGSIZE;
	else if (copy_to_iter(h, done, to) != done)
		done = -EFAULT;
	else
		evtlog_consumer_release(&c->consumer, &c->ring);
	mutex_unlock(&c->consumer.lock);
	if (done <= 0)
		return done;
	evtlog_named_returned(c);
	/* io_uring continues a short read of a regular file.  This read is complete. */
	if (!is_sync_kiocb(iocb)) {
		iocb->ki_complete(iocb, done);
		return -EIOCBQUEUED;
	}
	return done;
}

static long cpu_get(struct file *file, struct evtlog_get __user *to)
{
	struct evtlog_named_cpu *c = cpu_of(file);
	struct evtlog_get get = { 0 };
	int status;

	status = evtlog_named_lock_full(c, file, !(file->f_flags & O_NONBLOCK));
	if (status <= 0)
		return status ?: -ENODATA;
	get.used_bytes = evtlog_ring_peek(&c->ring, &get.index)->used_bytes;
	get.offset = (u64)get.index * c->ring.buffer_bytes;
	c->consumer.held = true;
	mutex_unlock(&c->consumer.lock);
	return copy_to_user(to, &get, sizeof(get)) ? -EFAULT : 0;
}

static long cpu_put(struct file *file)
{
	struct evtlog_named_cpu *c = cpu_of(file);
	int error = evtlog_consumer_put(&c->consumer, &c->ring, file);

	if (!error)
		evtlog_named_returned(c);
	return error;
}

static long cpu_set_mark(struct file *file, const struct evtlog_watermark __user *from)
{
	struct evtlog_watermark mark;

	if (copy_from_user(&mark, from, sizeof(mark)))
		return -EFAULT;
	return evtlog_named_set_mark(cpu_of(file), file, &mark);
}

/* struct proc_ops has no fasync, so fcntl() cannot set O_ASYNC. */
static long cpu_set_sigio(struct file *file, const int __user *from)
{
	int fd, error;

	if (get_user(fd, from))
		return -EFAULT;
	error = fasync_helper(fd, file, fd >= 0, &cpu_of(file)->fasync);
	return min(error, 0);
}

static long cpu_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case EVTLOG_IOC_GET:
		return cpu_get(file, (struct evtlog_get __user *)arg);
	case EVTLOG_IOC_PUT:
		return cpu_put(file);
	case EVTLOG_IOC_WATERMARK:
		return cpu_set_mark(file, (const struct evtlog_watermark __user *)arg);
	case EVTLOG_IOC_SIGIO:
		return cpu_set_sigio(file, (const int __user *)arg);
	default:
		return -ENOTTY;
	}
}

static __poll_t cpu_poll(struct file *file, poll_table *wait)
{
	struct evtlog_named_cpu *c = cpu_of(file);
	__poll_t events = 0;

	poll_wait(file, c->queue, wait);
	if (READ_ONCE(c->owner->has_ended))
		events |= EPOLLHUP;
	if (evtlog_named_is_readable(c))
		events |= EPOLLIN | EPOLLRDNORM;
	return events;
}

static int cpu_mmap(struct file *file, struct vm_area_struct *vma)
{
	/* The pages outlive a deleted buffer. */
	return evtlog_buffers_map(&cpu_of(file)->ring, vma, !evtlog_consumer_may(file));
}

const struct proc_ops evtlog_named_cpu_ops = {
	.proc_open = cpu_open,
	.proc_read_iter = cpu_read_iter,
	.proc_poll = cpu_poll,
	.proc_ioctl = cpu_ioctl,
#ifdef CONFIG_COMPAT
	.proc_compat_ioctl = cpu_ioctl,
#endif
	.proc_mmap = cpu_mmap,
	.proc_lseek = no_llseek,
	.proc_release = cpu_release,
};
