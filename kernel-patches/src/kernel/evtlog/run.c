// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs: from start to stop over all CPUs, and CPUs that come and go meanwhile.
 *
 * Stage: between /proc/evtlog/enable and the rings.  Start and stop happen with the
 * machine stopped for an instant, so that all CPUs record the same span and
 * the kernel's counters can be compared with it exactly.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/ctype.h>
#include <linux/evtlog.h>
#include <linux/printk.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/stop_machine.h>
#include <linux/string.h>
#include <linux/suspend.h>

#include "buffers.h"
#include "counters.h"
#include "notify.h"
#include "receipt.h"
#include "ring.h"
#include "run.h"

DEFINE_MUTEX(evtlog_run_lock);
struct evtlog_run_state evtlog_run;

/* Guarded by evtlog_run_lock. */
static bool buffers_in_use;
static u32 cpus_in_run;
static bool asleep_soon;

/* The message that starts or ends a run is told by the CPU that took it in. */
struct turn {
	const struct evtlog_receipt *receipt;
	unsigned int cpu;
};

static struct turn turn_of(const struct evtlog_receipt *receipt)
{
	struct turn turn = { .receipt = receipt };

	if (receipt)
		turn.cpu = cpu_online(receipt->cpu) ? receipt->cpu :
						      cpumask_first(cpu_online_mask);
	return turn;
}

static void tell_receipt(const struct turn *turn)
{
	if (turn->receipt && turn->cpu == smp_processor_id())
		evtlog_receipt_write_irqoff(turn->receipt);
}

static int begin_on_this_cpu(void *turn)
{
	struct evtlog_ring *r = this_cpu_ptr(&evtlog_ring);

	if (!r->nr_buffers)
		return 0;
	evtlog_ring_begin(r, evtlog_run.run);
	tell_receipt(turn);
	evtlog_counters_write(false, smp_processor_id() ==
			      cpumask_first(cpu_online_mask));
	return 0;
}

