// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog/profile/family: the profile of a command and of all that it forks.
 *
 *	state on|off
 *	task ...			for each live task, as in profile/all
 *	ended COUNT LIFETIME UNMATCHED AHEAD
 *	  PATH COUNT INCLUSIVE EXCLUSIVE LARGEST
 *	family MEMBERS LISTED WITHOUT
 *
 * Each open file is a family, and keeps profiles on.  The task that writes "join" becomes the first
 * member and gets a new profile.  Tasks that a member forks are members.  A profile is added to
 * @ended when its task is freed.
 *
 * A read copies @ended at its beginning, and then lists the members of that moment, task by task.
 * It therefore delays nothing, however many members there are.  Tasks that end in between, or that
 * ended a few ms before, are neither listed nor in the copy: MEMBERS is then larger than LISTED.
 *
 * Families nest: a family that a member opens is part of the member's family.
 */
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pid_namespace.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/threads.h>
#include <linux/uaccess.h>

#include "clock.h"
#include "proc.h"
#include "profile/list.h"
#include "profile/process.h"
#include "profile/profile.h"
#include "profile/switch.h"

/*
 * struct evtlog_profile_family - a command and all that it forks
 * @refs:	one each for the file, each member, and each inner family
 * @parent:	the family around it; NULL: none
 * @closed:	True: the file is closed: no reads, no new members
 * @members:	number of profiles in it and in inner families
 * @without:	number of forked tasks without memory for a profile
 * @joined:	True: it has its first member; guarded by @join_lock
 * @replaced:	the first member's old profile, which readers may still use
 * @lock:	guards all members below
 * @ended:	sums of ended members
 */
struct evtlog_profile_family {
	refcount_t refs;
	struct evtlog_profile_family *parent;
	bool closed;
	atomic_t members;
	atomic_t without;
	struct mutex join_lock;
	bool joined;
	struct evtlog_profile *replaced;
	raw_spinlock_t lock;
	struct evtlog_profile_ended ended;
	struct rcu_head rcu;
};

/* Positions in the file: the head, tasks by number, ended tasks, the last line. */
#define FIRST_TASK	((loff_t)1)
#define ENDED		(FIRST_TASK + PID_MAX_LIMIT + 1)
#define LAST_LINE	(ENDED + 1)

/*
 * struct reading - an open file; one reader at a time
 * @of:		its family
 * @moment:	in ticks: when @ended was copied
 * @ended:	copy of the family's @ended
 * @members:	number of members that were not in it
 * @listed:	number of members that were shown
 * @task:	task at the present position, with a reference; NULL: no task is there
 * @copy:	copy of the last profile shown
 */
struct reading {
	struct evtlog_profile_family *of;
	u64 moment;
	struct evtlog_profile_ended ended;
	int members;
	int listed;
	struct task_struct *task;
	struct evtlog_profile_copy copy;
};

static struct evtlog_profile_family *get(struct evtlog_profile_family *f)
{
	if (f)
		refcount_inc(&f->refs);
	return f;
}

/* Context: any but NMI.  @ended has no memory any more, see close_family(). */
static void put(struct evtlog_profile_family *f)
{
	while (f && refcount_dec_and_test(&f->refs)) {
		struct evtlog_profile_family *parent = f->parent;

		kfree_rcu(f, rcu);
		f = parent;
	}
}

static void become_member(struct evtlog_profile *p, struct evtlog_profile_family *f)
{
	p->family = get(f);
	for (; f; f = f->parent)
		atomic_inc(&f->members);
}

/**
 * evtlog_profile_family_inherit() - make a member's child a member
 * @child:	profile of the child; not published yet
 * @parent:	profile of the current task; NULL: it has none
 *
 * Context: task context.
 */
void evtlog_profile_family_inherit(struct evtlog_profile *child,
				   const struct evtlog_profile *parent)
{
	struct evtlog_profile_family *f = parent ? parent->family : NULL;

	/* A closed family may be inside a family that is open. */
	while (f && READ_ONCE(f->closed))
		f = f->parent;
	if (f)
		become_member(child, f);
}

/**
 * evtlog_profile_family_without() - count a child without a profile
 * @parent:	profile of the current task; NULL: it has none
 */
void evtlog_profile_family_without(const struct evtlog_profile *parent)
{
	struct evtlog_profile_family *f = parent ? parent->family : NULL;

	for (; f; f = f->parent)
		atomic_inc(&f->without);
}

