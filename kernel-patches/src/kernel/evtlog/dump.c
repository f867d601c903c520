// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the buffers are, for readers of a dump.
 *
 * When a kernel has died, nobody reads its buffers through /proc.
 * vmcoreinfo, a text in every dump, states the symbols and offsets by which
 * kernel-patches/scripts/recover, crash or a debugger's script finds them.
 */
#include <linux/cpumask.h>
#include <linux/crash_core.h>
#include <linux/evtlog.h>
#include <linux/init.h>

#include "ring.h"

/**
 * evtlog_save_vmcoreinfo() - add the rings to vmcoreinfo
 *
 * Of each ring [tail, head) is full; [head, closed) is closed and not handed over yet; number
 * "closed" is the current buffer, if @current_header is not NULL, and its records end at @pos.
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
