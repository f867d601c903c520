/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A task's profile: a tree of call paths, and the clock that charges every tick to one of
 * its nodes.
 *
 *	user mode			exclusive: time in user mode
 *	  |-- write			system call
 *	  |     |-- BLOCKED_IO		waits add no frame: they are charged at the switch back
 *	  |     `-- irq 24
 *	  |           `-- softirq 3
 *	  `-- KERNEL			entered by an interrupt or exception
 *	        `-- vector 236
 *
 * A path is one node, so that a node is open at most once at a time, and the way to the root
 * is the stack of frames: entering is a step down, leaving a step up.  At each boundary the
 * ticks since the last one are charged to the node on top: the counter is added to what is left,
 * and taken off what is entered, so that a node's exclusive ticks are right while it is not on
 * top of a CPU.  So by construction a CPU's exclusive ticks are the time that went by, and those
 * of a task its lifetime, waits included.
 *
 * A CPU's own profile adds no cost to a boundary.  Before a node first changes on a CPU, its sums
 * are subtracted from the CPU's; when the task leaves, they are added (slots.h).  The first change
 * takes the slow path, since no @child or @calls has the node.  Nodes that are open when the task
 * comes change at once.  A migration handles these, and the nodes that changed on the old CPU,
 * with the run queue locked.
 *
 * One writer at a time: the CPU that runs the task, interrupts off.  A reader in an interrupt on
 * that CPU, or while the task does not run, finds the profile whole.  @off becomes 0 before
 * anything else is written, and is set last.
 * Other CPUs only call evtlog_profile_waking(), which writes only @woken.
 */
#ifndef EVTLOG_PROFILE_TREE_H
#define EVTLOG_PROFILE_TREE_H

#include <linux/evtlog.h>
#include <linux/list.h>
/* Of what percpu.h may be made of */
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/stddef.h>

#include "callpath/more.h"
#include "callpath/node.h"
#include "callpath/event.h"
#include "callpath/slots.h"
#include "callpath/value.h"

/* In the profile itself; more.h has those that are added where these do not suffice. */
#define EVTLOG_PROFILE_NODES	22
#define EVTLOG_PROFILE_NODES_MAX	(EVTLOG_PROFILE_NODES + EVTLOG_CALLPATH_MORE_NODES_MAX)
#define EVTLOG_PROFILE_CHANGED	((EVTLOG_PROFILE_NODES_MAX + 63) / 64)
#define EVTLOG_PROFILE_CALLS	32
#define EVTLOG_PROFILE_NO_PARENT	0xffffU
/* Of what finds no node, and of waits that find none. */
#define EVTLOG_PROFILE_REST_NODE	1
#define EVTLOG_PROFILE_WAITING_NODE	2
#define EVTLOG_PROFILE_NO_CPU	0xffffU
/* It has run: what it has is its CPUs'. */
#define EVTLOG_PROFILE_LEFT	0xfffeU
/* A CPU's number while its clock does not run: no profile's. */
#define EVTLOG_PROFILE_NO_CLOCK	0xfffdU

struct evtlog_profile_family;
struct evtlog_profile_process;
struct evtlog_profile_trace;
struct task_struct;

/**
 * struct evtlog_profile - a task's profile; 2 KiB
 * @clock:	what a start of profiles makes empty, besides the nodes; others change the rest meanwhile
 * @top:	the node that time is charged to, while the task does not run
 * @unmatched:	events that ended and had not begun here
 * @skipped:	how many frames there are without a node; their time is that of @nodes[1]
 * @capacity:	how many nodes there are, in use or not
 * @nr_nodes:	in use; 0 is the root, 1 and 2 are EVTLOG_PROFILE_REST and
 *		EVTLOG_PROFILE_WAITING
 * @off_event:	how the task left its CPU
 * @cpu:	where it ran last, and has changes; or EVTLOG_PROFILE_LEFT: the CPU's sums have
 *		them; or EVTLOG_PROFILE_NO_CPU: it has not run yet
 * @born:	in ticks: since when it counts; 0: from the task's next switch on
 * @off:	in ticks, when it left its CPU, or the clock of that ended; 0: it runs
 * @woken:	when it was last made runnable
 * @ahead:	ticks by which counters of CPUs that it left were ahead of those it came to: its
 *		lifetime is the sum of all exclusive ticks less these
 * @more:	further nodes; NULL until there are many paths
 * @epoch:	which start of profiles it is of
 * @self:	the page that the task has mapped, or NULL
 * @family:	that the task is a member of; NULL: none
 * @trace:	its last events; NULL: they are not kept
 * @parent:	the process that forked it; 0: before profiles were kept
 * @list:	in a CPU's list (list.c)
 * @calls:	system calls that the root's task was in last, by the low bits of their numbers
 * @nodes:	the paths
 * @values:	NULL until it has one; behind all that linux/evtlog.h knows the place of
 * @waits:	nodes of the last block and of the last wait for a CPU; or others
 * @process:	of a task of several: what it is a part of (process.h), by @in_process; NULL: none
 * @task:	whose it is, if it has a @process
 * @changed:	by index, nodes that have changed, or may have, since the task came to @cpu
 * @home:	1 + the CPU whose list it is in; or NOWHERE, MOVES of list.c
 */
