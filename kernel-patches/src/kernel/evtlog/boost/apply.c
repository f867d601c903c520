// SPDX-License-Identifier: GPL-2.0-only
/*
 * Applies a command to tasks: finds the tasks that are to change, and changes them.
 *
 * The threads (boost/thread.c, boost/helper.c) call this; boost/task.c changes one task.  This file
 * receives no commands and has no timing.
 *
 * A busy entry is on the list of one thread.  Only this thread changes the task, until the task is
 * in the state that the command under way requires.  After a change of that command, all entries
 * that are not busy are checked.  So no task is missed, even if a thread is late.
 */
#include <linux/cpumask.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task.h>

#include "boost/state.h"
#include "boost/task.h"

/*
 * One visit to a group
 * @cpu:	CPU of the visiting thread, or EVTLOG_BOOST_NO_CPU
 * @known:	also keep members that were boosted before, on any CPU: their boost is not ended
 * @firsts:	number of CPUs that have their first member
 * @limited:	number of members that are evtlog_boost_task_is_limited()
 * @todo:	entries that the visitor changes itself
 */
struct visit {
	u64 command;
	u32 request;
	enum evtlog_boost_visit how;
	int cpu;
	bool known;
	unsigned int firsts;
	unsigned int limited;
	int error;
	struct list_head todo;
};

/*
 * Gives the entry to the thread of its task's CPU, if that thread takes entries, or else to the
 * caller.  Returns the CPU whose thread must be woken, after the lock is released and while the
 * caller is still under RCU.
 */
static int make_busy(struct evtlog_boosted *entry, bool spread, struct list_head *todo)
{
	struct evtlog_boost_cpu *one;
	int cpu = task_cpu(entry->task);
	bool was_empty;

	entry->busy = true;
	evtlog_boost.busy++;
	one = per_cpu_ptr(&evtlog_boost_cpu, cpu);
	if (!spread || !one->present || !evtlog_boost.open) {
		list_add_tail(&entry->todo, todo);
		return EVTLOG_BOOST_NO_CPU;
	}
	was_empty = list_empty(&one->todo);
	list_add_tail(&entry->todo, &one->todo);
	return was_empty ? cpu : EVTLOG_BOOST_NO_CPU;
}

/* Counts once for each command, because the boost may end before the command is reported. */
static void count_held(struct evtlog_boosted *entry)
{
	if (entry->command != evtlog_boost.newest || entry->counted == entry->command)
		return;
	entry->counted = entry->command;
	evtlog_boost.held++;
}

/* @known: only if the task is in the table.  Returns true if it is in the table now. */
static bool claim(struct task_struct *task, struct visit *visit, bool known)
{
	const bool spread = visit->how != EVTLOG_BOOST_ALL;
	int wake = EVTLOG_BOOST_NO_CPU;
	struct evtlog_boosted *entry = NULL;
	unsigned long flags;

	rcu_read_lock();
	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	/* A slow visitor must not take members from a newer command. */
	if (visit->command != evtlog_boost.newest)
		goto unlock;
	entry = evtlog_boost_table_find(&evtlog_boosts, task);
	if (entry) {
		if (entry->command != visit->command) {
			entry->command = visit->command;
			entry->request = visit->request;
			entry->renew = true;
			if (entry->boosted)
				count_held(entry);
			if (!entry->busy)
				wake = make_busy(entry, spread, &visit->todo);
		}
	} else if (!known && evtlog_boost_task_is_limited(task)) {
		visit->limited++;
	} else if (!known && evtlog_boost_task_may(task)) {
		entry = evtlog_boost_table_add(&evtlog_boosts, task);
		if (entry) {
			get_task_struct(task);
			entry->command = visit->command;
			entry->request = visit->request;
			wake = make_busy(entry, spread, &visit->todo);
		} else {
			visit->error = -ENOSPC;
		}
	}
unlock:
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	if (wake != visit->cpu)
		evtlog_boost_wake_cpu(wake);
	rcu_read_unlock();
	return entry;
}

