// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events for watches: a thread on each CPU puts "wa" and "wb", of a few keys, in random order with
 * random pauses; each has the thread's own number, so that a reader knows what is missing.
 *
 * Stage: in the test's guest.  They begin when "go" is written, and end by themselves.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/evtlog.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/prandom.h>

#define FIELDS	"key:0:4:u seq:4:4:u delta:8:2:d"

struct payload {
	u32 key;
	u32 seq;
	s16 delta;
	u16 unused;
};

static unsigned int count = 1000;
module_param(count, uint, 0444);
MODULE_PARM_DESC(count, "events of each CPU");

static unsigned int keys = 8;
module_param(keys, uint, 0444);

static unsigned int pause_us = 400;
module_param(pause_us, uint, 0444);
MODULE_PARM_DESC(pause_us, "up to so many microseconds between two");

static unsigned int seed = 1;
module_param(seed, uint, 0444);

static bool go;
module_param(go, bool, 0644);

static atomic_t running;
static unsigned int done;
module_param(done, uint, 0444);
MODULE_PARM_DESC(done, "read: threads that have put all");

static struct task_struct *threads[NR_CPUS];
static int ids[2];

static int put_all(void *unused)
{
	unsigned int cpu = raw_smp_processor_id(), i;
	struct rnd_state state;

	prandom_seed_state(&state, seed * 1000 + cpu);
	while (!READ_ONCE(go) && !kthread_should_stop())
		msleep(1);
	for (i = 0; i < count && !kthread_should_stop(); i++) {
		u32 random = prandom_u32_state(&state);
		struct payload p = {
			.key = random % keys, .seq = i, .delta = (s16)(random >> 8),
		};

		evtlog_event_put(ids[random >> 31], &p, sizeof(p));
		if (pause_us)
			usleep_range(random >> 8 & 63, (random >> 8) % pause_us + 64);
	}
	if (atomic_dec_and_test(&running))
		WRITE_ONCE(done, 1);
	while (!kthread_should_stop())
		msleep(1);
	return 0;
}

static void end(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		if (threads[cpu])
			kthread_stop(threads[cpu]);
	}
	evtlog_event_unregister(ids[0]);
	evtlog_event_unregister(ids[1]);
}

static int __init begin(void)
{
	unsigned int cpu;

	ids[0] = evtlog_event_register("wa", FIELDS);
	ids[1] = evtlog_event_register("wb", FIELDS);
	if (ids[0] < 0 || ids[1] < 0) {
		end();
		return -EINVAL;
	}
	atomic_set(&running, num_online_cpus());
	for_each_online_cpu(cpu) {
		threads[cpu] = kthread_create_on_cpu(put_all, NULL, cpu, "watch_test/%u");
		if (IS_ERR(threads[cpu])) {
			threads[cpu] = NULL;
			end();
			return -ENOMEM;
		}
		wake_up_process(threads[cpu]);
	}
	return 0;
}

module_init(begin);
module_exit(end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("events for evtlog's watches");
