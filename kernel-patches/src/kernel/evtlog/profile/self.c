// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages with a task's sums per group: mapped by the task itself, read-only.
 *
 * A page belongs to a task and to the address space that it was mapped into.  A child does not
 * inherit it, and the task has none after an exec.  It is empty after the task's end.  publish.c
 * fills it.
 */
#include <linux/evtlog.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "buffers.h"
#include "clock.h"
#include "profile/profile.h"
#include "profile/self.h"

/* The prefix of this file is not used: the parameter is evtlog.profile_self. */
#undef MODULE_PARAM_PREFIX
#define MODULE_PARAM_PREFIX	"evtlog."

/* Pages may be mapped; all CPUs' clocks run.  Both are guarded by profile_lock of control.c. */
static bool are_allowed = true;
static bool are_kept;
module_param_named(profile_self, are_allowed, bool, 0);

/*
 * True if both are true.  Written while hooks run: each return to user mode updates the task's page
 * if this is true, and clears it if not.
 */
bool evtlog_profile_self_on;

/*
 * Guards @maps, @profile and @list of all pages, profiles' @self, the clearing of a page by another
 * task, and which nodes end quickly while a profile is reset.
 */
DEFINE_RAW_SPINLOCK(evtlog_profile_self_lock);
/* Pages of tasks that have not ended; clear_all() still has to clear those in @left. */
static LIST_HEAD(all);
static LIST_HEAD(left);

/* Pages that are cleared with interrupts off */
#define SOME	64

/**
 * evtlog_profile_self_clear() - remove the sums from a page
 *
 * Context: called by its task, interrupts off; or no task publishes it.
 */
notrace void evtlog_profile_self_clear(struct evtlog_profile_self *self)
{
	struct evtlog_profile_page *page = self->page;

	WRITE_ONCE(page->sequence, 0);
	smp_wmb();
	page->stamp = 0;
	page->user = 0;
	page->born = 0;
	page->ahead = 0;
	memset(page->ticks, 0, sizeof(page->ticks));
	memset(page->counts, 0, sizeof(page->counts));
}

static bool clear_some(void)
{
	struct evtlog_profile_self *self;
	unsigned int count = 0;
	unsigned long flags;
	bool more;

	raw_spin_lock_irqsave(&evtlog_profile_self_lock, flags);
	while (count++ < SOME && (more = !list_empty(&left))) {
		self = list_first_entry(&left, struct evtlog_profile_self, list);
		evtlog_profile_self_clear(self);
		list_move(&self->list, &all);
	}
	raw_spin_unlock_irqrestore(&evtlog_profile_self_lock, flags);
	return more;
}

/* No page is filled meanwhile: pages that are mapped from now on have no sums. */
static void clear_all(void)
{
	raw_spin_lock_irq(&evtlog_profile_self_lock);
	list_splice_init(&all, &left);
	raw_spin_unlock_irq(&evtlog_profile_self_lock);
	while (clear_some())
		cond_resched();
}

/*
 * Readers of a page with sums count the time since its @stamp as user mode.  Hooks must therefore
 * be on and clocks run until all pages are cleared.
 */
static void fill(bool on)
{
	if (on == evtlog_profile_self_on)
		return;
	WRITE_ONCE(evtlog_profile_self_on, on);
	if (on)
		return;
	/* Hooks run with interrupts off, some where RCU is not watching. */
	kick_all_cpus_sync();
	clear_all();
}

/**
 * evtlog_profile_self_keep() - the clocks of all CPUs run, or are about to end
 * @on:		True: pages are filled.  False: no page has sums any more
 *
 * Context: task context, may sleep; profiles are neither started nor stopped meanwhile.
 */
void evtlog_profile_self_keep(bool on)
{
	are_kept = on;
	fill(are_allowed && are_kept);
}

/**
 * evtlog_profile_self_switch() - turn pages on or off
 * @on:		True: pages can be mapped, and are filled
 *
 * Context: as for evtlog_profile_self_keep().
 */
void evtlog_profile_self_switch(bool on)
{
	WRITE_ONCE(are_allowed, on);
	fill(are_allowed && are_kept);
}

/**
 * evtlog_profile_self_is_on() - check whether pages can be mapped
 */
bool evtlog_profile_self_is_on(void)
{
	return READ_ONCE(are_allowed);
}

static void free_self(struct rcu_head *rcu)
{
	struct evtlog_profile_self *self = container_of(rcu, struct evtlog_profile_self, rcu);

	evtlog_uncharge_pages(self->user, 1);
	free_page((unsigned long)self->page);
	kfree(self);
}

/* Takes the page from its task.  The lock is held. */
static void take_from_task(struct evtlog_profile_self *self)
{
	if (self->profile)
		WRITE_ONCE(self->profile->self, NULL);
	self->profile = NULL;
	list_del_init(&self->list);
}

/* The lock is held. */
static void free_unmapped(struct evtlog_profile_self *self)
{
	if (self->maps)
		return;
	take_from_task(self);
	call_rcu(&self->rcu, free_self);
}

