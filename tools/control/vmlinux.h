/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The running kernel's vmlinux: in which source file each function is.
 *
 * Functions return 0 or -errno and say nothing.
 */
#ifndef EVTLOG_CONTROL_VMLINUX_H
#define EVTLOG_CONTROL_VMLINUX_H

#include <stddef.h>
#include <stdint.h>

struct vmlinux {
	const unsigned char *at;
	size_t bytes;
};

/**
 * vmlinux_open() - find the running kernel's vmlinux, by its build ID
 * @file:	filled in; close it with vmlinux_close()
 *
 * It is looked for where distributions and the kernel's build put it.  -ENOENT: none is there.
 */
int vmlinux_open(struct vmlinux *file);

void vmlinux_close(struct vmlinux *file);

/**
 * vmlinux_each_function() - go through the functions of its symbol table
 * @visit:	called with @data, the function's name, the source file's name without directories ("" of a
 *		global function, whose name is unique), and the address as linked
 */
void vmlinux_each_function(const struct vmlinux *file,
			   void (*visit)(void *data, const char *name, const char *source,
					 uint64_t address),
			   void *data);

#endif /* EVTLOG_CONTROL_VMLINUX_H */
