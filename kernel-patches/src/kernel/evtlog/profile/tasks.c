// SPDX-License-Identifier: GPL-2.0-only
/*
 * Profiles of all tasks: made when profiles are started, and at fork; freed with the task.
 */
#define __evtlog_hook	/* see linux/evtlog.h */

#include <linux/evtlog.h>
#include <linux/gfp.h>
#include <linux/memcontrol.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "callpath/memory.h"
#include "profile/list.h"
#include "profile/process.h"
#include "profile/profile.h"

/* Profiles that are allocated at once, without a lock, and then assigned under RCU */
#define BATCH	64

#ifdef CONFIG_MEMCG
static __always_inline struct mem_cgroup *current_memcg(void)
{
	return mem_cgroup_from_task(current);
}
#else
static __always_inline struct mem_cgroup *current_memcg(void)
{
	return NULL;
}
#endif

/**
 * evtlog_profile_alloc() - allocate memory for further nodes or values of a profile
 * @bytes:	size
 *
 * Context: interrupts off, no lock held that allocators take; not an NMI.  Must not be probed: a
 * %timer probe would call it again.
 * Return: zeroed memory, or NULL.
 */
notrace void *evtlog_profile_alloc(size_t bytes)
{
	struct mem_cgroup *memcg;
	void *got;

	/* Functions with %timer probes are not charged. */
	this_cpu_write(evtlog_profile_cpu.allocates, true);
	rcu_read_lock();
	/* In an interrupt, no cgroup would be charged. */
	memcg = set_active_memcg(current_memcg());
	got = kzalloc(bytes, GFP_NOWAIT | __GFP_ACCOUNT | __GFP_NOWARN);
	set_active_memcg(memcg);
	rcu_read_unlock();
	this_cpu_write(evtlog_profile_cpu.allocates, false);
	if (got)
		atomic_long_add(bytes, &evtlog_profile_counts.memory);
	return got;
}

static void free_more(struct evtlog_callpath_more *more)
{
	while (more) {
		struct evtlog_callpath_more *next = more->next;

		atomic_long_sub(evtlog_callpath_more_bytes(more->bits), &evtlog_profile_counts.memory);
		kfree(more);
		more = next;
	}
}

/**
 * evtlog_profile_free() - free a profile that is not used any more
 * @p:		may be NULL
 *
 * Context: any but NMI.
 */
void evtlog_profile_free(struct evtlog_profile *p)
{
	if (p) {
		free_more(p->more);
		if (p->values)
			atomic_long_sub(sizeof(*p->values), &evtlog_profile_counts.memory);
		kfree(p->values);
	}
	kfree(p);
}

static unsigned int root_of(const struct task_struct *task)
{
	if (is_idle_task(task))
		return EVTLOG_PROFILE_IDLE;
	if (task->flags & (PF_KTHREAD | PF_IO_WORKER))
		return EVTLOG_PROFILE_KERNEL;
	return evtlog_profile_root(EVTLOG_PROFILE_USER);
}

/**
 * __evtlog_profile_fork() - a task is about to be born
 * @child:	the task, which is complete and does not run yet
 *
 * Context: copy_process(), the parent's context, may sleep.
 */
void __evtlog_profile_fork(struct task_struct *child)
{
	struct evtlog_profile *p = kzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);
	const struct evtlog_profile *parent = current->evtlog_profile;
	u64 now = evtlog_profile_record_fork(child);

	if (!p) {
		evtlog_profile_family_without(parent);
		atomic_inc(&evtlog_profile_counts.tasks_without);
		return;
	}
	evtlog_profile_init(p, root_of(child));
	evtlog_profile_begin(p, now);
	p->parent = current->tgid;
	evtlog_profile_family_inherit(p, parent);
	evtlog_profile_trace_inherit(child, p, parent);
	if (!cmpxchg(&child->evtlog_profile, NULL, p)) {
		evtlog_profile_list_add(p);
		if (!thread_group_leader(child))
			evtlog_profile_process_fork(child, p);
		return;
	}
	evtlog_profile_family_leave(p);
	evtlog_profile_trace_end(child, p);
	kfree(p);
}

/**
 * __evtlog_profile_free() - the memory of a task is freed
 * @task:	a task with a profile; nothing else refers to it
 *
 * Context: any but NMI.
 */
void __evtlog_profile_free(struct task_struct *task)
{
	evtlog_profile_tell_exit(task, task->evtlog_profile);
	evtlog_profile_family_leave(task->evtlog_profile);
	evtlog_profile_process_leave(task->evtlog_profile);
	evtlog_profile_trace_end(task, task->evtlog_profile);
	evtlog_profile_list_del(task->evtlog_profile);
	evtlog_profile_self_end(task->evtlog_profile);
	evtlog_profile_free(task->evtlog_profile);
	task->evtlog_profile = NULL;
}

