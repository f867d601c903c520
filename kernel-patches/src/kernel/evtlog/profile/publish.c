// SPDX-License-Identifier: GPL-2.0-only
/*
 * Updates the page that a task has mapped, when the task goes to user mode.
 *
 * Only the task itself needs a current page, and it can only read it in user mode: no other
 * boundary has to update it.  Most paths through the kernel are one event with nothing inside: only
 * the sums of this event and of user mode have changed.
 */
#define __evtlog_hook	/* see linux/evtlog.h */

#include <linux/evtlog.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "profile/self.h"
#include "profile/tree.h"

static const u8 groups_of_states[] = {
	[EVTLOG_PROFILE_NONE] = EVTLOG_PROFILE_GROUP_OTHER,
	[EVTLOG_PROFILE_USER] = EVTLOG_PROFILE_GROUP_USER,
	[EVTLOG_PROFILE_KERNEL] = EVTLOG_PROFILE_GROUP_KERNEL,
	[EVTLOG_PROFILE_IDLE] = EVTLOG_PROFILE_GROUP_OTHER,
	[EVTLOG_PROFILE_RUNQUEUE] = EVTLOG_PROFILE_GROUP_RUNQUEUE,
	[EVTLOG_PROFILE_PREEMPTED] = EVTLOG_PROFILE_GROUP_PREEMPTED,
	[EVTLOG_PROFILE_BLOCKED_INTERRUPTIBLE] = EVTLOG_PROFILE_GROUP_INTERRUPTIBLE,
	[EVTLOG_PROFILE_BLOCKED_UNINTERRUPTIBLE] = EVTLOG_PROFILE_GROUP_UNINTERRUPTIBLE,
	[EVTLOG_PROFILE_BLOCKED_IO] = EVTLOG_PROFILE_GROUP_IO,
	[EVTLOG_PROFILE_BLOCKED_OTHER] = EVTLOG_PROFILE_GROUP_STOPPED,
	[EVTLOG_PROFILE_WAITING] = EVTLOG_PROFILE_GROUP_WAITING,
	[EVTLOG_PROFILE_REST] = EVTLOG_PROFILE_GROUP_OTHER,
};

static const u8 groups_of_classes[] = {
	[EVTLOG_PROFILE_SYSCALL] = EVTLOG_PROFILE_GROUP_SYSCALL,
	[EVTLOG_PROFILE_COMPAT] = EVTLOG_PROFILE_GROUP_SYSCALL,
	[EVTLOG_PROFILE_EXCEPTION] = EVTLOG_PROFILE_GROUP_EXCEPTION,
	[EVTLOG_PROFILE_IRQ] = EVTLOG_PROFILE_GROUP_IRQ,
	[EVTLOG_PROFILE_VECTOR] = EVTLOG_PROFILE_GROUP_VECTOR,
	[EVTLOG_PROFILE_SOFTIRQ] = EVTLOG_PROFILE_GROUP_SOFTIRQ,
	[EVTLOG_PROFILE_SIGNAL] = EVTLOG_PROFILE_GROUP_SIGNAL,
	[EVTLOG_PROFILE_FUNCTION] = EVTLOG_PROFILE_GROUP_FUNCTION,
	[EVTLOG_PROFILE_NET] = EVTLOG_PROFILE_GROUP_NET,
	[EVTLOG_PROFILE_BLOCK] = EVTLOG_PROFILE_GROUP_BLOCK,
};

/* Events without a group of their own are OTHER. */
static unsigned int group_of(unsigned int event)
{
	unsigned int class = event >> EVTLOG_PROFILE_NUMBER_BITS;
	unsigned int number = event & EVTLOG_PROFILE_NUMBER_MAX;

	if (class == EVTLOG_PROFILE_STATE && number < ARRAY_SIZE(groups_of_states))
		return groups_of_states[number];
	if (class != EVTLOG_PROFILE_STATE && class < ARRAY_SIZE(groups_of_classes))
		return groups_of_classes[class];
	return EVTLOG_PROFILE_GROUP_OTHER;
}

/* The root has time since @now: it is charged when it is left. */
static void add_up_all(struct evtlog_profile_self *self, struct evtlog_profile *p, u64 now)
{
	struct evtlog_profile_page *page = self->page;
	unsigned int i;

	memset(page->ticks, 0, sizeof(page->ticks));
	memset(page->counts, 0, sizeof(page->counts));
	for (i = 0; i < p->nr_nodes; i++) {
		const struct evtlog_profile_node *node = evtlog_profile_node(p, i);
		unsigned int group = group_of(node->key & 0xffff);

		page->ticks[group] += node->sums.exclusive;
		page->counts[group] += node->sums.count;
		self->told[i] = node->sums.exclusive;
	}
	page->ticks[EVTLOG_PROFILE_GROUP_USER] += now;
	page->born = p->born;
	page->ahead = p->ahead;
}

/* Returns true if nothing was inside @node: all of its time is its own. */
static bool is_alone(const struct evtlog_profile_self *self,
		     const struct evtlog_profile_node *node, u64 now)
{
	return node->sums.exclusive == self->told[node->index] + now - node->start;
}

static void add_one(struct evtlog_profile_self *self, const struct evtlog_profile *p,
		    const struct evtlog_profile_node *node, u64 now)
{
	struct evtlog_profile_page *page = self->page;
	unsigned int group = group_of(node->key & 0xffff);

	self->told[node->index] = node->sums.exclusive;
	page->ticks[EVTLOG_PROFILE_GROUP_USER] = p->nodes[0].sums.exclusive + now;
	page->ticks[group] += now - node->start;
	page->counts[group]++;
}

/**
 * evtlog_profile_publish() - the current task goes to user mode, and has mapped its page
 * @p:		its profile
 * @left:	the event that the task was in, if its parent is the root; otherwise NULL
 * @now:	in ticks; all time until then is charged
 *
 * Context: interrupts off, not an NMI.
 */
noinline void evtlog_profile_publish(struct evtlog_profile *p,
				     const struct evtlog_profile_node *left, u64 now)
{
	struct evtlog_profile_self *self = READ_ONCE(p->self);
	struct evtlog_profile_page *page;
	u32 sequence;

	if (!self)
		return;
	page = self->page;
	/* Pages are off, or the task made an exec, and other tasks still have its old memory. */
	if (!READ_ONCE(evtlog_profile_self_on) || current->mm != self->mm) {
		if (page->sequence)
			evtlog_profile_self_clear(self);
		return;
	}
	sequence = page->sequence;
	/* Odd while other fields are written, then even: pairs with readers in other threads. */
	WRITE_ONCE(page->sequence, self->sequence + 1);
	smp_wmb();
	if (left && sequence && is_alone(self, left, now))
		add_one(self, p, left, now);
	else
		add_up_all(self, p, now);
	page->stamp = now;
	page->user = page->ticks[EVTLOG_PROFILE_GROUP_USER] - now;
	smp_wmb();
	self->sequence += 2;
	if (!self->sequence)
		self->sequence = 2;
	WRITE_ONCE(page->sequence, self->sequence);
}
