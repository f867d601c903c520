// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog/session: orders that are undone when it is closed.
 *
 * A command that changes settings for a limited time writes its orders here, each with the text
 * that undoes it.  The kernel keeps these texts with the open file.  When the last descriptor of
 * the file is closed, it writes them, the newest first.  So a command that is killed leaves nothing
 * changed.
 *
 * Each write is one order of two or three lines:
 *
 *	FILE TEXT	write TEXT to /proc/evtlog/FILE now; without TEXT, nothing
 *	undo TEXT	write TEXT to the file later, to undo the order
 *	else TEXT	write TEXT instead if the process that "undo" names has ended (-ESRCH)
 *
 * The texts of the first two lines may have several lines.  A write can also be "undo", which
 * undoes the newest order now: the write gets the error of that file, and the order is forgotten
 * unless the error is -EBUSY or -ENOMEM.  Or "keep", which forgets the newest order without undoing
 * it.
 */
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/wait_bit.h>
#include <linux/workqueue.h>

#include "proc.h"
#include "session.h"

#define ORDERS_MAX	64
/* The longest texts are lists of probes. */
#define WRITE_MAX	(2 << 20)
/* A minute: a logger may have the buffers mapped until it has written everything. */
#define TRIES		600
#define TRY_EVERY	(HZ / 10)

/* @cred: of the process that gave the order, so that the worker has no more rights than it */
struct order {
	struct list_head list;
	const struct evtlog_proc_file *file;
	const struct cred *cred;
	char *undo, *otherwise;
};

/*
 * @lock:	guards @orders and their @count while the file is open
 * @orders:	the newest first
 * @tries:	how often orders were undone since the file was closed
 */
struct session {
	struct mutex lock;
	struct list_head orders;
	unsigned int count, tries;
	struct delayed_work work;
};

/* Undoes the orders of closed sessions */
static struct workqueue_struct *undoer;
/* Sessions that are open, or whose orders are not undone yet */
static atomic_t sessions;

/* Free the result with kvfree_sensitive(), strlen() + 1 bytes. */
static char *copy_text(const char *text)
{
	size_t bytes = strlen(text) + 1;
	char *copy = kvmalloc(bytes, GFP_KERNEL_ACCOUNT);

	return copy ? memcpy(copy, text, bytes) : NULL;
}

static void free_text(char *text)
{
	if (text)
		kvfree_sensitive(text, strlen(text) + 1);
}

/* Writes a copy, because files change the text that they get. */
static int write_text(const struct evtlog_proc_file *file, const char *text)
{
	size_t bytes = strlen(text) + 1;
	char *copy;
	int error;

	if (bytes > evtlog_proc_bytes_max(file))
		return -E2BIG;
	copy = copy_text(text);
	if (!copy)
		return -ENOMEM;
	error = file->write(strim(copy));
	kvfree_sensitive(copy, bytes);
	return error;
}

static void forget(struct session *session, struct order *order)
{
	list_del(&order->list);
	session->count--;
	free_text(order->undo);
	free_text(order->otherwise);
	put_cred(order->cred);
	kfree(order);
}

/* Writes line by line if something is gone already, so that the other lines are still written. */
static int write_lines(const struct evtlog_proc_file *file, char *text)
{
	int error = write_text(file, text), result = 0;
	char *line, *end;

	if (error != -ENOENT || !strchr(text, '\n'))
		return error;
	for (line = text; line; line = end ? end + 1 : NULL) {
		end = strchr(line, '\n');
		if (end)
			*end = '\0';
		error = write_text(file, line);
		if (end)
			*end = '\n';
		if (error != -ENOENT)
			result = error ?: result;
	}
	return result;
}

/* Sets *is_left if the order must be tried again; else the order is freed. */
static int undo(struct session *session, struct order *order, bool *is_left)
{
	const struct cred *own = override_creds(order->cred);
	int error = write_lines(order->file, order->undo), other;

	if (error == -ESRCH && order->otherwise) {
		other = write_text(order->file, order->otherwise);
		error = other ?: error;
	}
	revert_creds(own);
	*is_left = error == -EBUSY || error == -ENOMEM;
	if (!*is_left)
		forget(session, order);
	return error;
}

/* @text: "undo" or "keep" */
static int end_newest(struct session *session, const char *text)
{
	struct order *order = list_first_entry_or_null(&session->orders, struct order, list);
	bool is_left;

	if (!order)
		return -ENODATA;
	if (*text == 'u')
		return undo(session, order, &is_left);
	forget(session, order);
	return 0;
}

/* Cuts @text before the line that begins with @word, and returns what follows the word. */
static char *cut_line(char *text, const char *word)
{
	char *found = strstr(text, word);

	if (!found)
		return NULL;
	*found = '\0';
	return found + strlen(word);
}

