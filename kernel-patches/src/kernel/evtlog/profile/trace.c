// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes, fills and keeps traces: rings of the last events of a task.
 *
 * A task's profile points to its ring.  After the task's end the ring is kept, until there are more
 * such rings than wanted.
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
/* Rings that are handled under the lock at a time */
#define SOME		64

DEFINE_STATIC_KEY_FALSE(evtlog_profile_trace_key);

/* Guards the key, and the assignment of rings to running tasks. */
DEFINE_MUTEX(evtlog_profile_trace_lock);

/* All rings, by serial; its lock guards what follows, and each ring's @node and @has_ended. */
static DEFINE_XARRAY_FLAGS(rings, XA_FLAGS_LOCK_IRQ);
/* Rings of ended tasks, in the order of their ends */
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
 * evtlog_profile_trace_put() - release a reader's reference
 * @ring:	the ring
 */
void evtlog_profile_trace_put(struct evtlog_profile_trace *ring)
{
	kref_put(&ring->ref, free_ring);
}

/**
 * evtlog_profile_trace_get() - find the first ring with at least a serial
 * @serial:	the serial
 *
 * Return: the ring, until evtlog_profile_trace_put(); NULL: there is none.
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
 * evtlog_profile_trace_comm() - name of a ring's task; for an ended task, at its end
 * @ring:	the ring
 * @comm:	result
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
	/* Another task may have the pid now. */
	if (p && READ_ONCE(p->trace) == ring)
		strscpy_pad(comm, task->comm, TASK_COMM_LEN);
	rcu_read_unlock();
}

/* The lock is held; put_all() follows, without the lock. */
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

/* The lock is held.  Drops the rings of tasks that ended first.  Returns true if more must go. */
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
	/* Limited in total, and not charged to the task's cgroup, which the ring outlives. */
	if (fits)
		ring = kvzalloc(bytes, GFP_KERNEL);
	if (ring) {
		kref_init(&ring->ref);
		/* One reference for the set of all rings, one for the task. */
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
 * @p:		profile of the task
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
	/* Pairs with the reader's smp_load_acquire(): all events that it counts are written. */
	smp_store_release(&ring->written, ring->written + 1);
}

/**
 * evtlog_profile_trace_inherit() - make a trace for a child, if the parent's trace is inherited
 * @child:	does not run yet
 * @p:		its profile
 * @parent:	profile of the current task; NULL: it has none
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
 * evtlog_profile_trace_end() - keep the trace of a task that has ended
 * @p:		its profile, which has no trace afterwards
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

/* Returns 1 if the task has a new trace, 0 if it had a trace, or a negative error. */
static int begin_one(struct task_struct *task, u32 events, bool inherits)
{
	struct evtlog_profile_trace *ring;
	struct evtlog_profile *p;
	int result = -ENODATA;

	ring = make_ring(task, events, inherits);
	if (!ring)
		return -ENOMEM;
	/* The task is not freed meanwhile, and so neither is its profile. */
	rcu_read_lock();
	p = READ_ONCE(task->evtlog_profile);
	if (p)
		result = !cmpxchg(&p->trace, NULL, ring);
	rcu_read_unlock();
	if (result != 1)
		drop(ring);
	return result;
}

/* Returns the next thread of @task's process with a reference, or NULL; releases @task. */
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
 * evtlog_profile_trace_begin() - keep a task's events from now on
 * @pid:	pid of the task
 * @events:	number of events to keep
 * @inherits:	True: also for all threads of its process, and for all that they fork
 *
 * Context: task context, may sleep.
 * Return: 0; -EINVAL: too few or too many events; -ESRCH: no such task; -ENODATA: the task has no
 * profile; -EEXIST: the task has a trace; -ENOMEM.
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

		/* The process may have ended while this function waited for the lock. */
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

/* Takes the ring from a live task.  A task that is being freed may keep it, with a reference. */
static void take_from_task(struct evtlog_profile_trace *ring)
{
	struct task_struct *process, *task;

	if (READ_ONCE(ring->has_ended))
		return;
	rcu_read_lock();
	task = find_task_by_pid_ns(ring->pid, &init_pid_ns);
	/* A thread that executes a program may have taken over the pid of its process. */
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

/* For ended tasks, the key need not be on. */
static bool any_lives(void)
{
	bool lives;

	xa_lock_irq(&rings);
	lives = nr != nr_ended;
	xa_unlock_irq(&rings);
	return lives;
}

/**
 * evtlog_profile_trace_remove() - remove traces
 * @pid:	pid of the task; 0: all
 *
 * Context: task context, may sleep.
 * Return: 0; -ESRCH: the task has no trace.
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
 * evtlog_profile_trace_keep() - set the number of ended tasks whose traces are kept
 * @wanted:	the number; further traces are dropped
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
 * evtlog_profile_trace_show_counts() - print the line "keep RINGS MISSING DROPPED"
 *
 * RINGS traces of ended tasks are kept.  MISSING tasks have no trace for lack of memory.  DROPPED
 * traces of ended tasks made room for later traces.
 */
void evtlog_profile_trace_show_counts(struct seq_file *m)
{
	seq_printf(m, "keep %u %u %llu\n", READ_ONCE(kept), READ_ONCE(missing), READ_ONCE(dropped));
}
