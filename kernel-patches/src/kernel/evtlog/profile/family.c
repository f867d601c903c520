// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog/profile/family: the profile of a command and of all that it forks.
 *
 *	state on|off
 *	task ...			of each that lives, as in profile/all
 *	ended COUNT LIFETIME UNMATCHED AHEAD
 *	  PATH COUNT INCLUSIVE EXCLUSIVE LARGEST
 *	family MEMBERS LISTED WITHOUT
 *
 * Each open file is a family, and keeps profiles on.  The task that writes "join" becomes the
 * first member and gets a new profile.  Tasks that a member forks are members.  A profile is added
 * to @ended when its task is freed.  For some ms before, a member that has ended is neither
 * listed nor in @ended: then MEMBERS is more than LISTED.
 *
 * Families nest: one that a member opens is part of the member's.
 */
#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "clock.h"
#include "proc.h"
#include "profile/family.h"
#include "profile/family_sums.h"
#include "profile/list.h"
#include "profile/process.h"
#include "profile/profile.h"
#include "profile/switch.h"

/*
 * struct evtlog_profile_family - a command and all that it forks
 * @refs:	the file's, each member's, and each inner family's
 * @parent:	the family around it; NULL: none
 * @closed:	the file is closed: no reads, no new members
 * @members:	profiles in it and in inner families
 * @without:	forked tasks without memory for a profile
 * @joined:	it has its first member; guarded by @join_lock
 * @replaced:	the first member's old profile; readers may use it still
 * @lock:	guards all below
 * @ended:	how many members have ended; @lifetime, @unmatched, @ahead: theirs
 * @sums:	their profiles, by call path
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
	u64 ended;
	u64 lifetime;
	u64 unmatched;
	u64 ahead;
	struct evtlog_profile_family_sums *sums;
	struct rcu_head rcu;
};

static struct evtlog_profile_family *get(struct evtlog_profile_family *f)
{
	if (f)
		refcount_inc(&f->refs);
	return f;
}

/* Context: any but NMI.  @sums is gone already: see family_release(). */
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
 * evtlog_profile_family_inherit() - a member's child is a member
 * @child:	its profile, which is not anybody else's to know yet
 * @parent:	the current task's; NULL: it has none
 *
 * Context: task context.
 */
void evtlog_profile_family_inherit(struct evtlog_profile *child,
				   const struct evtlog_profile *parent)
{
	struct evtlog_profile_family *f = parent ? parent->family : NULL;

	/* Those within a family that is closed may be members of what that is within. */
	while (f && READ_ONCE(f->closed))
		f = f->parent;
	if (f)
		become_member(child, f);
}

/**
 * evtlog_profile_family_without() - a child has no profile
 * @parent:	the current task's; NULL: it has none
 */
void evtlog_profile_family_without(const struct evtlog_profile *parent)
{
	struct evtlog_profile_family *f = parent ? parent->family : NULL;

	for (; f; f = f->parent)
		atomic_inc(&f->without);
}

static void add(struct evtlog_profile_family *f, struct evtlog_profile *p)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&f->lock, flags);
	/* A fork that failed at last has not been. */
	if (f->sums && p->born && READ_ONCE(p->cpu) != EVTLOG_PROFILE_NO_CPU) {
		f->ended++;
		f->lifetime += p->off - p->born;
		f->unmatched += p->unmatched;
		f->ahead += p->ahead;
		evtlog_profile_family_sums_add(f->sums, p);
	}
	atomic_dec(&f->members);
	raw_spin_unlock_irqrestore(&f->lock, flags);
}

/**
 * evtlog_profile_family_leave() - a profile is complete
 * @p:		of a task that is no more, or that has another now
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

/**
 * evtlog_profile_family_has() - is a task a member?
 * @f:		of this family
 * @p:		its profile
 */
bool evtlog_profile_family_has(const struct evtlog_profile_family *f,
			       const struct evtlog_profile *p)
{
	const struct evtlog_profile_family *own = READ_ONCE(p->family);

	while (own && own != f)
		own = own->parent;
	return own;
}

/* The current task's profile begins anew, and its time until now is that of the last one. */
static struct evtlog_profile *replace_profile(struct evtlog_profile *p)
{
	struct evtlog_profile *last = current->evtlog_profile;

