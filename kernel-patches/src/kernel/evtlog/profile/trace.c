// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes, fills and keeps traces: rings of the last events of a task.
 *
 * A task's profile points to its ring.  When the task is no more, the ring is kept, until there
 * are more such than wanted.
 */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/xarray.h>

#include "profile/profile.h"
#include "profile/trace.h"
#include "profile/trace_ring.h"

#define KEPT_AT_BOOT	64
/* The lock is held for so many rings. */
#define SOME		64

DEFINE_STATIC_KEY_FALSE(evtlog_profile_trace_key);

/* Guards the key, and which rings tasks that run have. */
DEFINE_MUTEX(evtlog_profile_trace_lock);

/* All, by their serials; its lock guards all below, and each ring's @node and @has_ended. */
static DEFINE_XARRAY_FLAGS(rings, XA_FLAGS_LOCK_IRQ);
/* Of tasks that are no more, by their ends. */
static LIST_HEAD(ended_rings);
static u64 last_serial, dropped;
static size_t all_bytes;
static u32 kept = KEPT_AT_BOOT, nr, nr_ended, missing;

static size_t ring_bytes(const struct evtlog_profile_trace *ring)
{
	return struct_size(ring, events, (size_t)ring->mask + 1);
}

static void free_ring(struct kref *ref)
{
	struct evtlog_profile_trace *ring = container_of(ref, struct evtlog_profile_trace, ref);

	/* Tasks are freed in any context. */
	kvfree_rcu(ring, rcu);
}

/**
 * evtlog_profile_trace_put() - a reader is done with a ring
 * @ring:	it
 */
void evtlog_profile_trace_put(struct evtlog_profile_trace *ring)
{
	kref_put(&ring->ref, free_ring);
}

/**
 * evtlog_profile_trace_get() - the first ring that was not made before another
 * @serial:	the other's
 *
 * Return: it, until evtlog_profile_trace_put(); NULL: there is none.
 */
struct evtlog_profile_trace *evtlog_profile_trace_get(u64 serial)
{
	struct evtlog_profile_trace *ring;
	unsigned long at = serial, flags;

	xa_lock_irqsave(&rings, flags);
	ring = xa_find(&rings, &at, ULONG_MAX, XA_PRESENT);
	if (ring)
		kref_get(&ring->ref);
	xa_unlock_irqrestore(&rings, flags);
	return ring;
}

/**
 * evtlog_profile_trace_comm() - the name of a ring's task, at its end if it is no more
 * @ring:	the ring
 * @comm:	for it
 *
 * Context: any but NMI.
 */
void evtlog_profile_trace_comm(const struct evtlog_profile_trace *ring, char comm[TASK_COMM_LEN])
{
	const struct evtlog_profile *p;
	struct task_struct *task;

	strscpy_pad(comm, ring->comm, TASK_COMM_LEN);
	rcu_read_lock();
	task = find_task_by_pid_ns(ring->pid, &init_pid_ns);
	p = task ? READ_ONCE(task->evtlog_profile) : NULL;
	/* Another task may have the number. */
	if (p && READ_ONCE(p->trace) == ring)
		strscpy_pad(comm, task->comm, TASK_COMM_LEN);
	rcu_read_unlock();
}

/* Locked; put_all() follows, without the lock. */
static void unlist(struct evtlog_profile_trace *ring, struct list_head *to)
{
	__xa_erase(&rings, ring->serial);
	list_move(&ring->node, to);
	ring->is_listed = false;
	nr--;
	nr_ended -= ring->has_ended;
	all_bytes -= ring_bytes(ring);
}

static void put_all(struct list_head *unlisted)
{
	struct evtlog_profile_trace *ring, *next;

	list_for_each_entry_safe(ring, next, unlisted, node)
		evtlog_profile_trace_put(ring);
}

/* Locked: of tasks that are no more those go that ended first; returns whether more are to go. */
static bool drop_oldest(struct list_head *to)
{
	unsigned int left;

	for (left = SOME; left && nr_ended > kept; left--) {
		unlist(list_first_entry(&ended_rings, struct evtlog_profile_trace, node), to);
		dropped++;
	}
	return nr_ended > kept;
}

static struct evtlog_profile_trace *make_ring(const struct task_struct *task, u32 events,
					      bool inherits)
{
	size_t bytes = roundup_pow_of_two(events + 1) * sizeof(struct evtlog_profile_trace_event) +
		       sizeof(struct evtlog_profile_trace);
	struct evtlog_profile_trace *ring = NULL;
	u64 serial;
	bool fits;

	xa_lock_irq(&rings);
	serial = ++last_serial;
	fits = all_bytes + bytes <= EVTLOG_PROFILE_TRACE_BYTES_MAX;
	all_bytes += fits ? bytes : 0;
	nr += fits;
	xa_unlock_irq(&rings);
	/* Bounded for the machine, and kept when its task's group is no more: not charged to that. */
	if (fits)
		ring = kvzalloc(bytes, GFP_KERNEL);
	if (ring) {
		kref_init(&ring->ref);
		/* That of all rings, and the task's. */
		kref_get(&ring->ref);
		INIT_LIST_HEAD(&ring->node);
		ring->serial = serial;
		ring->is_listed = true;
		ring->pid = task->pid;
		ring->tgid = task->tgid;
		memcpy(ring->comm, task->comm, sizeof(ring->comm));
		ring->wanted = events;
		ring->mask = roundup_pow_of_two(events + 1) - 1;
		ring->inherits = inherits;
		if (!xa_err(xa_store_irq(&rings, serial, ring, GFP_KERNEL)))
			return ring;
		kvfree(ring);
	}
	xa_lock_irq(&rings);
	all_bytes -= fits ? bytes : 0;
	nr -= fits;
	missing++;
	xa_unlock_irq(&rings);
	return NULL;
}

