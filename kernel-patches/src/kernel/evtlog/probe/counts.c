// SPDX-License-Identifier: GPL-2.0-only
/*
 * Per-CPU counters of probes, allocated for many probes at once.
 *
 * One allocation per probe took a fifth of the time to insert the probe.  Called by make.c and
 * reap.c with the table's lock held.
 */
#include <linux/slab.h>

#include "probe/probe.h"

#define OF_A_BLOCK	32

/*
 * struct evtlog_probe_block - counters of OF_A_BLOCK probes
 * @counts:	initially zero; each probe's part is used only once
 * @taken:	number of parts that probes have taken, from the first on
 * @freed:	number of these parts that are free again
 */
struct evtlog_probe_block {
	struct evtlog_probe_counts __percpu *counts;
	unsigned int taken;
	unsigned int freed;
};

/* Block with parts that are not taken, or NULL */
static struct evtlog_probe_block *open;

static struct evtlog_probe_block *block_new(void)
{
	struct evtlog_probe_block *block = kzalloc(sizeof(*block), GFP_KERNEL);

	if (!block)
		return NULL;
	block->counts = __alloc_percpu(OF_A_BLOCK * sizeof(*block->counts),
				       __alignof__(*block->counts));
	if (block->counts)
		return block;
	kfree(block);
	return NULL;
}

/**
 * evtlog_probe_counts_take() - give a probe its counters
 * @p:		probe without counters
 *
 * Context: task context, may sleep; the table's lock is held.
 * Return: 0 or -ENOMEM.
 */
int evtlog_probe_counts_take(struct evtlog_probe *p)
{
	if (!open)
		open = block_new();
	if (!open)
		return -ENOMEM;
	p->counts = open->counts + open->taken++;
	p->block = open;
	if (open->taken == OF_A_BLOCK)
		open = NULL;
	return 0;
}

/**
 * evtlog_probe_counts_put() - free the counters of a probe
 * @p:		probe with or without counters
 *
 * Context: task context; the table's lock is held.
 */
void evtlog_probe_counts_put(struct evtlog_probe *p)
{
	struct evtlog_probe_block *block = p->block;

	if (!block || ++block->freed < block->taken)
		return;
	if (open == block)
		open = NULL;
	free_percpu(block->counts);
	kfree(block);
}
