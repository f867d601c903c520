// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs from start to stop on all CPUs, and CPUs that come and go meanwhile.
 *
 * Start and stop are one store each (publish.c), which every CPU follows at its next event
 * (join.c): no CPU is interrupted for them.  Arming prepares what this needs, buffers and hooks
 * (arm.c).  Features are called after the store, when no lock is held (feature.h).
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/evtlog.h>
#include <linux/limits.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/suspend.h>

#include "buffers.h"
#include "clock.h"
#include "counters.h"
#include "events.h"
#include "feature.h"
#include "notify.h"
#include "publish.h"
#include "ring.h"
#include "run.h"

DEFINE_RT_MUTEX(evtlog_run_lock);

/* Guarded by evtlog_run_lock. */
static u32 cpus_in_run;

/* Gives the logger a second to fetch the end of the previous run. */
static void wait_for_finals(void)
{
	unsigned long patience = jiffies + HZ;

	while (evtlog_publish_final_is_due() && time_before(jiffies, patience) &&
	       !signal_pending(current)) {
		evtlog_notify();
		schedule_timeout_interruptible(HZ / 50 + 1);
	}
}

/* Returns true if the run has the requested name, or no name is requested. */
static bool is_as_requested(const struct evtlog_run_request *request)
{
	return !request || !request->name || !*request->name ||
	       !strcmp(request->name, evtlog_run_label.name);
}

/**
 * evtlog_run_start() - begin a new run on all CPUs
 * @request:	valid name and time of the request; NULL: a run without a name, now
 *
 * Context: task context.
 * Return: 0; -EALREADY: a run is recording, with @request's name if it has one; -EBUSY: a run of
 * another name is recording; or the end of the last run, with its loss, has not been read and there
 * is no room for another; or the machine is about to sleep; or filters are being changed; -ENOMEM.
 */
int evtlog_run_start(const struct evtlog_run_request *request)
{
	bool was_armed;
	int error;

	wait_for_finals();

	error = evtlog_events_prepare(EVTLOG_EVENTS_WANTED);
	if (error)
		goto settle;
	cpus_read_lock();
	rt_mutex_lock(&evtlog_run_lock);
	if (!evtlog_publish_hold()) {
		error = !READ_ONCE(evtlog_run.recording) || !is_as_requested(request) ?
			-EBUSY : -EALREADY;
		goto unlock;
	}
	if (evtlog_run.asleep_soon || evtlog_run.is_changing) {
		error = -EBUSY;
		goto unlock;
	}
	if (evtlog_publish_final_is_due()) {
		pr_info("evtlog: no run can start, because the end of run %llu was not read: start the logger; or, to discard it, close all cpuN and write to /proc/evtlog/buffers\n",
			READ_ONCE(evtlog_run.run));
		error = -EBUSY;
		goto unlock;
	}
	was_armed = evtlog_run.armed;
	error = evtlog_arm_cpuslocked();
	evtlog_publish_allow();
	if (error) {
		evtlog_arm_free_unused();
		goto unlock;
	}
	evtlog_run.armed_for_run |= !was_armed;
	error = evtlog_run_publish_start(request);
	/* Another start was faster. */
	if (error == -EAGAIN)
		error = is_as_requested(request) ? -EALREADY : -EBUSY;
unlock:
	rt_mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
settle:
	evtlog_events_settle();
	if (!error)
		evtlog_run_complete_start();
	return error;
}

/**
 * evtlog_run_complete_start() - do what remains after a published start
 *
 * Notifies features, which record what a log needs at its start: the names of tasks.  Then signals
 * the logger.
 *
 * Context: task context, may sleep; no lock is held.
 */
void evtlog_run_complete_start(void)
{
	evtlog_features_call(run_started);
	/* The logger opens the run's file while there is still room in the buffers. */
	evtlog_notify();
}

/* Counts the CPUs of the run.  Online CPUs without a ring count: they are missing in the log. */
static u32 count_cpus_in_run(void)
{
	unsigned int cpu;
	u32 count = 0;

	for_each_possible_cpu(cpu) {
		const struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);

		if (r->in_run || (cpu_online(cpu) && !r->nr_buffers))
			count++;
	}
	return count;
}

/**
 * evtlog_run_complete_stop() - hand over every CPU's last buffer after a published stop
 *
 * When this returns, all FINAL buffers can be read, unless all buffers of a CPU are full.  Its
 * FINAL buffer follows as soon as the reader returns a buffer.
 *
 * Context: task context.
 * Return: 0; -EALREADY: there is no stop to complete.
 */
int evtlog_run_complete_stop(void)
{
	unsigned int cpu;
	int error = 0;

	evtlog_events_prepare(EVTLOG_EVENTS_NONE);
	cpus_read_lock();
	rt_mutex_lock(&evtlog_run_lock);
	if (!READ_ONCE(evtlog_run.stopping)) {
		error = -EALREADY;
		goto unlock;
	}
	evtlog_join_wait_for_leaving();
	cpus_in_run = count_cpus_in_run();
	for_each_possible_cpu(cpu)
		evtlog_ring_finish(per_cpu_ptr(&evtlog_ring, cpu), cpus_in_run);
	if (evtlog_run.armed_for_run)
		evtlog_disarm_cpuslocked();
	evtlog_publish_allow();
	evtlog_arm_free_unused();
unlock:
	rt_mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
	evtlog_events_settle();
	if (error)
		return error;
	evtlog_notify();
	evtlog_features_call(run_stopped);
	return 0;
}

/**
 * evtlog_run_stop() - end the run and hand over every CPU's last buffer
 *
 * Context: task context.
 * Return: 0; -EALREADY: no run is recording.
 */