	local_irq_disable();
	if (last)
		p->trace = xchg(&last->trace, NULL);
	evtlog_profile_adopt(p, smp_processor_id(), evtlog_ticks64());
	WRITE_ONCE(current->evtlog_profile, p);
	local_irq_enable();
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
	struct evtlog_profile_family *f = ((struct seq_file *)file->private_data)->private;
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

/* Copies the sums to @sums and shows them.  Returns how many members are not in them. */
static int show_ended(struct seq_file *m, struct evtlog_profile_family *f,
		      struct evtlog_profile_family_sums *sums)
{
	u64 ended, lifetime, unmatched, ahead;
	unsigned long flags;
	int members;

	raw_spin_lock_irqsave(&f->lock, flags);
	ended = f->ended;
	lifetime = f->lifetime;
	unmatched = f->unmatched;
	ahead = f->ahead;
	evtlog_profile_family_sums_copy(sums, f->sums);
	members = atomic_read(&f->members);
	raw_spin_unlock_irqrestore(&f->lock, flags);
	seq_printf(m, "ended %llu %llu %llu %llu\n", ended, lifetime, unmatched, ahead);
	evtlog_profile_family_sums_show(m, sums);
	return members;
}

static int family_show(struct seq_file *m, void *unused)
{
	struct evtlog_profile_family_sums *sums = evtlog_profile_family_sums_alloc();
	struct evtlog_profile_family *f = m->private;
	int members, listed;

	if (!sums)
		return -ENOMEM;
	seq_printf(m, "state %s\n", evtlog_profile_is_on() ? "on" : "off");
	evtlog_profile_cost_show(m);
	/* What is listed is not freed, and so not added, within the same critical section. */
	cpus_read_lock();
	rcu_read_lock();
	listed = evtlog_profile_show_tasks(m, f);
	if (listed >= 0) {
		members = show_ended(m, f, sums);
		seq_printf(m, "family %d %d %d\n", members, listed, atomic_read(&f->without));
	}
	rcu_read_unlock();
	cpus_read_unlock();
	kvfree(sums);
	return min(listed, 0);
}

static int family_open(struct inode *inode, struct file *file)
{
	struct evtlog_profile_family *f;
	int error = evtlog_may_open(file);

	if (error)
		return error;
	f = kzalloc(sizeof(*f), GFP_KERNEL_ACCOUNT);
	if (!f)
		return -ENOMEM;
	refcount_set(&f->refs, 1);
	mutex_init(&f->join_lock);
	raw_spin_lock_init(&f->lock);
	f->sums = evtlog_profile_family_sums_alloc();
	error = f->sums ? evtlog_profile_hold() : -ENOMEM;
	if (error)
		goto free;
	if (current->evtlog_profile)
		f->parent = get(current->evtlog_profile->family);
	error = single_open(file, family_show, f);
	if (!error)
		return 0;
	put(f->parent);
	evtlog_profile_release();
free:
	kvfree(f->sums);
	kfree(f);
	return error;
}

static int family_release(struct inode *inode, struct file *file)
{
	struct evtlog_profile_family *f = ((struct seq_file *)file->private_data)->private;
	struct evtlog_profile_family_sums *sums = f->sums;

	WRITE_ONCE(f->closed, true);
	raw_spin_lock_irq(&f->lock);
	f->sums = NULL;
	raw_spin_unlock_irq(&f->lock);
	kvfree(sums);
	evtlog_profile_release();
	if (f->replaced) {
		synchronize_rcu();
		evtlog_profile_free(f->replaced);
	}
	put(f);
	return single_release(inode, file);
}

static const struct proc_ops family_ops = {
	.proc_open = family_open,
	.proc_read = seq_read,
	.proc_write = family_write,
	.proc_lseek = seq_lseek,
	.proc_release = family_release,
};

/**
 * evtlog_profile_family_make_file() - make the file
 * @dir:	/proc/evtlog/profile
 *
 * Return: 0 or -ENOMEM.
 */
int evtlog_profile_family_make_file(struct proc_dir_entry *dir)
{
	return proc_create("family", 0600, dir, &family_ops) ? 0 : -ENOMEM;
}