static void add(struct evtlog_profile_family *f, struct evtlog_profile *p)
{
	struct evtlog_profile_ended_adding adding = { .nr = 0 };
	bool is_added;
	unsigned long flags;

	raw_spin_lock_irqsave(&f->lock, flags);
	/* A fork that failed at the end does not count. */
	is_added = f->closed || !p->born || READ_ONCE(p->cpu) == EVTLOG_PROFILE_NO_CPU;
	while (!is_added)
		is_added = evtlog_profile_ended_add(&f->ended, p, &adding);
	atomic_dec(&f->members);
	raw_spin_unlock_irqrestore(&f->lock, flags);
}

/**
 * evtlog_profile_family_leave() - add a complete profile to its families
 * @p:		profile of a freed task, or of a task that has another profile now
 *
 * Context: any but NMI.
 */
void evtlog_profile_family_leave(struct evtlog_profile *p)
{
	struct evtlog_profile_family *f;

	for (f = p->family; f; f = f->parent)
		add(f, p);
	put(p->family);
	p->family = NULL;
}

/* Returns true if the task with this profile is a member.  Under RCU. */
static bool has(const struct evtlog_profile_family *f, const struct evtlog_profile *p)
{
	const struct evtlog_profile_family *own = READ_ONCE(p->family);

	while (own && own != f)
		own = own->parent;
	return own;
}

/* Begins a new profile of the current task; the old one contains the time until now. */
static struct evtlog_profile *replace_profile(struct evtlog_profile *p)
{
	struct evtlog_profile *last = current->evtlog_profile;

	/* No trace can be added to @last, where it would stay. */
	mutex_lock(&evtlog_profile_trace_lock);
	local_irq_disable();
	if (last)
		p->trace = xchg(&last->trace, NULL);
	evtlog_profile_adopt(p, smp_processor_id(), evtlog_ticks64());
	WRITE_ONCE(current->evtlog_profile, p);
	local_irq_enable();
	mutex_unlock(&evtlog_profile_trace_lock);
	if (last) {
		evtlog_profile_process_replace(last, p);
		evtlog_profile_tell_exit(current, last);
		evtlog_profile_family_leave(last);
		evtlog_profile_self_end(last);
		evtlog_profile_list_del(last);
	}
	return last;
}

static int join(struct evtlog_profile_family *f)
{
	struct evtlog_profile *p;

	if (f->joined)
		return -EBUSY;
	p = kzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);
	if (!p)
		return -ENOMEM;
	evtlog_profile_init(p, evtlog_profile_root(EVTLOG_PROFILE_USER));
	p->parent = current->tgid;
	become_member(p, f);
	evtlog_profile_list_add(p);
	f->replaced = replace_profile(p);
	f->joined = true;
	return 0;
}

static ssize_t family_write(struct file *file, const char __user *from, size_t count,
			    loff_t *pos)
{
	struct reading *reading = ((struct seq_file *)file->private_data)->private;
	struct evtlog_profile_family *f = reading->of;
	char text[8] = "";
	int error;

	if (count >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, count))
		return -EFAULT;
	if (strcmp(strim(text), "join"))
		return -EINVAL;
	mutex_lock(&f->join_lock);
	error = join(f);
	mutex_unlock(&f->join_lock);
	return error ?: count;
}

static void copy_ended(struct reading *reading)
{
	struct evtlog_profile_family *f = reading->of;

	raw_spin_lock_irq(&f->lock);
	reading->moment = evtlog_ticks64();
	/* Both have the same memory: see make_room(). */
	evtlog_profile_ended_copy(&reading->ended, &f->ended);
	reading->members = atomic_read(&f->members);
	raw_spin_unlock_irq(&f->lock);
	reading->listed = 0;
}

/* A task that was forked later would not be among the members at the moment of the read. */
static bool is_listed(void *of, struct task_struct *task, const struct pid *pid)
{
	const struct evtlog_profile *p = READ_ONCE(task->evtlog_profile);
	const struct reading *reading = of;

	return p && has(reading->of, p) && READ_ONCE(p->born) <= reading->moment;
}

/* Returns the entry at @pos, or the next entry after it. */
static void *find(struct reading *reading, loff_t *pos)
{
	int number = *pos - FIRST_TASK;

	if (*pos && *pos < ENDED) {
		reading->task = evtlog_profile_next_task(&init_pid_ns, &number, is_listed, reading);
		*pos = reading->task ? FIRST_TASK + number : ENDED;
	}
	return *pos <= LAST_LINE ? pos : NULL;
}

static void drop_task(struct reading *reading)
{
	if (reading->task)
		put_task_struct(reading->task);
	reading->task = NULL;
}

static void *family_start(struct seq_file *m, loff_t *pos)
{
	if (!*pos)
		copy_ended(m->private);
	return find(m->private, pos);
}

