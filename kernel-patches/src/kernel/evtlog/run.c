// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs: from start to stop over all CPUs, and CPUs that come and go meanwhile.
 *
 * Stage: between /proc/evtlog/enable, or a control message, and the rings.  Start and stop are
 * one store each, which every CPU follows at its next event (join.c): no CPU is
 * interrupted for them.  What that needs beforehand, buffers and hooks, is arming.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/evtlog.h>
#include <linux/printk.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/suspend.h>

#include "buffers.h"
#include "clock.h"
#include "counters.h"
#include "join.h"
#include "notify.h"
#include "proc.h"
#include "receipt.h"
#include "ring.h"
#include "run.h"

DEFINE_RT_MUTEX(evtlog_run_lock);
struct evtlog_run_state evtlog_run;

/*
 * Guards evtlog_epoch and what of evtlog_run is published with it; innermost but for
 * nothing, taken in softirq.
 */
static DEFINE_RAW_SPINLOCK(publish_lock);

/* Guarded by evtlog_run_lock. */
static bool buffers_in_use;
static u32 cpus_in_run;
static bool asleep_soon;

static void tell_receipt(const struct evtlog_receipt *receipt)
{
	unsigned long flags;

	if (!receipt)
		return;
	raw_local_irq_save(flags);
	evtlog_receipt_write_irqoff(receipt);
	raw_local_irq_restore(flags);
}

/* Recording, or stopped and not left by all yet: a stop goes from the one to the other. */
static bool is_under_way(void)
{
	unsigned long flags;
	bool under_way;

	raw_spin_lock_irqsave(&publish_lock, flags);
	under_way = evtlog_run.recording || evtlog_run.stopping;
	raw_spin_unlock_irqrestore(&publish_lock, flags);
	return under_way;
}

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
	if (cpu_online(cpu) && !is_under_way())
		error = evtlog_buffers_alloc(cpu);
	rt_mutex_unlock(&evtlog_run_lock);
	return error;
}

static bool a_final_is_due(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		if (READ_ONCE(per_cpu_ptr(&evtlog_ring, cpu)->final_due))
			return true;
	}
	return false;
}

/* Gives the logger a second to fetch the end of the run before. */
static void wait_for_finals(void)
{
	unsigned long patience = jiffies + HZ;

	while (a_final_is_due() && time_before(jiffies, patience) &&
	       !signal_pending(current)) {
		evtlog_notify();
		schedule_timeout_interruptible(HZ / 50 + 1);
	}
}

/**
 * evtlog_run_name_is_valid() - may a run have this name?
 * @name:	first a letter; letters, digits and "._-", at most 31
 *
 * Names of files are made of it: nothing else may be in there.
 */
bool evtlog_run_name_is_valid(const char *name)
{
	size_t i;

	for (i = 0; name[i]; i++) {
		if (!isascii(name[i]) ||
		    !(isalpha(name[i]) ||
		      (i && (isdigit(name[i]) || strchr("._-", name[i])))))
			return false;
	}
	return i && i < EVTLOG_RUN_NAME_LEN;
}

static void set_label(const struct evtlog_run_order *order, u64 now)
{
	memset(&evtlog_run_label, 0, sizeof(evtlog_run_label));
	evtlog_run_label.reference_ticks = now;
	/* One that came online later begins when it joins. */
	evtlog_run_label.start_is_shared = evtlog_ticks_trusted() || num_online_cpus() == 1;
	if (!order)
		return;
	evtlog_run_label.reference_ticks = order->reference_ticks;
	if (order->name)
		strscpy(evtlog_run_label.name, order->name,
			sizeof(evtlog_run_label.name));
}

/* A run of that very name, or any where none is asked for, is what was wanted. */
static bool is_as_ordered(const struct evtlog_run_order *order)
{
	return !order || !order->name || !*order->name ||
	       !strcmp(order->name, evtlog_run_label.name);
}

/* Keeps starts out while what they rely on changes; false: there is a run. */
static bool hold_starts(void)
{
	unsigned long flags;
	bool held;

	lockdep_assert_held(&evtlog_run_lock);
	raw_spin_lock_irqsave(&publish_lock, flags);
	held = !evtlog_run.recording && !evtlog_run.stopping;
	if (held)
		evtlog_run.ready = false;
	raw_spin_unlock_irqrestore(&publish_lock, flags);
	return held;
}

