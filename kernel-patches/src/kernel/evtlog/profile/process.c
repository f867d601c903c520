// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sums of threads that have ended, while their process lives.
 *
 * A process has such a sum from its second thread on, or from the start of profiles on.  Each of
 * its profiles points to the sum and is in its list.  When the task is freed, the profile is added
 * to the sum.  Tasks are freed in any context: the sum grows only if memory is available at once.
 *
 * process_show.c reads the sum.
 */
#include <linux/gfp.h>
#include <linux/memcontrol.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "callpath/memory.h"
#include "clock.h"
#include "profile/process.h"
#include "profile/profile.h"

/* Ensures that all profiles of a process point to the same sum, whose lock is taken within. */
static DEFINE_RAW_SPINLOCK(join_lock);

/**
 * evtlog_profile_process_new() - allocate a process without profiles
 * @gfp:	flags for the allocation
 *
 * Return: the process, with one reference; NULL: no memory.
 */
struct evtlog_profile_process *evtlog_profile_process_new(gfp_t gfp)
{
	struct evtlog_profile_process *process = kzalloc(sizeof(*process), gfp);

	if (!process)
		return NULL;
	refcount_set(&process->refs, 1);
	raw_spin_lock_init(&process->lock);
	INIT_LIST_HEAD(&process->members);
	process->epoch = evtlog_profile_epoch;
	process->begin = evtlog_ticks64();
	atomic_long_add(sizeof(*process), &evtlog_profile_counts.memory);
	return process;
}

/**
 * evtlog_profile_process_get() - find the process of a task
 *
 * Return: the process, with a reference; NULL: the task has none.
 */
struct evtlog_profile_process *evtlog_profile_process_get(const struct task_struct *task)
{
	struct evtlog_profile_process *process = NULL;
	const struct evtlog_profile *p;

	rcu_read_lock();
	p = READ_ONCE(task->evtlog_profile);
	if (p)
		process = READ_ONCE(p->process);
	if (process && !refcount_inc_not_zero(&process->refs))
		process = NULL;
	rcu_read_unlock();
	return process;
}

/**
 * evtlog_profile_process_put() - release a reference
 * @process:	may be NULL
 *
 * Context: any but NMI.
 */
void evtlog_profile_process_put(struct evtlog_profile_process *process)
{
	if (!process || !refcount_dec_and_test(&process->refs))
		return;
	atomic_long_sub(sizeof(*process) + evtlog_profile_ended_bytes(&process->ended),
			&evtlog_profile_counts.memory);
	evtlog_profile_ended_free(&process->ended);
	mem_cgroup_put(process->memcg);
	kfree_rcu(process, rcu);
}

/**
 * evtlog_profile_process_renew() - clear a sum if profiles were started again
 * @process:	process with the sum; its lock is held
 */
void evtlog_profile_process_renew(struct evtlog_profile_process *process)
{
	u32 epoch = READ_ONCE(evtlog_profile_epoch);

	if (process->epoch == epoch)
		return;
	process->epoch = epoch;
	process->begin = evtlog_ticks64();
	evtlog_profile_ended_clear(&process->ended);
}

/**
 * evtlog_profile_process_counts() - check whether a sum may include a profile after its task's end
 */
bool evtlog_profile_process_counts(const struct evtlog_profile *p)
{
	return p->born && p->epoch == READ_ONCE(evtlog_profile_epoch) &&
	       READ_ONCE(p->cpu) != EVTLOG_PROFILE_NO_CPU;
}

#ifdef CONFIG_MEMCG
static struct mem_cgroup *memcg_of(struct task_struct *task)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(task);
	if (memcg && !css_tryget(&memcg->css))
		memcg = NULL;
	rcu_read_unlock();
	return memcg;
}
#else
static struct mem_cgroup *memcg_of(struct task_struct *task)
{
	return NULL;
}
#endif

/* The lock is held.  Another thread may have entered the profile already. */
static void enter_locked(struct evtlog_profile_process *process, struct task_struct *task,
			 struct evtlog_profile *p)
{
	if (p->process)
		return;
	refcount_inc(&process->refs);
	p->task = task;
	list_add_tail(&p->in_process, &process->members);
	WRITE_ONCE(p->process, process);
}

static void enter(struct evtlog_profile_process *process, struct task_struct *task,
		  struct evtlog_profile *p)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&process->lock, flags);
	enter_locked(process, task, p);
	raw_spin_unlock_irqrestore(&process->lock, flags);
}

/**
 * evtlog_profile_process_join() - add a thread's profile to its process
 * @task:	the thread, of a process with several
 * @p:		its profile
 * @spare:	used for the process if there is none yet, and then set to NULL
 *
 * The profile of the first thread determines the process: it existed before all others.
 *
 * Context: task context; the thread can be found, or waits for the current thread.
 */
void evtlog_profile_process_join(struct task_struct *task, struct evtlog_profile *p,
				 struct evtlog_profile_process **spare)
{
	struct evtlog_profile_process *process, *taken = NULL;
	struct task_struct *leader;
	struct evtlog_profile *first;
	unsigned long flags;

