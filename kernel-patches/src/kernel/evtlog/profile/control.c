// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog/profile, and its files:
 *
 *	control	root starts and stops profiles
 *	self	for all users: the thread that reads it, or its page, mapped
 *	others	for all users: the pids written to it are read; with ptrace's rights
 *	all	all tasks and CPUs: CAP_PERFMON
 *	family	for root: a command and all that it forks
 *	trace	for root: tasks' last events
 *
 * control: "1" clears and starts profiles; "0" stops them, and they can still be read; "groups
 * LIST" selects what the next start measures.  "self off" turns off the pages that tasks map, "self
 * on" turns them on.  An open family file (family.c) also keeps profiles on.  If the last write was
 * refused, the last line is the reason.
 *
 * Profiles turn on the hooks of their groups, whatever is recorded: before the first clock begins,
 * and off after the last clock has ended (cpu.c).
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/evtlog.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "callpath/memory.h"
#include "clock.h"
#include "events.h"
#include "feature.h"
#include "proc.h"
#include "profile/function.h"
#include "profile/list.h"
#include "profile/process.h"
#include "profile/profile.h"
#include "profile/switch.h"
#include "run.h"

DEFINE_STATIC_KEY_FALSE(evtlog_profile_key);
DEFINE_STATIC_KEY_FALSE(evtlog_profile_slow_key);
DEFINE_PER_CPU(struct evtlog_profile_cpu, evtlog_profile_cpu) = {
	.number = EVTLOG_PROFILE_NO_CLOCK,
};

struct evtlog_profile_counts evtlog_profile_counts;

/* Guards starts and stops, and all variables up to last_error.  cpus_read_lock() nests within. */
static DEFINE_MUTEX(profile_lock);
static bool is_on;
/* In ticks: when the last stop began */
static u64 stopped_at;
/* Profiles are on because of "1", or because of open files that need them. */
static bool is_wanted;
static unsigned int holders;
static bool is_asleep_soon;
static char last_error[EVTLOG_PROFILE_ERROR_LEN];

/**
 * evtlog_profile_is_on() - check whether profiles are kept
 */
bool evtlog_profile_is_on(void)
{
	return READ_ONCE(is_on);
}

/**
 * evtlog_profile_until() - find the time up to which waits of sleeping tasks are shown
 *
 * Return: in ticks: now, or when profiles were stopped.
 */
u64 evtlog_profile_until(void)
{
	return evtlog_profile_is_on() ? evtlog_ticks64() : READ_ONCE(stopped_at);
}

static int prepare_cpu(unsigned int number)
{
	struct evtlog_profile_cpu *cpu = per_cpu_ptr(&evtlog_profile_cpu, number);
	struct evtlog_profile_sums **slots = &evtlog_profile_slots[number];

	if (!*slots)
		*slots = kvmalloc_node(EVTLOG_PROFILE_SLOTS * sizeof(**slots), GFP_KERNEL,
				       cpu_to_node(number));
	if (!cpu->spare)
		cpu->spare = kzalloc_node(sizeof(*cpu->spare), GFP_KERNEL, cpu_to_node(number));
	if (!*slots || !cpu->spare)
		return -ENOMEM;
	memset(*slots, 0, EVTLOG_PROFILE_SLOTS * sizeof(**slots));
	evtlog_profile_init(cpu->spare, EVTLOG_PROFILE_KERNEL);
	cpu->current_profile = cpu->spare;
	cpu->top = cpu->spare->top;
	cpu->begin = 0;
	return 0;
}

static void begin_cpu(void *unused)
{
	evtlog_profile_cpu_begin(this_cpu_ptr(&evtlog_profile_cpu), current->evtlog_profile,
				 smp_processor_id(), evtlog_ticks64());
}

static void end_cpu(void *unused)
{
	evtlog_profile_cpu_end(this_cpu_ptr(&evtlog_profile_cpu), evtlog_ticks64());
}

