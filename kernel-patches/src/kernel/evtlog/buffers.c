// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of the rings' buffers, and their geometry.
 *
 * Buffers are allocated once, on the CPU's own node.  They are zeroed, so all pages are touched.
 * They are never freed while a run records or while a process that may take them has them open.
 * Each page of a buffer can be mapped to user space by itself.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/refcount.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "buffers.h"
#include "lines.h"
#include "ring.h"

struct evtlog_geometry evtlog_geometry = {
	.buffers = 2,
	.buffer_kb = 1024,
};

/*
 * Allocates a block of the direct map if possible: huge pages cover it, so that writing causes no
 * TLB misses.  Otherwise the buffer is mapped page by page.
 */
static void *buffer_alloc(size_t bytes, int node)
{
	unsigned int order = get_order(bytes);
	struct page *page;

	if (order <= MAX_PAGE_ORDER && bytes == PAGE_SIZE << order) {
		page = alloc_pages_node(node, GFP_KERNEL | __GFP_ZERO |
					__GFP_NOWARN | __GFP_NORETRY, order);
		if (page) {
			/* Each page gets its own reference count, for mapping. */
			split_page(page, order);
			return page_address(page);
		}
	}
	return __vmalloc_node(bytes, PAGE_SIZE, GFP_KERNEL | __GFP_ZERO |
			      __GFP_NOWARN | __GFP_RETRY_MAYFAIL, node,
			      __builtin_return_address(0));
}

static void buffer_free(void *buffer, size_t bytes)
{
	size_t done;

	if (!buffer)
		return;
	if (is_vmalloc_addr(buffer)) {
		vfree(buffer);
		return;
	}
	for (done = 0; done < bytes; done += PAGE_SIZE)
		free_page((unsigned long)buffer + done);
}

/**
 * evtlog_buffers_free_ring() - free a ring's buffers, including unread data
 * @r:		the ring; without writers and readers
 *
 * Context: task context.
 */
void evtlog_buffers_free_ring(struct evtlog_ring *r)
{
	unsigned int i;

	for (i = 0; i < r->nr_buffers; i++) {
		buffer_free(r->buffer[i], r->buffer_bytes);
		r->buffer[i] = NULL;
	}
	r->nr_buffers = 0;
	r->head = 0;
	r->tail = 0;
	r->closed = 0;
	r->in_run = false;
	WRITE_ONCE(r->final_due, false);
}

/**
 * evtlog_buffers_alloc_ring() - allocate a ring's buffers, unless it has them
 * @cpu:	the ring's CPU: a possible CPU, online or about to be
 * @geometry:	valid
 *
 * Context: task context; one caller at a time.
 * Return: 0 or -ENOMEM.
 */
int evtlog_buffers_alloc_ring(struct evtlog_ring *r, unsigned int cpu,
			      const struct evtlog_geometry *geometry)
{
	unsigned int i;

	if (r->nr_buffers)
		return 0;
	/* Better to fail here than to invoke the out-of-memory killer. */
	if ((u64)geometry->buffers * geometry->buffer_kb * 1024 >
	    (u64)si_mem_available() << PAGE_SHIFT)
		return -ENOMEM;
	r->cpu = cpu;
	r->buffer_bytes = geometry->buffer_kb * 1024;
	for (i = 0; i < geometry->buffers; i++) {
		r->buffer[i] = buffer_alloc(r->buffer_bytes, cpu_to_node(cpu));
		if (!r->buffer[i]) {
			while (i--) {
				buffer_free(r->buffer[i], r->buffer_bytes);
				r->buffer[i] = NULL;
			}
			return -ENOMEM;
		}
	}
	/* Pairs with the acquires of the readers: all buffers are allocated. */
	smp_store_release(&r->nr_buffers, i);
	return 0;
}

/**
 * evtlog_buffers_alloc() - allocate a CPU's buffers for runs, unless it has them
 * @cpu:	a possible CPU, online or about to be
 *
 * Context: task context; the run's lock is held.
 * Return: 0 or -ENOMEM.
 */
int evtlog_buffers_alloc(unsigned int cpu)
{
	return evtlog_buffers_alloc_ring(per_cpu_ptr(&evtlog_ring, cpu), cpu, &evtlog_geometry);
}

/**
 * evtlog_buffers_free_all() - free all buffers of runs, including unread data
 *
 * Context: task context; the run's lock is held; no run records, no process reads.
 */
void evtlog_buffers_free_all(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		evtlog_buffers_free_ring(per_cpu_ptr(&evtlog_ring, cpu));
}

/* Returns page @n of all buffers, in the order of a mapping; NULL if @n is after the last page. */
static struct page *page_of(const struct evtlog_ring *r, unsigned long n)
{
	unsigned int nr_buffers = smp_load_acquire(&r->nr_buffers);
	unsigned long per_buffer = r->buffer_bytes >> PAGE_SHIFT;
	void *at;