static void drop(struct evtlog_profile_trace *ring)
{
	LIST_HEAD(unlisted);

	xa_lock_irq(&rings);
	unlist(ring, &unlisted);
	xa_unlock_irq(&rings);
	put_all(&unlisted);
	evtlog_profile_trace_put(ring);
}

/**
 * __evtlog_profile_trace() - add an event to a task's ring, if it has one
 * @p:		its profile
 * @kind:	enum evtlog_profile_trace_kind
 * @event:	EVTLOG_PROFILE_EVENT()
 * @now:	in ticks
 *
 * Context: the CPU that runs the task, interrupts off, not an NMI.
 */
noinline void __evtlog_profile_trace(struct evtlog_profile *p,
							unsigned int kind, unsigned int event,
							u64 now)
{
	struct evtlog_profile_trace *ring = READ_ONCE(p->trace);
	struct evtlog_profile_trace_event *at;

	if (!ring)
		return;
	at = &ring->events[ring->written & ring->mask];
	at->ticks = now;
	at->event = event;
	at->kind = kind;
	at->cpu = raw_smp_processor_id();
	/* Pairs with the reader's smp_load_acquire(): what it counts is there. */
	smp_store_release(&ring->written, ring->written + 1);
}

/**
 * evtlog_profile_trace_inherit() - a child has a trace if its parent's says so
 * @child:	does not run yet
 * @p:		its profile
 * @parent:	the current task's; NULL: it has none
 *
 * Context: task context, may sleep.
 */
void evtlog_profile_trace_inherit(struct task_struct *child, struct evtlog_profile *p,
				  const struct evtlog_profile *parent)
{
	const struct evtlog_profile_trace *ring;
	u32 wanted = 0;

	if (!static_key_enabled(&evtlog_profile_trace_key) || !parent)
		return;
	rcu_read_lock();
	ring = READ_ONCE(parent->trace);
	if (ring && ring->inherits)
		wanted = ring->wanted;
	rcu_read_unlock();
	if (wanted)
		p->trace = make_ring(child, wanted, true);
}

/**
 * evtlog_profile_trace_end() - a task is no more, its trace is kept
 * @p:		its profile, which has none any more
 *
 * Context: any but NMI.
 */
void evtlog_profile_trace_end(const struct task_struct *task, struct evtlog_profile *p)
{
	struct evtlog_profile_trace *ring = xchg(&p->trace, NULL);
	LIST_HEAD(unlisted);
	unsigned long flags;

	if (!ring)
		return;
	xa_lock_irqsave(&rings, flags);
	if (ring->is_listed) {
		ring->has_ended = true;
		memcpy(ring->comm, task->comm, sizeof(ring->comm));
		list_add_tail(&ring->node, &ended_rings);
		nr_ended++;
		drop_oldest(&unlisted);
	}
	xa_unlock_irqrestore(&rings, flags);
	put_all(&unlisted);
	evtlog_profile_trace_put(ring);
}

/* 1: it has one now; 0: it had one; or a negative error. */
static int begin_one(struct task_struct *task, u32 events, bool inherits)
{
	struct evtlog_profile_trace *ring;
	struct evtlog_profile *p;
	int result = -ENODATA;

	ring = make_ring(task, events, inherits);
	if (!ring)
		return -ENOMEM;
	/* The profile is not freed within: the task is not. */
	rcu_read_lock();
	p = READ_ONCE(task->evtlog_profile);
	if (p)
		result = !cmpxchg(&p->trace, NULL, ring);
	rcu_read_unlock();
	if (result != 1)
		drop(ring);
	return result;
}

/* The next thread of @task's process, or NULL; holds it, and lets @task go. */
static struct task_struct *next_held(struct task_struct *task)
{
	struct task_struct *next = NULL;

	rcu_read_lock();
	if (pid_alive(task)) {
		next = next_thread(task);
		if (next == task->group_leader)
			next = NULL;
		else
			get_task_struct(next);
	}
	rcu_read_unlock();
	put_task_struct(task);
	return next;
}

/**
 * evtlog_profile_trace_begin() - a task's events are kept from now on
 * @pid:	its number
 * @events:	how many
 * @inherits:	of all threads of its process, and of all that they fork, too
 *
 * Context: task context, may sleep.
 * Return: 0; -EINVAL: too few or too many events; -ESRCH: there is no such task; -ENODATA: it has
 * no profile; -EEXIST: it has a trace; -ENOMEM.
 */
