// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sample module that logs its own events: a thread on each CPU, a tasklet and a timer's hard
 * interrupt put records of 0 to 4,000 bytes, all nested, until the module is unloaded, with or
 * without a run.
 *
 * Stage: in the test's guest. A record's bytes are computed from its first 16, which contain the
 * place and the sequence number, and from its length. The results of put and reserve are counted
 * for each place and printed to the kernel log; event.py compares them with the recorded events.
 *
 * The thread and the timer write records in place, the tasklet copies them.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/evtlog.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#define BYTES_MAX	4000
#define HEAD_BYTES	16

enum place { TASK = 1, SOFTIRQ, HARDIRQ, PLACES };

static const char *const place_names[PLACES] = {
	[TASK] = "task",
	[SOFTIRQ] = "softirq",
	[HARDIRQ] = "hardirq",
};

static unsigned int timer_us = 500;
module_param(timer_us, uint, 0444);
MODULE_PARM_DESC(timer_us, "microseconds between a timer's records");

static unsigned int pause_us = 200;
module_param(pause_us, uint, 0444);
MODULE_PARM_DESC(pause_us, "microseconds between a thread's records; 0: none");

static bool copies;
module_param(copies, bool, 0444);
MODULE_PARM_DESC(copies, "copy in all places: put says why it refuses, reserve does not");

static unsigned int late_ms;
module_param(late_ms, uint, 0444);
MODULE_PARM_DESC(late_ms, "they go on so many milliseconds after it is unregistered");

/* REFUSED: all errors except losses; for reserve: all errors */
enum answer { OK, NOBUFS, LARGE, REFUSED, ANSWERS };

struct putter {
	u64 sequence[PLACES];
	u64 answers[PLACES][ANSWERS];
	u64 copied[PLACES][BYTES_MAX / 8];
	struct tasklet_struct tasklet;
	struct hrtimer timer;
	struct task_struct *thread;
};

static struct putter __percpu *putters;
static int event_id;

/* Returns 0 to more than 4,000, often a limit; it depends only on the number, for the reader. */
static size_t bytes_of(u64 sequence, enum place place)
{
	u64 mixed = (sequence * 2654435761u + place * 40503) >> 7;

	switch (mixed % 16) {
	case 0:
		return BYTES_MAX;
	case 1:
		return 0;
	case 2:
		return HEAD_BYTES + mixed / 16 % 8;
	default:
		return HEAD_BYTES + mixed / 16 % (mixed % 5 ? 240 : BYTES_MAX - HEAD_BYTES + 1);
	}
}

static void fill(u8 *to, size_t bytes, enum place place, u64 sequence)
{
	u32 head[2] = { smp_processor_id(), place };
	u32 x = (u32)sequence * 747796405u + place;
	size_t i;

	if (bytes < HEAD_BYTES)
		return;
	memcpy(to, head, sizeof(head));
	memcpy(to + sizeof(head), &sequence, sizeof(sequence));
	for (i = HEAD_BYTES; i < bytes; i++) {
		x = x * 1664525u + 1013904223u;
		to[i] = x >> 24;
	}
}

static enum answer put_copy(enum place place, u64 sequence, size_t bytes)
{
	u8 *copy = (u8 *)this_cpu_ptr(putters)->copied[place];

	fill(copy, bytes, place, sequence);
	switch (evtlog_event_put(event_id, copy, bytes)) {
	case 0:
		return OK;
	case -ENOBUFS:
		return NOBUFS;
	case -EMSGSIZE:
		return LARGE;
	default:
		return REFUSED;
	}
}

static enum answer put_in_place(enum place place, u64 sequence, size_t bytes)
{
	unsigned long flags;
	void *payload = evtlog_event_reserve(event_id, bytes, &flags);

	if (!payload)
		return REFUSED;
	fill(payload, bytes, place, sequence);
	evtlog_event_commit(flags);
	return OK;
}

/* Runs on this CPU; no other caller from the same place interrupts it. */
static void put(enum place place)
{
	struct putter *p = this_cpu_ptr(putters);
	u64 sequence = ++p->sequence[place];
	size_t bytes = bytes_of(sequence, place);
	enum answer answer;

	answer = copies || place == SOFTIRQ ? put_copy(place, sequence, bytes) :
		 put_in_place(place, sequence, bytes);
	p->answers[place][answer]++;
}

static void put_in_tasklet(struct tasklet_struct *unused)
{
	put(SOFTIRQ);
}

