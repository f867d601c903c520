/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Interface between the kernel and user space: records, buffers and their headers.
 *
 * Stage: between the per-CPU buffers and all readers of /proc/evtlog.  The kernel installs this
 * file as <linux/evtlog.h>; there is one copy.  The file that logd writes is described in file.h.
 *
 * All numbers have the byte order of the machine that wrote them, which the header's magic shows.
 * Structs have no implicit padding.
 *
 * A buffer is a struct evtlog_buffer_header followed by a stream of 64-bit words.  A record is a
 * first word and, depending on its type, further words.  The type defines the number of words; a
 * type of variable size has a length field in its first word:
 *
 *	 63                 38 37    32 31                              0
 *	+---------------------+--------+---------------------------------+
 *	|  26 bits of data    |  type  |  low 32 bits of the tick counter |
 *	+---------------------+--------+---------------------------------+
 *
 * The upper half of a record's time is the upper half of the last full time: @begin_ticks of the
 * header, or a later EVTLOG_TIME record.  The writer puts an EVTLOG_TIME record in front of the
 * first record of each new upper half, so times are unambiguous even after a long time without
 * events.
 */
#ifndef EVTLOG_ABI_H
#define EVTLOG_ABI_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* 1: all types have a fixed size.  2: a field of kind z may add words. */
#define EVTLOG_ABI_VERSION	2

/* "EVTLOGB1" read as a little-endian number. */
#define EVTLOG_BUFFER_MAGIC	0x3142474f4c545645ULL

#define EVTLOG_TICKS_BITS	32
#define EVTLOG_TYPE_BITS	6
#define EVTLOG_DATA_BITS	26
#define EVTLOG_TYPE_SHIFT	EVTLOG_TICKS_BITS
#define EVTLOG_DATA_SHIFT	(EVTLOG_TICKS_BITS + EVTLOG_TYPE_BITS)
#define EVTLOG_TYPE_MAX		((1 << EVTLOG_TYPE_BITS) - 1)
#define EVTLOG_DATA_MAX		((1 << EVTLOG_DATA_BITS) - 1)

/* Width of a pid in the data bits of a record; PID_MAX_LIMIT is 2^22. */
#define EVTLOG_PID_BITS		22
#define EVTLOG_COMM_LEN		16
#define EVTLOG_RUN_NAME_LEN	32

/* EVENT: bits of the id, highest id, and bytes of the longest payload. */
#define EVTLOG_EVENT_ID_BITS	14
#define EVTLOG_EVENT_ID_MAX	((1 << EVTLOG_EVENT_ID_BITS) - 1)
#define EVTLOG_EVENT_BYTES_MAX	4000

