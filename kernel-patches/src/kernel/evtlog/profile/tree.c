// SPDX-License-Identifier: GPL-2.0-only
/*
 * Profiles: the slow path of boundaries.
 */
#include <linux/bug.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "profile/tree.h"

/* Nodes that each profile has, in addition to the root: for events without a node. */
#define REST		EVTLOG_PROFILE_REST_NODE
#define WAITING		EVTLOG_PROFILE_WAITING_NODE
#define FIRST_PATH	3

/* Vector of the exception */
#define PAGE_FAULT	14

u32 evtlog_profile_epoch;

static u16 slot_of(const struct evtlog_profile_node *node)
{
	return evtlog_profile_is_wait(node) ? 0 : evtlog_profile_slot(node->key & 0xffff);
}

/* The key of the root and of these nodes is the key of no path. */
static void name_node(struct evtlog_profile *p, unsigned int index, unsigned int event)
{
	p->nodes[index].key = EVTLOG_PROFILE_NO_PARENT << 16 | event;
	p->nodes[index].index = index;
	p->nodes[index].slot = slot_of(&p->nodes[index]);
	p->nodes[index].child = &p->nodes[WAITING];
}

/* Forces a search for the next event within the root. */
static void forget_places(struct evtlog_profile *p)
{
	unsigned int i;

	p->nodes[0].child = &p->nodes[WAITING];
	for (i = 0; i < EVTLOG_PROFILE_CALLS; i++)
		evtlog_profile_forget_call(p, i);
}

/**
 * evtlog_profile_init() - make a task's profile empty
 * @p:		initialized, except pointers and lists; @more and @values are NULL or its own
 * @root:	state of the task outside of events: EVTLOG_PROFILE_USER, _KERNEL or _IDLE
 *
 * A task of user mode is in the kernel when its profile begins.
 */
void evtlog_profile_init(struct evtlog_profile *p, unsigned int root)
{
	BUILD_BUG_ON(sizeof(*p) > 2048);

	/* Pairs with control.c.  evtlog_profile_list_add() checks it again. */
	p->epoch = smp_load_acquire(&evtlog_profile_epoch);
	memset(&p->clock, 0, sizeof(p->clock));
	memset(p->nodes, 0, sizeof(p->nodes));
	memset(p->changed, 0, sizeof(p->changed));
	evtlog_callpath_more_clear(p->more);
	if (p->values)
		memset(p->values, 0, sizeof(*p->values));
	name_node(p, 0, root);
	name_node(p, REST, EVTLOG_PROFILE_REST);
	name_node(p, WAITING, EVTLOG_PROFILE_WAITING);
	forget_places(p);
	p->waits[0] = p->waits[1] = &p->nodes[WAITING];
	p->nr_nodes = FIRST_PATH;
	p->capacity = EVTLOG_PROFILE_NODES + evtlog_callpath_more_capacity(p->more);
	p->cpu = EVTLOG_PROFILE_NO_CPU;
	p->top = &p->nodes[0];
	if (root == EVTLOG_PROFILE_USER)
		p->top = evtlog_profile_make_node(p, p->top, EVTLOG_PROFILE_KERNEL);
	/* The node exists when the CPU goes offline, where no memory can be allocated. */
	if (root == EVTLOG_PROFILE_IDLE)
		evtlog_profile_make_node(p, p->top, EVTLOG_PROFILE_OFFLINE);
}

/**
 * evtlog_profile_begin() - start a profile
 * @p:		profile of a task that does not run: it waits for a CPU
 * @now:	in ticks
 */
void evtlog_profile_begin(struct evtlog_profile *p, u64 now)
{
	p->top->start = now;
	p->born = now;
	p->off = now;
	p->off_event = EVTLOG_PROFILE_RUNQUEUE;
}

/* More nodes are allocated when fewer are left: they must last until the next chance. */
#define SPARE_NODES	8U

static bool is_short(const struct evtlog_profile *p)
{
	return p->nr_nodes + SPARE_NODES > p->capacity && p->capacity < EVTLOG_PROFILE_NODES_MAX;
}

/*
 * May memory be allocated where @event is entered?  No lock is held at a system call or at a page
 * fault of user mode; at an interrupt, none that allocators or wake-ups take.  A fault in the
 * kernel may be a profiler's within the scheduler.  In a softirq's hook lockdep does not know that
 * interrupts are off.
 */
static bool allows_memory(const struct evtlog_profile *p, const struct evtlog_profile_node *top,
			  unsigned int event)
{
	switch (event >> EVTLOG_PROFILE_NUMBER_BITS) {
	case EVTLOG_PROFILE_SYSCALL:
	case EVTLOG_PROFILE_COMPAT:
	case EVTLOG_PROFILE_IRQ:
	case EVTLOG_PROFILE_VECTOR:
		return true;
	case EVTLOG_PROFILE_EXCEPTION:
		return top == &p->nodes[0] && (u16)top->key == EVTLOG_PROFILE_USER &&
		       event == EVTLOG_PROFILE_EVENT(EVTLOG_PROFILE_EXCEPTION, PAGE_FAULT);
	default:
		return false;
	}
}

