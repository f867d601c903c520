/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a task is doing, seen from another CPU without its run queue's lock.
 *
 * Of pass.c, which does it for each task.
 *
 * on_cpu, on_rq and __state change one after the other, and none says all: a task that runs may
 * have set __state for its next sleep, and one that was preempted then still has it.  Between two
 * times that a task leaves a CPU, which nvcsw and nivcsw count, it only goes forward: it sleeps, is
 * woken, runs.  If on_cpu and the counts are the same before and behind the other loads,
 *
 *	on_cpu is 1: the task ran all the time; its CPU stays while it runs.
 *	on_cpu is 0: it did not run meanwhile, so that __state, which only the running task
 *		sets but for the waker's TASK_RUNNING, is that of its sleep, or it was woken.
 *
 * Either way the answer was true at an instant between the first load and the last.  The stores
 * that this sees follow the switch's and the waking's records, with interrupts off: the answer
 * may be that of before the record until the same CPU writes its next one.
 */
#ifndef EVTLOG_SAMPLER_LOOK_H
#define EVTLOG_SAMPLER_LOOK_H

#include <linux/evtlog.h>
#include <linux/sched.h>
#include <asm/barrier.h>

/* Whoever has changed so often in less than a microsecond is taken as last seen. */
#define SAMPLER_TRIES	4

static_assert(sizeof(EVTLOG_STATES) - 1 == EVTLOG_STATE_PREEMPTED + 1);

/**
 * struct sampler_look - what was seen of a task
 * @switches:	how often it had left a CPU
 * @state, @exit_state, @on_cpu, @on_rq: as in task_struct
 * @cpu:	that it runs on, waits for, or was on last
 */
struct sampler_look {
	unsigned long switches;
	unsigned int state, exit_state;
	int on_cpu, on_rq;
	unsigned int cpu;
};

static __always_inline int sampler_on_cpu(const struct task_struct *task)
{
#ifdef CONFIG_SMP
	return READ_ONCE(task->on_cpu);
#else
	return task == current;
#endif
}

static __always_inline unsigned long sampler_switches(const struct task_struct *task)
{
	return READ_ONCE(task->nvcsw) + READ_ONCE(task->nivcsw);
}

/* False: it has changed meanwhile. */
static __always_inline bool sampler_look_once(const struct task_struct *task,
					      struct sampler_look *l)
{
	l->switches = sampler_switches(task);
	l->on_cpu = sampler_on_cpu(task);
	smp_rmb();
	l->state = READ_ONCE(task->__state);
	l->on_rq = READ_ONCE(task->on_rq);
	l->exit_state = READ_ONCE(task->exit_state);
	l->cpu = task_cpu(task);
	/* The second time in the other order: a switch counts before on_cpu changes. */
	smp_rmb();
	return l->on_cpu == sampler_on_cpu(task) && l->switches == sampler_switches(task);
}

/* The index into EVTLOG_STATES */
static __always_inline unsigned int sampler_state(const struct sampler_look *l)
{
	unsigned int index;

	if (l->on_cpu)
		return 0;
	/* Preempted, it may have any state. */
	if (l->on_rq)
		return EVTLOG_STATE_PREEMPTED;
	/* 0 is TASK_RUNNING, and TASK_WAKING, which comes before it is on a queue. */
	index = __task_state_index(l->state, l->exit_state);
	return index ? index : EVTLOG_STATE_PREEMPTED;
}

/**
 * sampler_look() - what a task is doing
 * @task:	it; a reference is held
 * @l:		gets the answer
 *
 * Return: whether the answer is of one instant; else it changed again and again.
 */
static __always_inline bool sampler_look(const struct task_struct *task, struct sampler_look *l)
{
	unsigned int tries = SAMPLER_TRIES;

	while (unlikely(!sampler_look_once(task, l))) {
		if (!--tries)
			return false;
	}
	return true;
}

#endif /* EVTLOG_SAMPLER_LOOK_H */