/*
 * All record types: X(number, NAME, name, words, fields).
 *
 * @name is the name of the kernel's tracepoint if there is one.  @words is the length of the whole
 * record.  @fields is a text that /proc/evtlog/format prints and each log file contains, so readers
 * do not need this header.  It has fields separated by blanks, each
 *
 *	field:word:bit:bits:kind
 *
 * with the word of the record and the lowest bit in this word.  A field of more than 64 bits starts
 * at bit 0 and continues in the following words.  Kinds: u unsigned, d signed, x hexadecimal, p
 * pid, s task state (see EVTLOG_STATES), v softirq vector, c characters up to a NUL, 4 IPv4 address
 * in network order, n big-endian number, k ticks, t ns of CLOCK_BOOTTIME, z number of bytes that
 * follow the @words of the type: the record has (z + 7) / 8 more words, and the last one is padded
 * with zeros.  A type has at most one field of kind z, in its first word.
 *
 * Numbers are never reused.  0 is not a type, so zeroed memory is never taken for a record.
 *
 * ICMP_RX, ICMP_TX, REMOTE: the record's own time is the time at which ICMP processed the message.
 * @arrival is the time at which the network stack first saw the message, on the CPU that then
 * received it, or 0 if it was not measured.  If nothing was recorded when a REMOTE arrived,
 * @arrival is the time at which ICMP processed it.  The time of ICMP_TX is the time at which the
 * driver of the lowest device gets the message.  @netns is the network namespace of the receiver or
 * sender: 0 is the first one, other namespaces have their cookie (SO_NETNS_COOKIE).  Logs of
 * kernels before 0.5.0 do not have it.  In a namespace of their own, users can send and receive
 * under any address, so @peer and @local are trustworthy only in the first namespace.
 *
 * REMOTE: @operation and @group_kind are defined in remote.h.  @request is the number of the
 * request among those executed since boot.  @name is the end of the run's name or of the cgroup's
 * path.  The REMOTE that started a run follows the counters on the CPU that started the run; its
 * @arrival is before the run.  In REMOTE_BOOST, @prio is the priority that a request gave the task;
 * in REMOTE_UNBOOST, it is the restored priority.
 *
 * USER_EXIT: the running task leaves user mode.  USER_ENTER: this task or another one enters user
 * mode.  The two alternate on a CPU and for a task; no events are recorded in user mode.  @cause is
 * an enum evtlog_user_exit_cause; the records up to USER_ENTER show which interrupt or exception it
 * was.  NMIs do not write records.  USER_NMI, after the next USER_EXIT, counts the NMIs in user
 * mode; @ticks is their total time, and @last is the begin of the last one.
 *
 * EXCEPTION: a fault or trap in user mode or in the kernel, by vector (14: page fault).  The task
 * can sleep in it and continue on another CPU.  These events are frequent and off by default.
 *
 * A run can be limited to one tree of tasks: its buffers have EVTLOG_BUFFER_TREE.  In such a run,
 * pid 0 is any task outside of the tree, including the idle tasks, in all places where a record or
 * header has a running task, a parent or a waker.  Its state is R, and @context of a header is 0.
 * SCHED_SWITCH to 0 means that the CPU leaves the tree, until the next SCHED_SWITCH.  Switches
 * between tasks outside are not recorded, nor are the interrupts during these tasks.  SCHED_WAKING,
 * SCHED_WAKEUP_NEW and SCHED_MIGRATE_TASK are recorded for tasks of the tree, even if a task
 * outside wakes or moves them.  TASK, SCHED_PROCESS_FORK (by the child), SCHED_PROCESS_EXEC,
 * SCHED_PROCESS_EXIT, TASK_RENAME, REMOTE_BOOST and REMOTE_UNBOOST are recorded for tasks of the
 * tree.  PUT, PUT_AT, ICMP_RX, ICMP_TX, REMOTE and EVENT are recorded for all tasks.
 *
 * ON_CPU: only in buffers with EVTLOG_BUFFER_GLOBAL.  The records up to the next ON_CPU are of this
 * CPU, while the task @pid ran there.  Each such buffer begins with an ON_CPU.
 *
 * EVENT: an event that kernel code registered at run time.  EVENT_FORMAT describes the EVENTs with
 * its @id in the whole run.  The bytes after its first word are text: a line with the name, and a
 * line with the fields, separated by blanks, each
 *
 *	field:offset:bytes:kind
 *
 * where offset counts from the end of the EVENT's first word.  Kinds are u d x p c 4 n k t as
 * above, or b: bytes, 6: IPv6 address, m: MAC address.  Kind 6 has 16 bytes, m has 6, c and b have
 * any number, all others have 1, 2, 4 or 8.  In a last field of kind c or b, 0 bytes means all
 * remaining bytes.  If a probe could not read a text of at least two bytes, its field c is a NUL
 * followed only by bytes 0xff.  Fields after the end of an EVENT are missing in this EVENT.
 * Formats are recorded after the start of the run (perhaps after the first EVENTs) and at each
 * registration.
 *
 * If only a sample of the EVENTs is recorded, the field "weight" is the number of events that a
 * record represents, and a line after the fields has the kind of sampling:
 *
 *	sample count N		one of N events of a CPU
 *	sample probability P	each event with the probability P
 *	sample time NS		at most one event of a CPU in NS nanoseconds
 *	sample key N FIELD	all events with the same value of FIELD, for one of N values
 *
 * A line "filter TEXT" means that only events were recorded for which this condition is true (see
 * /proc/evtlog/filters); long conditions are truncated.  Readers skip unknown lines.
 */
