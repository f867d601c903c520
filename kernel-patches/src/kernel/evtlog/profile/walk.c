// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog/profile/self, others and all: selects the profiles that are shown, task by task.
 *
 * A position in the file is the pid of a task.  Nothing is held between two tasks, and 10,000 tasks
 * delay neither RCU nor exits.  All threads of a process are shown together, at the position of its
 * first thread (process_show.c).
 *
 * Only the address space that opened the file can read, write or map it.  A descriptor that is
 * passed to another program, perhaps with more rights, is of no use there.
 */
#include <linux/cpu.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/proc_fs.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/threads.h>
#include <linux/uaccess.h>

#include "proc.h"
#include "profile/list.h"
#include "profile/process.h"
#include "profile/profile.h"

#define LIST_BYTES_MAX	8192
#define LIST_MAX	1024

/* Positions: the head, CPUs' idle tasks from 1 on, tasks by pid, CPUs, the last line. */
#define FIRST_TASK	((loff_t)1 + nr_cpu_ids)
#define FIRST_CPU	(FIRST_TASK + PID_MAX_LIMIT + 1)
#define LAST_LINE	(FIRST_CPU + nr_cpu_ids)

/*
 * struct walk - an open file
 * @whose:	which file it is
 * @mm:		address space that opened it
 * @ns:		namespace of the tasks and pids that are shown
 * @row:	buffer for a CPU's profile, or NULL.  With it, profiles are in their CPUs' lists
 * @list:	for others: processes or threads
 * @listed:	number of entries in @list
 * @task:	task at the present position, with a reference; NULL: no task is there
 * @process:	process at the present position, with a reference; its first thread is @task.  NULL:
 *		only @task is shown
 * @copy:	copy of the last profile shown
 */
struct walk {
	enum evtlog_profile_whose whose;
	struct mm_struct *mm;
	struct pid_namespace *ns;
	struct evtlog_profile_row *row;
	struct pid **list;
	unsigned int listed;
	struct task_struct *task;
	struct evtlog_profile_process *process;
	struct evtlog_profile_copy copy;
};

static bool is_listed(const struct walk *walk, const struct pid *pid)
{
	unsigned int i;

	for (i = 0; i < walk->listed; i++) {
		if (walk->list[i] == pid)
			return true;
	}
	return false;
}

static bool is_wanted(const struct walk *walk, struct task_struct *task)
{
	return walk->whose != EVTLOG_PROFILE_OTHERS || is_listed(walk, task_pid(task)) ||
	       is_listed(walk, task_tgid(task));
}

/*
 * Finds what is shown at a thread's position: the process, if this is its first thread; nothing, if
 * the thread is shown there with its process; or only the thread, if the list has this thread
 * alone, or if there was no memory for its process.  False: nothing.  Under RCU.
 */
static bool find_process(struct walk *walk, struct task_struct *task, const struct pid *pid)
{
	struct evtlog_profile_process *process = NULL, *first;

	if (walk->whose != EVTLOG_PROFILE_OTHERS || is_listed(walk, task_tgid(task)))
		process = evtlog_profile_process_get(task);
	if (!process)
		return true;
	if (pid == task_tgid(task)) {
		walk->process = process;
		return true;
	}
	first = evtlog_profile_process_get(READ_ONCE(task->group_leader));
	evtlog_profile_process_put(first);
	evtlog_profile_process_put(process);
	return first != process;
}

static void drop_task(struct walk *walk)
{
	evtlog_profile_process_put(walk->process);
	walk->process = NULL;
	if (walk->task)
		put_task_struct(walk->task);
	walk->task = NULL;
}

static bool is_shown(void *of, struct task_struct *task, const struct pid *pid)
{
	struct walk *walk = of;

	return is_wanted(walk, task) && find_process(walk, task, pid);
}

/**
 * evtlog_profile_next_task() - find the next task that the caller wants
 * @ns:		namespace to search
 * @number:	first pid there; becomes the task's pid
 * @is_wanted:	called under RCU: returns true for a task, with this pid, that is wanted
 * @of:		first argument of @is_wanted
 *
 * Context: task context, may sleep.
 * Return: the task, with a reference, or NULL.
 */
struct task_struct *evtlog_profile_next_task(struct pid_namespace *ns, int *number,
					     bool (*is_wanted)(void *of, struct task_struct *task,
							       const struct pid *pid),
					     void *of)
{
	struct task_struct *task, *found = NULL;
	struct pid *pid;

	for (;; ++*number) {
		rcu_read_lock();
		pid = find_ge_pid(*number, ns);
		task = pid ? pid_task(pid, PIDTYPE_PID) : NULL;
		if (pid)
			*number = pid_nr_ns(pid, ns);
		if (task && is_wanted(of, task, pid))
			found = get_task_struct(task);
		rcu_read_unlock();
		if (!pid || found)
			return found;
		cond_resched();
	}
}

