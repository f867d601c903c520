// SPDX-License-Identifier: GPL-2.0-only
/*
 * A pass: a record for each CPU's run queue, a record for each task, and a record of their numbers.
 *
 * Called by thread.c.  All records of a pass are on the CPU that the thread runs on.  Their times
 * are between the begin of the pass, which is in the last record, and the last record.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/evtlog.h>
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/pid.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/cputime.h>
#include <linux/sched/task.h>

#include "../sched/sched.h"
#include "clock.h"
#include "event/table.h"
#include "ring.h"
#include "sampler/look.h"
#include "sampler/sampler.h"

/*
 * Tasks that are handled with interrupts off: this takes a microsecond, or five if nothing of the
 * tasks is in the cache.  Work that is the same for all records is done once per batch.
 */
#define BATCH	8
/* Tasks that are handled before other tasks may run */
#define CHUNK	(16 * BATCH)

/* Read for status by other tasks; the values may be of different moments. */
struct sampler_counts sampler_counts;

static_assert(sizeof(struct sampler_policy_record) == 8);
static_assert(sizeof(struct sampler_cpu_record) == 8);
static_assert(sizeof(struct sampler_pass_record) == 40);

static void count(int error, u32 *written, u32 *lost)
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
		record.nr_running = sampler_read(cpu_rq(cpu)->nr_running);
		count(evtlog_event_put(events->cpu, &record, sizeof(record)), &pass->cpus,
		      &pass->lost);
	}
}

/* Never SAMPLER_TOLD_NOTHING */
static __always_inline u32 policy_of(const struct task_struct *task)
{
	return sampler_read(task->policy) << 16 | sampler_read(task->rt_priority) << 8 |
	       sampler_read(task->static_prio);
}

static void tell_policy(const struct sampler_events *events, struct sampler_member *member,
			u32 now, struct sampler_pass_record *pass)
{
	struct sampler_policy_record record = {
		.pid = sampler_read(member->task->pid),
		.policy = now >> 16,
		.rt_priority = now >> 8,
		.nice = PRIO_TO_NICE((int)(now & 0xff)),
	};
	u32 written = 0;

	count(evtlog_event_put(events->policy, &record, sizeof(record)), &written, &pass->lost);
	if (written)
		member->told = now;
}

static __always_inline u64 record_of(const struct task_struct *task, unsigned int cpu,
				     unsigned int state)
{
	return SAMPLER_TASK_RECORD(sampler_read(task->pid), cpu, sampler_read(task->prio),
				   EVTLOG_STATES[state]);
}

/* The task has not run yet: its wake-up is still to come. */
static __always_inline bool is_new(const struct sampler_look *l)
{
	return l->state == TASK_NEW;
}

/*
 * Returns the record of another task if one look is enough.  0: it is not, or the task was reaped
 * or is new.  A reaped task has EXIT_DEAD, at the latest when it has left its CPU.
 */
static noinline u64 look_once(const struct task_struct *task)
{
	struct sampler_look l;

	if (!sampler_look_once(task, &l) || l.exit_state & EXIT_DEAD || is_new(&l))
		return 0;
	return record_of(task, l.cpu, sampler_state(&l));
}

static __always_inline u64 glance_at(const struct task_struct *task)
{
	unsigned int cpu, state = sampler_glance(task, &cpu);

	if (unlikely(state == SAMPLER_UNKNOWN))
		return look_once(task);
	return record_of(task, cpu, state);
}

/* Interrupts are off.  False: evtlog_event_put() finds out if and where the event is recorded. */
static __always_inline bool may_write(unsigned int id)
{
	return evtlog_hook_on(event) && likely(test_bit(id, evtlog_event_ids));
}

/*
 * Handles tasks that need only the record of what they are doing, while there is room.  Returns
 * their number.
 */
static noinline unsigned int pass_quickly(unsigned int id, const struct sampler_member *members,
					  unsigned int nr)
{
	u32 tag = EVTLOG_EVENT_TAG(id, sizeof(u64));
	unsigned int i = 0, end;

	OPTIMIZER_HIDE_VAR(tag);
	do {
		raw_local_irq_disable();
		end = may_write(id) ? min(i + BATCH, nr) : 0;
		for (; i < end; i++) {
			const struct task_struct *task = members[i].task;
			u64 payload, *record;

			if (unlikely(policy_of(task) != members[i].told))
				break;
			payload = glance_at(task);
			if (unlikely(!payload))
				break;
			record = evtlog_ring_try_reserve(&evtlog_ring, tag, 2);
			if (unlikely(!record))
				break;
			record[1] = payload;
		}
		raw_local_irq_enable();
	} while (i && i == end && i < nr);
	return i;
}

/* Handles a task that needs more records, or for which the fast path failed. */
static noinline void pass_task(const struct sampler_events *events, struct sampler_member *member,
			       struct sampler_pass_record *pass)
{
	struct task_struct *task = member->task;
	u32 policy = policy_of(task);
	struct sampler_look l;
	u64 record;

	if (policy != member->told)
		tell_policy(events, member, policy, pass);
	if (!sampler_look(task, &l))
		pass->unsure++;
	if (is_new(&l))
		return;
	record = record_of(task, l.cpu, sampler_state(&l));
	count(evtlog_event_put(events->task, &record, sizeof(record)), &pass->tasks, &pass->lost);
}

static void pass_tasks(const struct sampler_events *events, struct sampler_pass_record *pass)
{
	unsigned int i = 0, nr, left = CHUNK, wanted, done;
	struct sampler_member *members = sampler_members(&nr);

	while (i < nr) {
		wanted = min(nr - i, left);
		done = pass_quickly(events->task, members + i, wanted);
		pass->tasks += done;
		i += done;
		left -= done;
		if (done < wanted) {
			if (data_race(pid_alive(members[i].task))) {
				pass_task(events, &members[i++], pass);
			} else {
				sampler_members_drop(i);
				nr--;
			}
			left--;
		}
		if (!left) {
			cond_resched();
			left = CHUNK;
		}
	}
}

/**
 * sampler_pass() - log what all sampled tasks are doing
 * @events:	ids of the records
 * @missed:	number of passes that were due, but did not take place
 *
 * Context: the thread, with its members; may sleep.
 */
void sampler_pass(const struct sampler_events *events, unsigned int missed)
{
	struct sampler_pass_record pass = { .missed = missed };
	u32 written = 0;

	sampler_members_update();
	migrate_disable();
	pass.begin = evtlog_ticks64();
	pass.pass = sampler_counts.passes + 1;
	pass.lost = sampler_members_lack();
	pass_cpus(events, &pass);
	pass_tasks(events, &pass);
	count(evtlog_event_put(events->pass, &pass, sizeof(pass)), &written, &pass.lost);
	migrate_enable();
	WRITE_ONCE(sampler_counts.passes, pass.pass);
	WRITE_ONCE(sampler_counts.missed, sampler_counts.missed + missed);
	WRITE_ONCE(sampler_counts.lost, sampler_counts.lost + pass.lost);
	WRITE_ONCE(sampler_counts.tasks, pass.tasks);
}
