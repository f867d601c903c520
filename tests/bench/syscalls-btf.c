// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What bcc's syscount looks for in a kernel's BTF, which of the guest's kernel has few files' types:
 * records of raw_syscalls, as their formats in tracefs say. It is not run.
 */
struct trace_entry {
	unsigned short type;
	unsigned char flags;
	unsigned char preempt_count;
	int pid;
};

struct trace_event_raw_sys_enter {
	struct trace_entry ent;
	long id;
	unsigned long args[6];
	char __data[];
} sys_enter;

struct trace_event_raw_sys_exit {
	struct trace_entry ent;
	long id;
	long ret;
	char __data[];
} sys_exit;