struct evtlog_profile {
	struct_group(clock,
		struct evtlog_profile_node *top;
		u32 unmatched;
		u16 skipped;
		u16 capacity;
		u16 nr_nodes;
		u16 off_event;
		u32 cpu;
		u64 born;
		u64 off;
		u64 woken;
		u64 ahead;
	);
	u32 epoch;
	u32 parent;
	struct evtlog_callpath_more *more;
	struct evtlog_profile_self *self;
	struct evtlog_profile_family *family;
	struct evtlog_profile_trace *trace;
	struct list_head list;
	struct evtlog_profile_node *calls[EVTLOG_PROFILE_CALLS];
	struct evtlog_profile_node nodes[EVTLOG_PROFILE_NODES];
	struct evtlog_profile_values *values;
	struct evtlog_profile_node *waits[2];
	struct evtlog_profile_process *process;
	struct task_struct *task;
	struct list_head in_process;
	u64 changed[EVTLOG_PROFILE_CHANGED];
	u32 home;
};

static __always_inline struct evtlog_profile_node *
evtlog_profile_node(struct evtlog_profile *p, unsigned int index)
{
	return likely(index < EVTLOG_PROFILE_NODES) ? &p->nodes[index] :
	       evtlog_callpath_more_node(p->more, index - EVTLOG_PROFILE_NODES);
}

/* The same, for loops from 0 on; @more is the loop's own. */
static __always_inline struct evtlog_profile_node *
evtlog_profile_node_in_turn(struct evtlog_profile *p, unsigned int index,
			    struct evtlog_callpath_more **more)
{
	if (index < EVTLOG_PROFILE_NODES)
		return &p->nodes[index];
	index -= EVTLOG_PROFILE_NODES;
	if (!index)
		*more = p->more;
	else if (index == (*more)->first + (*more)->capacity)
		*more = (*more)->next;
	return &(*more)->nodes[index - (*more)->first];
}

/**
 * struct evtlog_profile_cpu - a CPU's clock
 * @top:	the node that time is charged to
 * @current_profile: of the task that runs; never NULL once a hook is on
 * @counts:	the clock runs; before and after, all is charged to @spare and discarded
 * @allocates:	memory is being allocated: %timer functions are not charged
 * @is_off:	the CPU is offline, the clock runs on
 * @number:	the CPU's while @counts, else EVTLOG_PROFILE_NO_CLOCK
 * @begin:	in ticks: since when the CPU's sums count; 0: not at all yet
 * @end:	until when, if the clock does not run
 * @spare:	of tasks that have no profile
 */
struct evtlog_profile_cpu {
	struct evtlog_profile_node *top;
	struct evtlog_profile *current_profile;
	bool counts;
	bool allocates;
	bool is_off;
	u32 number;
	u64 begin;
	u64 end;
	struct evtlog_profile *spare;
};

DECLARE_PER_CPU(struct evtlog_profile_cpu, evtlog_profile_cpu);

static inline bool evtlog_profile_has_changed(const u64 *changed, unsigned int index)
{
	return changed[index / 64] >> index % 64 & 1;
}

/* What a profile's @cpu says is a CPU's number. */
static inline bool evtlog_profile_is_cpu(unsigned int cpu)
{
	return cpu < EVTLOG_PROFILE_NO_CLOCK;
}

/* No CPU's time. */
static inline bool evtlog_profile_is_wait(const struct evtlog_profile_node *node)
{
	unsigned int event = node->key & 0xffff;

	return event >= EVTLOG_PROFILE_RUNQUEUE && event <= EVTLOG_PROFILE_WAITING;
}

/* A system call of the root is looked for when it is entered next: no number matches this node at @i. */
static __always_inline void evtlog_profile_forget_call(struct evtlog_profile *p, unsigned int i)
{
	p->calls[i] = &p->nodes[i == EVTLOG_PROFILE_WAITING % EVTLOG_PROFILE_CALLS ?
				EVTLOG_PROFILE_REST_NODE : EVTLOG_PROFILE_WAITING_NODE];
}

/* On the CPU that a task has come to its longest counts from here on. */
static __always_inline void evtlog_profile_forget_largest(struct evtlog_profile_node *node)
{
	u64 largest = node->sums.largest;

	if (!largest)
		return;
	if (largest > node->largest_before)
		node->largest_before = largest;
	node->sums.largest = 0;
}

