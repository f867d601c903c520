// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module with many interrupt lines that have no device. They fire on request, and are freed when
 * the module is unloaded.
 *
 * Stage: in the test's guest; lines.sh loads it and writes its parameter "fire".
 */
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/module.h>

static unsigned int lines = 1000;
module_param(lines, uint, 0444);
MODULE_PARM_DESC(lines, "how many");

static int first;
static unsigned int requested;

static irqreturn_t handle(int irq, void *unused)
{
	return IRQ_HANDLED;
}

/* Fires so many lines once each, on the current CPU. */
static int fire(const char *text, const struct kernel_param *unused)
{
	unsigned int i, count;
	int error = kstrtouint(text, 0, &count);

	if (error)
		return error;
	if (count > requested)
		return -EINVAL;
	local_irq_disable();
	for (i = 0; i < count; i++)
		generic_handle_irq(first + i);
	local_irq_enable();
	return 0;
}

static const struct kernel_param_ops fire_ops = { .set = fire };
module_param_cb(fire, &fire_ops, NULL, 0200);
MODULE_PARM_DESC(fire, "write how many lines are to interrupt this CPU now");

static void give_back(void)
{
	while (requested)
		free_irq(first + --requested, &first);
	irq_free_descs(first, lines);
}

static int __init lines_init(void)
{
	int error;

	/* Without an owner: a line would prevent the module from unloading. */
	first = __irq_alloc_descs(-1, 0, lines, NUMA_NO_NODE, NULL, NULL);
	if (first < 0)
		return first;
	while (requested < lines) {
		irq_set_chip_and_handler(first + requested, &dummy_irq_chip, handle_simple_irq);
		irq_modify_status(first + requested, IRQ_NOREQUEST, 0);
		error = request_irq(first + requested, handle,
				    requested % 100 ? 0 : IRQF_SHARED, "evtlog_lines", &first);
		if (error) {
			give_back();
			return error;
		}
		requested++;
	}
	return 0;
}

static void __exit lines_exit(void)
{
	give_back();
}

module_init(lines_init);
module_exit(lines_exit);
MODULE_DESCRIPTION("Interrupt lines for the tests of evtlog");
MODULE_LICENSE("GPL");