static int keep(struct order *order, const char *undo, const char *otherwise)
{
	size_t most = evtlog_proc_bytes_max(order->file);

	if (strlen(undo) >= most || (otherwise && strlen(otherwise) >= most))
		return -E2BIG;
	order->undo = copy_text(undo);
	order->otherwise = otherwise ? copy_text(otherwise) : NULL;
	return order->undo && (order->otherwise || !otherwise) ? 0 : -ENOMEM;
}

static int add(struct session *session, char *text)
{
	char *undo = cut_line(text, "\nundo "), *otherwise, *name;
	struct order *order;
	int error;

	if (!undo)
		return -EINVAL;
	if (session->count == ORDERS_MAX)
		return -ENOSPC;
	otherwise = cut_line(undo, "\nelse ");
	name = strsep(&text, " ");
	order = kzalloc(sizeof(*order), GFP_KERNEL_ACCOUNT);
	if (!order)
		return -ENOMEM;
	list_add(&order->list, &session->orders);
	session->count++;
	order->cred = get_current_cred();
	order->file = evtlog_proc_find(name);
	error = order->file ? keep(order, undo, otherwise) : -ENOENT;
	if (!error && text)
		error = write_text(order->file, text);
	if (error)
		forget(session, order);
	return error;
}

static ssize_t session_write(struct file *file, const char __user *from, size_t count,
			     loff_t *pos)
{
	struct session *session = file->private_data;
	char *copy, *text;
	int error;

	if (count > WRITE_MAX)
		return -E2BIG;
	copy = evtlog_proc_copy_text(from, count);
	if (IS_ERR(copy))
		return PTR_ERR(copy);
	text = strim(copy);
	mutex_lock(&session->lock);
	if (!strcmp(text, "undo") || !strcmp(text, "keep"))
		error = end_newest(session, text);
	else
		error = add(session, text);
	mutex_unlock(&session->lock);
	kvfree_sensitive(copy, count + 1);
	return error ?: count;
}

static int session_open(struct inode *inode, struct file *file)
{
	struct session *session;
	int error = evtlog_may_open(file) ?: evtlog_proc_hold();

	if (error)
		return error;
	session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);
	if (!session) {
		evtlog_proc_let_go();
		return -ENOMEM;
	}
	atomic_inc(&sessions);
	mutex_init(&session->lock);
	INIT_LIST_HEAD(&session->orders);
	file->private_data = session;
	return nonseekable_open(inode, file);
}

/* Returns true if a newer order of the same file is still to be undone. */
static bool is_under_another(struct session *session, struct order *order)
{
	struct order *newer = order;

	list_for_each_entry_continue_reverse(newer, &session->orders, list) {
		if (newer->file == order->file)
			return true;
	}
	return false;
}

/* No other task uses the session any more. */
static void undo_all(struct work_struct *work)
{
	struct session *session = container_of(to_delayed_work(work), struct session, work);
	struct order *order, *next;
	bool is_last = ++session->tries == TRIES, is_left;

	list_for_each_entry_safe(order, next, &session->orders, list) {
		if (is_under_another(session, order))
			continue;
		undo(session, order, &is_left);
		if (!is_left || !is_last)
			continue;
		pr_warn("evtlog: %s was not restored, because it was still busy a minute after its session was closed\n",
			order->file->name);
		forget(session, order);
	}
	if (!list_empty(&session->orders)) {
		queue_delayed_work(undoer, &session->work, TRY_EVERY);
		return;
	}
	kfree(session);
	if (atomic_dec_and_test(&sessions))
		wake_up_var(&sessions);
}

/* A worker undoes the orders: a task that exits has no namespaces, and must not be delayed. */
static int session_release(struct inode *inode, struct file *file)
{
	struct session *session = file->private_data;

	INIT_DELAYED_WORK(&session->work, undo_all);
	queue_delayed_work(undoer, &session->work, 0);
	evtlog_proc_let_go();
	return 0;
}

/**
 * evtlog_session_init() - called once, before /proc/evtlog/session exists
 *
 * Return: 0 or -ENOMEM.
 */
int __init evtlog_session_init(void)
{
	undoer = alloc_workqueue("evtlog", 0, 0);
	return undoer ? 0 : -ENOMEM;
}

/* Waits until the orders of all sessions are undone; no session is open. */
void evtlog_session_exit(void)
{
	wait_var_event(&sessions, !atomic_read(&sessions));
	if (undoer)
		destroy_workqueue(undoer);
	undoer = NULL;
}

const struct proc_ops evtlog_session_ops = {
	.proc_open = session_open,
	.proc_write = session_write,
	.proc_release = session_release,
};
