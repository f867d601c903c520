// SPDX-License-Identifier: GPL-2.0-only
/*
 * Applies a command to tasks: finds who is to be changed, and changes all of them.
 *
 * The threads (boost/thread.c, boost/helper.c) say when; boost/task.c changes one task.
 * Nothing here receives a command or knows a time.
 *
 * A task is changed by him on whose list its busy entry is, and by nobody else; he goes on
 * until it is as the command under way wants it.  Who changes that command looks at all
 * entries that are not busy.  So none is left over, whoever is late.
 */
#include <linux/cpumask.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task.h>

#include "boost/state.h"
#include "boost/task.h"

/*
 * One visit to a group.
 * @cpu:	whose thread visits, or EVTLOG_BOOST_NO_CPU
 * @known:	all that were boosted before, wherever: they are not to be given back
 * @firsts:	CPUs that have their first member
 * @limited:	how many there are that evtlog_boost_task_is_limited()
 * @todo:	entries that are the visitor's own work
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
 * The entry is the work of its task's CPU, where that takes some, or else of who calls.
 * Returns the CPU whose thread has to be woken, after the lock was released and before
 * RCU's was.
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

/* Once for each command: it may be given back before the command is reported. */
static void count_held(struct evtlog_boosted *entry)
{
	if (entry->command != evtlog_boost.newest || entry->counted == entry->command)
		return;
	entry->counted = entry->command;
	evtlog_boost.held++;
}

/* @known: only if it is in the table.  Returns whether it is there now. */
static bool claim(struct task_struct *task, struct visit *visit, bool known)
{
	const bool spread = visit->how != EVTLOG_BOOST_ALL;
	int wake = EVTLOG_BOOST_NO_CPU;
	struct evtlog_boosted *entry = NULL;
	unsigned long flags;

	rcu_read_lock();
	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	/* Who looked for long must not take members from a command that came meanwhile. */
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

/* Lets go of the lock while the task is changed; what others change is then heard. */
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

	/* Told first: it may fork as soon as it has our policy. */
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

	/* Who changes it while we do has the last word. */
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
 * Makes a task what it is wanted to be, as long as that changes.  The entry is
 * ours; the lock is held, and left while the task is changed.
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
			/* It may have changed since it was claimed. */
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
 * evtlog_boost_apply_cpu() - change the members that others have left to a CPU's thread
 * @cpu:	its thread's, which calls; or one that has no thread any more
 *
 * Context: task context; evtlog_boost.lock is not held.  The first error is the command's.
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
 * evtlog_boost_give_back() - policies back for all that the command under way does not want
 * @cpu:	whose thread calls: each is the work of its CPU's; EVTLOG_BOOST_NO_CPU: all are
 *		the work of who calls
 *
 * The lock is held for one entry at a time; who is put back to @used while the command changes
 * is seen by him who changed it.
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
 * @command:	its number; nothing happens if another has come since
 * @how:	who is visited, and whose work it is
 * @cpu:	whose thread calls, or EVTLOG_BOOST_NO_CPU; what is left to that thread it has
 *		to change itself
 * @known:	members that were boosted before are kept so, wherever they are
 *
 * Where nobody waits to run, all are found at the FIRST visit.
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
		/* The last visit is to all. */
		evtlog_boost.limited = visit.limited;
	}
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
}