static bool visit_task(struct task_struct *task, void *data)
{
	struct visit *visit = data;
	struct evtlog_boost_cpu *one;

	if (visit->how != EVTLOG_BOOST_FIRST) {
		claim(task, visit, false);
		return true;
	}
	if (visit->known)
		claim(task, visit, true);
	one = per_cpu_ptr(&evtlog_boost_cpu, task_cpu(task));
	if (READ_ONCE(one->first) != visit->command && task_is_running(task) &&
	    claim(task, visit, false)) {
		WRITE_ONCE(one->first, visit->command);
		visit->firsts++;
	}
	return visit->known || visit->firsts < num_online_cpus();
}

/* Releases the lock while the task is changed.  boost/policy.c notices changes by other tasks. */
static void leave_lock(struct evtlog_boosted *entry, bool begins, unsigned long flags)
{
	entry->by = current;
	entry->begins = begins;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
}

static unsigned long take_lock_again(struct evtlog_boosted *entry)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	entry->by = NULL;
	return flags;
}

static int begin_locked(struct evtlog_boosted *entry, unsigned long *flags)
{
	u32 request = entry->request;
	int error;

	/* Stored first, because the task may fork as soon as it has the boost's policy. */
	evtlog_boost_task_policy(entry->task, &entry->before);
	entry->changed = false;
	entry->boosted = true;
	leave_lock(entry, true, *flags);
	error = evtlog_boost_task_begin(entry->task, request);
	*flags = take_lock_again(entry);
	if (error) {
		entry->boosted = false;
		return error;
	}
	evtlog_boost.counts.tasks++;
	evtlog_boost.counts.boosted++;
	count_held(entry);
	return 0;
}

static void end_locked(struct evtlog_boosted *entry, unsigned long *flags)
{
	bool is_ours = !entry->changed, given = false;
	struct evtlog_policy before;
	u32 request = entry->request;
	unsigned int changes;

	/* If another task changes the policy meanwhile, that change wins. */
	do {
		changes = entry->changes;
		before = entry->before;
		leave_lock(entry, false, *flags);
		if (is_ours)
			given = evtlog_boost_task_end(entry->task, &before);
		else
			evtlog_boost_task_restore_slack(entry->task, &before);
		*flags = take_lock_again(entry);
	} while (entry->changes != changes);
	entry->boosted = false;
	evtlog_boost.counts.tasks--;
	if (given && !entry->changed)
		evtlog_boost.counts.restored++;
	else
		evtlog_boost.counts.left++;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, *flags);
	evtlog_boost_task_ended(entry->task, request);
	raw_spin_lock_irqsave(&evtlog_boost.lock, *flags);
}

static void renew_locked(struct evtlog_boosted *entry, unsigned long *flags)
{
	u32 request = entry->request;

	entry->renew = false;
	if (entry->changed) {
		evtlog_boost_task_restore_slack(entry->task, &entry->before);
		entry->boosted = false;
		evtlog_boost.counts.tasks--;
		evtlog_boost.counts.left++;
		return;
	}
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, *flags);
	evtlog_boost_task_renew(entry->task, request);
	raw_spin_lock_irqsave(&evtlog_boost.lock, *flags);
}

/*
 * Changes a task until it is in the required state.  The entry is the caller's; the lock is held,
 * and released while the task is changed.
 */
static int apply_locked(struct evtlog_boosted *entry, unsigned long *flags)
{
	struct evtlog_policy now;
	bool wanted;
	int error;

	for (;;) {
		wanted = evtlog_boost.command && entry->command == evtlog_boost.command;
		if (wanted && entry->boosted && entry->renew) {
			renew_locked(entry, flags);
		} else if (wanted && !entry->boosted) {
			entry->renew = false;
			/* The policy may have changed since the entry was claimed. */
			evtlog_boost_task_policy(entry->task, &now);
			if (!evtlog_boost_policy_may(&now))
				return 0;
			error = begin_locked(entry, flags);
			if (error)
				return error;
		} else if (!wanted && entry->boosted) {
			end_locked(entry, flags);
		} else {
			return 0;
		}
	}
}

