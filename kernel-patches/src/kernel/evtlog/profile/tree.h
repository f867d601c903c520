/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A task's profile: a tree of call paths, and the clock that charges every tick to one of its
 * nodes.
 *
 *	user mode			exclusive: time in user mode
 *	  |-- write			system call
 *	  |     |-- BLOCKED_IO		waits add no frame: they are charged at the switch back
 *	  |     `-- irq 24
 *	  |           `-- softirq 3
 *	  `-- KERNEL			entered by an interrupt or exception
 *	        `-- vector 236
 *
 * Each path is one node, so a node is open at most once at a time.  The nodes from the root to the
 * top are the stack of frames: an entry goes one step down, an exit one step up.  At each boundary,
 * the ticks since the last boundary are charged to the node on top: the counter is added to the
 * node that is left, and subtracted from the node that is entered.  A node's exclusive ticks are
 * therefore correct while it is not on top of a CPU.  By construction, the exclusive ticks of a CPU
 * add up to the elapsed time, and those of a task to its lifetime, waits included.
 *
 * A CPU's own profile adds no cost to a boundary.  Before a node first changes on a CPU, its sums
 * are subtracted from the CPU's; when the task leaves, they are added (slots.h).  The first change
 * takes the slow path, since no @child or @calls has the node.  Nodes that are open when the task
 * comes change at once.  A migration handles these, and the nodes that changed on the old CPU, with
 * the run queue locked.
 *
 * There is one writer at a time: the CPU that runs the task, with interrupts off.  A reader in an
 * interrupt on this CPU, or while the task does not run, finds a consistent profile.  @off becomes
 * 0 before anything else is written, and is set last.  Other CPUs only call
 * evtlog_profile_waking(), which writes only @woken.
 */
#ifndef EVTLOG_PROFILE_TREE_H
#define EVTLOG_PROFILE_TREE_H

#include <linux/evtlog.h>
#include <linux/list.h>
/* Headers that percpu.h may use */
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/stddef.h>

#include "callpath/more.h"
#include "callpath/node.h"
#include "callpath/event.h"
#include "callpath/slots.h"
#include "callpath/value.h"

/* Nodes in the profile itself; more.h has further nodes, which are added when these are in use. */
#define EVTLOG_PROFILE_NODES	22
#define EVTLOG_PROFILE_NODES_MAX	(EVTLOG_PROFILE_NODES + EVTLOG_CALLPATH_MORE_NODES_MAX)
#define EVTLOG_PROFILE_CHANGED	((EVTLOG_PROFILE_NODES_MAX + 63) / 64)
#define EVTLOG_PROFILE_CALLS	32
#define EVTLOG_PROFILE_NO_PARENT	0xffffU
/* For events, and for waits, that find no free node */
#define EVTLOG_PROFILE_REST_NODE	1
#define EVTLOG_PROFILE_WAITING_NODE	2
#define EVTLOG_PROFILE_NO_CPU	0xffffU
/* @cpu of a task that has run: its sums are in those of its CPUs. */
#define EVTLOG_PROFILE_LEFT	0xfffeU
/* Number of a CPU while its clock is stopped; no profile's @cpu has this value. */
#define EVTLOG_PROFILE_NO_CLOCK	0xfffdU

struct evtlog_profile_family;
struct evtlog_profile_process;
struct evtlog_profile_trace;
struct task_struct;

/**
 * struct evtlog_profile - a task's profile; 2 KiB
 * @clock:	what a start of profiles resets, with the nodes; other members may change meanwhile
 * @top:	node that time is charged to, while the task does not run
 * @unmatched:	number of events that ended without having begun here
 * @skipped:	number of open frames without a node; their time is charged to @nodes[1]
 * @capacity:	number of nodes, in use or not
 * @nr_nodes:	number of nodes in use; 0 is the root, 1 and 2 are EVTLOG_PROFILE_REST and
 *		EVTLOG_PROFILE_WAITING
 * @off_event:	how the task left its CPU
 * @cpu:	CPU where the task ran last and has changes; EVTLOG_PROFILE_LEFT: the CPU's sums
 *		include them; EVTLOG_PROFILE_NO_CPU: it has not run yet
 * @born:	in ticks: start of the profile; 0: starts at the task's next switch
 * @off:	in ticks: when the task left its CPU, or when this CPU's clock ended; 0: it runs
 * @woken:	in ticks: when the task was last made runnable
 * @ahead:	ticks by which counters of CPUs that the task left were ahead of those it came to:
 *		its lifetime is the sum of all exclusive ticks less these
 * @more:	further nodes; NULL until there are many paths
 * @epoch:	start of profiles to which the profile belongs
 * @self:	page that the task has mapped, or NULL
 * @family:	family of the task; NULL: none
 * @trace:	last events of the task; NULL: they are not kept
 * @parent:	process that forked the task; 0: before profiles were kept
 * @list:	entry in a CPU's list (list.c)
 * @calls:	the last system calls of the root's task, by the low bits of their numbers
 * @nodes:	the paths
 * @values:	NULL until there is a value; after all members with offsets in linux/evtlog.h
 * @waits:	nodes of the last block and of the last wait for a CPU; or any others
 * @process:	process of several tasks (process.h), linked by @in_process; NULL: none
 * @task:	task of the profile, if it has a @process
 * @changed:	by index: nodes that have changed, or may have, since the task came to @cpu
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

/* The same, for loops that begin at 0; @more is a variable of the loop. */
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
 * @top:	node that time is charged to
 * @current_profile: profile of the running task; never NULL once a hook is on
 * @counts:	True: the clock runs; otherwise all is charged to @spare and discarded
 * @allocates:	True: memory is being allocated: %timer functions are not charged
 * @is_off:	True: the CPU is offline; its clock keeps running
 * @number:	number of the CPU while @counts, else EVTLOG_PROFILE_NO_CLOCK
 * @begin:	in ticks: start of the CPU's sums; 0: not started yet
 * @end:	in ticks: end of the sums, if the clock does not run
 * @spare:	profile of tasks that have none
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

