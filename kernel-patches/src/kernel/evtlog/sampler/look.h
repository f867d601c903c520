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
 * A task that does not run, and then is on a queue, waited for a CPU in between, whatever comes
 * behind: that needs no second look.
 *
 * Either way the answer was true at an instant between the first load and the last.  The stores
 * that this sees follow the switch's and the waking's records, with interrupts off: the answer
 * may be that of before the record until the same CPU writes its next one.
 */
#ifndef EVTLOG_SAMPLER_LOOK_H
#define EVTLOG_SAMPLER_LOOK_H

#include <linux/compiler.h>
#include <linux/evtlog.h>
#include <linux/log2.h>
#include <linux/sched.h>
#include <asm/barrier.h>

/* Whoever has changed so often in less than a microsecond is taken as last seen. */
#define SAMPLER_TRIES	4

static_assert(sizeof(EVTLOG_STATES) - 1 == EVTLOG_STATE_PREEMPTED + 1);

/*
 * A field of a task or a run queue that the scheduler stores plainly, under locks that are not
 * ours: a word that is read once is not torn, and how old it may be is said above.
 */
#define sampler_read(field)	data_race(READ_ONCE(field))

/**
 * struct sampler_look - what was seen of a task
 * @switches:	how often it had left a CPU
 * @on_cpu, @on_rq: as in task_struct
 * @state, @exit_state: the same, of a task that is on neither; else 0
 * @cpu:	that it runs on, waits for, or was on last
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

/* False: it has changed meanwhile. */
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

/* Indices into EVTLOG_STATES */
#define SAMPLER_SLEEPS		(ilog2(TASK_INTERRUPTIBLE) + 1)
#define SAMPLER_WAITS		EVTLOG_STATE_PREEMPTED
#define SAMPLER_UNKNOWN		(sizeof(EVTLOG_STATES) - 1)

/**
 * sampler_glance() - does a task wait for a CPU or sleep, as nearly all do?
 * @task:	it; a reference is held
 * @cpu:	gets its CPU, if it does
 *
 * Return: SAMPLER_WAITS, SAMPLER_SLEEPS: what sampler_look() and sampler_state() would tell;
 * SAMPLER_UNKNOWN: they are needed.
 */
static __always_inline unsigned int sampler_glance(const struct task_struct *task,
						   unsigned int *cpu)
{
	unsigned long switches = sampler_switches(task);

	if (sampler_on_cpu(task))
		return SAMPLER_UNKNOWN;
	smp_rmb();
	if (sampler_read(task->on_rq)) {
		/* That of the queue: it is stored before the task is on it. */
		smp_rmb();
		*cpu = task_cpu(task);
		return SAMPLER_WAITS;
	}
	/* Most may also be frozen meanwhile. */
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
