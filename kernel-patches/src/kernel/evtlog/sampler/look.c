// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a task is doing, seen from another CPU without its run queue's lock.
 *
 * Called by pass.c for each task.
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
#include <linux/evtlog.h>
#include <linux/sched.h>
#include <asm/barrier.h>

#include "sampler/sampler.h"

/* Whoever has changed so often in less than a microsecond is taken as last seen. */
#define TRIES	4

static_assert(sizeof(struct sampler_task_record) == 8);
static_assert(sizeof(EVTLOG_STATES) - 1 == EVTLOG_STATE_PREEMPTED + 1);

struct look {
	unsigned long switches;
	unsigned int state, exit_state;
	int on_cpu, on_rq;
	unsigned int cpu;
};

static __always_inline int on_cpu(const struct task_struct *task)
{
#ifdef CONFIG_SMP
	return READ_ONCE(task->on_cpu);
#else
	return task == current;
#endif
}

static __always_inline unsigned long switches(const struct task_struct *task)
{
	return READ_ONCE(task->nvcsw) + READ_ONCE(task->nivcsw);
}

/* False: it has changed meanwhile. */
static __always_inline bool look(const struct task_struct *task, struct look *l)
{
	l->switches = switches(task);
	l->on_cpu = on_cpu(task);
	smp_rmb();
	l->state = READ_ONCE(task->__state);
	l->on_rq = READ_ONCE(task->on_rq);
	l->exit_state = READ_ONCE(task->exit_state);
	l->cpu = task_cpu(task);
	/* The second time in the other order: a switch counts before on_cpu changes. */
	smp_rmb();
	return l->on_cpu == on_cpu(task) && l->switches == switches(task);
}

static __always_inline unsigned int state_of(const struct look *l)
{
	if (l->on_cpu)
		return 0;
	if (l->on_rq || l->state == TASK_RUNNING)
		return EVTLOG_STATE_PREEMPTED;
	return __task_state_index(l->state, l->exit_state);
}

/**
 * sampler_look() - what a task is doing
 * @task:	it; a reference is held
 * @record:	gets the answer; but for its pid
 *
 * Return: whether the answer is of one instant; else it changed again and again.
 */
bool sampler_look(struct task_struct *task, struct sampler_task_record *record)
{
	unsigned int tries = TRIES;
	struct look l;
	bool is_sure;

	do {
		is_sure = look(task, &l);
	} while (unlikely(!is_sure) && --tries);
	record->cpu = l.cpu;
	record->prio = READ_ONCE(task->prio);
	record->state = EVTLOG_STATES[state_of(&l)];
	return is_sure;
}