/* After hold_starts(), or a stop. */
static void allow_starts(void)
{
	unsigned long flags;
	bool ready = evtlog_run.armed && !asleep_soon && !a_final_is_due();

	lockdep_assert_held(&evtlog_run_lock);
	raw_spin_lock_irqsave(&publish_lock, flags);
	WRITE_ONCE(evtlog_run.stopping, false);
	evtlog_run.ready = ready;
	raw_spin_unlock_irqrestore(&publish_lock, flags);
}

/* Buffers, counters, hooks; starts are held. */
static int arm_cpuslocked(void)
{
	int error = prepare_buffers_cpuslocked();

	if (!error)
		error = evtlog_counters_prepare();
	if (error || evtlog_run.armed)
		return error;
	evtlog_keys_apply(true);
	WRITE_ONCE(evtlog_run.armed, true);
	return 0;
}

static void free_unused(void)
{
	unsigned int cpu;

	if (evtlog_run.armed || !hold_starts())
		return;
	for_each_possible_cpu(cpu) {
		struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);

		if (r->final_due || evtlog_ring_waiting(r))
			return;
	}
	if (evtlog_proc_cpu_is_open())
		return;
	evtlog_buffers_free_all();
	buffers_in_use = false;
}

/**
 * evtlog_run_free_unused() - give the buffers back if nobody needs them
 *
 * Not armed, all that was recorded is read, and no file of a CPU is open.
 *
 * Context: task context.
 */
void evtlog_run_free_unused(void)
{
	rt_mutex_lock(&evtlog_run_lock);
	free_unused();
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
	if (hold_starts()) {
		error = arm_cpuslocked();
		allow_starts();
	}
	if (!error)
		evtlog_run.armed_for_run = false;
	else
		free_unused();
	rt_mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
	return error;
}

static void disarm_cpuslocked(void)
{
	evtlog_keys_apply(false);
	WRITE_ONCE(evtlog_run.armed, false);
	evtlog_run.armed_for_run = false;
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
	if (!hold_starts()) {
		error = -EBUSY;
	} else {
		if (evtlog_run.armed)
			disarm_cpuslocked();
		free_unused();
	}
	rt_mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
	return error;
}

/** evtlog_run_is_armed() - are hooks on and buffers there? */
bool evtlog_run_is_armed(void)
{
	return READ_ONCE(evtlog_run.armed);
}

/**
 * evtlog_run_publish_start() - begin a new run, in one store
 * @order:	its name, valid, and who ordered it when; NULL: a run without a name, now
 *
 * Each CPU follows at its next event.  The names of tasks are not told yet: that is
 * evtlog_snapshot()'s, or the run has none.
 *
 * Context: any but NMI.
 * Return: 0; -EAGAIN not armed, or something of another run is in the way:
 * evtlog_run_start() sees to that or says what it is.
 */
int evtlog_run_publish_start(const struct evtlog_run_order *order)
{
	unsigned long flags;
	int error = -EAGAIN;

	raw_spin_lock_irqsave(&publish_lock, flags);
	if (evtlog_run.ready) {
		evtlog_run.ready = false;
		set_label(order, evtlog_ticks64());
		WRITE_ONCE(evtlog_run.run, evtlog_run.run + 1);
		WRITE_ONCE(evtlog_run.recording, true);
		/* Last: what comes behind it is recorded. */
		evtlog_run_label.start_ticks = evtlog_ticks64();
		/* Pairs with the acquire in evtlog_ring_slow(): the label. */
		smp_store_release(&evtlog_epoch,
				  evtlog_run.run << EVTLOG_EPOCH_RUN_SHIFT |
				  EVTLOG_EPOCH_RECORDING);
		error = 0;
	}
	raw_spin_unlock_irqrestore(&publish_lock, flags);
	if (!error && order)
		tell_receipt(order->receipt);
	return error;
}

/**
 * evtlog_run_publish_stop() - let no CPU record any more, from its next event on
 *
 * evtlog_run_complete_stop() is still to be called: it sees to the CPUs that have no event.
 *
 * Context: any but NMI.
 * Return: 0; -EALREADY none is recording.
 */
int evtlog_run_publish_stop(void)
{
	unsigned long flags;
	unsigned int cpu;
	int error = -EALREADY;

	raw_spin_lock_irqsave(&publish_lock, flags);
	if (evtlog_run.recording) {
		WRITE_ONCE(evtlog_run.recording, false);
		WRITE_ONCE(evtlog_run.stopping, true);
		evtlog_run_label.stop_ticks = evtlog_ticks64();
		/* Pairs with the acquire in evtlog_ring_slow(): when it was stopped. */
		smp_store_release(&evtlog_epoch,
				  evtlog_run.run << EVTLOG_EPOCH_RUN_SHIFT);
		/* Pairs with the one in ring_let_fast_in(). */
		smp_mb();
		/* Those that come or go just now have events while they are not online. */
		for_each_possible_cpu(cpu)
			WRITE_ONCE(per_cpu_ptr(&evtlog_ring, cpu)->end, NULL);
		error = 0;
	}
	raw_spin_unlock_irqrestore(&publish_lock, flags);
	return error;
}

