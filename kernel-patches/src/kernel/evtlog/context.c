// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a CPU is doing while a buffer is opened: the task and its context.
 *
 * Stage: called by ring.c for each new buffer, possibly under a run-queue lock.
 */
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <uapi/linux/evtlog.h>

#include "context.h"

/**
 * evtlog_context_fill() - note the running task and interrupt context
 * @h:		header of the buffer just opened
 *
 * In __schedule() the running task is still the previous one, as it must be:
 * the switch's record comes after this.
 *
 * Context: interrupts off, on the buffer's CPU.
 */
void evtlog_context_fill(struct evtlog_buffer_header *h)
{
	h->begin_pid = current->pid;
	memcpy(h->begin_comm, current->comm, sizeof(h->begin_comm));
	h->begin_comm[sizeof(h->begin_comm) - 1] = '\0';
	if (in_serving_softirq())
		h->context |= EVTLOG_CONTEXT_SOFTIRQ;
	if (in_hardirq())
		h->context |= EVTLOG_CONTEXT_HARDIRQ;
}