/* Guarded by evtlog_run_lock, like is_hooked. */
static bool has_traces;
/* True: evtlog_profile_key is on, or will be soon. */
static bool is_hooked;

/* The slow key is on while hooks record, or are on only for records: each hook must check. */
static void tell_recorded(u64 types)
{
	if ((types || has_traces) && is_hooked)
		static_branch_enable_cpuslocked(&evtlog_profile_slow_key);
	else
		static_branch_disable_cpuslocked(&evtlog_profile_slow_key);
}

/*
 * If a run has hooks on, the slow key is on before the profile key and off after it: they check
 * what to do.  The run lacks no record, and hooks that only record charge nothing.
 */
static void hook(bool on)
{
	rt_mutex_lock(&evtlog_run_lock);
	is_hooked = on;
	if (on) {
		static_branch_enable_cpuslocked(&evtlog_profile_slow_key);
		static_branch_enable_cpuslocked(&evtlog_profile_key);
	} else {
		static_branch_disable_cpuslocked(&evtlog_profile_key);
		static_branch_disable_cpuslocked(&evtlog_profile_slow_key);
	}
	rt_mutex_unlock(&evtlog_run_lock);
}

static void choose_hooks(u64 types)
{
	rt_mutex_lock(&evtlog_run_lock);
	evtlog_events_profile(types, tell_recorded);
	evtlog_events_apply(evtlog_run.armed);
	rt_mutex_unlock(&evtlog_run_lock);
}

/**
 * evtlog_profile_have_traces() - make hooks take the path that writes tasks' traces
 * @on:		True: a task has a trace
 *
 * Context: task context, may sleep.
 */
void evtlog_profile_have_traces(bool on)
{
	cpus_read_lock();
	rt_mutex_lock(&evtlog_run_lock);
	has_traces = on;
	evtlog_events_apply(evtlog_run.armed);
	rt_mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
}

static int prepare(void)
{
	unsigned int number;
	int error;

	if (!evtlog_profile_slots)
		evtlog_profile_slots = kcalloc(nr_cpu_ids, sizeof(*evtlog_profile_slots),
					       GFP_KERNEL);
	if (!evtlog_profile_slots)
		return -ENOMEM;
	error = evtlog_profile_exit_init();
	if (error)
		return error;
	evtlog_profile_values_begin();
	atomic64_set(&evtlog_profile_counts.ended_not_kept, 0);
	evtlog_profile_slots_reset();
	/*
	 * From now on, profiles of older epochs do not count, and neither do their slots.  Pairs
	 * with evtlog_profile_init().
	 */
	smp_store_release(&evtlog_profile_epoch, evtlog_profile_epoch + 1);
	evtlog_profile_lists_wait();
	for_each_possible_cpu(number) {
		error = prepare_cpu(number);
		if (error)
			return error;
	}
	atomic_set(&evtlog_profile_counts.tasks_without, 0);
	evtlog_profile_for_all(evtlog_profile_make_empty);
	return evtlog_profile_attach_all();
}

/* The clocks are stopped. */
static void hooks_off(void)
{
	choose_hooks(0);
	evtlog_profile_groups_switch(false);
	hook(false);
	/* Hooks run with preemption off. */
	synchronize_rcu();
}

static int start(void)
{
	int error = prepare();

	if (error)
		return error;
	hook(true);
	choose_hooks(evtlog_profile_types());
	evtlog_profile_groups_switch(true);
	/* For tasks that were forked before the hook was on. */
	error = evtlog_profile_attach_all();
	if (error) {
		hooks_off();
		return error;
	}
	evtlog_profile_cost_measure();
	/* From now on, readers expect that tasks run. */
	WRITE_ONCE(is_on, true);
	on_each_cpu(begin_cpu, NULL, 1);
	/* Not earlier: a task with a page could go to a CPU whose clock does not run. */
	evtlog_profile_self_keep(true);
	return 0;
}