/**
 * evtlog_run_start() - begin a new run on all CPUs
 * @order:	its name, valid, and who ordered it when; NULL: a run without a name, now
 *
 * Context: task context.
 * Return: 0; -EALREADY one is recording, of @order's name if that has one; -EBUSY one of
 * another name is recording, or the end of the last run, with its loss, has not been
 * read and there is no room for another, or the machine is about to sleep; -ENOMEM.
 */
int evtlog_run_start(const struct evtlog_run_order *order)
{
	bool was_armed;
	int error;

	wait_for_finals();

	cpus_read_lock();
	rt_mutex_lock(&evtlog_run_lock);
	if (!hold_starts()) {
		error = !READ_ONCE(evtlog_run.recording) || !is_as_ordered(order) ?
			-EBUSY : -EALREADY;
		goto unlock;
	}
	if (asleep_soon) {
		error = -EBUSY;
		goto unlock;
	}
	if (a_final_is_due()) {
		pr_info("evtlog: run %llu has unread losses: start the logger, or discard them: close all cpuN and write /proc/evtlog/buffers\n",
			READ_ONCE(evtlog_run.run));
		error = -EBUSY;
		goto unlock;
	}
	was_armed = evtlog_run.armed;
	error = arm_cpuslocked();
	allow_starts();
	if (error) {
		free_unused();
		goto unlock;
	}
	evtlog_run.armed_for_run |= !was_armed;
	error = evtlog_run_publish_start(order);
	/* Somebody else's order was faster. */
	if (error == -EAGAIN)
		error = is_as_ordered(order) ? -EALREADY : -EBUSY;
unlock:
	rt_mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
	if (!error)
		evtlog_snapshot();
	return error;
}

/* CPUs of the run: those that are online without a ring are missing in the log. */
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
 * When this returns all FINAL buffers can be read, but those of CPUs
 * whose buffers are all full: they follow as soon as the reader returns one.
 *
 * Context: task context.
 * Return: 0; -EALREADY nothing is to be completed.
 */
int evtlog_run_complete_stop(void)
{
	unsigned int cpu;
	int error = 0;

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
		disarm_cpuslocked();
	allow_starts();
	free_unused();
unlock:
	rt_mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
	if (!error)
		evtlog_notify();
	return error;
}

/**
 * evtlog_run_stop() - end the run and hand over every CPU's last buffer
 * @receipt:	of the message that orders it, NULL where none does
 *
 * Context: task context.
 * Return: 0; -EALREADY none is recording.
 */
int evtlog_run_stop(const struct evtlog_receipt *receipt)
{
	/* Before any lock: whoever holds one, nothing is recorded any more. */
	if (READ_ONCE(evtlog_run.recording))
		tell_receipt(receipt);
	evtlog_run_publish_stop();
	return evtlog_run_complete_stop();
}

/**
 * evtlog_run_published() - the run and its label, both of one moment
 * @state, @label: filled in
 *
 * Context: the run's lock is held.
 */
void evtlog_run_published(struct evtlog_run_state *state, struct evtlog_run_label *label)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&publish_lock, flags);
	*state = evtlog_run;
	*label = evtlog_run_label;
	raw_spin_unlock_irqrestore(&publish_lock, flags);
}

/**
 * evtlog_run_lost() - events lost in the current or last run, of all CPUs and causes
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
			lost += READ_ONCE(r->total_lost[cause]);
		if (READ_ONCE(r->current_header))
			lost += READ_ONCE(r->lost[EVTLOG_LOST_NMI]) +
				READ_ONCE(r->lost[EVTLOG_LOST_NESTED]);
	}
	return lost;
}

/**
 * evtlog_run_reader_returned() - the reader gave a buffer back
 * @cpu:	whose
 *
 * Context: task context.
 */