#define EVTLOG_TYPES(X) \
	X(1, TIME, time, 2, "ticks:1:0:64:k") \
	X(2, LOST, lost, 4, \
	  "cause:0:38:8:u count:1:0:64:u first:2:0:64:k last:3:0:64:k") \
	X(3, COUNTER, counter, 2, \
	  "at_end:0:38:1:u counter:0:39:5:u index:0:44:20:u value:1:0:64:u") \
	X(4, TASK, task, 7, \
	  "pid:0:38:22:p state:0:60:4:s tgid:1:0:32:p ppid:1:32:32:p " \
	  "start_time:2:0:64:t cpu:3:0:32:u flags:3:32:32:x " \
	  "runtime:4:0:64:u comm:5:0:128:c") \
	X(5, PUT, put, 2, "id:0:38:26:u data:1:0:64:x") \
	X(6, PUT_AT, put_at, 3, "id:0:38:26:u data:1:0:64:x timestamp:2:0:64:k") \
	X(8, SCHED_SWITCH, sched_switch, 1, \
	  "next_pid:0:38:22:p prev_state:0:60:4:s") \
	X(9, SCHED_WAKING, sched_waking, 1, "pid:0:38:22:p") \
	X(10, SCHED_WAKEUP_NEW, sched_wakeup_new, 2, \
	  "pid:0:38:22:p target_cpu:1:0:32:u prio:1:32:32:d") \
	X(11, SCHED_MIGRATE_TASK, sched_migrate_task, 2, \
	  "pid:0:38:22:p orig_cpu:1:0:32:u dest_cpu:1:32:32:u") \
	X(12, SCHED_PROCESS_FORK, sched_process_fork, 5, \
	  "child_pid:0:38:22:p parent_pid:1:0:32:p child_tgid:1:32:32:p " \
	  "start_time:2:0:64:t comm:3:0:128:c") \
	X(13, SCHED_PROCESS_EXEC, sched_process_exec, 4, \
	  "pid:0:38:22:p old_pid:1:0:32:p tgid:1:32:32:p comm:2:0:128:c") \
	X(14, SCHED_PROCESS_EXIT, sched_process_exit, 2, \
	  "pid:0:38:22:p tgid:1:0:32:p exit_code:1:32:32:d") \
	X(15, TASK_RENAME, task_rename, 3, "pid:0:38:22:p comm:1:0:128:c") \
	X(16, SOFTIRQ_ENTRY, softirq_entry, 1, "vec:0:38:26:v") \
	X(17, SOFTIRQ_EXIT, softirq_exit, 1, "vec:0:38:26:v") \
	X(18, IRQ_HANDLER_ENTRY, irq_handler_entry, 1, "irq:0:38:26:u") \
	X(19, IRQ_HANDLER_EXIT, irq_handler_exit, 1, \
	  "irq:0:38:24:u ret:0:62:2:u") \
	X(20, LOCAL_TIMER_ENTRY, local_timer_entry, 1, "vector:0:38:26:u") \
	X(21, LOCAL_TIMER_EXIT, local_timer_exit, 1, "vector:0:38:26:u") \
	X(22, RESCHEDULE_ENTRY, reschedule_entry, 1, "vector:0:38:26:u") \
	X(23, RESCHEDULE_EXIT, reschedule_exit, 1, "vector:0:38:26:u") \
	X(24, CALL_FUNCTION_ENTRY, call_function_entry, 1, "vector:0:38:26:u") \
	X(25, CALL_FUNCTION_EXIT, call_function_exit, 1, "vector:0:38:26:u") \
	X(26, CALL_FUNCTION_SINGLE_ENTRY, call_function_single_entry, 1, \
	  "vector:0:38:26:u") \
	X(27, CALL_FUNCTION_SINGLE_EXIT, call_function_single_exit, 1, \
	  "vector:0:38:26:u") \
	X(28, IRQ_WORK_ENTRY, irq_work_entry, 1, "vector:0:38:26:u") \
	X(29, IRQ_WORK_EXIT, irq_work_exit, 1, "vector:0:38:26:u") \
	X(30, VECTOR_ENTRY, vector_entry, 1, "vector:0:38:26:u") \
	X(31, VECTOR_EXIT, vector_exit, 1, "vector:0:38:26:u") \
	X(32, ICMP_RX, icmp_rx, 5, \
	  "type:0:38:8:u code:0:46:8:u id:1:0:16:n seq:1:16:16:n " \
	  "peer:1:32:32:4 local:2:0:32:4 len:2:32:32:u arrival:3:0:64:k " \
	  "netns:4:0:64:u") \
	X(33, ICMP_TX, icmp_tx, 4, \
	  "type:0:38:8:u code:0:46:8:u id:1:0:16:n seq:1:16:16:n " \
	  "peer:1:32:32:4 local:2:0:32:4 len:2:32:32:u netns:3:0:64:u") \
	X(34, REMOTE, remote, 8, \
	  "operation:0:38:8:u group_kind:0:46:4:u broadcast:0:50:1:u " \
	  "request:1:0:32:u sender:1:32:32:4 arrival:2:0:64:k nonce:3:0:64:u " \
	  "group:4:0:64:u duration_ns:5:0:64:u name:6:0:128:c") \
	X(35, REMOTE_BOOST, remote_boost, 2, \
	  "pid:0:38:22:p request:1:0:32:u prio:1:32:32:d") \
	X(36, REMOTE_UNBOOST, remote_unboost, 2, \
	  "pid:0:38:22:p request:1:0:32:u prio:1:32:32:d") \
	X(37, USER_EXIT, user_exit, 1, "cause:0:38:2:u nr:0:40:16:u") \
	X(38, USER_ENTER, user_enter, 1, "pid:0:38:22:p") \
	X(39, USER_NMI, user_nmi, 3, \
	  "count:0:38:26:u ticks:1:0:64:u last:2:0:64:k") \
	X(40, EXCEPTION_ENTRY, exception_entry, 1, "vector:0:38:8:u") \
	X(41, EXCEPTION_EXIT, exception_exit, 1, "vector:0:38:8:u") \
	X(42, EVENT, event, 1, "id:0:38:14:u bytes:0:52:12:z") \
	X(43, EVENT_FORMAT, event_format, 1, "id:0:38:14:u bytes:0:52:12:z") \
	X(44, ON_CPU, on_cpu, 2, "cpu:0:38:26:u pid:1:0:32:p")

