// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of tasks: fork, exec, exit, rename, and a snapshot of all tasks.
 *
 * Called from kernel/fork.c, fs/exec.c and kernel/exit.c through linux/evtlog.h, at a run's start,
 * and when a task enters the run's tree.  A task's name is recorded once, here.  A run of one tree
 * has only records of its tasks; a parent outside the tree has pid 0 in them.
 */
#define __evtlog_hook	/* hot here, cold to callers: see linux/evtlog.h */

#include <linux/evtlog.h>
#include <linux/jiffies.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "feature.h"
#include "hooks/sched.h"
#include "notify.h"
#include "outside.h"
#include "proc.h"
#include "ring.h"

#define COMM_WORDS	(EVTLOG_COMM_LEN / 8)
#define SNAPSHOT_WORDS	(5 + COMM_WORDS)

/* Padded with NULs, so that no old memory gets into the log */
static void store_comm(u64 *words, const char *comm)
{
	/* The task may be renamed meanwhile, as for all readers of names without its lock. */
	data_race(strscpy_pad((char *)words, comm, EVTLOG_COMM_LEN));
}

/**
 * __evtlog_sched_process_fork() - a task was created
 * @child:	the new task, complete, not yet running
 *
 * Idle tasks are not recorded: they have no fork, and no name of their own.
 *
 * Context: the parent's.
 */
void __evtlog_sched_process_fork(struct task_struct *child)
{
	unsigned long flags;
	u64 *record;

	if (!child->pid || evtlog_is_outside(child))
		return;
	raw_local_irq_save(flags);
	record = evtlog_reserve_irqoff(EVTLOG_TAG(EVTLOG_SCHED_PROCESS_FORK,
						  child->pid), 3 + COMM_WORDS);
	if (record) {
		record[1] = evtlog_pid_told(current) | (u64)(u32)child->tgid << 32;
		record[2] = child->start_boottime;
		store_comm(record + 3, child->comm);
	}
	raw_local_irq_restore(flags);
}

/**
 * __evtlog_sched_process_exec() - a task runs a new program
 * @p:		the task, already with its new name
 * @old_pid:	its previous pid; different if a thread took its leader's place
 *
 * Context: @p's own.
 */
void __evtlog_sched_process_exec(struct task_struct *p, pid_t old_pid)
{
	unsigned long flags;
	u64 *record;

	if (evtlog_is_outside(p))
		return;
	raw_local_irq_save(flags);
	record = evtlog_reserve_irqoff(EVTLOG_TAG(EVTLOG_SCHED_PROCESS_EXEC,
						  p->pid), 2 + COMM_WORDS);
	if (record) {
		record[1] = (u32)old_pid | (u64)(u32)p->tgid << 32;
		store_comm(record + 2, p->comm);
	}
	raw_local_irq_restore(flags);
}

/**
 * __evtlog_sched_process_exit() - a task ends
 * @p:		the task; it still switches away once more
 *
 * Context: @p's own.
 */
void __evtlog_sched_process_exit(struct task_struct *p)
{
	unsigned long flags;
	u64 *record;

	if (evtlog_is_outside(p))
		return;
	raw_local_irq_save(flags);
	record = evtlog_reserve_irqoff(EVTLOG_TAG(EVTLOG_SCHED_PROCESS_EXIT,
						  p->pid), 2);
	if (record)
		record[1] = (u32)p->tgid | (u64)(u32)p->exit_code << 32;
	raw_local_irq_restore(flags);
}

/**
 * __evtlog_task_rename() - a task gets another name
 * @p:		the task
 * @comm:	the new name
 *
 * Context: under task_lock(@p).
 */
void __evtlog_task_rename(struct task_struct *p, const char *comm)
{
	unsigned long flags;
	u64 *record;

	if (evtlog_is_outside(p))
		return;
	raw_local_irq_save(flags);
	record = evtlog_reserve_irqoff(EVTLOG_TAG(EVTLOG_TASK_RENAME, p->pid),
				       1 + COMM_WORDS);
	if (record)
		store_comm(record + 1, comm);
	raw_local_irq_restore(flags);
}

static u32 task_tag(struct task_struct *p)
{
	return EVTLOG_TAG(EVTLOG_TASK, p->pid | task_state_index(p) << EVTLOG_PID_BITS);
}

/* Fills in all but the first word. */
static void fill_task(u64 *record, struct task_struct *p, u32 parent_pid)
{
	record[1] = (u32)p->tgid | (u64)parent_pid << 32;
	record[2] = p->start_boottime;
	record[3] = task_cpu(p) |
		    (u64)(data_race(p->flags) & PF_KTHREAD ? EVTLOG_TASK_KTHREAD : 0) << 32;
	/* The value grows while the task runs. */
	record[4] = READ_ONCE(p->se.sum_exec_runtime);
	store_comm(record + 5, p->comm);
}

/**
 * evtlog_task_tell() - write a task's record, if the run records the task
 * @p:		the task
 *
 * If there is no room, the record is lost and counted.
 */
void evtlog_task_tell(struct task_struct *p)
{
	struct task_struct *parent;
	unsigned long flags;
	u64 *record;

	if (evtlog_is_outside(p))
		return;
	rcu_read_lock();
	parent = rcu_dereference(p->real_parent);
	raw_local_irq_save(flags);
	record = evtlog_reserve_irqoff(task_tag(p), SNAPSHOT_WORDS);
	if (record)
		fill_task(record, p, evtlog_is_outside(parent) ? 0 : parent->tgid);
	raw_local_irq_restore(flags);
	rcu_read_unlock();
}

/* The task of the first pid from *@nr on, or NULL; *@nr becomes that pid, 0: none.  Under RCU. */
static struct task_struct *task_from(int *nr)
{
	struct pid *pid = find_ge_pid(*nr, &init_pid_ns);

	*nr = pid ? pid_nr(pid) : 0;
	return pid ? pid_task(pid, PIDTYPE_PID) : NULL;
}

/*
 * Writes a TASK record for every task at a run's start, for the names of tasks that exist already.
 * If the buffers cannot hold all records, the logger gets up to a second to make room; after that,
 * records are lost and counted.
 */
static void snapshot(void)
{
	unsigned long patience = jiffies + HZ;
	struct task_struct *p;
	int nr = 1;

	for (;;) {
		evtlog_wait_for_room(SNAPSHOT_WORDS, patience);
		rcu_read_lock();
		p = task_from(&nr);
		if (p)
			evtlog_task_tell(p);
		rcu_read_unlock();
		if (!nr++)
			return;
		cond_resched();
	}
}

/*
 * /proc/evtlog/tasks: a TASK record for every task, without a time.  For the files of named
 * buffers, which get no snapshot.
 */
static int tasks_show(struct seq_file *m, void *unused)
{
	u64 record[SNAPSHOT_WORDS];
	struct task_struct *p;
	int nr = 1;

	for (; nr && !seq_has_overflowed(m); nr += !!nr) {
		rcu_read_lock();
		p = task_from(&nr);
		if (p) {
			record[0] = (u64)task_tag(p) << 32;
			fill_task(record, p, rcu_dereference(p->real_parent)->tgid);
		}
		rcu_read_unlock();
		if (p)
			seq_write(m, record, sizeof(record));
		cond_resched();
	}
	return 0;
}

static const struct evtlog_proc_file files[] = {
	{ "tasks", 0440, tasks_show },
	{ }
};

static struct evtlog_feature tasks __ro_after_init = {
	.name = "tasks",
	.files = files,
	.run_started = snapshot,
};
evtlog_feature(tasks);