/* Returns true if @cpu of a profile is the number of a CPU. */
static inline bool evtlog_profile_is_cpu(unsigned int cpu)
{
	return cpu < EVTLOG_PROFILE_NO_CLOCK;
}

/* Returns true if the node is a wait, which is no CPU's time. */
static inline bool evtlog_profile_is_wait(const struct evtlog_profile_node *node)
{
	unsigned int event = node->key & 0xffff;

	return event >= EVTLOG_PROFILE_RUNQUEUE && event <= EVTLOG_PROFILE_WAITING;
}

/* Forces a search at the next entry of these system calls: no number matches this node at @i. */
static __always_inline void evtlog_profile_forget_call(struct evtlog_profile *p, unsigned int i)
{
	p->calls[i] = &p->nodes[i == EVTLOG_PROFILE_WAITING % EVTLOG_PROFILE_CALLS ?
				EVTLOG_PROFILE_REST_NODE : EVTLOG_PROFILE_WAITING_NODE];
}

/* For a task that has come to another CPU: its longest event there is counted from here on. */
static __always_inline void evtlog_profile_forget_largest(struct evtlog_profile_node *node)
{
	u64 largest = node->sums.largest;

	if (!largest)
		return;
	if (largest > node->largest_before)
		node->largest_before = largest;
	node->sums.largest = 0;
}

/* Charges all ticks until @now to @top, which is left. */
static __always_inline void evtlog_profile_charge(struct evtlog_profile_node *top, u64 now)
{
	top->sums.exclusive += now;
}

/* Charges the ticks from @now on to @top. */
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

/* Adds an event that ended after @ticks. */
static __always_inline void evtlog_profile_add(struct evtlog_profile_sums *sums, u64 ticks)
{
	sums->count++;
	sums->inclusive += ticks;
	if (unlikely(ticks > sums->largest))
		sums->largest = ticks;
}

/* Leaves the node on top, which was charged: the task is in its parent again. */
static __always_inline struct evtlog_profile_node *
evtlog_profile_leave(struct evtlog_profile_node *node, u64 now)
{
	struct evtlog_profile_node *parent = node->parent;

	this_cpu_write(evtlog_profile_cpu.top, parent);
	evtlog_profile_add(&node->sums, now - node->start);
	return parent;
}

/**
 * evtlog_profile_exit() - the current task's event has ended
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
 * All of its events have ended.
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

/* Number of starts of profiles */
extern u32 evtlog_profile_epoch;

void evtlog_profile_init(struct evtlog_profile *p, unsigned int root);
void evtlog_profile_begin(struct evtlog_profile *p, u64 now);

/* cpu.c */
void evtlog_profile_cpu_begin(struct evtlog_profile_cpu *cpu, struct evtlog_profile *p,
			      unsigned int number, u64 now);
void evtlog_profile_cpu_end(struct evtlog_profile_cpu *cpu, u64 now);
void evtlog_profile_cpu_offline(struct evtlog_profile_cpu *cpu, u64 now);
void evtlog_profile_cpu_online(struct evtlog_profile_cpu *cpu, u64 now);

/* The task is made runnable; its pi_lock is held, or it is the current task. */
static __always_inline void evtlog_profile_waking(struct evtlog_profile *p, u64 now)
{
	WRITE_ONCE(p->woken, now);
}

#endif /* EVTLOG_PROFILE_TREE_H */
