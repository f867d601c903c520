// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of the machine's exceptions.
 *
 * Evtlog_jitter_sources() and what shows events use it.
 */
#include <stddef.h>

#include <evtlog/record.h>

/* As the machine's manual numbers them. */
static const char *const names[] = {
	[0] = "divide error", [1] = "debug", [2] = "NMI exception", [3] = "breakpoint",
	[4] = "overflow", [5] = "bound range", [6] = "invalid opcode",
	[7] = "device not available", [8] = "double fault", [10] = "invalid TSS",
	[11] = "segment not present", [12] = "stack segment fault",
	[13] = "general protection", [14] = "page fault", [16] = "x87 error",
	[17] = "alignment check", [18] = "machine check", [19] = "SIMD error",
	[20] = "virtualization exception", [21] = "control protection",
	[29] = "VMM communication", [32] = "IRET exception",
};

const char *evtlog_exception_name(unsigned int vector)
{
	return vector < sizeof(names) / sizeof(names[0]) ? names[vector] : NULL;
}