/* A reader may read an offline CPU at the same time, with the CPU's list locked (row.c). */
static void end_offline_cpu(unsigned int number)
{
	unsigned long flags = evtlog_profile_list_lock(number);

	evtlog_profile_cpu_end(per_cpu_ptr(&evtlog_profile_cpu, number), evtlog_ticks64());
	evtlog_profile_list_unlock(number, flags);
}

static void stop(void)
{
	unsigned int number;

	evtlog_profile_self_keep(false);
	WRITE_ONCE(stopped_at, evtlog_ticks64());
	on_each_cpu(end_cpu, NULL, 1);
	for_each_possible_cpu(number) {
		if (!cpu_online(number))
			end_offline_cpu(number);
	}
	/* Then CPUs' sums are complete, even if tasks end before they are read. */
	evtlog_profile_for_all(evtlog_profile_leave_cpu);
	/* Readers need not wait for the CPU of a running task. */
	WRITE_ONCE(is_on, false);
	hooks_off();
}

/* A CPU is about to come up.  If it was offline at the start of profiles, its clock begins. */
static int cpu_comes(unsigned int number)
{
	struct evtlog_profile_cpu *cpu = per_cpu_ptr(&evtlog_profile_cpu, number);
	unsigned long flags;

	local_irq_save(flags);
	if (is_on && !cpu->begin)
		evtlog_profile_cpu_begin(cpu, idle_task(number)->evtlog_profile, number,
					 evtlog_ticks64());
	evtlog_profile_cpu_online(cpu, evtlog_ticks64());
	local_irq_restore(flags);
	return 0;
}

static int cpu_is_dead(unsigned int number)
{
	evtlog_profile_cpu_offline(per_cpu_ptr(&evtlog_profile_cpu, number), evtlog_ticks64());
	return 0;
}

/**
 * evtlog_profile_control_show() - show settings, and counts of what could not be kept
 */
int evtlog_profile_control_show(struct seq_file *m, void *unused)
{
	const struct evtlog_profile_counts *c = &evtlog_profile_counts;

	seq_printf(m, "state %s\n", evtlog_profile_is_on() ? "on" : "off");
	evtlog_profile_groups_show(m);
	seq_printf(m, "self %s\n", evtlog_profile_self_is_on() ? "on" : "off");
	seq_printf(m, "tasks_without %u\n", atomic_read(&c->tasks_without));
	seq_printf(m, "memory %lu\n", evtlog_profile_list_count() * sizeof(struct evtlog_profile) +
		   atomic_long_read(&c->memory));
	seq_printf(m, "exits_not_recorded %llu\n", atomic64_read(&c->exits_not_recorded));
	seq_printf(m, "ended_not_kept %llu\n", atomic64_read(&c->ended_not_kept));
	evtlog_profile_cost_show(m);
	seq_printf(m, "values_not_kept %llu\n", atomic64_read(&c->values_not_kept));
	evtlog_profile_functions_show(m);
	return 0;
}

/* Both locks are held. */
static int apply(void)
{
	bool is_needed = (is_wanted || holders) && !is_asleep_soon;
	int error = 0;

	if (is_needed && !is_on)
		error = start();
	else if (!is_needed && is_on)
		stop();
	return error;
}

static void lock(void)
{
	mutex_lock(&profile_lock);
	cpus_read_lock();
}

static void unlock(void)
{
	cpus_read_unlock();
	mutex_unlock(&profile_lock);
}

/**
 * evtlog_profile_hold() - keep profiles on until evtlog_profile_release()
 *
 * Context: task context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int evtlog_profile_hold(void)
{
	int error;

	lock();
	holders++;
	error = apply();
	if (error)
		holders--;
	unlock();
	return error;
}

/**
 * evtlog_profile_release() - undo evtlog_profile_hold()
 *
 * Context: task context, may sleep.
 */
void evtlog_profile_release(void)
{
	lock();
	holders--;
	apply();
	unlock();
}

