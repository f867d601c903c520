// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module that calls evtlog_put() from every context at the same time: a thread on each CPU is
 * interrupted by a timer, an irq_work, a tasklet and NMIs, which call it too.
 *
 * Stage: in the test's guest. Counts the results of evtlog_put() in each context and prints them to
 * the kernel log; put.py compares them with the recorded events.
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/evtlog.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <asm/apic.h>
#include <asm/nmi.h>

#define TIMER_NS	150000

/* The ids of events: the calling context. "_AT": with the time of the event before */
enum place {
	PROCESS = 1,
	PROCESS_AT,
	SOFTIRQ,
	HARDIRQ,
	TIMER,
	NMI,
	PLACES
};

static const char *const place_names[PLACES] = {
	[PROCESS] = "process",
	[PROCESS_AT] = "process_at",
	[SOFTIRQ] = "softirq",
	[HARDIRQ] = "hardirq",
	[TIMER] = "timer",
	[NMI] = "nmi",
};

enum answer { OK, BUSY, NOBUFS, NODATA, OTHER, ANSWERS };

static unsigned int count = 20000;
module_param(count, uint, 0444);
MODULE_PARM_DESC(count, "events that each CPU's thread puts");

struct putter {
	u64 sequence[PLACES];
	u64 answers[PLACES][ANSWERS];
	struct tasklet_struct tasklet;
	struct irq_work work;
	struct hrtimer timer;
	struct completion done;
	atomic_t nmi_pending;
};

static DEFINE_PER_CPU(struct putter, putters);

/* Runs on this CPU; no other caller from the same place preempts it. */
static u64 put(enum place place, bool fill_in_time, u64 timestamp)
{
	struct putter *p = this_cpu_ptr(&putters);
	struct evtlog_entry entry = { .id = place, .timestamp = timestamp };
	u64 sequence = ++p->sequence[place];
	enum answer answer;

	memcpy(entry.data, &sequence, sizeof(sequence));
	switch (evtlog_put(&entry, fill_in_time)) {
	case 0:
		answer = OK;
		break;
	case -EBUSY:
		answer = BUSY;
		break;
	case -ENOBUFS:
		answer = NOBUFS;
		break;
	case -ENODATA:
		answer = NODATA;
		break;
	default:
		answer = OTHER;
	}
	p->answers[place][answer]++;
	return entry.timestamp;
}

static void put_in_tasklet(struct tasklet_struct *unused)
{
	put(SOFTIRQ, true, 0);
}

static void put_in_irq_work(struct irq_work *unused)
{
	put(HARDIRQ, true, 0);
}

static enum hrtimer_restart put_in_timer(struct hrtimer *timer)
{
	put(TIMER, true, 0);
	hrtimer_forward_now(timer, ns_to_ktime(TIMER_NS));
	return HRTIMER_RESTART;
}

/* Several NMIs may be merged into one. */
static int put_in_nmi(unsigned int type, struct pt_regs *regs)
{
	if (!atomic_xchg(&this_cpu_ptr(&putters)->nmi_pending, 0))
		return NMI_DONE;
	put(NMI, true, 0);
	return NMI_HANDLED;
}

static void send_nmi(unsigned int cpu)
{
	atomic_set(&per_cpu_ptr(&putters, cpu)->nmi_pending, 1);
	apic->send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
}

static int put_in_thread(void *unused)
{
	unsigned int cpu = smp_processor_id();
	unsigned int next = cpumask_next_wrap(cpu, cpu_online_mask, cpu, false);
	struct putter *p = this_cpu_ptr(&putters);
	unsigned int i;
	u64 at;

	if (next >= nr_cpu_ids)
		next = cpu;
	hrtimer_start(&p->timer, ns_to_ktime(TIMER_NS),
		      HRTIMER_MODE_REL_PINNED_HARD);
	for (i = 0; i < count; i++) {
		at = put(PROCESS, true, 0);
		put(PROCESS_AT, false, at);
		if (i % 16 == 0)
			irq_work_queue(&p->work);
		if (i % 32 == 0)
			tasklet_schedule(&p->tasklet);
		if (i % 8 == 0)
			send_nmi(next);
		if (i % 64 == 0)
			cond_resched();
	}
	hrtimer_cancel(&p->timer);
	irq_work_sync(&p->work);
	tasklet_kill(&p->tasklet);
	complete(&p->done);
	return 0;
}

static void say_answers(enum place place)
{
	u64 sums[ANSWERS] = { 0 };
	unsigned int cpu, i;

	for_each_online_cpu(cpu) {
		for (i = 0; i < ANSWERS; i++)
			sums[i] += per_cpu_ptr(&putters, cpu)->answers[place][i];
	}
	pr_info("evtlog_put_test: id %u %s ok %llu busy %llu nobufs %llu nodata %llu other %llu\n",
		place, place_names[place], sums[OK], sums[BUSY], sums[NOBUFS],
		sums[NODATA], sums[OTHER]);
}

static int __init evtlog_put_test_init(void)
{
	struct evtlog_entry too_large = { .id = EVTLOG_DATA_MAX + 1 };
	struct task_struct *thread;
	unsigned int cpu, i;
	int error;

	error = evtlog_put(&too_large, true);
	if (error != -EINVAL) {
		pr_err("evtlog_put_test: an id that is too large got %d\n", error);
		return -EINVAL;
	}
	error = register_nmi_handler(NMI_LOCAL, put_in_nmi, 0, "evtlog_put_test");
	if (error)
		return error;

	cpus_read_lock();
	for_each_online_cpu(cpu) {
		struct putter *p = per_cpu_ptr(&putters, cpu);

		tasklet_setup(&p->tasklet, put_in_tasklet);
		p->work = IRQ_WORK_INIT_HARD(put_in_irq_work);
		hrtimer_init(&p->timer, CLOCK_MONOTONIC,
			     HRTIMER_MODE_REL_PINNED_HARD);
		p->timer.function = put_in_timer;
		init_completion(&p->done);
	}
	for_each_online_cpu(cpu) {
		thread = kthread_create_on_cpu(put_in_thread, NULL, cpu,
					       "putter/%u");
		if (IS_ERR(thread)) {
			error = PTR_ERR(thread);
			complete(&per_cpu_ptr(&putters, cpu)->done);
			continue;
		}
		wake_up_process(thread);
	}
	for_each_online_cpu(cpu)
		wait_for_completion(&per_cpu_ptr(&putters, cpu)->done);
	cpus_read_unlock();

	/* Wait for NMIs that are still pending. */
	schedule_timeout_uninterruptible(HZ / 10);
	unregister_nmi_handler(NMI_LOCAL, "evtlog_put_test");
	for (i = 1; i < PLACES; i++)
		say_answers(i);
	return error;
}

static void __exit evtlog_put_test_exit(void)
{
}

module_init(evtlog_put_test_init);
module_exit(evtlog_put_test_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("calls evtlog_put() from every context");
