// SPDX-License-Identifier: GPL-2.0-only
/*
 * A pass: a record of each CPU's run queue, of each task, and one that says how many they were.
 *
 * Called by thread.c.  All records of a pass are of one CPU, that which the thread runs on, and
 * lie there between the tick that the last of them names as its begin, and that one.
 */
#include <linux/cpumask.h>
#include <linux/evtlog.h>
#include <linux/pid.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/cputime.h>
#include <linux/sched/task.h>

#include "../sched/sched.h"
#include "clock.h"
#include "event/put_word.h"
#include "sampler/look.h"
#include "sampler/sampler.h"

/* Looked at before others may run. */
#define CHUNK	128

/* Read by others for status: each is of some moment. */
struct sampler_counts sampler_counts;

static_assert(sizeof(struct sampler_policy_record) == 8);
static_assert(sizeof(struct sampler_cpu_record) == 8);
static_assert(sizeof(struct sampler_pass_record) == 40);

static __always_inline void count(int error, u32 *written, u32 *lost)
{
	if (likely(!error))
		++*written;
	else if (error == -ENOBUFS)
		++*lost;
}

static void pass_cpus(const struct sampler_events *events, struct sampler_pass_record *pass)
{
	struct sampler_cpu_record record;
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		record.cpu = cpu;
		record.nr_running = READ_ONCE(cpu_rq(cpu)->nr_running);
		count(evtlog_event_put(events->cpu, &record, sizeof(record)), &pass->cpus,
		      &pass->lost);
	}
}

/* Not 0 */
static __always_inline u32 policy_of(const struct task_struct *task)
{
	return 1U << 31 | READ_ONCE(task->policy) << 16 | READ_ONCE(task->rt_priority) << 8 |
	       READ_ONCE(task->static_prio);
}

static noinline __cold void tell_policy(const struct sampler_events *events,
					struct sampler_member *member, u32 now,
					struct sampler_pass_record *pass)
{
	struct sampler_policy_record record = {
		.pid = member->task->pid,
		.policy = now >> 16,
		.rt_priority = now >> 8,
		.nice = PRIO_TO_NICE((int)(now & 0xff)),
	};
	u32 written = 0;

	count(evtlog_event_put(events->policy, &record, sizeof(record)), &written, &pass->lost);
	if (written)
		member->told = now;
}

static __always_inline void pass_task(const struct sampler_events *events,
				      struct sampler_member *member,
				      struct sampler_pass_record *pass)
{
	struct task_struct *task = member->task;
	u32 policy = policy_of(task);
	struct sampler_look l;
	char state;

	if (unlikely(policy != member->told))
		tell_policy(events, member, policy, pass);
	if (unlikely(!sampler_look(task, &l)))
		pass->unsure++;
	/* It has not run yet: its wake-up is still to come. */
	if (unlikely(l.state == TASK_NEW))
		return;
	state = EVTLOG_STATES[sampler_state(&l)];
	count(evtlog_event_put_word(events->task, SAMPLER_TASK_RECORD(task->pid, l.cpu,
								      READ_ONCE(task->prio),
								      state)),
	      &pass->tasks, &pass->lost);
}

static void pass_tasks(const struct sampler_events *events, struct sampler_pass_record *pass)
{
	unsigned int i = 0, nr, left = CHUNK;
	struct sampler_member *members = sampler_members(&nr);

	while (i < nr) {
		if (unlikely(!pid_alive(members[i].task))) {
			sampler_members_drop(i);
			nr--;
			continue;
		}
		pass_task(events, &members[i++], pass);
		if (!--left) {
			cond_resched();
			left = CHUNK;
		}
	}
}

/**
 * sampler_pass() - log what all are doing now
 * @events:	as which
 * @missed:	passes that were due, but did not take place
 *
 * Context: the thread's, members found; may sleep.
 */
void sampler_pass(const struct sampler_events *events, unsigned int missed)
{
	struct sampler_pass_record pass = { .missed = missed };
	u32 written = 0;

	sampler_members_update();
	migrate_disable();
	pass.begin = evtlog_ticks64();
	pass.pass = sampler_counts.passes + 1;
	pass_cpus(events, &pass);
	pass_tasks(events, &pass);
	count(evtlog_event_put(events->pass, &pass, sizeof(pass)), &written, &pass.lost);
	migrate_enable();
	WRITE_ONCE(sampler_counts.passes, pass.pass);
	WRITE_ONCE(sampler_counts.missed, sampler_counts.missed + missed);
	WRITE_ONCE(sampler_counts.lost, sampler_counts.lost + pass.lost);
	WRITE_ONCE(sampler_counts.tasks, pass.tasks);
}
