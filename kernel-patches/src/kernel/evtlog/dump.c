// SPDX-License-Identifier: GPL-2.0-only
/*
 * Publishes the location of the buffers, for readers of a crash dump.
 *
 * After a crash the buffers cannot be read through /proc. vmcoreinfo, a text in every dump,
 * contains the symbols and offsets that kernel-patches/scripts/recover, crash or a debugger's
 * script uses to find them.
 */
#include <linux/cpumask.h>
#include <linux/crash_core.h>
#include <linux/evtlog.h>
#include <linux/init.h>

#include "ring.h"

/**
 * evtlog_save_vmcoreinfo() - add the rings to vmcoreinfo
 *
 * In each ring, buffers [tail, head) are full; [head, closed) are closed, not handed over yet.
 * Number "closed" is the current buffer, if @current_header is not NULL; its records end at @pos.
 *
 * Context: task context, at boot.
 */
void __init evtlog_save_vmcoreinfo(void)
{
#ifdef CONFIG_SMP
	VMCOREINFO_SYMBOL(__per_cpu_offset);
#endif
	VMCOREINFO_NUMBER(nr_cpu_ids);
	VMCOREINFO_SYMBOL(evtlog_ring);
	VMCOREINFO_STRUCT_SIZE(evtlog_ring);
	VMCOREINFO_OFFSET(evtlog_ring, pos);
	VMCOREINFO_OFFSET(evtlog_ring, current_header);
	VMCOREINFO_OFFSET(evtlog_ring, nr_buffers);
	VMCOREINFO_OFFSET(evtlog_ring, buffer_bytes);
	VMCOREINFO_OFFSET(evtlog_ring, buffer);
	VMCOREINFO_OFFSET(evtlog_ring, head);
	VMCOREINFO_OFFSET(evtlog_ring, tail);
	VMCOREINFO_OFFSET(evtlog_ring, closed);
}