enum evtlog_type {
#define X(number, NAME, name, words, fields) EVTLOG_##NAME = number,
	EVTLOG_TYPES(X)
#undef X
};

/* Words of the longest record, without and with the bytes of a record of variable size. */
#define EVTLOG_RECORD_WORDS_MAX	8
#define EVTLOG_EVENT_WORDS_MAX	(1 + EVTLOG_EVENT_BYTES_MAX / 8)

/**
 * evtlog_event_bytes() - bytes that follow the first word of an EVENT or EVENT_FORMAT
 * @first:	the first word
 */
static __inline__ unsigned int evtlog_event_bytes(__u64 first)
{
	return (unsigned int)(first >> (EVTLOG_DATA_SHIFT + EVTLOG_EVENT_ID_BITS));
}

/**
 * evtlog_record_words() - size of a record of one of EVTLOG_TYPES
 * @first:	the record's first word
 *
 * This is the only place that computes the size.  Readers of logs use the sizes in the log instead
 * (struct evtlog_type_info), because the log may be of another version.
 *
 * For a type of variable size, EVTLOG_TYPES has the minimum number of words.  Data bits of the
 * first word contain the number of additional words.  The type has a case here that adds them, and
 * its field has a kind of its own, by which readers recognize it.  Data 0 gives the minimum.
 *
 * Return: number of words including the first one; 0 if there is no such type
 */
static __inline__ unsigned int evtlog_record_words(__u64 first)
{
	unsigned int fewest;

	switch (first >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX) {
#define X(number, NAME, name, words, fields) case number: fewest = words; break;
	EVTLOG_TYPES(X)
#undef X
	default:
		return 0;
	}
	switch (first >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX) {
	case EVTLOG_EVENT:
	case EVTLOG_EVENT_FORMAT:
		return fewest + (evtlog_event_bytes(first) + 7) / 8;
	default:
		return fewest;
	}
}

/*
 * Letters of task states as in the scheduler's tracepoint, indexed by the number in a record.  The
 * last one is a task that was preempted while running.
 */
#define EVTLOG_STATES		"RSDTtXZPI+"
#define EVTLOG_STATE_PREEMPTED	9

/* Causes of loss: index into @lost of a header, and @cause of a LOST record. */
enum evtlog_lost_cause {
	EVTLOG_LOST_FULL,	/* no free buffer: the logger was too slow */
	EVTLOG_LOST_NMI,	/* event in an NMI; NMIs do not write records */
	EVTLOG_LOST_NESTED,	/* probe in the writer's slow path, or a global ring stays locked */
	EVTLOG_LOST_LARGE,	/* EVENT over EVTLOG_EVENT_BYTES_MAX or a quarter of a buffer */
	EVTLOG_LOST_CAUSES = 4	/* size of the array; unused entries are 0 */
};

