// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trees, and the marks in their tasks.
 *
 * A child gets its mark in copy_process(), under tasklist_lock held for writing, where it becomes
 * visible.  evtlog_task_link() stores the mark again, because the copy by dup_task_struct() may be
 * outdated.  Marking holds that lock for reading: it finds each task that is linked, and a task
 * that is not linked yet inherits the mark.  As with kill(-1), no fork completes meanwhile;
 * interrupts stay on.
 *
 * Removing marks takes no lock: clearing the bit in evtlog_trees_live first stops the inheritance.
 * A number is reused when no task has its bit; numbers are used in turn.
 *
 * In a run of the tree, a task is marked while it is on no CPU.  So its first event in the log is a
 * switch to it.
 */
#include <linux/errno.h>
#include <linux/evtlog.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/stop_machine.h>
#include <linux/threads.h>
#include <linux/wait.h>

#include "hooks/sched.h"
#include "lineage/lineage.h"
#include "publish.h"

/*
 * @root:	pid of the process; NULL: the tree began without a process
 * @nr:		number of @root in the first pid namespace; at least PID_MAX_LIMIT without a process
 * @holders:	number of users of the tree; 0: the entry is free
 */
struct tree {
	struct pid *root;
	pid_t nr;
	unsigned int holders;
};

/* Guards all data below except @changes.  Filters read @nr of trees without it. */
static DEFINE_MUTEX(lineage_lock);
static struct tree trees[EVTLOG_TREES_MAX];
static unsigned int last_number;
static atomic_t changes;

/* Bits that children inherit; read by evtlog_task_link(). */
u32 evtlog_trees_live __read_mostly;

static void set_marks(struct task_struct *task, u32 bits)
{
	u32 before = evtlog_task_trees(task);

	/* Marks of a tree that has ended are removed after a grace period. */
	bits &= READ_ONCE(evtlog_trees_live);
	if (!(bits & ~before))
		return;
	while (!try_cmpxchg(evtlog_trees_at(task), &before, before | bits))
		;
	atomic_inc(&changes);
}

struct marking {
	struct cpu_stop_work work;
	struct task_struct *task;
	u32 bits;
};

/* During this the task cannot be woken, and cannot start or stop running. */
static int mark_unless_it_runs(struct task_struct *task, void *data)
{
	u32 bits = *(u32 *)data;

	if (bits && task_curr(task))
		return -EBUSY;
	set_marks(task, bits);
	evtlog_task_tell(task);
	return 0;
}

static int mark_by_stopper(void *data);

/* If the task runs: tries again in its CPU's stopper thread, before user mode is entered again. */
static void mark_off_cpu(struct marking *m)
{
	while (task_call_func(m->task, mark_unless_it_runs, &m->bits)) {
		if (stop_one_cpu_nowait(task_cpu(m->task), mark_by_stopper, m, &m->work))
			return;
	}
	put_task_struct(m->task);
	kfree(m);
}

static int mark_by_stopper(void *data)
{
	struct marking *m = data;

	/* Each time this is called, the stopper thread itself runs. */
	if (m->task == current) {
		set_marks(current, m->bits);
		m->bits = 0;
	}
	mark_off_cpu(m);
	return 0;
}

/**
 * evtlog_lineage_mark() - add a task to trees
 * @task:	the task
 * @bits:	of the trees
 * @is_new:	it has not run yet
 *
 * Context: any but NMI; under RCU, or the lock of mark.c is held.
 */
void evtlog_lineage_mark(struct task_struct *task, u32 bits, bool is_new)
{
	struct marking *m = NULL;

	bits &= ~evtlog_task_trees(task);
	/* Without memory: mark() tries again, a new task is not marked. */
	if (bits && !evtlog_trees_place(task))
		return;
	if (bits & READ_ONCE(evtlog_run_trees) && !is_new)
		m = kmalloc(sizeof(*m), GFP_ATOMIC | __GFP_NOWARN);
	if (!m) {
		set_marks(task, bits);
		return;
	}
	*m = (struct marking){ .task = get_task_struct(task), .bits = bits };
	mark_off_cpu(m);
}

/* @left: some of the tasks run, and are marked later */
struct pass {
	u32 bit;
	bool left;
};

