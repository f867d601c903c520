// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints a checksum of the kernel's text from start to end, or calls a function; then fails to
 * load. Addresses are as in /proc/kallsyms.
 */
#include <linux/errno.h>
#include <linux/module.h>

static unsigned long start, end, call;
module_param(start, ulong, 0);
module_param(end, ulong, 0);
module_param(call, ulong, 0);

static int __init evtlog_text_test_init(void)
{
	u64 sum = 0xcbf29ce484222325ULL;
	const u8 *at;

	if (call) {
		((void (*)(void))call)();
		return -ENODEV;
	}
	for (at = (const u8 *)start; at < (const u8 *)end; at++)
		sum = (sum ^ *at) * 0x100000001b3ULL;
	pr_info("evtlog_text_test: %lu bytes, sum %016llx\n", end - start, sum);
	return -ENODEV;
}
module_init(evtlog_text_test_init);

MODULE_DESCRIPTION("Sums the kernel's text for a test of evtlog");
MODULE_LICENSE("GPL");