/*
 * Kernel counters, read by each CPU at the start and at the end of its recording.  With them, the
 * data of a CPU can be checked for completeness without other data.  If the kernel has already
 * counted the event that starts or ends the recording, this event is subtracted.
 * All counters except CTXT and STEAL are 32 bits wide in the kernel and wrap: subtract them modulo
 * 2^32.  SOFTIRQ counters at the start may follow the records of the first interrupts, but never a
 * softirq_entry.  A CPU that was not online at both times has no pair.
 *
 * IRQS counts all device interrupts of a CPU together, so the number of counters does not grow with
 * the number of interrupt lines.  A line that several handlers can share has its own IRQ counter
 * instead, unless the counter is 0: each handler records one interrupt separately.  Logs of kernels
 * before 0.12.0 have an IRQ counter for each line and no IRQS.  Logs of kernels before 0.5.0 have
 * CTXT, the count of all CPUs at one time, and no SWITCHES.
 *
 * ICMP counts the messages with a correct checksum that IPv4 received in the first namespace
 * (InMsgs - InCsumErrors of /proc/net/snmp, which are per-CPU counters).  It equals the number of
 * the CPU's ICMP_RX records with @netns 0.  Like SOFTIRQ it may follow the first records, but never
 * an ICMP_RX.  ICMP_TX has no counter.  The kernel counts a message (OutMsgs) where it is created,
 * on any CPU, and does not count messages whose header the sender created (IP_HDRINCL).  The record
 * is written where a driver gets the message: later, on another CPU, more than once, or never.
 * Counters by type (IcmpMsg) are shared by all CPUs, so a CPU cannot read its own part.  Logs of
 * kernels before 0.6.0 have no ICMP.
 *
 * REJECTED exists for each type that has a filter in /proc/evtlog/filters: recorded and rejected
 * events together are all events of this type.
 *
 * STEAL is a time, not a count of events: how long the hypervisor did not run this CPU although it
 * had work.  If the time has changed since the last STEAL of this CPU, another one with at_end 0 is
 * recorded right before a LOCAL_TIMER_ENTRY.  Without a steal clock there is no STEAL: the time is
 * unknown, not 0.  Logs of kernels before 0.12.0 have no STEAL.
 */
enum evtlog_counter {
	EVTLOG_COUNTER_CTXT,	/* context switches of all CPUs; recorded by one CPU */
	EVTLOG_COUNTER_SOFTIRQ,	/* this CPU; index: softirq vector */
	EVTLOG_COUNTER_IRQ,	/* this CPU; index: Linux irq number */
	EVTLOG_COUNTER_VECTOR,	/* this CPU; index: type of the entry record */
	EVTLOG_COUNTER_SWITCHES, /* this CPU; index 0: context switches */
	EVTLOG_COUNTER_ICMP,	/* this CPU; index 0: ICMP messages received, see above */
	EVTLOG_COUNTER_REJECTED, /* this CPU; index: type whose records a filter rejected */
	EVTLOG_COUNTER_IRQS,	/* this CPU; index 0: all lines without an IRQ counter */
	EVTLOG_COUNTER_STEAL,	/* this CPU; index 0: stolen nanoseconds since boot, 64 bits */
};

/* @cause of a USER_EXIT: why the task left user mode */
enum evtlog_user_exit_cause {
	EVTLOG_USER_EXIT_OTHER,		/* interrupt or exception; @nr is 0 */
	EVTLOG_USER_EXIT_SYSCALL,	/* system call @nr */
	EVTLOG_USER_EXIT_COMPAT,	/* system call @nr of a 32-bit program */
};

/* @nr of a USER_EXIT: number of the system call does not fit into 16 bits. */
#define EVTLOG_SYSCALL_OTHER	0xffff

/* @begin_pid: the task is unknown; the buffer only reports a loss at the end. */
#define EVTLOG_PID_UNKNOWN	0xffffffffU

/* Flags of a TASK record. */
#define EVTLOG_TASK_KTHREAD	0x1

/**
 * struct evtlog_clock_set - one reading of all clocks
 * @ticks:	the CPU's tick counter before the clocks were read
 * @width_ticks: duration of the reading: the times are of some tick from @ticks to @ticks +
 *		@width_ticks
 * @tai_offset_s: CLOCK_TAI - CLOCK_REALTIME in s; 0 if not set in the kernel
 * @raw_ns:	CLOCK_MONOTONIC_RAW
 * @real_ns:	CLOCK_REALTIME
 */
