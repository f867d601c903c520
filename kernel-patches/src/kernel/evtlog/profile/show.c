// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contents of files in /proc/evtlog/profile: tasks' profiles as text.  row.c shows CPUs' profiles.
 *
 *	state on|off			and other lines of control
 *	cpu N BEGIN UNTIL		ticks
 *	  EVENT COUNT INCLUSIVE EXCLUSIVE LARGEST
 *	value NAME COUNT SUM LEAST LARGEST SQUARES
 *	task PID TGID BORN OFF UNMATCHED AHEAD COMM
 *	  PATH COUNT INCLUSIVE EXCLUSIVE LARGEST
 *	value NAME COUNT SUM LEAST LARGEST SQUARES
 *	ended COUNT LIFETIME UNMATCHED AHEAD TGID BEGIN COMM	process_show.c: ended threads
 *	  PATH COUNT INCLUSIVE EXCLUSIVE LARGEST
 *	value NAME COUNT SUM LEAST LARGEST SQUARES
 *
 * An event is CLASS:NUMBER, a path consists of events from the root on, joined by ">".  In COMM a
 * newline is \012, a backslash \134.
 */
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/smp.h>

#include "clock.h"
#include "profile/function.h"
#include "profile/list.h"
#include "profile/profile.h"

static const char *const classes[] = {
	[EVTLOG_PROFILE_SYSCALL] = "syscall",
	[EVTLOG_PROFILE_COMPAT] = "compat",
	[EVTLOG_PROFILE_EXCEPTION] = "exception",
	[EVTLOG_PROFILE_IRQ] = "irq",
	[EVTLOG_PROFILE_VECTOR] = "vector",
	[EVTLOG_PROFILE_SOFTIRQ] = "softirq",
	[EVTLOG_PROFILE_SIGNAL] = "signal",
};

static const char *const net_spans[] = {
#define X(NAME, name)	[EVTLOG_NET_##NAME] = #name,
	EVTLOG_NET_SPANS(X)
#undef X
};

static const char *const block_spans[] = {
#define X(NAME, name)	[EVTLOG_BLOCK_##NAME] = #name,
	EVTLOG_BLOCK_SPANS(X)
#undef X
};

static const char *const states[] = {
	[EVTLOG_PROFILE_USER] = "user",
	[EVTLOG_PROFILE_KERNEL] = "kernel",
	[EVTLOG_PROFILE_IDLE] = "idle",
	[EVTLOG_PROFILE_RUNQUEUE] = "runqueue",
	[EVTLOG_PROFILE_PREEMPTED] = "preempted",
	[EVTLOG_PROFILE_BLOCKED_INTERRUPTIBLE] = "interruptible",
	[EVTLOG_PROFILE_BLOCKED_UNINTERRUPTIBLE] = "uninterruptible",
	[EVTLOG_PROFILE_BLOCKED_IO] = "io",
	[EVTLOG_PROFILE_BLOCKED_OTHER] = "stopped",
	[EVTLOG_PROFILE_WAITING] = "waiting",
	[EVTLOG_PROFILE_REST] = "rest",
	[EVTLOG_PROFILE_OFFLINE] = "offline",
	[EVTLOG_PROFILE_TASK] = "task",
};

/**
 * evtlog_profile_show_event() - print the name of an event
 * @event:	EVTLOG_PROFILE_EVENT()
 */
void evtlog_profile_show_event(struct seq_file *m, unsigned int event)
{
	unsigned int class = event >> EVTLOG_PROFILE_NUMBER_BITS;
	unsigned int number = event & EVTLOG_PROFILE_NUMBER_MAX;

	if (class == EVTLOG_PROFILE_STATE)
		seq_puts(m, states[number] ?: "none");
	else if (class == EVTLOG_PROFILE_FUNCTION)
		seq_printf(m, "function:%s", evtlog_profile_function_name(number));
	else if (class == EVTLOG_PROFILE_NET)
		seq_printf(m, "net:%s", net_spans[number]);
	else if (class == EVTLOG_PROFILE_BLOCK)
		seq_printf(m, "block:%s", block_spans[number]);
	else
		seq_printf(m, "%s:%u", classes[class], number);
}

/**
 * evtlog_profile_show_path() - print the line of a path: its events and sums
 * @events:	events of the path, the innermost first
 * @depth:	number of events
 * @sums:	sums of the path; if its count and exclusive time are 0, nothing is printed
 */
void evtlog_profile_show_path(struct seq_file *m, const u16 *events, unsigned int depth,
			      const struct evtlog_profile_sums *sums)
{
	if (!sums->count && !sums->exclusive)
		return;
	seq_puts(m, "  ");
	while (depth--) {
		evtlog_profile_show_event(m, events[depth]);
		seq_putc(m, depth ? '>' : ' ');
	}
	seq_printf(m, "%llu %llu %llu %llu\n", sums->count, sums->inclusive, sums->exclusive,
		   sums->largest);
}

static void copy_profile(struct evtlog_profile_copy *copy)
{
	/* Pairs with evtlog_callpath_more_add(). */
	const struct evtlog_callpath_more *more = smp_load_acquire(&copy->of->more);
	const struct evtlog_profile_values *values = READ_ONCE(copy->of->values);

	copy->profile = *copy->of;
	copy->profile.more = evtlog_callpath_more_copy(copy->more, more);
	if (values)
		copy->values = *values;
}

