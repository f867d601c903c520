// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of the rings' buffers, and their geometry.
 *
 * Buffers are allocated once, on the CPU's own node.  They are zeroed, so all pages are touched.
 * They are never freed while a run records or while a process that may take them has them open.
 * Each page of a buffer can be mapped to user space by itself.
 */
#include <linux/gfp.h>
#include <linux/mm.h>
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

/**
 * evtlog_buffers_map() - map a ring's buffers for reading
 * @r:		the ring; its buffers are not freed meanwhile
 * @vma:	the mapping, which starts at page vm_pgoff of the buffers
 *
 * Each page has its own reference: a process keeps the pages until it unmaps them.
 *
 * Context: task context; the mmap lock is held.
 * Return: 0; -EPERM: the mapping is not read-only; -ENXIO: it ends after the last page of the
 * buffers; -ENOMEM.
 */
int evtlog_buffers_map(const struct evtlog_ring *r, struct vm_area_struct *vma)
{
	unsigned long at, n = vma->vm_pgoff;
	struct page *page;
	int error = 0;

	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	vm_flags_clear(vma, VM_MAYWRITE | VM_MAYEXEC);
	vm_flags_set(vma, VM_DONTEXPAND | VM_DONTDUMP | VM_DONTCOPY);
	for (at = vma->vm_start; at < vma->vm_end && !error; at += PAGE_SIZE) {
		page = page_of(r, n++);
		error = page ? vm_insert_page(vma, at, page) : -ENXIO;
	}
	return error;
}