struct evtlog_clock_set {
	__u64	ticks;
	__u32	width_ticks;
	__s32	tai_offset_s;
	__u64	raw_ns;
	__u64	real_ns;
};

/* Flags of a buffer. */
#define EVTLOG_BUFFER_FIRST	0x1	/* first buffer of the CPU in this run */
#define EVTLOG_BUFFER_FLUSHED	0x2	/* handed over before it was full */
#define EVTLOG_BUFFER_FINAL	0x4	/* last buffer of the CPU in this run */
#define EVTLOG_BUFFER_TSC_BAD	0x8	/* the kernel does not trust the tick counter */
#define EVTLOG_BUFFER_NAMED	0x10	/* named buffer: @run is its number, @run_name its name */

#define EVTLOG_BUFFER_GLOBAL	0x20	/* ring of all CPUs: @cpu is of the ring, see ON_CPU */
#define EVTLOG_BUFFER_TREE	0x40	/* run of one tree: pid 0 is any task outside of it */

/* Bits of @context. */
#define EVTLOG_CONTEXT_SOFTIRQ	0x1	/* a softirq is running */
#define EVTLOG_CONTEXT_HARDIRQ	0x2	/* a hard interrupt is running */

/**
 * struct evtlog_buffer_header - at the start of each buffer
 * @header_bytes: sizeof(struct evtlog_buffer_header) of the writing kernel; offset of the first
 *		record
 * @used_bytes:	size of header and records; the rest of the buffer is not data
 * @run:	number of the run, 1 for the first run after boot
 * @sequence:	number of the buffer among the CPU's buffers of this run, from 0; without gaps
 *		unless whole buffers are missing
 * @ticks_hz:	nominal rate of the tick counter; 0 if unknown
 * @begin_ticks, @end_ticks: the buffer has all events of its CPU between these times, except lost
 *		ones.  A CPU records from its first event on: a FIRST buffer begins at the start of
 *		the run, and its @begin was read at the CPU's first event.  For a CPU without
 *		events, another CPU writes the buffer, from the start to the stop of the run; @begin
 *		and @end were read when it was written
 * @lost:	records lost since the CPU's previous buffer was closed, by cause: in the gap before
 *		this buffer (a LOST record at its start has the times), and later in NMIs
 * @begin, @end: clock sets, read when the buffer was opened and closed
 * @begin_pid, @begin_comm: task that ran when the buffer was opened, and its name
 * @cpus_in_run: number of CPUs that took part in the run; only in FINAL buffers, else 0
 * @tree_pid:	with EVTLOG_BUFFER_TREE: pid of the tree's root process when the run started, or a
 *		number of at least 2^EVTLOG_PID_BITS for a tree of cgroups; else 0
 * @boot_id:	random number, generated at boot
 * @run_name:	name of the run as given at its start, padded with NULs: a letter, then letters,
 *		digits and "._-", at most 31 characters.  Empty if the run has no name
 * @reference_ticks: time of the request for the run: arrival of the message, or time of the call
 *
 * Written when the buffer is opened and closed.  It does not change after a reader can see it.
 */
struct evtlog_buffer_header {
	__u64	magic;
	__u16	abi_version;
	__u16	header_bytes;
	__u32	flags;
	__u32	cpu;
	__u32	used_bytes;
	__u64	run;
	__u64	sequence;
	__u64	ticks_hz;
	__u64	begin_ticks;
	__u64	end_ticks;
	__u64	lost[EVTLOG_LOST_CAUSES];
	struct evtlog_clock_set begin;
	struct evtlog_clock_set end;
	__u32	begin_pid;
	__u32	context;
	char	begin_comm[EVTLOG_COMM_LEN];
	__u32	cpus_in_run;
	__u32	tree_pid;
	__u8	boot_id[16];
	char	run_name[EVTLOG_RUN_NAME_LEN];
	__u64	reference_ticks;
	__u64	reserved[1];
};

#if defined(__cplusplus)
#define EVTLOG_ABI_ASSERT(x)	static_assert(x, #x)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define EVTLOG_ABI_ASSERT(x)	_Static_assert(x, #x)
#else
#define EVTLOG_ABI_ASSERT(x)	extern char evtlog_assert[(x) ? 1 : -1]
#endif
#define X(number, NAME, name, words, fields) \
	EVTLOG_ABI_ASSERT(words >= 1 && words <= EVTLOG_RECORD_WORDS_MAX);