/* Searches the nodes in the profile itself, which are few. */
static struct evtlog_profile_node *look_through(struct evtlog_profile *p, u32 key)
{
	unsigned int i;

	for (i = FIRST_PATH; i < p->nr_nodes && i < EVTLOG_PROFILE_NODES; i++) {
		if (p->nodes[i].key == key)
			return &p->nodes[i];
	}
	return NULL;
}

/* Nodes that are reserved for waits of each kind that find no node in the task's path */
#define WAITS_APART	(EVTLOG_PROFILE_BLOCKED_OTHER - EVTLOG_PROFILE_RUNQUEUE + 1)

static bool is_full(const struct evtlog_profile *p, const struct evtlog_profile_node *parent)
{
	unsigned int kept = 0;

	if (p->capacity == EVTLOG_PROFILE_NODES_MAX && parent != &p->nodes[WAITING])
		kept = WAITS_APART;
	return p->nr_nodes + kept >= p->capacity;
}

/**
 * evtlog_profile_make_node() - find or make the node of a path
 * @p:		profile of a task
 * @parent:	parent of the node
 * @event:	EVTLOG_PROFILE_EVENT()
 *
 * Return: the node; NULL: none is left.
 */
struct evtlog_profile_node *evtlog_profile_make_node(struct evtlog_profile *p,
						     struct evtlog_profile_node *parent,
						     unsigned int event)
{
	u32 key = (u32)parent->index << 16 | event;
	struct evtlog_profile_node *node = look_through(p, key);
	u8 index;

	BUILD_BUG_ON(EVTLOG_PROFILE_NODES_MAX > 255);
	BUILD_BUG_ON(EVTLOG_PROFILE_SLOTS > 1 << 16);

	if (node)
		return node;
	node = evtlog_callpath_more_find(p->more, key);
	if (node)
		return node;
	if (is_full(p, parent))
		return NULL;
	index = p->nr_nodes++;
	if (index < EVTLOG_PROFILE_NODES)
		node = &p->nodes[index];
	else
		node = evtlog_callpath_more_make(p->more, index - EVTLOG_PROFILE_NODES, key);
	node->key = key;
	node->index = index;
	node->slot = slot_of(node);
	node->ends_quickly = parent == &p->nodes[0] && !p->self;
	node->parent = parent;
	node->child = &p->nodes[WAITING];
	/* The next events then take the slow path, which can allocate memory. */
	if (is_short(p))
		forget_places(p);
	return node;
}

/**
 * evtlog_profile_wait_apart() - find the node for waits whose path has no node
 * @p:		profile of a task, or a copy
 * @event:	EVTLOG_PROFILE_RUNQUEUE to EVTLOG_PROFILE_BLOCKED_OTHER
 *
 * Return: the node of this kind, within the node of all kinds; without memory, the latter.
 */
struct evtlog_profile_node *evtlog_profile_wait_apart(struct evtlog_profile *p, unsigned int event)
{
	return evtlog_profile_make_node(p, &p->nodes[WAITING], event) ?: &p->nodes[WAITING];
}

static void charge_open_wait(struct evtlog_profile *p, struct evtlog_profile_node *top,
			     unsigned int event, u64 ticks)
{
	struct evtlog_profile_node *node = NULL;

	if (!p->skipped)
		node = evtlog_profile_make_node(p, top, event);
	if (!node)
		node = evtlog_profile_wait_apart(p, event);
	node->sums.inclusive += ticks;
	node->sums.exclusive += ticks;
}

/**
 * evtlog_profile_charge_open() - charge the current wait of a task up to now
 * @p:		copy of its profile; @off becomes @now
 * @now:	in ticks
 *
 * The wait is counted when it ends.  Until then only its time is shown, as for an open system call.
 */
void evtlog_profile_charge_open(struct evtlog_profile *p, u64 now)
{
	struct evtlog_profile_node *top;
	unsigned int event = p->off_event;
	u64 runnable = p->off;

	if (!p->born || !p->off || (s64)(now - p->off) <= 0)
		return;
	/* @top points into the original. */
	top = evtlog_profile_node(p, p->top->index);
	if (event > EVTLOG_PROFILE_PREEMPTED) {
		/* The task sleeps, or was made runnable. */
		runnable = (s64)(p->woken - p->off) < 0 ? now : min(p->woken, now);
		charge_open_wait(p, top, event, runnable - p->off);
		event = EVTLOG_PROFILE_RUNQUEUE;
	}
	if (runnable != now)
		charge_open_wait(p, top, event, now - runnable);
	p->off = now;
}

