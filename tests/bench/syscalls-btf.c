// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The types that bcc's syscount needs from a kernel's BTF: records of raw_syscalls, as in tracefs.
 * The BTF of the guest's kernel has only a few files' types. This program is not run.
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
