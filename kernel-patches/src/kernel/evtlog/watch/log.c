// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog/matches: the matches of rules, one line for each.
 *
 * Each open file reads independently, from the first match after its open; a read waits for a
 * match.  The last WATCH_LOG_MAX are kept; a slower reader gets the number of missed ones.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "lines.h"
#include "proc.h"
#include "watch/watch.h"

#define WATCH_LOG_MAX	1024

static const char *const actions[] = { "wake", "start", "stop", "keep" };

/* Guards all below. */
static DEFINE_MUTEX(log_lock);
static DECLARE_WAIT_QUEUE_HEAD(log_queue);
static char (*lines)[WATCH_LINE_MAX];
static u64 log_next;

struct reader {
	struct mutex lock;
	u64 next;
};

/**
 * watch_log_init() - allocate memory for matches, which stays allocated
 *
 * Return: 0 or -ENOMEM.
 */
int watch_log_init(void)
{
	mutex_lock(&log_lock);
	if (!lines)
		lines = kvcalloc(WATCH_LOG_MAX, sizeof(*lines), GFP_KERNEL);
	mutex_unlock(&log_lock);
	return lines ? 0 : -ENOMEM;
}

/**
 * watch_log_add() - report a match to readers
 * @match:	its action is done
 * @result:	0, or the error of the action
 */
void watch_log_add(const struct watch_match *match, int result)
{
	mutex_lock(&log_lock);
	snprintf(lines[log_next % WATCH_LOG_MAX], WATCH_LINE_MAX,
		 "match %llu watch %s do %s result %d %s\n", log_next, match->rule,
		 actions[match->action], result, match->text);
	WRITE_ONCE(log_next, log_next + 1);
	mutex_unlock(&log_lock);
	wake_up_interruptible_poll(&log_queue, EPOLLIN | EPOLLRDNORM);
}

static int log_open(struct inode *inode, struct file *file)
{
	int error = evtlog_may_open(file) ?: evtlog_proc_hold();
	struct reader *reader;

	if (error)
		return error;
	reader = kzalloc(sizeof(*reader), GFP_KERNEL);
	if (!reader) {
		evtlog_proc_let_go();
		return -ENOMEM;
	}
	mutex_init(&reader->lock);
	reader->next = READ_ONCE(log_next);
	file->private_data = reader;
	return nonseekable_open(inode, file);
}

static int log_release(struct inode *inode, struct file *file)
{
	kfree(file->private_data);
	evtlog_proc_let_go();
	return 0;
}

/* Returns the next line, or a line with the number of missed ones; 0: there is none. */
static size_t take_line(struct reader *reader, char *line)
{
	size_t bytes = 0;

	mutex_lock(&log_lock);
	if (log_next - reader->next > WATCH_LOG_MAX) {
		bytes = scnprintf(line, WATCH_LINE_MAX, "missed %llu\n",
				  log_next - WATCH_LOG_MAX - reader->next);
		reader->next = log_next - WATCH_LOG_MAX;
	} else if (log_next != reader->next) {
		bytes = strscpy(line, lines[reader->next++ % WATCH_LOG_MAX], WATCH_LINE_MAX);
	}
	mutex_unlock(&log_lock);
	return bytes;
}

static ssize_t log_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	struct reader *reader = file->private_data;
	ssize_t done = 0;
	char *line;

	if (count < WATCH_LINE_MAX)
		return -EINVAL;
	line = kmalloc(WATCH_LINE_MAX, GFP_KERNEL);
	if (!line)
		return -ENOMEM;
	while (!done) {
		mutex_lock(&reader->lock);
		while (count - done >= WATCH_LINE_MAX) {
			size_t bytes = take_line(reader, line);

			if (!bytes)
				break;
			if (copy_to_user(to + done, line, bytes)) {
				done = -EFAULT;
				break;
			}
			done += bytes;
		}
		mutex_unlock(&reader->lock);
		if (done)
			break;
		if (file->f_flags & O_NONBLOCK)
			done = -EAGAIN;
		else if (wait_event_interruptible(log_queue, READ_ONCE(log_next) != reader->next))
			done = -ERESTARTSYS;
	}
	kfree(line);
	return done;
}

static __poll_t log_poll(struct file *file, poll_table *wait)
{
	struct reader *reader = file->private_data;

	poll_wait(file, &log_queue, wait);
	return READ_ONCE(log_next) != READ_ONCE(reader->next) ? EPOLLIN | EPOLLRDNORM : 0;
}

#ifdef MODULE
/* Frees the matches; no file is open. */
void watch_log_exit(void)
{
	kvfree(lines);
}
#endif

const struct proc_ops watch_log_ops = {
	.proc_open = log_open,
	.proc_read = log_read,
	.proc_poll = log_poll,
	.proc_lseek = no_llseek,
	.proc_release = log_release,
};