/**
 * evtlog_profile_self_end() - clear the page of a task that has ended
 * @p:		its profile
 *
 * Context: any but NMI.
 */
void evtlog_profile_self_end(struct evtlog_profile *p)
{
	struct evtlog_profile_self *self;
	unsigned long flags;

	if (!READ_ONCE(p->self))
		return;
	raw_spin_lock_irqsave(&evtlog_profile_self_lock, flags);
	self = p->self;
	if (self) {
		take_from_task(self);
		evtlog_profile_self_clear(self);
	}
	raw_spin_unlock_irqrestore(&evtlog_profile_self_lock, flags);
}

static void self_opened(struct vm_area_struct *vma)
{
	struct evtlog_profile_self *self = vma->vm_private_data;
	unsigned long flags;

	raw_spin_lock_irqsave(&evtlog_profile_self_lock, flags);
	self->maps++;
	raw_spin_unlock_irqrestore(&evtlog_profile_self_lock, flags);
}

static void unmap(struct evtlog_profile_self *self)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&evtlog_profile_self_lock, flags);
	self->maps--;
	free_unmapped(self);
	raw_spin_unlock_irqrestore(&evtlog_profile_self_lock, flags);
}

static void self_closed(struct vm_area_struct *vma)
{
	unmap(vma->vm_private_data);
}

/*
 * Inserts a special PTE: get_user_pages() rejects it, and so does its fast path, which ignores
 * @vm_flags.  The PTE is no reference to the page, which is freed after self_closed(): by then, no
 * PTE and no TLB entry is left.  mmap() inserts no PTE: if it fails late, older 6.1 kernels call
 * close() before they unmap.
 */
static vm_fault_t self_faulted(struct vm_fault *vmf)
{
	const struct evtlog_profile_self *self = vmf->vma->vm_private_data;

	return vmf_insert_pfn(vmf->vma, vmf->vma->vm_start, page_to_pfn(virt_to_page(self->page)));
}

static const struct vm_operations_struct self_ops = {
	.open = self_opened,
	.close = self_closed,
	.fault = self_faulted,
};

static struct evtlog_profile_self *new_self(void)
{
	struct evtlog_profile_self *self = kzalloc(sizeof(*self), GFP_KERNEL_ACCOUNT);

	BUILD_BUG_ON(sizeof(*self->page) > PAGE_SIZE);
	if (!self)
		return NULL;
	self->page = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	self->user = self->page ? evtlog_charge_pages(1) : NULL;
	if (!self->user) {
		free_page((unsigned long)self->page);
		kfree(self);
		return NULL;
	}
	self->mm = current->mm;
	self->page->version = EVTLOG_PROFILE_PAGE_VERSION;
	self->page->groups = EVTLOG_PROFILE_GROUPS;
	self->page->tid = task_pid_vnr(current);
	self->page->ticks_hz = evtlog_ticks_hz();
	return self;
}

/* Returns the current task's page, with one more mapping; @fresh if it has none here. */
static struct evtlog_profile_self *take_self(struct evtlog_profile *p,
					     struct evtlog_profile_self *fresh)
{
	struct evtlog_profile_self *self;
	unsigned long flags;

	raw_spin_lock_irqsave(&evtlog_profile_self_lock, flags);
	self = p->self;
	if (!self || self->mm != current->mm) {
		if (self) {
			/* The page is from before an exec; other tasks have mapped it. */
			take_from_task(self);
			evtlog_profile_self_clear(self);
		}
		self = fresh;
		self->profile = p;
		list_add(&self->list, &all);
		WRITE_ONCE(p->self, self);
		evtlog_profile_end_slowly(p);
	}
	self->maps++;
	raw_spin_unlock_irqrestore(&evtlog_profile_self_lock, flags);
	return self;
}

/**
 * evtlog_profile_self_map() - map the current task's page
 * @vma:	mapping of one page
 *
 * Context: task context; the mmap lock is held.
 * Return: 0; -EPERM if it is not read-only, or pages are turned off; -EINVAL if it is not one page;
 * -ENOMEM, also if the user's locked memory is at its limit.
 */
int evtlog_profile_self_map(struct vm_area_struct *vma)
{
	struct evtlog_profile *p;
	struct evtlog_profile_self *fresh, *self;

	if (!evtlog_profile_self_is_on() || vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	if (vma->vm_pgoff || vma->vm_end - vma->vm_start != PAGE_SIZE)
		return -EINVAL;
	p = evtlog_profile_attach();
	fresh = p ? new_self() : NULL;
	if (!fresh)
		return -ENOMEM;
	self = take_self(p, fresh);
	if (self != fresh)
		free_self(&fresh->rcu);
	vma->vm_flags &= ~(VM_MAYWRITE | VM_MAYEXEC);
	/* Neither inherited nor pinned, even after madvise(). */
	vma->vm_flags |= VM_DONTCOPY | VM_IO | VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP;
	vma->vm_private_data = self;
	vma->vm_ops = &self_ops;
	return 0;
}