int evtlog_profile_trace_begin(pid_t pid, u32 events, bool inherits)
{
	struct task_struct *task;
	int result, begun = 0;

	if (!events || events > EVTLOG_PROFILE_TRACE_EVENTS_MAX)
		return -EINVAL;
	task = find_get_task_by_vpid(pid);
	if (!task)
		return -ESRCH;
	mutex_lock(&evtlog_profile_trace_lock);
	if (!inherits) {
		begun = begin_one(task, events, false);
		result = begun;
		put_task_struct(task);
	} else {
		struct task_struct *leader = NULL;

		/* The process may have ended while this waited for the lock. */
		rcu_read_lock();
		if (pid_alive(task))
			leader = get_task_struct(task->group_leader);
		rcu_read_unlock();
		put_task_struct(task);
		task = leader;
		for (result = task ? 0 : -ESRCH; task && result >= 0; task = next_held(task)) {
			result = begin_one(task, events, true);
			begun |= result == 1;
		}
		if (task)
			put_task_struct(task);
	}
	if (begun == 1 && !static_key_enabled(&evtlog_profile_trace_key)) {
		static_branch_enable(&evtlog_profile_trace_key);
		evtlog_profile_have_traces(true);
	}
	mutex_unlock(&evtlog_profile_trace_lock);
	if (result < 0)
		return result;
	return begun == 1 ? 0 : -EEXIST;
}

static bool take(const struct task_struct *task, struct evtlog_profile_trace *ring)
{
	struct evtlog_profile *p = READ_ONCE(task->evtlog_profile);

	if (!p || READ_ONCE(p->trace) != ring || cmpxchg(&p->trace, ring, NULL) != ring)
		return false;
	ring->is_taken = true;
	return true;
}

/* No task that lives has it any more; one that is being freed may, and holds it. */
static void take_from_task(struct evtlog_profile_trace *ring)
{
	struct task_struct *process, *task;

	if (READ_ONCE(ring->has_ended))
		return;
	rcu_read_lock();
	task = find_task_by_pid_ns(ring->pid, &init_pid_ns);
	/* A thread that executes a program may have got its process's number. */
	if (!task || !take(task, ring)) {
		for_each_process_thread(process, task)
			take(task, ring);
	}
	rcu_read_unlock();
}

static void unlist_pid(pid_t pid, struct list_head *to)
{
	struct evtlog_profile_trace *ring;
	u64 serial = 1;

	while ((ring = evtlog_profile_trace_get(serial))) {
		serial = ring->serial + 1;
		xa_lock_irq(&rings);
		if (ring->is_listed && (!pid || ring->pid == pid))
			unlist(ring, to);
		xa_unlock_irq(&rings);
		evtlog_profile_trace_put(ring);
		cond_resched();
	}
}

/* Of tasks that are no more the key need not be on. */
static bool any_lives(void)
{
	bool lives;

	xa_lock_irq(&rings);
	lives = nr != nr_ended;
	xa_unlock_irq(&rings);
	return lives;
}

/**
 * evtlog_profile_trace_remove() - forget traces
 * @pid:	of this task; 0: all
 *
 * Context: task context, may sleep.
 * Return: 0; -ESRCH: it has none.
 */
int evtlog_profile_trace_remove(pid_t pid)
{
	struct evtlog_profile_trace *ring, *next;
	LIST_HEAD(unlisted);
	bool found = !pid;

	mutex_lock(&evtlog_profile_trace_lock);
	unlist_pid(pid, &unlisted);
	list_for_each_entry(ring, &unlisted, node) {
		found = true;
		take_from_task(ring);
		cond_resched();
	}
	/* Hooks run with interrupts off. */
	synchronize_rcu();
	list_for_each_entry_safe(ring, next, &unlisted, node) {
		if (ring->is_taken)
			evtlog_profile_trace_put(ring);
		evtlog_profile_trace_put(ring);
	}
	if (!any_lives() && static_key_enabled(&evtlog_profile_trace_key)) {
		evtlog_profile_have_traces(false);
		static_branch_disable(&evtlog_profile_trace_key);
	}
	mutex_unlock(&evtlog_profile_trace_lock);
	return found ? 0 : -ESRCH;
}

/**
 * evtlog_profile_trace_keep() - of how many tasks that are no more traces are kept
 * @wanted:	these; others go
 */
void evtlog_profile_trace_keep(u32 wanted)
{
	bool more = true;

	while (more) {
		LIST_HEAD(unlisted);

		xa_lock_irq(&rings);
		kept = wanted;
		more = drop_oldest(&unlisted);
		xa_unlock_irq(&rings);
		put_all(&unlisted);
		cond_resched();
	}
}

/**
 * evtlog_profile_trace_show_counts() - the line "keep RINGS MISSING DROPPED"
 *
 * RINGS traces of ended tasks are kept.  MISSING tasks have no trace for lack of memory.  DROPPED
 * traces of ended tasks made room for later ones.
 */
void evtlog_profile_trace_show_counts(struct seq_file *m)
{
	seq_printf(m, "keep %u %u %llu\n", READ_ONCE(kept), READ_ONCE(missing), READ_ONCE(dropped));
}