int evtlog_run_stop(void)
{
	/* Before any lock is taken, so that recording ends even if a lock is held for long. */
	evtlog_run_publish_stop();
	return evtlog_run_complete_stop();
}

/**
 * evtlog_run_lost() - return the events lost in the current or last run, on all CPUs, by all causes
 *
 * Context: the run's lock is held.
 */
u64 evtlog_run_lost(void)
{
	unsigned int cpu, cause;
	u64 lost = 0;

	for_each_possible_cpu(cpu) {
		const struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);

		if (READ_ONCE(r->run) != READ_ONCE(evtlog_run.run))
			continue;
		for (cause = 0; cause < EVTLOG_LOST_CAUSES; cause++)
			lost += evtlog_ring_lost(r, cause);
	}
	return lost;
}

/**
 * evtlog_run_reader_returned() - the reader returned a buffer
 * @cpu:	CPU of the buffer
 *
 * Context: task context.
 */
void evtlog_run_reader_returned(unsigned int cpu)
{
	struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);

	/*
	 * The buffer is returned before @final_due is checked.  Pairs with the barrier in
	 * evtlog_ring_finish().
	 */
	smp_mb();
	if (likely(!READ_ONCE(r->final_due)))
		return;
	rt_mutex_lock(&evtlog_run_lock);
	if (!evtlog_publish_is_under_way() && READ_ONCE(r->final_due)) {
		evtlog_ring_finish(r, cpus_in_run);
		if (evtlog_publish_hold())
			evtlog_publish_allow();
	}
	rt_mutex_unlock(&evtlog_run_lock);
}

/*
 * A CPU is about to come up: allocates its memory now, where sleeping is allowed.  The CPU's first
 * record opens the buffer, with its own clock and context, so that the run has all events that the
 * kernel counts.
 */
static int cpu_prepare(unsigned int cpu)
{
	struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);

	rt_mutex_lock(&evtlog_run_lock);
	WRITE_ONCE(r->came_ticks, U64_MAX);
	evtlog_arm_cpu(cpu);
	rt_mutex_unlock(&evtlog_run_lock);
	return 0;
}

/* The CPU may have recorded before, and taken part in a run. */
static int cpu_is_up(unsigned int cpu)
{
	WRITE_ONCE(per_cpu_ptr(&evtlog_ring, cpu)->came_ticks, evtlog_ticks64());
	return 0;
}

/* The CPU died after its last switch, or did not come up.  This runs on another CPU. */
static int cpu_is_dead(unsigned int cpu)
{
	struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);
	struct evtlog_clock_set clock;

	rt_mutex_lock(&evtlog_run_lock);
	local_irq_disable();
	/* If the CPU does not come back, this was its end; else later readings replace these. */
	if (r->recording) {
		r->epoch |= EVTLOG_EPOCH_CLAIMED;
		evtlog_clock_set_read(&clock);
		evtlog_counters_read_other(cpu);
		evtlog_counters_write_other(r, true, EVTLOG_COUNTERS_ALL, &clock);
	}
	evtlog_ring_flush(r);
	/* The CPU joins again if it comes back. */
	if (r->epoch & EVTLOG_EPOCH_RECORDING)
		r->epoch = 0;
	local_irq_enable();
	rt_mutex_unlock(&evtlog_run_lock);
	evtlog_notify();
	return 0;
}

/* The tick counter survives neither sleep nor another kernel: the run ends before. */
static int around_sleep(struct notifier_block *nb, unsigned long action,
			void *unused)
{
	bool sleeps = action == PM_SUSPEND_PREPARE || action == PM_HIBERNATION_PREPARE ||
		      action == PM_RESTORE_PREPARE;

	rt_mutex_lock(&evtlog_run_lock);
	evtlog_run.asleep_soon = sleeps;
	if (evtlog_publish_hold())
		evtlog_publish_allow();
	rt_mutex_unlock(&evtlog_run_lock);
	if (sleeps && !evtlog_run_stop())
		pr_info("evtlog: run %llu ended: the machine is about to sleep\n",
			READ_ONCE(evtlog_run.run));
	evtlog_features_call(sleeps, sleeps);
	return NOTIFY_DONE;
}

static struct notifier_block sleep_notifier = {
	.notifier_call = around_sleep,
};

static int prepare_state, online_state;

/**
 * evtlog_run_init() - called once, before /proc/evtlog can be opened
 *
 * Return: 0 or a negative error.
 */
int evtlog_run_init(void)
{
	generate_random_uuid(evtlog_boot_id);
	evtlog_events_set(evtlog_events());

	prepare_state = cpuhp_setup_state(CPUHP_BP_PREPARE_DYN, "evtlog:prepare",
					  cpu_prepare, cpu_is_dead);
	if (prepare_state < 0)
		return prepare_state;
	online_state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "evtlog:online", cpu_is_up, NULL);
	if (online_state < 0)
		return online_state;
	register_pm_notifier(&sleep_notifier);
	return 0;
}

/**
 * evtlog_run_exit() - end the run, and undo evtlog_run_init() as far as it succeeded
 *
 * Context: /proc/evtlog is gone.
 */
void evtlog_run_exit(void)
{
	unregister_pm_notifier(&sleep_notifier);
	evtlog_run_stop();
	evtlog_run_disarm();
	if (online_state > 0)
		cpuhp_remove_state_nocalls(online_state);
	if (prepare_state > 0)
		cpuhp_remove_state_nocalls(prepare_state);
	evtlog_buffers_free_all();
}