static void *find_cpu(loff_t *pos)
{
	unsigned int cpu = cpumask_next((int)(*pos - FIRST_CPU) - 1, cpu_possible_mask);

	if (cpu >= nr_cpu_ids)
		return NULL;
	*pos = FIRST_CPU + cpu;
	return pos;
}

/* Returns the entry at @pos, or the next entry after it; without the last line. */
static void *find_entry(struct walk *walk, loff_t *pos)
{
	if (walk->whose == EVTLOG_PROFILE_SELF) {
		if (*pos)
			return NULL;
		walk->task = get_task_struct(current);
		return pos;
	}
	if (!*pos)
		return pos;
	if (walk->whose == EVTLOG_PROFILE_OTHERS && *pos < FIRST_TASK)
		*pos = FIRST_TASK;
	if (*pos < FIRST_TASK) {
		unsigned int cpu = cpumask_next((int)*pos - 2, cpu_possible_mask);

		if (cpu < nr_cpu_ids) {
			walk->task = get_task_struct(idle_task(cpu));
			*pos = cpu + 1;
			return pos;
		}
		*pos = FIRST_TASK;
	}
	if (*pos < FIRST_CPU) {
		int number = *pos - FIRST_TASK;

		walk->task = evtlog_profile_next_task(walk->ns, &number, is_shown, walk);
		*pos = walk->task ? FIRST_TASK + number : FIRST_CPU;
		if (walk->task)
			return pos;
	}
	return walk->whose == EVTLOG_PROFILE_ALL && *pos < LAST_LINE ? find_cpu(pos) : NULL;
}

static void *find(struct walk *walk, loff_t *pos)
{
	void *at = find_entry(walk, pos);

	if (at || *pos > LAST_LINE)
		return at;
	*pos = LAST_LINE;
	return pos;
}

static void *walk_start(struct seq_file *m, loff_t *pos)
{
	struct walk *walk = m->private;

	/*
	 * For CPUs' profiles: an offline CPU stays offline until walk_stop(), which is always
	 * called.  Among tasks, only a CPU's idle task needs this (show.c).
	 */
	if (walk->whose == EVTLOG_PROFILE_ALL)
		cpus_read_lock();
	if (walk->mm != current->mm)
		return ERR_PTR(-EACCES);
	return find(walk, pos);
}

static void *walk_next(struct seq_file *m, void *at, loff_t *pos)
{
	struct walk *walk = m->private;

	drop_task(walk);
	++*pos;
	return find(walk, pos);
}

static void walk_stop(struct seq_file *m, void *at)
{
	struct walk *walk = m->private;

	drop_task(walk);
	if (walk->whose == EVTLOG_PROFILE_ALL)
		cpus_read_unlock();
}

/* For all users: contains nothing about other tasks. */
static void show_head(struct seq_file *m)
{
	seq_printf(m, "state %s\n", evtlog_profile_is_on() ? "on" : "off");
	seq_puts(m, EVTLOG_PROFILE_VERSION_LINE);
	evtlog_profile_cost_show(m);
}

/* Since version 2, readers expect the last line and reject a text without it. */
static int show_all_head(struct seq_file *m)
{
	int error = evtlog_profile_control_show(m, NULL);

	seq_puts(m, EVTLOG_PROFILE_VERSION_LINE);
	return error;
}

static int show_task(struct seq_file *m, struct walk *walk)
{
	if (walk->process)
		return evtlog_profile_process_show(m, walk->process, walk->task, &walk->copy,
						   walk->ns, walk->whose == EVTLOG_PROFILE_OTHERS);
	evtlog_profile_show_task(m, walk->task, &walk->copy, task_pid_nr_ns(walk->task, walk->ns),
				 task_tgid_nr_ns(walk->task, walk->ns));
	return 0;
}

/* Shows a task if the reader may see it.  Under the lock, its rights do not increase. */
static int show_other(struct seq_file *m, struct walk *walk)
{
	struct rw_semaphore *lock = &walk->task->signal->exec_update_lock;
	int error = down_read_killable(lock);

	if (error)
		return error;
	if (ptrace_may_access(walk->task, PTRACE_MODE_READ_FSCREDS))
		error = show_task(m, walk);
	up_read(lock);
	return error;
}

static int walk_show(struct seq_file *m, void *at)
{
	struct walk *walk = m->private;
	loff_t pos = *(loff_t *)at;

	if (walk->task && !pos)
		show_head(m);
	if (walk->task)
		return walk->whose == EVTLOG_PROFILE_OTHERS ? show_other(m, walk) : show_task(m, walk);
	if (!pos && walk->whose == EVTLOG_PROFILE_ALL)
		return show_all_head(m);
	if (!pos)
		show_head(m);
	else if (pos == LAST_LINE)
		seq_puts(m, EVTLOG_PROFILE_LAST_LINE);
	else
		evtlog_profile_row_show(m, pos - FIRST_CPU, walk->row);
	return 0;
}

static const struct seq_operations walk_ops = {
	.start = walk_start,
	.next = walk_next,
	.stop = walk_stop,
	.show = walk_show,
};