/* Returns the first error. */
static int apply_all(struct list_head *todo)
{
	struct evtlog_boosted *entry, *next;
	struct task_struct *gone;
	unsigned long flags;
	int error, first = 0;

	list_for_each_entry_safe(entry, next, todo, todo) {
		gone = NULL;
		list_del_init(&entry->todo);
		raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
		error = apply_locked(entry, &flags);
		entry->busy = false;
		evtlog_boost.busy--;
		if (!entry->boosted) {
			gone = entry->task;
			evtlog_boost_table_remove(&evtlog_boosts, entry);
		}
		raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
		if (gone)
			put_task_struct(gone);
		if (!first)
			first = error;
	}
	return first;
}

/**
 * evtlog_boost_apply_cpu() - change the members that were given to a CPU's thread
 * @cpu:	CPU of the calling thread; or a CPU that has no thread any more
 *
 * Context: task context; evtlog_boost.lock is not held.  The first error is the command's error.
 */
void evtlog_boost_apply_cpu(int cpu)
{
	struct evtlog_boost_cpu *one = per_cpu_ptr(&evtlog_boost_cpu, cpu);
	unsigned long flags;
	LIST_HEAD(todo);
	int error;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	list_splice_init(&one->todo, &todo);
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	error = apply_all(&todo);
	if (!error)
		return;
	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	if (!evtlog_boost.error)
		evtlog_boost.error = error;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
}

/**
 * evtlog_boost_give_back() - give policies back to all tasks that the command does not boost
 * @cpu:	CPU of the calling thread, and the thread of each task's CPU does the work;
 *		EVTLOG_BOOST_NO_CPU: the caller does all the work
 *
 * The lock is held for one entry at a time.  If the command changes meanwhile, entries that are
 * back in @used are checked after that change.
 *
 * Context: task context; evtlog_boost.lock is not held.
 */
void evtlog_boost_give_back(int cpu)
{
	const bool spread = cpu != EVTLOG_BOOST_NO_CPU;
	struct evtlog_boosted *entry;
	unsigned long flags;
	LIST_HEAD(stale);
	LIST_HEAD(todo);
	int wake;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	list_splice_init(&evtlog_boosts.used, &stale);
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	do {
		wake = EVTLOG_BOOST_NO_CPU;
		rcu_read_lock();
		raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
		entry = list_first_entry_or_null(&stale, struct evtlog_boosted, list);
		if (entry) {
			list_move_tail(&entry->list, &evtlog_boosts.used);
			if (!entry->busy && entry->command != evtlog_boost.command)
				wake = make_busy(entry, spread, &todo);
		}
		raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
		if (wake != cpu)
			evtlog_boost_wake_cpu(wake);
		rcu_read_unlock();
	} while (entry);
	apply_all(&todo);
}

/**
 * evtlog_boost_apply_group() - visit a command's group, and change the visitor's tasks
 * @command:	its number; nothing is done if there is a newer command
 * @how:	which members are visited, and which thread changes them
 * @cpu:	CPU of the calling thread, which must change the entries given to this CPU
 *		afterwards; or EVTLOG_BOOST_NO_CPU
 * @known:	members that were boosted before stay boosted, on any CPU
 *
 * If no member waits to run, the FIRST visit finds all members.
 *
 * Context: task context, may sleep for a cgroup; evtlog_boost.lock is not held.
 */
void evtlog_boost_apply_group(const struct evtlog_boost_request *request, u64 command,
			       enum evtlog_boost_visit how, int cpu, bool known)
{
	struct visit visit = {
		.command = command,
		.request = request->request,
		.how = how,
		.cpu = cpu,
		.known = known,
		.todo = LIST_HEAD_INIT(visit.todo),
	};
	unsigned long flags;
	int error, applied;

	error = evtlog_boost_group_visit(request, visit_task, &visit);
	if (how == EVTLOG_BOOST_FIRST && !visit.firsts) {
		visit.how = EVTLOG_BOOST_SPREAD;
		error = evtlog_boost_group_visit(request, visit_task, &visit);
	}
	applied = apply_all(&visit.todo);
	if (!error)
		error = visit.error ? visit.error : applied;
	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	if (evtlog_boost.newest == command) {
		if (!evtlog_boost.error)
			evtlog_boost.error = error;
		/* The last visit is to all members. */
		evtlog_boost.limited = visit.limited;
	}
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
}
