// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process with threads, as text: each live thread, and a sum of the ended threads.
 *
 *	task ...		for each live thread
 *	ended COUNT LIFETIME UNMATCHED AHEAD TGID BEGIN COMM
 *	  PATH COUNT INCLUSIVE EXCLUSIVE LARGEST
 *
 * Each thread counts once.  First, references to all threads are taken, so that none is freed and
 * added to the process's sum (process.c).  Then the sum is copied, and the threads that have ended
 * by this time are added to the copy.
 *
 * Called by walk.c; no reference is kept.
 */
#include <linux/pid.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "profile/process.h"
#include "profile/profile.h"

/* Threads that are handled with interrupts off */
#define SOME	63

/*
 * struct held - a thread with a reference, which is not freed
 * @pid:	its number; 0: it has ended
 */
struct held {
	struct task_struct *task;
	int pid;
};

struct piece {
	struct piece *next;
	unsigned int nr;
	struct held at[SOME];
};

/*
 * struct seen - a process at one moment
 * @first, @last: first and last piece of the list of its threads
 * @is_whole:	True: the reader may see all live threads
 * @begin:	start of @ended
 */
struct seen {
	struct piece *first;
	struct piece *last;
	bool is_whole;
	u64 begin;
	struct evtlog_profile_ended ended;
};

enum progress { DONE, MORE, WAIT, AGAIN };

/* Returns the entry after the last held thread; NULL: this thread has another profile now. */
static struct list_head *find_next(struct evtlog_profile_process *process,
				   const struct task_struct *last)
{
	struct evtlog_profile *p;

	if (!last)
		return process->members.next;
	p = READ_ONCE(last->evtlog_profile);
	return p->process == process ? p->in_process.next : NULL;
}

/* The lock is held. */
static enum progress hold_some(struct evtlog_profile_process *process, struct piece *piece,
			       const struct task_struct *last, struct pid_namespace *ns)
{
	struct list_head *at = find_next(process, last);

	for (; at && at != &process->members; at = at->next) {
		struct task_struct *task = list_entry(at, struct evtlog_profile, in_process)->task;

		if (piece->nr == SOME)
			return MORE;
		/* The thread is about to be added to the sum. */
		if (!refcount_inc_not_zero(&task->usage))
			return WAIT;
		piece->at[piece->nr++] = (struct held){ task, task_pid_nr_ns(task, ns) };
	}
	return at ? DONE : AGAIN;
}

/* Copies the sum when the last thread is held. */
static size_t copy_sum(struct seen *seen, struct evtlog_profile_process *process)
{
	evtlog_profile_process_renew(process);
	seen->begin = process->begin;
	return evtlog_profile_ended_copy(&seen->ended, &process->ended);
}

/**
 * evtlog_profile_ended_grow() - allocate memory for sums
 * @ended:	sums of one task that reads, not locked
 * @bytes:	as for evtlog_profile_ended_give()
 *
 * Context: task context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int evtlog_profile_ended_grow(struct evtlog_profile_ended *ended, size_t bytes)
{
	void *memory = kvzalloc(bytes, GFP_KERNEL_ACCOUNT);

	if (!memory)
		return -ENOMEM;
	if (!evtlog_profile_ended_give(ended, memory, bytes))
		kvfree(memory);
	return 0;
}

static int add_piece(struct seen *seen)
{
	struct piece *piece = kzalloc(sizeof(*piece), GFP_KERNEL_ACCOUNT);

	if (!piece)
		return -ENOMEM;
	if (seen->last)
		seen->last->next = piece;
	else
		seen->first = piece;
	seen->last = piece;
	return 0;
}

/* Returns 0, -EAGAIN or -ENOMEM. */
static int hold_all(struct seen *seen, struct evtlog_profile_process *process,
		    struct pid_namespace *ns)
{
	enum progress progress = MORE;
	struct task_struct *last = NULL;
	int error = 0;