static int mark_process(struct task_struct *leader, void *data)
{
	struct pass *pass = data;
	struct task_struct *task;

	for_each_thread(leader, task) {
		evtlog_lineage_mark(task, pass->bit, false);
		pass->left |= !(evtlog_task_trees(task) & pass->bit);
	}
	return 1;
}

/*
 * A child that existed before, and exited between the two steps, had left the tree when it was
 * marked: at the second lock.  A task that runs may fork until its CPU's stopper has marked it: the
 * next pass finds its children.
 */
static int mark(struct pid *pid, u32 bit)
{
	struct pass pass = { .bit = bit };
	struct task_struct *task = get_pid_task(pid, PIDTYPE_PID);

	if (!task)
		return -ESRCH;
	do {
		if (pass.left)
			synchronize_rcu();
		pass.left = false;
		read_lock(&tasklist_lock);
		mark_process(task->group_leader, &pass);
		read_unlock(&tasklist_lock);
		walk_process_tree(task, mark_process, &pass);
	} while (pass.left);
	put_task_struct(task);
	return 0;
}

static void unmark_task(struct task_struct *task, void *data)
{
	u32 bit = *(u32 *)data, before = evtlog_task_trees(task);

	while (before & bit && !try_cmpxchg(evtlog_trees_at(task), &before, before & ~bit))
		;
}

static void unmark(u32 bit)
{
	WRITE_ONCE(evtlog_trees_live, evtlog_trees_live & ~bit);
	evtlog_cgroup_leave(bit);
	/* Code that saw the bit has marked its task, or links it later: both are found below. */
	synchronize_rcu();
	read_lock(&tasklist_lock);
	read_unlock(&tasklist_lock);
	evtlog_lineage_each_task(unmark_task, &bit);
}

/* @root selects among trees of the same number: a pid may be reused while its last tree exists. */
static int find(pid_t nr, const struct pid *root)
{
	int number;

	for (number = 0; number < EVTLOG_TREES_MAX; number++) {
		if (trees[number].holders && trees[number].nr == nr &&
		    (!root || trees[number].root == root))
			return number;
	}
	return -ENOENT;
}

static int find_free(void)
{
	unsigned int i, number;

	for (i = 1; i <= EVTLOG_TREES_MAX; i++) {
		number = (last_number + i) % EVTLOG_TREES_MAX;
		if (!trees[number].holders)
			return number;
	}
	return -ENOSPC;
}

static void free_tree(unsigned int number)
{
	struct tree *tree = &trees[number];

	WRITE_ONCE(tree->nr, 0);
	unmark(BIT(number));
	evtlog_trees_end();
	put_pid(tree->root);
	tree->holders = 0;
}

/* Takes over the reference to @root, which may be NULL. */
static int make_tree(struct pid *root, pid_t nr)
{
	int number = find_free(), error = number < 0 ? number : evtlog_trees_begin();

	if (error) {
		put_pid(root);
		return error;
	}
	last_number = number;
	trees[number].root = root;
	trees[number].holders = 1;
	WRITE_ONCE(evtlog_trees_live, evtlog_trees_live | BIT(number));
	error = root ? mark(root, BIT(number)) : 0;
	if (error) {
		free_tree(number);
		return error;
	}
	WRITE_ONCE(trees[number].nr, nr);
	return number;
}

static struct pid *get_root(pid_t nr)
{
	struct pid *pid;

	/* In another pid namespace, the number belongs to another task. */
	if (task_active_pid_ns(current) != &init_pid_ns)
		return NULL;
	rcu_read_lock();
	pid = get_pid(find_pid_ns(nr, &init_pid_ns));
	rcu_read_unlock();
	return pid;
}

/**
 * evtlog_lineage_hold() - mark the tree of a process
 * @nr:		pid of the process or one of its threads, if the caller is in the first pid
 *		namespace; or a number of at least PID_MAX_LIMIT: a tree without a process
 *
 * Context: task context, may sleep.
 * Return: the tree's number.  The tasks have its bit until evtlog_lineage_release().  The same tree
 * has the same number for all callers.  -ESRCH: no such process; -ENOSPC: there are 31 trees;
 * -EOPNOTSUPP, -ENOMEM: only in a module.
 */
