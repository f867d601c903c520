// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module whose records contain tickets from one counter of all CPUs. A record takes its ticket
 * between reserve and commit. On each CPU, a thread and a timer's hard interrupt put records.
 *
 * Stage: in the test's guest. At the end, prints how many records were put and how many refused.
 */
#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/evtlog.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#define TIMER_US	100

static unsigned int records = 2000;
module_param(records, uint, 0444);
MODULE_PARM_DESC(records, "of each CPU's thread");

struct record {
	u64 ticket;
	u32 cpu;
	u32 pid;
	u64 rest[8];
};

struct putter {
	struct hrtimer timer;
	struct task_struct *thread;
	u64 put;
	u64 refused;
};

static struct putter __percpu *putters;
static atomic64_t tickets;
static int event_id;

/* Context: interrupts off */
static void put(void)
{
	struct putter *p = this_cpu_ptr(putters);
	size_t bytes = 16 + p->put % 9 * 8;
	struct record *record;
	unsigned long flags;

	record = evtlog_event_reserve(event_id, bytes, &flags);
	if (!record) {
		p->refused++;
		return;
	}
	record->ticket = atomic64_inc_return(&tickets);
	record->cpu = smp_processor_id();
	record->pid = current->pid;
	memset(record->rest, record->ticket, bytes - 16);
	p->put++;
	evtlog_event_commit(flags);
}

static enum hrtimer_restart put_in_timer(struct hrtimer *timer)
{
	put();
	hrtimer_forward_now(timer, ns_to_ktime(TIMER_US * 1000));
	return HRTIMER_RESTART;
}

static int put_in_thread(void *data)
{
	struct putter *p = data;
	unsigned int i;

	hrtimer_start(&p->timer, ns_to_ktime(TIMER_US * 1000), HRTIMER_MODE_REL_PINNED_HARD);
	for (i = 0; i < records; i++) {
		local_irq_disable();
		put();
		local_irq_enable();
		cond_resched();
	}
	hrtimer_cancel(&p->timer);
	set_current_state(TASK_INTERRUPTIBLE);
	while (!kthread_should_stop()) {
		schedule();
		set_current_state(TASK_INTERRUPTIBLE);
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

static void end(void)
{
	u64 put = 0, refused = 0;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct putter *p = per_cpu_ptr(putters, cpu);

		if (p->thread)
			kthread_stop(p->thread);
		put += p->put;
		refused += p->refused;
	}
	evtlog_event_unregister(event_id);
	pr_info("evtlog_order_test: put %llu refused %llu tickets %lld\n", put, refused,
		atomic64_read(&tickets));
	free_percpu(putters);
}

static int start_putting(unsigned int cpu)
{
	struct putter *p = per_cpu_ptr(putters, cpu);
	struct task_struct *thread;

	hrtimer_init(&p->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	p->timer.function = put_in_timer;
	thread = kthread_create_on_cpu(put_in_thread, p, cpu, "order-putter/%u");
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	p->thread = thread;
	return 0;
}

static int __init evtlog_order_test_init(void)
{
	unsigned int cpu;
	int error = 0;

	putters = alloc_percpu(struct putter);
	if (!putters)
		return -ENOMEM;
	event_id = evtlog_event_register("ordered", "ticket:0:8:u cpu:8:4:u pid:12:4:p rest:16:0:b");
	if (event_id < 0) {
		free_percpu(putters);
		return event_id;
	}
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		if (!error)
			error = start_putting(cpu);
	}
	/* Wake all threads only now, so that they run at the same time. */
	for_each_online_cpu(cpu) {
		if (!error)
			wake_up_process(per_cpu_ptr(putters, cpu)->thread);
	}
	cpus_read_unlock();
	if (error)
		end();
	return error;
}

static void __exit evtlog_order_test_exit(void)
{
	end();
}

module_init(evtlog_order_test_init);
module_exit(evtlog_order_test_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("logs tickets of one counter from all CPUs");
