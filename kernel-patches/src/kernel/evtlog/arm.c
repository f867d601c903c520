// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arming: prepares what a start needs, so that the start itself is one store.  Allocates buffers on
 * every CPU, notes the counters, turns hooks on.
 *
 * publish.c starts runs of a kernel that is armed here.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/evtlog.h>
#include <linux/printk.h>

#include "buffers.h"
#include "counters.h"
#include "events.h"
#include "proc.h"
#include "publish.h"
#include "ring.h"
#include "run.h"

/* Guarded by evtlog_run_lock. */
static bool buffers_in_use;

static int prepare_buffers_cpuslocked(void)
{
	unsigned int cpu;
	int error;

	lockdep_assert_held(&evtlog_run_lock);
	for_each_online_cpu(cpu) {
		error = evtlog_buffers_alloc(cpu);
		if (error)
			return error;
	}
	buffers_in_use = true;
	return 0;
}

/**
 * evtlog_arm_cpu() - allocate buffers for a CPU that is about to come up, if the others have some
 * @cpu:	possible, not online yet
 *
 * If there is no memory, the CPU comes up all the same and is missing in logs.
 *
 * Context: task context; the run's lock is held.
 */
void evtlog_arm_cpu(unsigned int cpu)
{
	lockdep_assert_held(&evtlog_run_lock);
	if (buffers_in_use && evtlog_buffers_alloc(cpu))
		pr_warn("evtlog: not enough memory for the buffers of CPU %u; logs lack this CPU\n",
			cpu);
}

/**
 * evtlog_run_prepare_reader() - allocate the buffers of a CPU that a process reads
 * @cpu:	possible; an offline CPU gets no buffers
 *
 * During a run none is allocated: the run goes on without this CPU, and marks it as missing.
 *
 * Context: task context; the CPU's file is open.
 * Return: 0 or -ENOMEM.
 */
int evtlog_run_prepare_reader(unsigned int cpu)
{
	int error = 0;

	rt_mutex_lock(&evtlog_run_lock);
	if (cpu_online(cpu) && evtlog_publish_hold()) {
		error = evtlog_buffers_alloc(cpu);
		evtlog_publish_allow();
	}
	rt_mutex_unlock(&evtlog_run_lock);
	return error;
}

/**
 * evtlog_arm_cpuslocked() - allocate buffers, note counters, turn hooks on
 *
 * Context: task context; the CPU hotplug lock and the run's lock are held, starts are kept out.
 * Return: 0, also if armed already; -ENOMEM.
 */
int evtlog_arm_cpuslocked(void)
{
	int error = prepare_buffers_cpuslocked();

	if (!error)
		error = evtlog_counters_prepare();
	if (error || evtlog_run.armed)
		return error;
	evtlog_events_apply(true);
	WRITE_ONCE(evtlog_run.armed, true);
	return 0;
}

/**
 * evtlog_arm_free_unused() - free the buffers if they are not needed
 *
 * They are needed while armed, while recorded data is unread, and while a process that may take
 * them has a CPU's file open.
 *
 * Context: task context; the run's lock is held.
 */
void evtlog_arm_free_unused(void)
{
	unsigned int cpu;

	lockdep_assert_held(&evtlog_run_lock);
	if (evtlog_run.armed || !evtlog_publish_hold())
		return;
	for_each_possible_cpu(cpu) {
		struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);

		if (r->final_due || evtlog_ring_waiting(r))
			return;
	}
	if (evtlog_proc_cpu_is_kept())
		return;
	evtlog_buffers_free_all();
	buffers_in_use = false;
}

/**
 * evtlog_run_arm() - prepare for a start: buffers allocated, hooks on
 *
 * A start is then one store, in any context: evtlog_run_publish_start().
 *
 * Context: task context.
 * Return: 0, also if armed or recording already; -ENOMEM.
 */
int evtlog_run_arm(void)
{
	int error = evtlog_events_prepare(EVTLOG_EVENTS_WANTED);

	cpus_read_lock();
	rt_mutex_lock(&evtlog_run_lock);
	if (!error && evtlog_publish_hold()) {
		error = evtlog_arm_cpuslocked();
		evtlog_publish_allow();
	}
	if (!error)
		evtlog_run.armed_for_run = false;
	else
		evtlog_arm_free_unused();
	rt_mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
	evtlog_events_settle();
	return error;
}

/**
 * evtlog_disarm_cpuslocked() - turn hooks off, release counters
 *
 * Context: as evtlog_arm_cpuslocked().
 */
void evtlog_disarm_cpuslocked(void)
{
	evtlog_events_apply(false);
	WRITE_ONCE(evtlog_run.armed, false);
	evtlog_run.armed_for_run = false;
	evtlog_counters_release();
}