/* All ticks until @now are those of the node on top, @top, which is left. */
static __always_inline void evtlog_profile_charge(struct evtlog_profile_node *top, u64 now)
{
	top->sums.exclusive += now;
}

/* From @now on they are those of @top. */
static __always_inline void evtlog_profile_resume(struct evtlog_profile_node *top, u64 now)
{
	top->sums.exclusive -= now;
}

struct evtlog_profile_node *evtlog_profile_wait_apart(struct evtlog_profile *p, unsigned int event);
void evtlog_profile_charge_open(struct evtlog_profile *p, u64 now);
struct evtlog_profile_node *evtlog_profile_make_node(struct evtlog_profile *p,
						     struct evtlog_profile_node *parent,
						     unsigned int event);
void evtlog_profile_changes(struct evtlog_profile *p, struct evtlog_profile_node *node);
void evtlog_profile_enter_slowly(unsigned int event, u64 now);
void evtlog_profile_exit_slowly(unsigned int event, u64 now);
void evtlog_profile_leave_all(u64 now);
void evtlog_profile_end_slowly(struct evtlog_profile *p);
void evtlog_profile_publish(struct evtlog_profile *p, const struct evtlog_profile_node *left,
			    u64 now);

struct evtlog_profile_self;

/**
 * evtlog_profile_enter() - the current task enters an event
 * @event:	EVTLOG_PROFILE_EVENT()
 * @now:	in ticks
 *
 * Context: interrupts off, not an NMI.
 */
static __always_inline void evtlog_profile_enter(unsigned int event, u64 now)
{
	struct evtlog_profile_node *top = this_cpu_read(evtlog_profile_cpu.top);
	struct evtlog_profile_node *node = top->child;

	evtlog_profile_charge(top, now);
	if (unlikely((u16)node->key != event)) {
		evtlog_profile_enter_slowly(event, now);
		return;
	}
	node->start = now;
	evtlog_profile_resume(node, now);
	this_cpu_write(evtlog_profile_cpu.top, node);
}

/* It ended after @ticks, once more. */
static __always_inline void evtlog_profile_add(struct evtlog_profile_sums *sums, u64 ticks)
{
	sums->count++;
	sums->inclusive += ticks;
	if (unlikely(ticks > sums->largest))
		sums->largest = ticks;
}

/* The node on top is left, and was charged: the task is in its parent again. */
static __always_inline struct evtlog_profile_node *
evtlog_profile_leave(struct evtlog_profile_node *node, u64 now)
{
	struct evtlog_profile_node *parent = node->parent;

	this_cpu_write(evtlog_profile_cpu.top, parent);
	evtlog_profile_add(&node->sums, now - node->start);
	return parent;
}

/**
 * evtlog_profile_exit() - the event that the current task is in has ended
 * @event:	as it was entered
 * @now:	in ticks
 *
 * Context: as for evtlog_profile_enter().
 */
static __always_inline void evtlog_profile_exit(unsigned int event, u64 now)
{
	struct evtlog_profile_node *node = this_cpu_read(evtlog_profile_cpu.top);

	evtlog_profile_charge(node, now);
	if (likely((u16)node->key == event))
		evtlog_profile_resume(evtlog_profile_leave(node, now), now);
	else
		evtlog_profile_exit_slowly(event, now);
}

/**
 * evtlog_profile_to_user() - the current task goes to user mode
 * @now:	in ticks
 *
 * All that it was in has ended.
 *
 * Context: interrupts off, not an NMI.
 */
static __always_inline void evtlog_profile_to_user(u64 now)
{
	struct evtlog_profile_node *node = this_cpu_read(evtlog_profile_cpu.top);

	evtlog_profile_charge(node, now);
	if (likely(node->ends_quickly))
		evtlog_profile_resume(evtlog_profile_leave(node, now), now);
	else
		evtlog_profile_leave_all(now);
}

/* How often profiles were started. */
extern u32 evtlog_profile_epoch;

void evtlog_profile_init(struct evtlog_profile *p, unsigned int root);
void evtlog_profile_begin(struct evtlog_profile *p, u64 now);

/* cpu.c */
void evtlog_profile_cpu_begin(struct evtlog_profile_cpu *cpu, struct evtlog_profile *p,
			      unsigned int number, u64 now);
void evtlog_profile_cpu_end(struct evtlog_profile_cpu *cpu, u64 now);
void evtlog_profile_cpu_offline(struct evtlog_profile_cpu *cpu, u64 now);
void evtlog_profile_cpu_online(struct evtlog_profile_cpu *cpu, u64 now);

/* The task is made runnable; @p's pi_lock is held, or it is the current task's. */
static __always_inline void evtlog_profile_waking(struct evtlog_profile *p, u64 now)
{
	WRITE_ONCE(p->woken, now);
}

#endif /* EVTLOG_PROFILE_TREE_H */