/* @task: the current task, or the first thread of its process */
static void attach_to(struct task_struct *task)
{
	struct evtlog_profile *p;

	if (READ_ONCE(task->evtlog_profile))
		return;
	p = kzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);
	if (!p)
		return;
	evtlog_profile_init(p, root_of(task));
	/* In a list before the task can use it: a walk through all lists then finds it. */
	evtlog_profile_list_add(p);
	if (cmpxchg(&task->evtlog_profile, NULL, p)) {
		evtlog_profile_list_del(p);
		kfree(p);
	} else if (!thread_group_empty(task)) {
		evtlog_profile_process_fork(task, p);
	}
}

/**
 * evtlog_profile_attach() - ensure that the current task has a profile
 *
 * Context: task context, may sleep.
 * Return: the profile, or NULL: no memory.
 */
struct evtlog_profile *evtlog_profile_attach(void)
{
	attach_to(current);
	return current->evtlog_profile;
}

/**
 * evtlog_profile_attach_leader() - ensure that the current process's first thread has a profile
 *
 * Context: task context, may sleep.
 */
void evtlog_profile_attach_leader(void)
{
	struct task_struct *leader;

	/* An exec() of another thread makes it the first thread. */
	rcu_read_lock();
	leader = get_task_struct(READ_ONCE(current->group_leader));
	rcu_read_unlock();
	attach_to(leader);
	put_task_struct(leader);
}

struct batch {
	struct evtlog_profile *profiles[BATCH];
	unsigned int left;
	struct evtlog_profile_process *process;
};

/* False: the batch is used up. */
static bool attach(struct task_struct *task, struct batch *batch)
{
	struct task_struct *leader = READ_ONCE(task->group_leader);
	struct evtlog_profile *p;

	if (READ_ONCE(task->evtlog_profile))
		return true;
	if (leader != task && !attach(leader, batch))
		return false;
	if (!batch->left || !batch->process)
		return false;
	p = batch->profiles[batch->left - 1];
	evtlog_profile_init(p, root_of(task));
	if (!cmpxchg(&task->evtlog_profile, NULL, p)) {
		evtlog_profile_list_add(p);
		batch->left--;
		if (!thread_group_empty(task))
			evtlog_profile_process_join(task, p, &batch->process);
	}
	return true;
}

/* Idle tasks, which have no pid. */
static bool attach_idle(struct batch *batch)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		if (!attach(idle_task(cpu), batch))
			return false;
	}
	return true;
}

/*
 * Handles tasks from pid *@nr on; *@nr becomes the first pid that is left.  A task is missed if an
 * exec() gave it the pid of another thread; the next pass over all tasks finds it.
 */
static bool attach_some(struct batch *batch, int *nr)
{
	struct task_struct *task;
	unsigned int looked;
	struct pid *pid = NULL;

	rcu_read_lock();
	for (looked = 0; looked < BATCH; looked++) {
		pid = find_ge_pid(*nr, &init_pid_ns);
		task = pid ? pid_task(pid, PIDTYPE_PID) : NULL;
		if (!pid || (task && !attach(task, batch)))
			break;
		*nr = pid_nr(pid) + 1;
	}
	rcu_read_unlock();
	return !pid;
}

static void free_batch(struct batch *batch)
{
	while (batch->left)
		kfree(batch->profiles[--batch->left]);
	evtlog_profile_process_put(batch->process);
	kfree(batch);
}

/**
 * evtlog_profile_attach_all() - ensure that all tasks have a profile
 *
 * Tasks that are forked meanwhile get a profile in __evtlog_profile_fork().
 *
 * Context: task context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int evtlog_profile_attach_all(void)
{
	struct batch *batch = kzalloc(sizeof(*batch), GFP_KERNEL);
	bool idle = false, all;
	int nr = 1;

	if (!batch)
		return -ENOMEM;
	do {
		while (batch->left < BATCH) {
			struct evtlog_profile *p = kzalloc(sizeof(*p), GFP_KERNEL);

			if (!p)
				break;
			batch->profiles[batch->left++] = p;
		}
		if (!batch->process)
			batch->process = evtlog_profile_process_new(GFP_KERNEL);
		if (!batch->left || !batch->process) {
			free_batch(batch);
			return -ENOMEM;
		}
		idle = idle || attach_idle(batch);
		all = idle && attach_some(batch, &nr);
		cond_resched();
	} while (!all);
	free_batch(batch);
	return 0;
}