static int end_on_this_cpu(void *turn)
{
	tell_receipt(turn);
	evtlog_counters_write(true, smp_processor_id() ==
			      cpumask_first(cpu_online_mask));
	evtlog_ring_end(this_cpu_ptr(&evtlog_ring));
	return 0;
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
 * evtlog_run_prepare_buffers() - see that every online CPU has buffers
 *
 * Context: task context.  CPUs that come online later get theirs then.
 * Return: 0 or -ENOMEM.
 */
int evtlog_run_prepare_buffers(void)
{
	int error;

	cpus_read_lock();
	mutex_lock(&evtlog_run_lock);
	error = prepare_buffers_cpuslocked();
	mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
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

/**
 * evtlog_run_arm() - get ready for a start: buffers there, hooks on
 *
 * Context: task context.
 * Return: 0, also if it is armed or recording already; -ENOMEM.
 */
int evtlog_run_arm(void)
{
	return 0;
}

/**
 * evtlog_run_disarm() - hooks off again
 *
 * Context: task context.
 * Return: 0; -EBUSY recording.
 */
int evtlog_run_disarm(void)
{
	return 0;
}

/**
 * evtlog_run_is_armed() - are the hooks on, and no run records?
 *
 * Context: the run's lock is held.
 */
bool evtlog_run_is_armed(void)
{
	return false;
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
	u64 now = evtlog_ticks64();
	struct turn turn;
	int error;

	wait_for_finals();

	cpus_read_lock();
	mutex_lock(&evtlog_run_lock);
	if (evtlog_run.recording) {
		error = is_as_ordered(order) ? -EALREADY : -EBUSY;
		goto unlock;
	}
	if (asleep_soon) {
		error = -EBUSY;
		goto unlock;
	}
	if (a_final_is_due()) {
		pr_info("evtlog: run %llu has unread losses: start the logger, or discard them: close all cpuN and write /proc/evtlog/buffers\n",
			evtlog_run.run);
		error = -EBUSY;
		goto unlock;
	}
	error = prepare_buffers_cpuslocked();
	if (error)
		goto unlock;

	set_label(order, now);
	evtlog_run.run++;
	evtlog_run.recording = true;
	evtlog_keys_apply(true);
	turn = turn_of(order ? order->receipt : NULL);
	stop_machine_cpuslocked(begin_on_this_cpu, &turn, cpu_online_mask);
unlock:
	mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
	if (!error)
		evtlog_snapshot();
	return error;
}

/**
 * evtlog_run_stop() - end the run and hand over every CPU's last buffer
 * @receipt:	of the message that orders it, NULL where none does
 *
 * When this returns all FINAL buffers can be read, but those of CPUs
 * whose buffers are all full: they follow as soon as the reader returns one.
 *
 * Context: task context.
 * Return: 0; -EALREADY none is recording.
 */
int evtlog_run_stop(const struct evtlog_receipt *receipt)
{
	struct turn turn;
	unsigned int cpu;
	int error = 0;

	cpus_read_lock();
	mutex_lock(&evtlog_run_lock);
	if (!evtlog_run.recording) {
		error = -EALREADY;
		goto unlock;
	}
	turn = turn_of(receipt);
	stop_machine_cpuslocked(end_on_this_cpu, &turn, cpu_online_mask);
	/* Before a ring is touched from another CPU: NMIs count without looking. */
	evtlog_keys_apply(false);

	cpus_in_run = 0;
	for_each_possible_cpu(cpu) {
		struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);

		if (!cpu_online(cpu)) {
			local_irq_disable();
			evtlog_ring_end(r);
			local_irq_enable();
		}
		if (r->in_run)
			cpus_in_run++;
	}
	for_each_possible_cpu(cpu)
		evtlog_ring_finish(per_cpu_ptr(&evtlog_ring, cpu), cpus_in_run);

	evtlog_run.recording = false;
unlock:
	mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
	if (!error)
		evtlog_notify();
	return error;
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

		if (r->run != evtlog_run.run)
			continue;
		for (cause = 0; cause < EVTLOG_LOST_CAUSES; cause++)
			lost += READ_ONCE(r->total_lost[cause]);
		if (READ_ONCE(r->current_header))
			lost += READ_ONCE(r->lost[EVTLOG_LOST_NMI]);
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
	mutex_lock(&evtlog_run_lock);
	if (r->final_due && !evtlog_run.recording)
		evtlog_ring_finish(r, cpus_in_run);
	mutex_unlock(&evtlog_run_lock);
}

/**
 * evtlog_run_set_geometry() - set number and size of every CPU's buffers
 * @buffers:	per CPU
 * @buffer_kb:	KiB each
 *
 * Frees what there is, unread data included.
 *
 * Context: task context, the run's lock is held.
 * Return: 0; -EINVAL out of range; -EBUSY recording.
 */
int evtlog_run_set_geometry(unsigned int buffers, unsigned int buffer_kb)
{
	lockdep_assert_held(&evtlog_run_lock);
	if (buffers < EVTLOG_BUFFERS_MIN || buffers > EVTLOG_BUFFERS_MAX ||
	    buffer_kb < EVTLOG_BUFFER_KB_MIN ||
	    buffer_kb > EVTLOG_BUFFER_KB_MAX ||
	    buffer_kb % (PAGE_SIZE / 1024))
		return -EINVAL;
	if (evtlog_run.recording)
		return -EBUSY;
	evtlog_buffers_free_all();
	buffers_in_use = false;
	evtlog_geometry.buffers = buffers;
	evtlog_geometry.buffer_kb = buffer_kb;
	return 0;
}

/*
 * A CPU is about to come up: memory first, while sleeping is easy.  Its first
 * record opens the buffer, on its own clock and in its own context, so that a
 * run lacks nothing of what the kernel counts.
 */
static int cpu_prepare(unsigned int cpu)
{
	struct evtlog_ring *r = per_cpu_ptr(&evtlog_ring, cpu);
	int error = 0;

	mutex_lock(&evtlog_run_lock);
	if (buffers_in_use)
		error = evtlog_buffers_alloc(cpu);
	if (!error && evtlog_run.recording && !cpu_online(cpu)) {
		local_irq_disable();
		evtlog_ring_arm(r, evtlog_run.run);
		local_irq_enable();
	}
	mutex_unlock(&evtlog_run_lock);
	return error;
}

/* It died after its last switch, or did not come up; we are on another one. */
static int cpu_is_dead(unsigned int cpu)
{
	mutex_lock(&evtlog_run_lock);
	local_irq_disable();
	evtlog_ring_flush(per_cpu_ptr(&evtlog_ring, cpu));
	local_irq_enable();
	mutex_unlock(&evtlog_run_lock);
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

	mutex_lock(&evtlog_run_lock);
	asleep_soon = sleeps;
	mutex_unlock(&evtlog_run_lock);
	if (sleeps && !evtlog_run_stop(NULL))
		pr_info("evtlog: run %llu ended: the machine is about to sleep\n",
			evtlog_run.run);
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