void evtlog_run_reader_returned(unsigned int cpu)
{
	struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);

	/*
	 * The buffer is returned before we look whether one is awaited.  Pairs
	 * with the one in evtlog_ring_finish().
	 */
	smp_mb();
	if (likely(!READ_ONCE(r->final_due)))
		return;
	rt_mutex_lock(&evtlog_run_lock);
	if (!is_under_way() && READ_ONCE(r->final_due)) {
		evtlog_ring_finish(r, cpus_in_run);
		if (hold_starts())
			allow_starts();
	}
	rt_mutex_unlock(&evtlog_run_lock);
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
	int error = 0;

	lockdep_assert_held(&evtlog_run_lock);
	if (buffers < EVTLOG_BUFFERS_MIN || buffers > EVTLOG_BUFFERS_MAX ||
	    buffer_kb < EVTLOG_BUFFER_KB_MIN ||
	    buffer_kb > EVTLOG_BUFFER_KB_MAX ||
	    buffer_kb % (PAGE_SIZE / 1024))
		return -EINVAL;
	if (!hold_starts())
		return -EBUSY;
	evtlog_buffers_free_all();
	buffers_in_use = false;
	/* The files that tell them are read without the lock. */
	WRITE_ONCE(evtlog_geometry.buffers, buffers);
	WRITE_ONCE(evtlog_geometry.buffer_kb, buffer_kb);
	if (evtlog_run.armed) {
		error = prepare_buffers_cpuslocked();
		if (error)
			disarm_cpuslocked();
	}
	allow_starts();
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
	if (!hold_starts())
		return -EBUSY;
	evtlog_events_set(types);
	if (evtlog_run.armed)
		evtlog_keys_apply(true);
	allow_starts();
	return 0;
}

/*
 * A CPU is about to come up: memory first, while sleeping is easy.  Its first
 * record opens the buffer, on its own clock and in its own context, so that a
 * run lacks nothing of what the kernel counts.  Without memory it comes up all the same:
 * no log is worth a CPU.
 */
static int cpu_prepare(unsigned int cpu)
{
	struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);

	rt_mutex_lock(&evtlog_run_lock);
	r->came_late = READ_ONCE(evtlog_run.recording);
	if (buffers_in_use && evtlog_buffers_alloc(cpu))
		pr_warn("evtlog: no memory for the buffers of CPU %u: it is missing in logs\n",
			cpu);
	rt_mutex_unlock(&evtlog_run_lock);
	return 0;
}

/* It died after its last switch, or did not come up; we are on another one. */
static int cpu_is_dead(unsigned int cpu)
{
	struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);
	struct evtlog_clock_set clock;

	rt_mutex_lock(&evtlog_run_lock);
	local_irq_disable();
	/* If it does not come back, this was its end; else later readings take its place. */
	if (r->recording) {
		r->epoch |= EVTLOG_EPOCH_CLAIMED;
		evtlog_clock_set_read(&clock);
		evtlog_counters_read_other(cpu);
		evtlog_counters_write_other(r, true, EVTLOG_COUNTERS_ALL, &clock);
	}
	evtlog_ring_flush(r);
	/* It joins again if it comes back. */
	if (r->epoch & EVTLOG_EPOCH_RECORDING)
		r->epoch = 0;
	local_irq_enable();
	rt_mutex_unlock(&evtlog_run_lock);
	evtlog_notify();
	return 0;
}

/* The tick counter does not survive a sleep: the run ends before it. */
static int around_sleep(struct notifier_block *nb, unsigned long action,
			void *unused)
{
	bool sleeps = action == PM_SUSPEND_PREPARE ||
		      action == PM_HIBERNATION_PREPARE ||
		      action == PM_RESTORE_PREPARE;

	rt_mutex_lock(&evtlog_run_lock);
	asleep_soon = sleeps;
	if (hold_starts())
		allow_starts();
	rt_mutex_unlock(&evtlog_run_lock);
	if (sleeps && !evtlog_run_stop(NULL))
		pr_info("evtlog: run %llu ended: the machine is about to sleep\n",
			READ_ONCE(evtlog_run.run));
	return NOTIFY_DONE;
}

static struct notifier_block sleep_notifier = {
	.notifier_call = around_sleep,
};

/**
 * evtlog_run_init() - once, before /proc/evtlog can be opened
 * Return: 0 or a negative error.
 */
int evtlog_run_init(void)
{
	int error;

	generate_random_uuid(evtlog_boot_id);
	evtlog_events_set(evtlog_events());

	error = cpuhp_setup_state(CPUHP_BP_PREPARE_DYN, "evtlog:prepare",
				  cpu_prepare, cpu_is_dead);
	if (error < 0)
		return error;
	register_pm_notifier(&sleep_notifier);
	return 0;
}
