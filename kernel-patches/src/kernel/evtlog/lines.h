/* SPDX-License-Identifier: GPL-2.0-only */
/* Differences between lines of kernels: names that a line has, for those that do not */
#ifndef EVTLOG_LINES_H
#define EVTLOG_LINES_H

#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
static inline void vm_flags_set(struct vm_area_struct *vma, vm_flags_t flags)
{
	vma->vm_flags |= flags;
}

static inline void vm_flags_clear(struct vm_area_struct *vma, vm_flags_t flags)
{
	vma->vm_flags &= ~flags;
}
#endif

/* Since 6.8 it is the largest order, before that the number of orders. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
#define MAX_PAGE_ORDER	(MAX_ORDER - 1)
#endif

/* Since 6.12 a file without this function cannot be sought. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#define no_llseek	NULL
#endif

#endif /* EVTLOG_LINES_H */
