// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that go offline and come back.
 *
 * A CPU calls no probe of a tracepoint while it is not in the kernel's mask of online CPUs.  When it
 * goes down, it leaves the mask first; after that it still switches to its idle task, and may get
 * interrupts, which the kernel counts.  These events cannot be recorded.  So the CPU's part of a run
 * pauses at the instant when the CPU leaves the mask, and the kernel's counts from there until the
 * CPU is in the mask again are not part of the counters that a run records.
 *
 * The patched kernel records such events, and needs nothing of this.
 */
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "counters.h"
#include "feature.h"
#include "module/module.h"
#include "ring.h"

/*
 * The kernel allocates states only for callbacks in threads.  This one has its callbacks on the CPU
 * itself, interrupts off, out of the mask: after it went, before it came.  No x86 kernel uses it.
 */
#define STATE	CPUHP_AP_ARM_CORESIGHT_STARTING

/*
 * struct unseen - a CPU's counters around the times when it was out of the mask
 * @at_departure: the counters when the CPU left the mask
 * @sums:	counts while it was not in the mask, since the module was loaded
 * @is_away:	it left the mask, and is not back
 *
 * Written by the CPU itself while it is out of the mask.  Others read @sums when it is dead or back.
 */
struct unseen {
	u64 at_departure[EVTLOG_COUNTERS_MAX];
	u64 sums[EVTLOG_COUNTERS_MAX];
	bool is_away;
};

static DEFINE_PER_CPU(struct unseen, unseen);

/**
 * evtlog_unseen_take_off() - subtract what the kernel counted while a CPU's tracepoints were off
 * @cpu:	its number
 * @values:	the kernel's counters of the CPU
 * @count:	their number
 *
 * Context: any.
 */
void evtlog_unseen_take_off(unsigned int cpu, u64 *values, unsigned int count)
{
	const u64 *sums = per_cpu_ptr(&unseen, cpu)->sums;
	unsigned int i;

	for (i = 0; i < count; i++)
		values[i] -= sums[i];
}

/* Ends the CPU's part of the run as far as it is known now: cpu_is_dead() finds it ended. */
static void pause_part(struct evtlog_ring *r)
{
	evtlog_ring_look(r);
	if (!READ_ONCE(r->recording))
		return;
	r->busy++;
	barrier();
	evtlog_ring_apply_epoch(r, 0);
	evtlog_counters_write(r, true, EVTLOG_COUNTERS_ALL, 0);
	evtlog_ring_flush(r);
	barrier();
	r->busy--;
}

static int cpu_leaves(unsigned int cpu)
{
	struct unseen *u = this_cpu_ptr(&unseen);
	const u64 *values;
	unsigned int count;

	pause_part(this_cpu_ptr(&evtlog_ring));
	values = evtlog_counters_here(&count);
	memcpy(u->at_departure, values, count * sizeof(*values));
	u->is_away = true;
	return 0;
}

static int cpu_enters(unsigned int cpu)
{
	struct unseen *u = this_cpu_ptr(&unseen);
	unsigned int count, i;
	const u64 *values;

	/* It was offline when the module was loaded. */
	if (!u->is_away)
		return 0;
	values = evtlog_counters_here(&count);
	for (i = 0; i < count; i++)
		WRITE_ONCE(u->sums[i], u->sums[i] + values[i] - u->at_departure[i]);
	u->is_away = false;
	return 0;
}

/* How many events no run could record.  A CPU that is offline counts when it is back. */
static void show_status(struct seq_file *m)
{
	unsigned int cpu, i;
	u64 events = 0;

	for_each_possible_cpu(cpu) {
		for (i = 0; i < EVTLOG_COUNTERS_MAX; i++)
			events += READ_ONCE(per_cpu_ptr(&unseen, cpu)->sums[i]);
	}
	seq_printf(m, "unseen_offline %llu\n", events);
}

static struct evtlog_feature offline __ro_after_init = {
	.name = "offline",
	.show_status = show_status,
};
evtlog_feature(offline);

/**
 * evtlog_offline_init() - follow CPUs that go offline
 *
 * Context: before the first run.
 * Return: 0; -EBUSY: another module uses the state.
 */
int __init evtlog_offline_init(void)
{
	return cpuhp_setup_state_nocalls(STATE, "evtlog:mask", cpu_enters, cpu_leaves);
}

/* Undoes evtlog_offline_init(); no run records. */
void evtlog_offline_exit(void)
{
	cpuhp_remove_state_nocalls(STATE);
}