	while (!error && progress != DONE) {
		size_t bytes = 0;

		if (progress == AGAIN)
			return -EAGAIN;
		if (progress == WAIT)
			schedule_timeout_uninterruptible(1);
		else if (!seen->last || seen->last->nr == SOME)
			error = add_piece(seen);
		if (error)
			break;
		raw_spin_lock_irq(&process->lock);
		progress = hold_some(process, seen->last, last, ns);
		if (progress == DONE)
			bytes = copy_sum(seen, process);
		raw_spin_unlock_irq(&process->lock);
		if (seen->last->nr)
			last = seen->last->at[seen->last->nr - 1].task;
		if (bytes) {
			/* New threads may have come meanwhile. */
			progress = MORE;
			error = evtlog_profile_ended_grow(&seen->ended, bytes);
		}
		cond_resched();
	}
	return error;
}

static void let_go(struct seen *seen)
{
	while (seen->first) {
		struct piece *piece = seen->first;

		while (piece->nr)
			put_task_struct(piece->at[--piece->nr].task);
		seen->first = piece->next;
		kfree(piece);
	}
	seen->last = NULL;
	evtlog_profile_ended_free(&seen->ended);
}

/* Adds a thread that has ended and is not freed. */
static int add_ended(struct seen *seen, struct task_struct *task, struct evtlog_profile_copy *copy)
{
	struct evtlog_profile *p = READ_ONCE(task->evtlog_profile);
	struct evtlog_profile_ended_adding adding;
	int error = 0;
	size_t bytes;

	rcu_read_lock();
	evtlog_profile_read(copy, p);
	rcu_read_unlock();
	p = &copy->profile;
	if (!evtlog_profile_process_counts(p))
		return 0;
	while (!error && (bytes = evtlog_profile_ended_needs(&seen->ended, p, 0)))
		error = evtlog_profile_ended_grow(&seen->ended, bytes);
	adding.nr = 0;
	while (!error && !evtlog_profile_ended_add(&seen->ended, p, &adding))
		;
	return error;
}

static int show_thread(struct seq_file *m, struct seen *seen, const struct held *held,
		       struct evtlog_profile_copy *copy, int tgid, bool asks)
{
	if (!held->pid)
		return add_ended(seen, held->task, copy);
	if (asks && !ptrace_may_access(held->task, PTRACE_MODE_READ_FSCREDS))
		seen->is_whole = false;
	else
		evtlog_profile_show_task(m, held->task, copy, held->pid, tgid);
	return 0;
}

static void show_ended(struct seq_file *m, const struct seen *seen, struct task_struct *leader,
		       int tgid)
{
	const struct evtlog_profile_ended *ended = &seen->ended;
	char comm[TASK_COMM_LEN];

	if (!ended->threads)
		return;
	seq_printf(m, "ended %llu %llu %llu %llu %d %llu ", ended->threads, ended->lifetime,
		   ended->unmatched, ended->ahead, tgid, seen->begin);
	evtlog_profile_show_comm(m, get_task_comm(comm, leader));
	seq_putc(m, '\n');
	evtlog_profile_ended_show(m, ended);
}

/**
 * evtlog_profile_process_show() - show all live threads of a process, and its ended threads
 * @process:	the process; the caller has a reference
 * @leader:	its first task, which the reader may see; the caller has a reference
 * @copy:	buffer for profiles
 * @ns:		namespace of the pids that are shown
 * @asks:	True: show only threads that the reader may see; if there are others, show no sum
 *
 * Context: task context, may sleep; with @asks, the process's exec_update_lock is held.
 * Return: 0 or -ENOMEM.
 */
int evtlog_profile_process_show(struct seq_file *m, struct evtlog_profile_process *process,
				struct task_struct *leader, struct evtlog_profile_copy *copy,
				struct pid_namespace *ns, bool asks)
{
	int error, tgid = task_tgid_nr_ns(leader, ns);
	struct seen seen = { .is_whole = true };
	const struct piece *piece;
	unsigned int i;

	while ((error = hold_all(&seen, process, ns)) == -EAGAIN)
		let_go(&seen);
	for (piece = seen.first; piece && !error; piece = piece->next) {
		/* If the buffer is too small, the process is shown again. */
		for (i = 0; i < piece->nr && !error && !seq_has_overflowed(m); i++)
			error = show_thread(m, &seen, &piece->at[i], copy, tgid, asks);
		cond_resched();
	}
	if (!error && seen.is_whole)
		show_ended(m, &seen, leader, tgid);
	let_go(&seen);
	return error;
}