int evtlog_lineage_hold(pid_t nr)
{
	struct pid *root = get_root(nr);
	int number;

	if (!root && nr < PID_MAX_LIMIT)
		return -ESRCH;
	mutex_lock(&lineage_lock);
	number = find(nr, root);
	if (number >= 0) {
		trees[number].holders++;
		put_pid(root);
	} else {
		number = make_tree(root, nr);
	}
	mutex_unlock(&lineage_lock);
	return number;
}

/**
 * evtlog_lineage_extend() - add a root to a tree
 * @number:	from evtlog_lineage_hold(), held by the caller
 * @nr:		pid of a process, as for evtlog_lineage_hold()
 *
 * Context: task context, may sleep.
 * Return: 0; -ESRCH: no such process.
 */
int evtlog_lineage_extend(unsigned int number, pid_t nr)
{
	struct pid *root = get_root(nr);
	int error;

	mutex_lock(&lineage_lock);
	error = root ? mark(root, BIT(number)) : -ESRCH;
	mutex_unlock(&lineage_lock);
	put_pid(root);
	return error;
}

/**
 * evtlog_lineage_set_of_runs() - choose the tree that runs record
 * @bit:	of the tree; 0: all tasks
 *
 * Context: task context, may sleep; between evtlog_run_change_begin() and its end.
 */
void evtlog_lineage_set_of_runs(u32 bit)
{
	mutex_lock(&lineage_lock);
	WRITE_ONCE(evtlog_run_trees, bit);
	mutex_unlock(&lineage_lock);
}

/**
 * evtlog_lineage_number() - return the tree whose first root is a process
 * @nr:		as for evtlog_lineage_hold()
 *
 * Return: its number; -ENOENT: none.
 */
int evtlog_lineage_number(pid_t nr)
{
	struct pid *root = get_root(nr);
	int number;

	mutex_lock(&lineage_lock);
	number = root ? find(nr, root) : -ENOENT;
	if (number < 0)
		number = find(nr, NULL);
	mutex_unlock(&lineage_lock);
	put_pid(root);
	return number;
}

/**
 * evtlog_lineage_release() - release a tree
 * @number:	from evtlog_lineage_hold()
 *
 * Context: task context, may sleep.
 */
void evtlog_lineage_release(unsigned int number)
{
	mutex_lock(&lineage_lock);
	if (!--trees[number].holders)
		free_tree(number);
	mutex_unlock(&lineage_lock);
}

/**
 * evtlog_lineage_changes() - return how often existing tasks were marked
 *
 * If the number changes, a caller that has visited all tasks must visit them again.
 */
unsigned int evtlog_lineage_changes(void)
{
	return atomic_read(&changes);
}

/**
 * evtlog_lineage_has() - check the mark of a task for the tree of a pid
 * @task:	the task
 * @nr:		first root of the tree
 * @is_in:	set to true if the task belongs to the tree
 *
 * Context: any.
 * Return: true if there is such a tree.
 */
bool evtlog_lineage_has(const struct task_struct *task, pid_t nr, bool *is_in)
{
	unsigned int number;

	for (number = 0; number < EVTLOG_TREES_MAX; number++) {
		if (nr && READ_ONCE(trees[number].nr) == nr) {
			*is_in = evtlog_task_trees(task) >> number & 1;
			return true;
		}
	}
	return false;
}

/**
 * evtlog_lineage_show() - list the trees, one per line
 * @m:		written to
 */
void evtlog_lineage_show(struct seq_file *m)
{
	unsigned int number;

	mutex_lock(&lineage_lock);
	for (number = 0; number < EVTLOG_TREES_MAX; number++) {
		if (trees[number].holders)
			seq_printf(m, "tree %u bit %#x pid %d holders %u\n", number,
				   (u32)BIT(number), trees[number].nr, trees[number].holders);
	}
	mutex_unlock(&lineage_lock);
}

#ifdef MODULE
/* Ends the trees that a writer of /proc/evtlog/trees left; no file is open. */
void evtlog_lineage_exit(void)
{
	unsigned int number;

	mutex_lock(&lineage_lock);
	for (number = 0; number < EVTLOG_TREES_MAX; number++) {
		if (trees[number].holders)
			free_tree(number);
	}
	mutex_unlock(&lineage_lock);
}
#endif