/**
 * evtlog_run_disarm() - turn hooks off again
 *
 * Context: task context.
 * Return: 0, also if not armed; -EBUSY: a run is recording.
 */
int evtlog_run_disarm(void)
{
	int error = 0;

	evtlog_events_prepare(EVTLOG_EVENTS_NONE);
	cpus_read_lock();
	rt_mutex_lock(&evtlog_run_lock);
	if (!evtlog_publish_hold()) {
		error = -EBUSY;
	} else {
		if (evtlog_run.armed)
			evtlog_disarm_cpuslocked();
		evtlog_arm_free_unused();
	}
	rt_mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
	evtlog_events_settle();
	return error;
}

/**
 * evtlog_run_is_armed() - return true if hooks are on and buffers are allocated
 *
 * Context: any; may change at any time unless the run's lock is held.
 */
bool evtlog_run_is_armed(void)
{
	return READ_ONCE(evtlog_run.armed);
}

/**
 * evtlog_geometry_is_valid() - return true if number and size of buffers are allowed
 * @geometry:	per CPU
 */
bool evtlog_geometry_is_valid(const struct evtlog_geometry *geometry)
{
	return geometry->buffers >= EVTLOG_BUFFERS_MIN &&
	       geometry->buffers <= EVTLOG_BUFFERS_MAX &&
	       geometry->buffer_kb >= EVTLOG_BUFFER_KB_MIN &&
	       geometry->buffer_kb <= EVTLOG_BUFFER_KB_MAX &&
	       !(geometry->buffer_kb % (PAGE_SIZE / 1024));
}

/**
 * evtlog_run_set_geometry() - set number and size of every CPU's buffers
 * @buffers:	number per CPU
 * @buffer_kb:	size of each, KiB
 *
 * Frees all buffers, including unread data.
 *
 * Context: task context; the CPU hotplug lock and the run's lock are held.
 * Return: 0; -EINVAL: out of range; -EBUSY: a run is recording; -ENOMEM: armed, not enough memory.
 */
int evtlog_run_set_geometry(unsigned int buffers, unsigned int buffer_kb)
{
	struct evtlog_geometry geometry = { .buffers = buffers, .buffer_kb = buffer_kb };
	int error = 0;

	lockdep_assert_held(&evtlog_run_lock);
	if (!evtlog_geometry_is_valid(&geometry))
		return -EINVAL;
	if (!evtlog_publish_hold())
		return -EBUSY;
	evtlog_buffers_free_all();
	buffers_in_use = false;
	/* The files that show these values are read without the lock. */
	WRITE_ONCE(evtlog_geometry.buffers, buffers);
	WRITE_ONCE(evtlog_geometry.buffer_kb, buffer_kb);
	if (evtlog_run.armed) {
		error = prepare_buffers_cpuslocked();
		if (error)
			evtlog_disarm_cpuslocked();
	}
	evtlog_publish_allow();
	return error;
}

/**
 * evtlog_run_set_events() - choose the types that runs record
 * @types:	a bit for each record type
 *
 * Not during a run: a type that is recorded in only a part of a run would look like a loss.
 *
 * Context: task context; the CPU hotplug lock and the run's lock are held.
 * Return: 0; -EBUSY: a run is recording.
 */
int evtlog_run_set_events(u64 types)
{
	if (!evtlog_publish_hold())
		return -EBUSY;
	evtlog_events_set(types);
	if (evtlog_run.armed)
		evtlog_events_apply(true);
	evtlog_publish_allow();
	return 0;
}

/**
 * evtlog_run_change_begin() - keep runs out during a change that takes long
 *
 * Neither lock is held afterwards, so that code can be patched.
 *
 * Context: task context; until evtlog_run_change_end().
 * Return: 0; -EBUSY: a run is recording, or another change is under way.
 */
int evtlog_run_change_begin(void)
{
	int error = -EBUSY;

	rt_mutex_lock(&evtlog_run_lock);
	if (!evtlog_run.is_changing && evtlog_publish_hold()) {
		evtlog_run.is_changing = true;
		evtlog_publish_allow();
		error = 0;
	}
	rt_mutex_unlock(&evtlog_run_lock);
	return error;
}

/**
 * evtlog_run_change_end() - allow runs again
 *
 * Context: task context, after evtlog_run_change_begin() returned 0.
 */
void evtlog_run_change_end(void)
{
	rt_mutex_lock(&evtlog_run_lock);
	evtlog_run.is_changing = false;
	if (evtlog_publish_hold())
		evtlog_publish_allow();
	rt_mutex_unlock(&evtlog_run_lock);
}
