/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers of events in a CTF trace, and how the fields of each are laid out.
 *
 * events.c writes what metadata.c declares by this table.
 */
#ifndef EVTLOG_CTF_IDS_H
#define EVTLOG_CTF_IDS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Fields, in their order: "type name", divided by blanks.  Names and types of those that LTTng has
 * are LTTng's; ours follow them and begin with evtlog_.
 *
 *	comm	text of 16 bytes
 *	int, uint, long, u8, u16, u64	numbers
 *	hex	a number of 64 bits, in hexadecimal
 *	pids	a number of pids in 8 bits, and these
 *	string	text up to a NUL
 */
#define CTF_VECTOR	"int vector"
#define CTF_EVENTS(X) \
	X(SWITCH, "sched_switch", \
	  "comm prev_comm int prev_tid int prev_prio long prev_state comm next_comm int next_tid " \
	  "int next_prio u8 evtlog_preempted") \
	X(WAKING, "sched_waking", "comm comm int tid int prio int target_cpu") \
	X(WAKEUP_NEW, "sched_wakeup_new", "comm comm int tid int prio int target_cpu") \
	X(MIGRATE, "sched_migrate_task", "comm comm int tid int prio int orig_cpu int dest_cpu") \
	X(FORK, "sched_process_fork", \
	  "comm parent_comm int parent_tid int parent_pid uint parent_ns_inum comm child_comm " \
	  "int child_tid pids vtids int child_pid uint child_ns_inum u64 evtlog_start_boottime") \
	X(EXEC, "sched_process_exec", "string filename int tid int old_tid int evtlog_tgid") \
	X(EXIT, "sched_process_exit", \
	  "comm comm int tid int prio int evtlog_tgid int evtlog_exit_code") \
	X(SOFTIRQ_ENTRY, "irq_softirq_entry", "uint vec") \
	X(SOFTIRQ_EXIT, "irq_softirq_exit", "uint vec") \
	X(IRQ_ENTRY, "irq_handler_entry", "int irq string name") \
	X(IRQ_EXIT, "irq_handler_exit", "int irq int ret") \
	X(TIMER_ENTRY, "x86_irq_vectors_local_timer_entry", CTF_VECTOR) \
	X(TIMER_EXIT, "x86_irq_vectors_local_timer_exit", CTF_VECTOR) \
	X(RESCHEDULE_ENTRY, "x86_irq_vectors_reschedule_entry", CTF_VECTOR) \
	X(RESCHEDULE_EXIT, "x86_irq_vectors_reschedule_exit", CTF_VECTOR) \
	X(CALL_ENTRY, "x86_irq_vectors_call_function_entry", CTF_VECTOR) \
	X(CALL_EXIT, "x86_irq_vectors_call_function_exit", CTF_VECTOR) \
	X(CALL_SINGLE_ENTRY, "x86_irq_vectors_call_function_single_entry", CTF_VECTOR) \
	X(CALL_SINGLE_EXIT, "x86_irq_vectors_call_function_single_exit", CTF_VECTOR) \
	X(IRQ_WORK_ENTRY, "x86_irq_vectors_irq_work_entry", CTF_VECTOR) \
	X(IRQ_WORK_EXIT, "x86_irq_vectors_irq_work_exit", CTF_VECTOR) \
	X(ERROR_ENTRY, "x86_irq_vectors_error_apic_entry", CTF_VECTOR) \
	X(ERROR_EXIT, "x86_irq_vectors_error_apic_exit", CTF_VECTOR) \
	X(SPURIOUS_ENTRY, "x86_irq_vectors_spurious_apic_entry", CTF_VECTOR) \
	X(SPURIOUS_EXIT, "x86_irq_vectors_spurious_apic_exit", CTF_VECTOR) \
	X(PLATFORM_ENTRY, "x86_irq_vectors_ipi_entry", CTF_VECTOR) \
	X(PLATFORM_EXIT, "x86_irq_vectors_ipi_exit", CTF_VECTOR) \
	X(THRESHOLD_ENTRY, "x86_irq_vectors_threshold_apic_entry", CTF_VECTOR) \
	X(THRESHOLD_EXIT, "x86_irq_vectors_threshold_apic_exit", CTF_VECTOR) \
	X(DEFERRED_ENTRY, "x86_irq_vectors_deferred_error_apic_entry", CTF_VECTOR) \
	X(DEFERRED_EXIT, "x86_irq_vectors_deferred_error_apic_exit", CTF_VECTOR) \
	X(THERMAL_ENTRY, "x86_irq_vectors_thermal_apic_entry", CTF_VECTOR) \
	X(THERMAL_EXIT, "x86_irq_vectors_thermal_apic_exit", CTF_VECTOR) \
	X(TASK, "lttng_statedump_process_state", \
	  "int tid int pid int ppid comm name int type int mode int submode int status uint cpu " \
	  "hex file_table_address u8 evtlog_recorded u64 evtlog_start_boottime " \
	  "u64 evtlog_runtime_ns") \
	X(BEGIN, "evtlog_begin", "int tid comm comm u64 lost u64 lost_buffers") \
	X(GAP, "evtlog_gap", "u64 from u64 lost u64 lost_buffers int tid comm comm") \
	X(END, "evtlog_end", "u8 rest_missing")

enum ctf_id {
#define X(NAME, name, fields) CTF_##NAME,
	CTF_EVENTS(X)
#undef X
	CTF_FIXED,
	/* Of a record type of the file: its number there */
	CTF_OF_TYPE = 256,
	/* Of a system call: twice its number, and one for its exit */
	CTF_OF_CALL = 1024,
	CTF_OF_COMPAT = 4096,
	/* Of a registered event */
	CTF_OF_EVENT = 8192,
};

#define CTF_CALLS	1024

#define CTF_COMM_BYTES	16

#endif /* EVTLOG_CTF_IDS_H */
