/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Determines what a task is doing, from another CPU and without its run queue's lock.
 *
 * pass.c does this for each task.
 *
 * on_cpu, on_rq and __state change one after the other, and none of them is sufficient: a running
 * task may have set __state for its next sleep, and if it is preempted then, it keeps this __state.
 * Between two times when a task leaves a CPU, which nvcsw and nivcsw count, its state moves only
 * forward: it sleeps, is woken, runs.  If on_cpu and the counts are the same before and after the
 * other loads,
 *
 *	on_cpu is 1: the task ran all the time; its CPU does not change while it runs.
 *	on_cpu is 0: it did not run meanwhile.  __state is set only by the running task, except for
 *		the waker's TASK_RUNNING: it is the state of its sleep, or the task was woken.
 *
 * A task that does not run, and is on a queue after that, waited for a CPU in between, whatever
 * follows: no second look is needed.
 *
 * In both cases the result was true at an instant between the first load and the last.  The stores
 * seen here follow the records of the switch and the wake-up, with interrupts off: the result may
 * be the state before the record until the same CPU writes its next record.
 */
#ifndef EVTLOG_SAMPLER_LOOK_H
#define EVTLOG_SAMPLER_LOOK_H

#include <linux/compiler.h>
#include <linux/evtlog.h>
#include <linux/log2.h>
#include <linux/sched.h>
#include <asm/barrier.h>

/* A task that changed this often in less than a microsecond is recorded as last seen. */
#define SAMPLER_TRIES	4

static_assert(sizeof(EVTLOG_STATES) - 1 == EVTLOG_STATE_PREEMPTED + 1);

/*
 * Reads a field of a task or a run queue that the scheduler stores plainly, under locks that are
 * not held here.  A word that is read once is not torn; its possible age is described above.
 */
#define sampler_read(field)	data_race(READ_ONCE(field))

/**
 * struct sampler_look - what was seen of a task
 * @switches:	how often it had left a CPU
 * @on_cpu, @on_rq: as in task_struct
 * @state, @exit_state: the same, if @on_cpu and @on_rq are 0; else 0
 * @cpu:	CPU that the task runs on, waits for, or was on last
 */
struct sampler_look {
	unsigned long switches;
	int on_cpu;
	unsigned int state;
	int on_rq;
	unsigned int exit_state;
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
	return sampler_read(task->nvcsw) + sampler_read(task->nivcsw);
}

/* False: the task has changed meanwhile. */
static __always_inline bool sampler_look_once(const struct task_struct *task,
					      struct sampler_look *l)
{
	l->switches = sampler_switches(task);
	l->on_cpu = sampler_on_cpu(task);
	smp_rmb();
	l->on_rq = sampler_read(task->on_rq);
	l->cpu = task_cpu(task);
	l->state = 0;
	l->exit_state = 0;
	if (!l->on_cpu && !l->on_rq) {
		l->state = READ_ONCE(task->__state);
		l->exit_state = sampler_read(task->exit_state);
	}
	/* The second time in reverse order: a switch is counted before on_cpu changes. */
	smp_rmb();
	return l->on_cpu == sampler_on_cpu(task) && l->switches == sampler_switches(task);
}

/* Returns an index into EVTLOG_STATES. */
static __always_inline unsigned int sampler_state(const struct sampler_look *l)
{
	unsigned int index;

	if (l->on_cpu)
		return 0;
	/* A preempted task may have any state. */
	if (l->on_rq)
		return EVTLOG_STATE_PREEMPTED;
	/* 0: TASK_RUNNING, or TASK_WAKING, before the task is on a queue. */
	index = __task_state_index(l->state, l->exit_state);
	return index ? index : EVTLOG_STATE_PREEMPTED;
}

/**
 * sampler_look() - find out what a task is doing
 * @task:	the task, with a reference
 * @l:		result
 *
 * Return: true if the result is from one instant; false if the task changed again and again.
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

/* Indices into EVTLOG_STATES */
#define SAMPLER_SLEEPS		(ilog2(TASK_INTERRUPTIBLE) + 1)
#define SAMPLER_WAITS		EVTLOG_STATE_PREEMPTED
#define SAMPLER_UNKNOWN		(sizeof(EVTLOG_STATES) - 1)

/**
 * sampler_glance() - check whether a task waits for a CPU or sleeps, as nearly all tasks do
 * @task:	the task, with a reference
 * @cpu:	result: its CPU, if it does
 *
 * Return: SAMPLER_WAITS, SAMPLER_SLEEPS: the same result as sampler_look() and sampler_state();
 * SAMPLER_UNKNOWN: these are needed.
 */
static __always_inline unsigned int sampler_glance(const struct task_struct *task,
						   unsigned int *cpu)
{
	unsigned long switches = sampler_switches(task);

	if (sampler_on_cpu(task))
		return SAMPLER_UNKNOWN;
	smp_rmb();
	if (sampler_read(task->on_rq)) {
		/* CPU of the queue: it is stored before the task is on the queue. */
		smp_rmb();
		*cpu = task_cpu(task);
		return SAMPLER_WAITS;
	}
	/* Most sleeping tasks can also be frozen in this state. */
	if ((READ_ONCE(task->__state) & ~TASK_FREEZABLE) != TASK_INTERRUPTIBLE ||
	    sampler_read(task->exit_state))
		return SAMPLER_UNKNOWN;
	*cpu = task_cpu(task);
	/* As in sampler_look_once() */
	smp_rmb();
	if (sampler_on_cpu(task) || switches != sampler_switches(task))
		return SAMPLER_UNKNOWN;
	return SAMPLER_SLEEPS;
}

#endif /* EVTLOG_SAMPLER_LOOK_H */