EVTLOG_TYPES(X)
#undef X
EVTLOG_ABI_ASSERT(sizeof(struct evtlog_clock_set) == 32);
EVTLOG_ABI_ASSERT(sizeof(struct evtlog_buffer_header) == 256);

/*
 * Copy-free reading of /proc/evtlog/cpuN: map the file read-only (all buffers of the CPU, one after
 * the other), then get and put whole buffers.
 *
 * EVTLOG_IOC_GET	returns the oldest full buffer: its index, offset in the map and
 *		used bytes.  Waits unless the file is non-blocking.  -EAGAIN no buffer is
 *		full; -EINTR a signal whose handler has no SA_RESTART; -EBUSY another file
 *		reads this CPU; -ENODATA the CPU has no buffers; -EPERM the file was opened
 *		without CAP_SYS_ADMIN, and the caller is not the process in
 *		/proc/evtlog/pid.  read() fails with the same errors.
 * EVTLOG_IOC_PUT	returns the last buffer from EVTLOG_IOC_GET to the writer.
 *		-EINVAL there is no such buffer.
 * EVTLOG_IOC_POSITION	returns the position of the CPU's next record.  Takes no buffer;
 *		any open file can use it.  -ENXIO the CPU is offline.
 */

/**
 * struct evtlog_get - a buffer returned by EVTLOG_IOC_GET
 * @index:	number of the buffer
 * @used_bytes:	used bytes, header included
 * @offset:	offset in the map
 */
struct evtlog_get {
	__u32	index;
	__u32	used_bytes;
	__u64	offset;
};

/**
 * struct evtlog_position - a time, as a place in a CPU's records
 * @run:	current run; 0: nothing is recorded, and all other members except @ticks are 0
 * @sequence:	number of the buffer, as in its header
 * @offset:	offset in this buffer in bytes, header included
 * @reserved:	0
 * @ticks:	the CPU's tick counter at this time
 *
 * Read on the CPU itself with interrupts off.  Positions are ordered by @sequence, then @offset.
 * Records before a position were written before it was read; records at or after it were not.
 * Records between two positions were therefore recorded between the two readings.
 * While records are lost because no buffer is free, the position is the start of the next buffer,
 * which has the LOST record.
 */
struct evtlog_position {
	__u64	run;
	__u64	sequence;
	__u32	offset;
	__u32	reserved;
	__u64	ticks;
};

/*
 * Calls for cpuN of a named buffer, /proc/evtlog/named/NAME/cpuN, in addition to GET and PUT:
 *
 * EVTLOG_IOC_WATERMARK	sets when a buffer is handed over before it is full, while the
 *			file is open.  -EBUSY another file reads this CPU; -EPERM as for GET.
 * EVTLOG_IOC_SIGIO	sends SIGIO (or the signal of F_SETSIG) to the process of F_SETOWN
 *			when a buffer is ready.  Argument: descriptor of the file; -1: stop.
 */

#define EVTLOG_WATERMARK_MS_MAX	3600000

/**
 * struct evtlog_watermark - thresholds for handing over a buffer; 0: only full buffers
 * @bytes:	bytes of records in a buffer
 * @records:	number of EVENTs in a buffer
 * @ms:		time since the first record of a buffer, at most EVTLOG_WATERMARK_MS_MAX
 * @reserved:	0
 */
struct evtlog_watermark {
	__u32	bytes;
	__u32	records;
	__u32	ms;
	__u32	reserved;
};

EVTLOG_ABI_ASSERT(sizeof(struct evtlog_position) == 32);
EVTLOG_ABI_ASSERT(sizeof(struct evtlog_watermark) == 16);
#undef EVTLOG_ABI_ASSERT

#define EVTLOG_IOC_MAGIC	0xe7
#define EVTLOG_IOC_GET		_IOR(EVTLOG_IOC_MAGIC, 1, struct evtlog_get)
#define EVTLOG_IOC_PUT		_IO(EVTLOG_IOC_MAGIC, 2)
#define EVTLOG_IOC_POSITION	_IOR(EVTLOG_IOC_MAGIC, 3, struct evtlog_position)
#define EVTLOG_IOC_WATERMARK	_IOW(EVTLOG_IOC_MAGIC, 4, struct evtlog_watermark)
#define EVTLOG_IOC_SIGIO	_IOW(EVTLOG_IOC_MAGIC, 5, int)

#endif /* EVTLOG_ABI_H */