static int want(bool on)
{
	bool was_wanted = is_wanted;
	int error;

	is_wanted = on;
	error = apply();
	if (error)
		is_wanted = was_wanted;
	return error;
}

#define refuse(code, ...)	evtlog_refuse(last_error, sizeof(last_error), code, __VA_ARGS__)

static int choose(char *list)
{
	if (!is_on)
		return evtlog_profile_groups_choose(list, last_error);
	return refuse(-EBUSY, "groups: the groups cannot change while profiles are on; write 0 first");
}

static int control_show_all(struct seq_file *m, void *unused)
{
	evtlog_profile_control_show(m, unused);
	mutex_lock(&profile_lock);
	if (*last_error)
		seq_printf(m, "error %s\n", last_error);
	mutex_unlock(&profile_lock);
	return 0;
}

/**
 * evtlog_profile_control_write() - execute a command
 * @text:	command that was written
 *
 * Return: 0 or a negative error.
 */
int evtlog_profile_control_write(char *text)
{
	int error = 0;

	lock();
	*last_error = '\0';
	if (!strcmp(text, "1"))
		error = want(true);
	else if (!strcmp(text, "0"))
		error = want(false);
	else if (!strncmp(text, "groups ", 7))
		error = choose(text + 7);
	else if (!strcmp(text, "self on"))
		evtlog_profile_self_switch(true);
	else if (!strcmp(text, "self off"))
		evtlog_profile_self_switch(false);
	else
		error = refuse(-EINVAL, "\"%.32s\" is not a command; write 1, 0, groups LIST, self on or self off",
			       text);
	if (error == -ENOMEM)
		refuse(error, "not enough memory for the profiles of all tasks");
	unlock();
	return error;
}

/**
 * evtlog_profile_sleep() - end profiles before the machine sleeps, and begin them anew after it
 * @soon:	True: the machine is about to sleep.  False: it is awake again
 *
 * Context: task context, may sleep.
 */
void evtlog_profile_sleep(bool soon)
{
	lock();
	is_asleep_soon = soon;
	if (soon && is_on)
		pr_info("evtlog: profiles end, because the machine is about to sleep; afterwards they begin again at zero\n");
	if (apply())
		pr_err("evtlog: not enough memory: profiles did not begin again; write 1 to /proc/evtlog/profile/control\n");
	unlock();
}

static const struct evtlog_proc_file files[] = {
	{ "control", 0600, control_show_all, evtlog_profile_control_write },
	{ }
};

/* Other users can pass through the folder, but not list it. */
static int __init make_folder(struct proc_dir_entry *parent)
{
	struct proc_dir_entry *dir;

	dir = evtlog_readers_mkdir("profile", 0551, parent);
	if (!dir)
		return -ENOMEM;
	if (!proc_create_data("self", 0444, dir, &evtlog_profile_walk_ops, (void *)EVTLOG_PROFILE_SELF) ||
	    !proc_create_data("others", 0666, dir, &evtlog_profile_walk_ops,
			      (void *)EVTLOG_PROFILE_OTHERS) ||
	    !proc_create_data("all", evtlog_readers_mode(0440), dir, &evtlog_profile_walk_ops,
			      (void *)EVTLOG_PROFILE_ALL) ||
	    !proc_create("family", 0600, dir, &evtlog_profile_family_ops) ||
	    !proc_create("trace", 0600, dir, &evtlog_profile_trace_ops))
		return -ENOMEM;
	return evtlog_proc_create_files(dir, "profile/", files);
}

static struct evtlog_feature profile __ro_after_init = {
	.name = "profile",
	.is_public = true,
	.make_folder = make_folder,
	.sleeps = evtlog_profile_sleep,
};
evtlog_feature(profile);

static int __init profile_init(void)
{
	int error = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "evtlog/profile:prepare",
					      cpu_comes, cpu_is_dead);

	return min(error, 0);
}
device_initcall(profile_init);