	raw_spin_lock_irqsave(&join_lock, flags);
	/* Under RCU, neither the profile nor its process is freed. */
	rcu_read_lock();
	leader = READ_ONCE(task->group_leader);
	first = READ_ONCE(leader->evtlog_profile);
	if (first) {
		process = READ_ONCE(first->process);
		if (!process) {
			process = taken = *spare;
			*spare = NULL;
			process->memcg = memcg_of(task);
			enter(process, leader, first);
		}
		enter(process, task, p);
	} else {
		atomic64_inc(&evtlog_profile_counts.ended_not_kept);
	}
	rcu_read_unlock();
	raw_spin_unlock_irqrestore(&join_lock, flags);
	evtlog_profile_process_put(taken);
}

/**
 * evtlog_profile_process_fork() - add the profile of a new thread to the current process
 * @child:	the thread, which does not run yet
 * @p:		its profile
 *
 * Context: task context, may sleep.
 */
void evtlog_profile_process_fork(struct task_struct *child, struct evtlog_profile *p)
{
	struct evtlog_profile_process *process = evtlog_profile_process_get(current);

	if (process) {
		enter(process, child, p);
	} else {
		evtlog_profile_attach_leader();
		process = evtlog_profile_process_new(GFP_KERNEL_ACCOUNT);
		if (process)
			evtlog_profile_process_join(child, p, &process);
		else
			atomic64_inc(&evtlog_profile_counts.ended_not_kept);
	}
	evtlog_profile_process_put(process);
}

/**
 * evtlog_profile_process_replace() - replace the profile of the current task
 * @last:	the old profile
 * @p:		the new profile
 */
void evtlog_profile_process_replace(struct evtlog_profile *last, struct evtlog_profile *p)
{
	struct evtlog_profile_process *process;
	unsigned long flags;

	raw_spin_lock_irqsave(&join_lock, flags);
	process = last->process;
	if (process) {
		raw_spin_lock(&process->lock);
		enter_locked(process, current, p);
		list_del(&last->in_process);
		WRITE_ONCE(last->process, NULL);
		raw_spin_unlock(&process->lock);
	}
	raw_spin_unlock_irqrestore(&join_lock, flags);
	evtlog_profile_process_put(process);
}

/* Allocates memory only if it is free at once and the process's limit allows it. */
static void *get_memory(struct evtlog_profile_process *process, size_t bytes)
{
	struct mem_cgroup *memcg = set_active_memcg(process->memcg);
	void *memory = kzalloc(bytes, GFP_NOWAIT | __GFP_NOWARN |
			       (process->memcg ? __GFP_ACCOUNT : 0));

	set_active_memcg(memcg);
	return memory;
}

/* Adds one piece of memory; the lock is released meanwhile.  False: no memory. */
static bool grow(struct evtlog_profile_process *process, size_t bytes, unsigned long *flags)
{
	void *memory;
	bool used;

	raw_spin_unlock_irqrestore(&process->lock, *flags);
	memory = get_memory(process, bytes);
	raw_spin_lock_irqsave(&process->lock, *flags);
	used = memory && evtlog_profile_ended_give(&process->ended, memory, bytes);
	if (used)
		atomic_long_add(bytes, &evtlog_profile_counts.memory);
	else
		kfree(memory);
	return memory;
}

/**
 * evtlog_profile_process_leave() - add the profile of a freed task to its process's sum
 * @p:		its profile, which is complete
 *
 * Context: any but NMI.
 */
void evtlog_profile_process_leave(struct evtlog_profile *p)
{
	struct evtlog_profile_process *process = p->process;
	struct evtlog_profile_ended_adding adding;
	bool is_added = false;
	unsigned long flags;
	size_t bytes;

	if (!process)
		return;
	adding.nr = 0;
	raw_spin_lock_irqsave(&process->lock, flags);
	/*
	 * The last task is not added: the process ends with it.  The lock is released in between:
	 * readers wait for tasks being freed.
	 */
	while (!is_added && !list_is_singular(&process->members) &&
	       evtlog_profile_process_counts(p)) {
		if (!adding.nr)
			evtlog_profile_process_renew(process);
		else if (process->epoch != p->epoch)
			break;
		bytes = evtlog_profile_ended_needs(&process->ended, p, adding.nr);
		if (bytes && grow(process, bytes, &flags))
			continue;
		is_added = evtlog_profile_ended_add(&process->ended, p, &adding);
		raw_spin_unlock_irqrestore(&process->lock, flags);
		raw_spin_lock_irqsave(&process->lock, flags);
	}
	if (is_added && adding.lacks)
		atomic64_inc(&evtlog_profile_counts.ended_not_kept);
	list_del(&p->in_process);
	WRITE_ONCE(p->process, NULL);
	raw_spin_unlock_irqrestore(&process->lock, flags);
	evtlog_profile_process_put(process);
}