/* The entry at @pos was shown: an entry that does not fit starts again. */
static void *family_next(struct seq_file *m, void *at, loff_t *pos)
{
	struct reading *reading = m->private;

	reading->listed += !!reading->task;
	drop_task(reading);
	++*pos;
	return find(reading, pos);
}

static void family_stop(struct seq_file *m, void *at)
{
	drop_task(m->private);
}

static void show_ended(struct seq_file *m, const struct reading *reading)
{
	seq_printf(m, "ended %llu %llu %llu %llu\n", reading->ended.threads, reading->ended.lifetime,
		   reading->ended.unmatched, reading->ended.ahead);
	evtlog_profile_ended_show(m, &reading->ended);
	/* A task forked during the read that has not run may be listed, but is no member yet. */
	seq_printf(m, "family %d %d %d\n", max(reading->members, reading->listed), reading->listed,
		   atomic_read(&reading->of->without));
}

static int family_show(struct seq_file *m, void *at)
{
	struct reading *reading = m->private;
	loff_t pos = *(loff_t *)at;

	if (reading->task) {
		evtlog_profile_show_task(m, reading->task, &reading->copy,
					 task_pid_nr(reading->task), task_tgid_nr(reading->task));
	} else if (pos == LAST_LINE) {
		seq_puts(m, EVTLOG_PROFILE_LAST_LINE);
	} else if (pos) {
		show_ended(m, reading);
	} else {
		seq_printf(m, "state %s\n", evtlog_profile_is_on() ? "on" : "off");
		seq_puts(m, EVTLOG_PROFILE_VERSION_LINE);
		evtlog_profile_cost_show(m);
	}
	return 0;
}

static const struct seq_operations family_seq_ops = {
	.start = family_start,
	.next = family_next,
	.stop = family_stop,
	.show = family_show,
};

/* For all paths and values: members end in any context, where no memory can be waited for. */
static int make_room(struct evtlog_profile_ended *ended)
{
	int error = evtlog_profile_ended_grow(ended, sizeof(*ended->values));

	return error ?: evtlog_profile_ended_grow(ended, EVTLOG_PROFILE_ENDED_LARGE);
}

static struct evtlog_profile_family *new_family(void)
{
	struct evtlog_profile_family *f = kzalloc(sizeof(*f), GFP_KERNEL_ACCOUNT);

	if (!f)
		return NULL;
	refcount_set(&f->refs, 1);
	mutex_init(&f->join_lock);
	raw_spin_lock_init(&f->lock);
	if (make_room(&f->ended)) {
		evtlog_profile_ended_free(&f->ended);
		kfree(f);
		return NULL;
	}
	if (current->evtlog_profile)
		f->parent = get(current->evtlog_profile->family);
	return f;
}

static void close_family(struct evtlog_profile_family *f)
{
	raw_spin_lock_irq(&f->lock);
	WRITE_ONCE(f->closed, true);
	raw_spin_unlock_irq(&f->lock);
	evtlog_profile_ended_free(&f->ended);
	if (f->replaced) {
		synchronize_rcu();
		evtlog_profile_free(f->replaced);
	}
	put(f);
}

static void free_reading(struct reading *reading)
{
	if (reading->of)
		close_family(reading->of);
	evtlog_profile_ended_free(&reading->ended);
	kvfree(reading);
}

static struct reading *new_reading(void)
{
	struct reading *reading = kvzalloc(sizeof(*reading), GFP_KERNEL_ACCOUNT);

	if (!reading)
		return NULL;
	reading->of = new_family();
	if (!reading->of || make_room(&reading->ended)) {
		free_reading(reading);
		return NULL;
	}
	return reading;
}

static int family_open(struct inode *inode, struct file *file)
{
	struct reading *reading;
	int error = evtlog_may_open(file);

	if (error)
		return error;
	reading = new_reading();
	if (!reading)
		return -ENOMEM;
	error = evtlog_profile_hold();
	if (error)
		goto free;
	error = seq_open(file, &family_seq_ops);
	if (!error) {
		((struct seq_file *)file->private_data)->private = reading;
		return 0;
	}
	evtlog_profile_release();
free:
	free_reading(reading);
	return error;
}

static int family_release(struct inode *inode, struct file *file)
{
	evtlog_profile_release();
	free_reading(((struct seq_file *)file->private_data)->private);
	return seq_release(inode, file);
}

const struct proc_ops evtlog_profile_family_ops = {
	.proc_open = family_open,
	.proc_read = seq_read,
	.proc_write = family_write,
	.proc_lseek = seq_lseek,
	.proc_release = family_release,
};