/* On the CPU where the task ran last: it may have left the CPU. */
static void copy_running(void *data)
{
	struct evtlog_profile_copy *copy = data;

	if (this_cpu_read(evtlog_profile_cpu.current_profile) != copy->of)
		return;
	copy_profile(copy);
	evtlog_profile_charge(evtlog_profile_node(&copy->profile,
						  this_cpu_read(evtlog_profile_cpu.top)->index),
			      evtlog_ticks64());
	copy->done = true;
}

/*
 * The idle task of an offline CPU, which stays offline.  For other tasks the CPU may come online,
 * but they do not run there.
 */
static void copy_offline(struct evtlog_profile_copy *copy, const struct evtlog_profile_cpu *cpu)
{
	if ((copy->of->nodes[0].key & 0xffff) != EVTLOG_PROFILE_IDLE ||
	    cpu->current_profile != copy->of)
		return;
	copy_profile(copy);
	evtlog_profile_charge(evtlog_profile_node(&copy->profile, cpu->top->index),
			      evtlog_ticks64());
	copy->done = true;
}

static void copy_on(struct evtlog_profile_copy *copy, unsigned int number)
{
	if (cpu_online(number))
		smp_call_function_single(number, copy_running, copy, 1);
	else
		copy_offline(copy, per_cpu_ptr(&evtlog_profile_cpu, number));
}

/* Nothing is written, except by a start of profiles with the profile's list locked. */
static void copy_stopped(struct evtlog_profile_copy *copy)
{
	struct evtlog_profile_list *list;
	unsigned long flags;

	local_irq_save(flags);
	list = evtlog_profile_list_hold(copy->of);
	if (!evtlog_profile_is_on()) {
		copy_profile(copy);
		copy->done = true;
	}
	evtlog_profile_list_release(list);
	local_irq_restore(flags);
}

/*
 * The profile of a task that does not run is not written.  If the task ran meanwhile, @off or @born
 * differs.  The barriers pair with those in switch.h.
 */
static void copy_sleeping(struct evtlog_profile_copy *copy)
{
	u64 off = smp_load_acquire(&copy->of->off), born = READ_ONCE(copy->of->born);

	if (!off && born)
		return;
	copy_profile(copy);
	smp_rmb();
	copy->done = READ_ONCE(copy->of->off) == off && READ_ONCE(copy->of->born) == born;
}

/**
 * evtlog_profile_read() - copy a profile between two boundaries
 * @copy:	result
 * @p:		the profile, which is not freed meanwhile
 *
 * Context: task context; for an idle task, the lock of CPU hotplug is held.
 */
void evtlog_profile_read(struct evtlog_profile_copy *copy, const struct evtlog_profile *p)
{
	unsigned int number;

	copy->of = p;
	copy->done = false;
	do {
		if (evtlog_profile_is_on())
			copy_sleeping(copy);
		else
			copy_stopped(copy);
		number = READ_ONCE(p->cpu);
		if (!copy->done && evtlog_profile_is_cpu(number))
			copy_on(copy, number);
	} while (!copy->done);
	if (copy->profile.values)
		copy->profile.values = &copy->values;
}

static void show_profile(struct seq_file *m, struct evtlog_profile_copy *copy)
{
	struct evtlog_profile *p = &copy->profile;
	unsigned int i;

	for (i = 0; i < p->nr_nodes; i++) {
		const struct evtlog_profile_node *node = evtlog_profile_node(p, i);
		struct evtlog_profile_sums sums = node->sums;
		u16 events[EVTLOG_PROFILE_DEPTH_MAX + 1];
		unsigned int depth = 0;

		sums.largest = max(sums.largest, node->largest_before);
		for (; node->key >> 16 < p->nr_nodes && depth < EVTLOG_PROFILE_DEPTH_MAX;
		     node = evtlog_profile_node(p, node->key >> 16))
			events[depth++] = node->key;
		events[depth++] = node->key;
		evtlog_profile_show_path(m, events, depth, &sums);
	}
	evtlog_profile_values_show(m, p->values);
}

/**
 * evtlog_profile_show_task() - show a task's profile
 * @task:	the task; the caller has a reference
 * @copy:	buffer for the profile
 * @pid:	its number
 * @tgid:	number of its process
 *
 * Context: task context; for an idle task, the lock of CPU hotplug is held.
 */
void evtlog_profile_show_task(struct seq_file *m, struct task_struct *task,
			      struct evtlog_profile_copy *copy, int pid, int tgid)
{
	const struct evtlog_profile *p;
	char comm[TASK_COMM_LEN];

	copy->of = NULL;
	/* The profile of a family's first member may be replaced. */
	rcu_read_lock();
	p = READ_ONCE(task->evtlog_profile);
	if (p)
		evtlog_profile_read(copy, p);
	rcu_read_unlock();
	if (!p)
		return;
	/* An ended task does not wait; the record of its end contains all of its time. */
	if (!READ_ONCE(task->exit_state))
		evtlog_profile_charge_open(&copy->profile, evtlog_profile_until());
	p = &copy->profile;
	seq_printf(m, "task %d %d %llu %llu %u %llu ", pid, tgid, p->born, p->off, p->unmatched,
		   p->ahead);
	evtlog_profile_show_comm(m, get_task_comm(comm, task));
	seq_putc(m, '\n');
	show_profile(m, copy);
}
