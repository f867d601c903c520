// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module with a function to probe: as many calls as are written to its parameter.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

static noinline __noclone int probed_function(int number, const char *text)
{
	barrier_data(text);
	return number;
}

static int calls_set(const char *text, const struct kernel_param *unused)
{
	int calls, i;

	if (kstrtoint(text, 0, &calls))
		return -EINVAL;
	for (i = 0; i < calls; i++)
		probed_function(-i, "evtlog's module");
	return 0;
}

static const struct kernel_param_ops calls_ops = { .set = calls_set };
module_param_cb(calls, &calls_ops, NULL, 0200);

MODULE_DESCRIPTION("A function that a test of evtlog probes");
MODULE_LICENSE("GPL");
