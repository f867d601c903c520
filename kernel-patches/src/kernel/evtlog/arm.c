// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arming: what a start needs beforehand, so that it is one store.  Buffers on every CPU,
 * counters noted, hooks on.
 *
 * publish.c starts what is armed here.
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
 * evtlog_arm_cpu() - buffers for a CPU that is about to come up, if the others have some
 * @cpu:	possible, not online yet
 *
 * Without memory it comes up all the same, and is missing in logs: no log is worth a CPU.
 *
 * Context: task context; the run's lock is held.
 */
void evtlog_arm_cpu(unsigned int cpu)
{
	lockdep_assert_held(&evtlog_run_lock);
	if (buffers_in_use && evtlog_buffers_alloc(cpu))
		pr_warn("evtlog: no memory for the buffers of CPU %u: it is missing in logs\n",
			cpu);
}

/**
 * evtlog_run_prepare_reader() - see that a CPU that somebody reads has buffers
 * @cpu:	possible; one that is offline gets none
 *
 * A run that has begun goes on without this CPU, which it marks as missing.
 *
 * Context: task context; the CPU's file is open.
 * Return: 0 or -ENOMEM.
 */
int evtlog_run_prepare_reader(unsigned int cpu)
{
	int error = 0;

	rt_mutex_lock(&evtlog_run_lock);
	if (cpu_online(cpu) && !evtlog_publish_is_under_way())
		error = evtlog_buffers_alloc(cpu);
	rt_mutex_unlock(&evtlog_run_lock);
	return error;
}

/**
 * evtlog_arm_cpuslocked() - buffers, counters, hooks
 *
 * Context: task context; the CPU hotplug lock and the run's lock are held, starts are held.
 * Return: 0, also if it is armed already; -ENOMEM.
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
 * evtlog_arm_free_unused() - give the buffers back if nobody needs them
 *
 * Not armed, all that was recorded is read, and nobody who may read it has a CPU's file open.
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
 * evtlog_run_free_unused() - as evtlog_arm_free_unused(), for a file that was closed
 *
 * Context: task context.
 */
void evtlog_run_free_unused(void)
{
	rt_mutex_lock(&evtlog_run_lock);
	evtlog_arm_free_unused();
	rt_mutex_unlock(&evtlog_run_lock);
}

/**
 * evtlog_run_arm() - get ready for a start: buffers there, hooks on
 *
 * Then a start is one store, from any context: evtlog_run_publish_start().
 *
 * Context: task context.
 * Return: 0, also if it is armed or recording already; -ENOMEM.
 */
int evtlog_run_arm(void)
{
	int error = 0;

	cpus_read_lock();
	rt_mutex_lock(&evtlog_run_lock);
	if (evtlog_publish_hold()) {
		error = evtlog_arm_cpuslocked();
		evtlog_publish_allow();
	}
	if (!error)
		evtlog_run.armed_for_run = false;
	else
		evtlog_arm_free_unused();
	rt_mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
	return error;
}

/**
 * evtlog_disarm_cpuslocked() - hooks off, counters forgotten
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
 * evtlog_run_disarm() - hooks off again
 *
 * Context: task context.
 * Return: 0, also if it is not armed; -EBUSY recording.
 */
int evtlog_run_disarm(void)
{
	int error = 0;

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
	return error;
}

/**
 * evtlog_run_is_armed() - are hooks on and buffers there?
 *
 * Context: any; may change at once unless the run's lock is held.
 */
bool evtlog_run_is_armed(void)
{
	return READ_ONCE(evtlog_run.armed);
}

/**
 * evtlog_geometry_is_valid() - may buffers be so many, and so large?
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
 * @buffers:	per CPU
 * @buffer_kb:	KiB each
 *
 * Frees what there is, unread data included.
 *
 * Context: task context; the CPU hotplug lock and the run's lock are held.
 * Return: 0; -EINVAL out of range; -EBUSY recording; -ENOMEM armed, and there is not so much.
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
	/* The files that tell them are read without the lock. */
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
 * evtlog_run_set_events() - choose what runs record
 * @types:	a bit for each record type
 *
 * Half a run of a type could not be told from a loss.
 *
 * Context: task context; the CPU hotplug lock and the run's lock are held.
 * Return: 0; -EBUSY recording.
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
 * evtlog_run_change_begin() - keep runs out while something is changed that takes long
 *
 * Neither lock is held afterwards, so that code can be patched.
 *
 * Context: task context; until evtlog_run_change_end().
 * Return: 0; -EBUSY there is a run, or something else is being changed.
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
 * evtlog_run_change_end() - let runs in again
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