/**
 * evtlog_profile_changes() - a node is about to change on its task's CPU
 * @p:		its profile
 * @node:	not entered yet, or left
 *
 * Its sums until now are not this CPU's, or are included in the CPU's sums already.
 *
 * Context: interrupts off.
 */
void evtlog_profile_changes(struct evtlog_profile *p, struct evtlog_profile_node *node)
{
	if (evtlog_profile_has_changed(p->changed, node->index) || evtlog_profile_is_wait(node))
		return;
	p->changed[node->index / 64] |= 1ULL << node->index % 64;
	evtlog_profile_forget_largest(node);
	if (evtlog_profile_is_cpu(p->cpu))
		evtlog_profile_slot_move(NULL, evtlog_profile_slots[p->cpu], node->slot, &node->sums);
}

/* Stores the node where the next entry looks first. */
static void give_place(struct evtlog_profile *p, struct evtlog_profile_node *node)
{
	unsigned int event = node->key & 0xffff;

	node->parent->child = node;
	if (node->parent == &p->nodes[0] && event >> EVTLOG_PROFILE_NUMBER_BITS == EVTLOG_PROFILE_SYSCALL)
		p->calls[event % EVTLOG_PROFILE_CALLS] = node;
}

/* No node is left: the event and all within it are charged to EVTLOG_PROFILE_REST. */
static struct evtlog_profile_node *skip(struct evtlog_profile *p, struct evtlog_profile_node *top,
					u64 now)
{
	struct evtlog_profile_node *rest = &p->nodes[REST];

	if (!p->skipped++) {
		rest->parent = top;
		rest->start = now;
	}
	return rest;
}

/**
 * evtlog_profile_enter_slowly() - the current task enters another event than last time
 * @event:	EVTLOG_PROFILE_EVENT()
 * @now:	in ticks; all time until then is charged
 */
noinline void evtlog_profile_enter_slowly(unsigned int event, u64 now)
{
	struct evtlog_profile *p = this_cpu_read(evtlog_profile_cpu.current_profile);
	struct evtlog_profile_node *top = this_cpu_read(evtlog_profile_cpu.top);
	struct evtlog_profile_node *node = NULL;

	if (unlikely(is_short(p)) && allows_memory(p, top, event) &&
	    evtlog_callpath_more_add(&p->more))
		p->capacity = EVTLOG_PROFILE_NODES + evtlog_callpath_more_capacity(p->more);
	if (!p->skipped)
		node = evtlog_profile_make_node(p, top, event);
	if (node) {
		give_place(p, node);
		node->start = now;
	} else {
		node = skip(p, top, now);
	}
	evtlog_profile_changes(p, node);
	evtlog_profile_resume(node, now);
	this_cpu_write(evtlog_profile_cpu.top, node);
}

/**
 * evtlog_profile_exit_slowly() - an event ended that is not on top
 * @event:	the event
 * @now:	in ticks; all time until then is charged
 *
 * Without a node, only @skipped decreases.  Events above @event ended without a hook, such as a
 * system call left through a signal frame: they end now.  An event that is not open began before
 * the profile.
 */
noinline void evtlog_profile_exit_slowly(unsigned int event, u64 now)
{
	struct evtlog_profile *p = this_cpu_read(evtlog_profile_cpu.current_profile);
	struct evtlog_profile_node *top = this_cpu_read(evtlog_profile_cpu.top), *node;

	if (p->skipped) {
		/* An event without a node now had no node at its entry. */
		if (!--p->skipped)
			top = evtlog_profile_leave(top, now);
		goto out;
	}
	for (node = top; node->parent && (u16)node->key != event; node = node->parent)
		;
	if (!node->parent) {
		p->unmatched++;
		goto out;
	}
	while (top != node)
		top = evtlog_profile_leave(top, now);
	top = evtlog_profile_leave(node, now);
out:
	evtlog_profile_resume(top, now);
}

/**
 * evtlog_profile_leave_all() - the current task goes to user mode: all of its events have ended
 * @now:	in ticks; all time until then is charged
 */
noinline void evtlog_profile_leave_all(u64 now)
{
	struct evtlog_profile *p = this_cpu_read(evtlog_profile_cpu.current_profile);
	struct evtlog_profile_node *node = this_cpu_read(evtlog_profile_cpu.top), *left;

	left = node->parent && !node->parent->parent && !p->skipped ? node : NULL;
	p->skipped = 0;
	while (node->parent)
		node = evtlog_profile_leave(node, now);
	evtlog_profile_resume(node, now);
	if (p->self)
		evtlog_profile_publish(p, left, now);
}

/**
 * evtlog_profile_end_slowly() - make evtlog_profile_leave_all() update the task's page
 * @p:		profile of the current task
 *
 * Context: interrupts off.
 */
void evtlog_profile_end_slowly(struct evtlog_profile *p)
{
	unsigned int i;

	for (i = 0; i < p->nr_nodes; i++)
		evtlog_profile_node(p, i)->ends_quickly = false;
}