static enum hrtimer_restart put_in_timer(struct hrtimer *timer)
{
	put(HARDIRQ);
	tasklet_schedule(&this_cpu_ptr(putters)->tasklet);
	hrtimer_forward_now(timer, ns_to_ktime(timer_us * 1000ULL));
	return HRTIMER_RESTART;
}

/* If its CPU goes offline, runs on another. */
static int put_in_thread(void *data)
{
	struct putter *p = data;

	hrtimer_start(&p->timer, ns_to_ktime(timer_us * 1000ULL), HRTIMER_MODE_REL_PINNED_HARD);
	while (!kthread_should_stop()) {
		preempt_disable();
		put(TASK);
		preempt_enable();
		if (pause_us)
			usleep_range(pause_us, 2 * pause_us);
		else
			cond_resched();
	}
	hrtimer_cancel(&p->timer);
	tasklet_kill(&p->tasklet);
	return 0;
}

static void say(enum place place)
{
	u64 sums[ANSWERS] = { 0 };
	unsigned int cpu, i;

	for_each_possible_cpu(cpu) {
		for (i = 0; i < ANSWERS; i++)
			sums[i] += per_cpu_ptr(putters, cpu)->answers[place][i];
	}
	pr_info("evtlog_event_test: place %u %s ok %llu nobufs %llu large %llu refused %llu\n",
		place, place_names[place], sums[OK], sums[NOBUFS], sums[LARGE], sums[REFUSED]);
}

static void end(void)
{
	unsigned int cpu, i;

	/* Unregister before the callers have ended: their calls are refused from now on. */
	evtlog_event_unregister(event_id);
	if (late_ms)
		schedule_timeout_uninterruptible(msecs_to_jiffies(late_ms));
	for_each_possible_cpu(cpu) {
		if (per_cpu_ptr(putters, cpu)->thread)
			kthread_stop(per_cpu_ptr(putters, cpu)->thread);
	}
	for (i = TASK; i < PLACES; i++)
		say(i);
	free_percpu(putters);
}

static int start_putting(unsigned int cpu)
{
	struct putter *p = per_cpu_ptr(putters, cpu);
	struct task_struct *thread;

	tasklet_setup(&p->tasklet, put_in_tasklet);
	hrtimer_init(&p->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	p->timer.function = put_in_timer;
	thread = kthread_create_on_cpu(put_in_thread, per_cpu_ptr(putters, cpu), cpu,
				       "event-putter/%u");
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	p->thread = thread;
	wake_up_process(thread);
	return 0;
}

/* Calls that must be refused, with the error; "" is an empty text. */
static int refusals(void)
{
	static const struct {
		const char *name, *fields;
		int error;
	} cases[] = {
		{ "", "", -EINVAL },
		{ "9a", "", -EINVAL },
		{ "a b", "", -EINVAL },
		{ "a_name_of_thirty-one_characters_", "", -EINVAL },
		{ "a", "x", -EINVAL },
		{ "a", "x:0:3:u", -EINVAL },
		{ "a", "x:0:4:z", -EINVAL },
		{ "a", "x:0:4:u ", -EINVAL },
		{ "a", "x:0:0:b y:0:4:u", -EINVAL },
		{ "a", "x:3999:2:u", -EINVAL },
		{ "a", "x:-1:2:u", -EINVAL },
		{ "sample", "", -EEXIST },
	};
	u8 byte = 0;
	unsigned int i;
	int answer;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		answer = evtlog_event_register(cases[i].name, cases[i].fields);
		if (answer != cases[i].error) {
			pr_err("evtlog_event_test: \"%s\", \"%s\" got %d\n", cases[i].name,
			       cases[i].fields, answer);
			return -EINVAL;
		}
	}
	answer = evtlog_event_put(EVTLOG_EVENT_ID_MAX + 1, &byte, 1);
	if (answer != -EINVAL && answer != -ENODATA)
		return -EINVAL;
	return 0;
}

static int __init evtlog_event_test_init(void)
{
	unsigned int cpu;
	int error;

	putters = alloc_percpu(struct putter);
	if (!putters)
		return -ENOMEM;
	event_id = evtlog_event_register("sample",
					 "cpu:0:4:u place:4:4:u sequence:8:8:u ecalp:4:4:n pattern:16:0:b");
	if (event_id < 0) {
		free_percpu(putters);
		return event_id;
	}
	error = refusals();
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		if (!error)
			error = start_putting(cpu);
	}
	cpus_read_unlock();
	if (error)
		end();
	return error;
}

static void __exit evtlog_event_test_exit(void)
{
	end();
}

module_init(evtlog_event_test_init);
module_exit(evtlog_event_test_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("logs events of its own, of many sizes and from every context");
