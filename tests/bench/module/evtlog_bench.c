// SPDX-License-Identifier: GPL-2.0-only
/*
 * evtlog_bench - raises interrupts and softirqs as fast as the CPU can, to count the instructions
 * of recording one entry and exit.
 *
 * Write "KIND COUNT" to /proc/evtlog_bench; KIND is nothing, softirq, hardirq or vector. Then read
 * the nanoseconds that these COUNT took. It is part of tests/bench, is loaded only in guests, and
 * uses no tracer.
 */
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irq_work.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/uaccess.h>

#define WARM_UP		1000
#define COUNT_MAX	10000000

static int irq;
static unsigned long served;
static u64 last_ns;
static DEFINE_MUTEX(round_lock);	/* guards served, last_ns */

static irqreturn_t serve_hardirq(int number, void *cookie)
{
	served++;
	return IRQ_HANDLED;
}

static void serve_softirq(struct tasklet_struct *tasklet)
{
	served++;
}

static DECLARE_TASKLET(bench_tasklet, serve_softirq);

static void raise_nothing(void)
{
	served++;
}

/* Enabling the bottom halves runs the tasklet: one softirq, in this context. */
static void raise_softirq_now(void)
{
	local_bh_disable();
	tasklet_schedule(&bench_tasklet);
	local_bh_enable();
}

/*
 * A line without hardware. From handle_simple_irq() on it takes the path of a device's interrupt;
 * all tracers hook there.
 */
static void raise_hardirq_now(void)
{
	generic_handle_irq_safe(irq);
}

static void serve_work(struct irq_work *work)
{
	served++;
}

static struct irq_work bench_work = IRQ_WORK_INIT_HARD(serve_work);

/* An interrupt that this CPU sends itself */
static void raise_vector_now(void)
{
	irq_work_queue(&bench_work);
	irq_work_sync(&bench_work);
}

static int run_round(const char *kind, unsigned long count)
{
	void (*raise)(void);
	unsigned long k;
	u64 begin = 0;

	if (!strcmp(kind, "nothing"))
		raise = raise_nothing;
	else if (!strcmp(kind, "softirq"))
		raise = raise_softirq_now;
	else if (!strcmp(kind, "hardirq"))
		raise = raise_hardirq_now;
	else if (!strcmp(kind, "vector"))
		raise = raise_vector_now;
	else
		return -EINVAL;

	served = 0;
	for (k = 0; k < WARM_UP + count; k++) {
		if (k == WARM_UP)
			begin = ktime_get_raw_ns();
		raise();
	}
	last_ns = ktime_get_raw_ns() - begin;
	return served == WARM_UP + count ? 0 : -EIO;
}

static ssize_t bench_write(struct file *file, const char __user *from,
			   size_t bytes, loff_t *pos)
{
	unsigned long count;
	char line[64], kind[16];
	int error;

	if (bytes >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, from, bytes))
		return -EFAULT;
	line[bytes] = '\0';
	if (sscanf(line, "%15s %lu", kind, &count) != 2 || !count ||
	    count > COUNT_MAX)
		return -EINVAL;

	mutex_lock(&round_lock);
	error = run_round(kind, count);
	mutex_unlock(&round_lock);
	return error ?: bytes;
}

static ssize_t bench_read(struct file *file, char __user *to, size_t bytes,
			  loff_t *pos)
{
	char line[32];
	int length;

	mutex_lock(&round_lock);
	length = scnprintf(line, sizeof(line), "%llu\n", last_ns);
	mutex_unlock(&round_lock);
	return simple_read_from_buffer(to, bytes, pos, line, length);
}

static const struct proc_ops bench_ops = {
	.proc_read = bench_read,
	.proc_write = bench_write,
};

static int __init bench_init(void)
{
	int error;

	irq = irq_alloc_desc(NUMA_NO_NODE);
	if (irq < 0)
		return irq;
	irq_set_chip_and_handler(irq, &dummy_irq_chip, handle_simple_irq);
	error = request_irq(irq, serve_hardirq, 0, "evtlog_bench", NULL);
	if (error)
		goto free_line;
	if (!proc_create("evtlog_bench", 0600, NULL, &bench_ops)) {
		error = -ENOMEM;
		goto free_handler;
	}
	return 0;

free_handler:
	free_irq(irq, NULL);
free_line:
	irq_free_desc(irq);
	return error;
}

static void __exit bench_exit(void)
{
	remove_proc_entry("evtlog_bench", NULL);
	tasklet_kill(&bench_tasklet);
	free_irq(irq, NULL);
	irq_free_desc(irq);
}

module_init(bench_init);
module_exit(bench_exit);
MODULE_DESCRIPTION("raises interrupts and softirqs for evtlog's benchmarks");
MODULE_LICENSE("GPL");