	if (!nr_buffers || n / per_buffer >= nr_buffers)
		return NULL;
	at = r->buffer[n / per_buffer] + (n % per_buffer << PAGE_SHIFT);
	return is_vmalloc_addr(at) ? vmalloc_to_page(at) : virt_to_page(at);
}

/* As in linux/sched/user.h; a kernel without the member counts the pages of all users together. */
static atomic_long_t *locked_pages(struct user_struct *user)
{
#if defined(CONFIG_NET) || defined(CONFIG_IO_URING)
	return &user->locked_vm;
#else
	static atomic_long_t pages;

	return &pages;
#endif
}

/**
 * evtlog_charge_pages() - count pages as locked memory of the current user
 * @pages:	their number
 *
 * Return: the user, for evtlog_uncharge_pages(); NULL: the user would have more than
 * RLIMIT_MEMLOCK, and current has no CAP_IPC_LOCK.
 */
struct user_struct *evtlog_charge_pages(unsigned long pages)
{
	struct user_struct *user = get_uid(current_user());

	if (atomic_long_add_return(pages, locked_pages(user)) <= rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT ||
	    capable(CAP_IPC_LOCK))
		return user;
	evtlog_uncharge_pages(user, pages);
	return NULL;
}

/* Undoes evtlog_charge_pages().  Context: any but NMI. */
void evtlog_uncharge_pages(struct user_struct *user, unsigned long pages)
{
	atomic_long_sub(pages, locked_pages(user));
	free_uid(user);
}

/*
 * struct charge - pages of a mapping, which count for its user as locked memory
 * @parts:	number of its parts: a mapping can be split, and moved
 */
struct charge {
	refcount_t parts;
	unsigned long pages;
	struct user_struct *user;
};

static void uncharge(struct charge *charge)
{
	evtlog_uncharge_pages(charge->user, charge->pages);
	kfree(charge);
	module_put(THIS_MODULE);
}

static void charged_open(struct vm_area_struct *vma)
{
	refcount_inc(&((struct charge *)vma->vm_private_data)->parts);
}

static void charged_close(struct vm_area_struct *vma)
{
	struct charge *charge = vma->vm_private_data;

	if (refcount_dec_and_test(&charge->parts))
		uncharge(charge);
}

static const struct vm_operations_struct charged_ops = {
	.open = charged_open,
	.close = charged_close,
};

static int charge_pages(struct vm_area_struct *vma)
{
	struct charge *charge = kmalloc(sizeof(*charge), GFP_KERNEL_ACCOUNT);

	if (!charge)
		return -ENOMEM;
	refcount_set(&charge->parts, 1);
	charge->pages = vma_pages(vma);
	charge->user = evtlog_charge_pages(charge->pages);
	if (!charge->user) {
		kfree(charge);
		return -ENOMEM;
	}
	/* The mapping can outlive the file, which holds the module now: its buffer may be deleted. */
	__module_get(THIS_MODULE);
	vma->vm_private_data = charge;
	return 0;
}

/**
 * evtlog_buffers_map() - map a ring's buffers for reading
 * @r:		the ring; its buffers are not freed meanwhile
 * @vma:	the mapping, which starts at page vm_pgoff of the buffers
 * @charges:	the pages count for the user as locked memory
 *
 * Each page has its own reference: a process keeps the pages until it unmaps them, also after the
 * buffers are freed.  So each mapping that does not keep the buffers must be charged.
 *
 * Context: task context; the mmap lock is held.
 * Return: 0; -EPERM: the mapping is not read-only; -ENXIO: it ends after the last page of the
 * buffers; -ENOMEM: also if the user has more than RLIMIT_MEMLOCK, without CAP_IPC_LOCK.
 */
int evtlog_buffers_map(const struct evtlog_ring *r, struct vm_area_struct *vma, bool charges)
{
	unsigned long at, n = vma->vm_pgoff;
	struct page *page;
	int error;

	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	error = charges ? charge_pages(vma) : 0;
	vm_flags_clear(vma, VM_MAYWRITE | VM_MAYEXEC);
	vm_flags_set(vma, VM_DONTEXPAND | VM_DONTDUMP | VM_DONTCOPY);
	for (at = vma->vm_start; at < vma->vm_end && !error; at += PAGE_SIZE) {
		page = page_of(r, n++);
		error = page ? vm_insert_page(vma, at, page) : -ENXIO;
	}
	if (!charges)
		return error;
	if (!error)
		vma->vm_ops = &charged_ops;
	else if (vma->vm_private_data)
		uncharge(vma->vm_private_data);
	return error;
}