static void free_list(struct pid **list, unsigned int listed)
{
	while (listed)
		put_pid(list[--listed]);
	kvfree(list);
}

static void free_walk(struct walk *walk)
{
	if (walk->mm)
		mmdrop(walk->mm);
	if (walk->ns)
		put_pid_ns(walk->ns);
	free_list(walk->list, walk->listed);
	if (walk->row)
		evtlog_profile_lists_leave();
	kvfree(walk->row);
	kvfree(walk);
}

static struct walk *new_walk(enum evtlog_profile_whose whose)
{
	struct walk *walk = kvzalloc(sizeof(*walk), GFP_KERNEL_ACCOUNT);

	if (!walk)
		return NULL;
	walk->whose = whose;
	if (whose == EVTLOG_PROFILE_ALL) {
		walk->row = kvmalloc(sizeof(*walk->row), GFP_KERNEL_ACCOUNT);
		if (!walk->row) {
			free_walk(walk);
			return NULL;
		}
		evtlog_profile_lists_keep();
	}
	walk->mm = current->mm;
	mmgrab(walk->mm);
	walk->ns = get_pid_ns(task_active_pid_ns(current));
	return walk;
}

static int walk_open(struct inode *inode, struct file *file)
{
	enum evtlog_profile_whose whose = (unsigned long)pde_data(inode);
	struct walk *walk;
	int error = whose == EVTLOG_PROFILE_ALL ? evtlog_may_open(file) :
						  security_locked_down(LOCKDOWN_TRACEFS);

	if (error)
		return error;
	/* Also for root, which file modes do not restrict. */
	if (whose != EVTLOG_PROFILE_OTHERS && file->f_mode & FMODE_WRITE)
		return -EACCES;
	walk = current->mm ? new_walk(whose) : NULL;
	if (!walk)
		return -ENOMEM;
	error = seq_open(file, &walk_ops);
	if (error) {
		free_walk(walk);
		return error;
	}
	((struct seq_file *)file->private_data)->private = walk;
	return 0;
}

static int walk_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;

	free_walk(m->private);
	return seq_release(inode, file);
}

static int walk_mmap(struct file *file, struct vm_area_struct *vma)
{
	const struct walk *walk = ((struct seq_file *)file->private_data)->private;

	if (walk->whose != EVTLOG_PROFILE_SELF)
		return -EIO;
	return walk->mm == current->mm ? evtlog_profile_self_map(vma) : -EACCES;
}

/* Returns the process or thread with a number, if the writer may see it. */
static struct pid *admit(const char *word, struct pid_namespace *ns)
{
	struct task_struct *task;
	struct pid *pid;
	int number;

	if (kstrtoint(word, 10, &number) || number < 1)
		return ERR_PTR(-EINVAL);
	rcu_read_lock();
	pid = get_pid(find_pid_ns(number, ns));
	task = pid ? get_pid_task(pid, PIDTYPE_PID) : NULL;
	rcu_read_unlock();
	if (!task) {
		put_pid(pid);
		return ERR_PTR(-ESRCH);
	}
	if (!ptrace_may_access(task, PTRACE_MODE_READ_FSCREDS)) {
		put_pid(pid);
		pid = ERR_PTR(-EPERM);
	}
	put_task_struct(task);
	return pid;
}

/* Numbers separated by blanks or commas: all of them are used, or the list is unchanged. */
static int set_list(struct walk *walk, char *text)
{
	struct pid **list = kvcalloc(LIST_MAX, sizeof(*list), GFP_KERNEL_ACCOUNT), *pid;
	unsigned int listed = 0;
	char *word;
	int error = 0;

	if (!list)
		return -ENOMEM;
	while (!error && (word = strsep(&text, " ,\n"))) {
		if (!*word)
			continue;
		pid = listed < LIST_MAX ? admit(word, walk->ns) : ERR_PTR(-E2BIG);
		if (IS_ERR(pid))
			error = PTR_ERR(pid);
		else
			list[listed++] = pid;
	}
	if (error) {
		free_list(list, listed);
		return error;
	}
	free_list(walk->list, walk->listed);
	walk->list = list;
	walk->listed = listed;
	return 0;
}

static ssize_t others_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	struct seq_file *m = file->private_data;
	struct walk *walk = m->private;
	char *text;
	int error;

	if (walk->mm != current->mm)
		return -EACCES;
	if (count > LIST_BYTES_MAX)
		return -E2BIG;
	text = memdup_user_nul(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	mutex_lock(&m->lock);
	error = set_list(walk, text);
	mutex_unlock(&m->lock);
	kfree(text);
	return error ? error : count;
}

const struct proc_ops evtlog_profile_walk_ops = {
	.proc_open = walk_open,
	.proc_read = seq_read,
	.proc_write = others_write,
	.proc_lseek = seq_lseek,
	.proc_mmap = walk_mmap,
	.proc_release = walk_release,
};
