/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * What the kernel and user space agree on: records, buffers and their headers.
 *
 * Stage: between the per-CPU buffers and everything behind /proc/evtlog.  The
 * kernel installs this file as <linux/evtlog.h>; there is one copy.  It does
 * not describe the file logd writes: that is file.h.
 *
 * All numbers are in the byte order of the machine that wrote them (the
 * header's magic tells which), all structs are free of implicit padding.
 *
 * A buffer is a struct evtlog_buffer_header followed by a stream of 64-bit
 * words.  A record is one word, or one word and further words, whose number
 * its type states, or for a type of variable size a field of its first word:
 *
 *	 63                 38 37    32 31                              0
 *	+---------------------+--------+---------------------------------+
 *	|  26 bits of data    |  type  |  low 32 bits of the tick counter |
 *	+---------------------+--------+---------------------------------+
 *
 * The upper half of a record's time is the upper half of the last time
 * given in full: the header's @begin_ticks, or a later EVTLOG_TIME record,
 * which the writer puts before the first record of every new upper half.  Times
 * therefore never have to be guessed, however long a CPU was quiet.
 */
#ifndef EVTLOG_ABI_H
#define EVTLOG_ABI_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* 1: all types are of fixed size.  2: a field of kind z may add words. */
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

/* Widest pid the data bits of a record hold; PID_MAX_LIMIT is 2^22. */
#define EVTLOG_PID_BITS		22
#define EVTLOG_COMM_LEN		16
#define EVTLOG_RUN_NAME_LEN	32

/* An EVENT: bits of its id, the highest id, and bytes of the longest payload. */
#define EVTLOG_EVENT_ID_BITS	14
#define EVTLOG_EVENT_ID_MAX	((1 << EVTLOG_EVENT_ID_BITS) - 1)
#define EVTLOG_EVENT_BYTES_MAX	4000

/*
 * Every record type: X(number, NAME, name, words, fields).
 *
 * @name is the kernel tracepoint's where there is one.  @words counts the
 * whole record.  @fields is the text that /proc/evtlog/format prints and a
 * file carries, so that a reader never guesses: fields divided by blanks, each
 *
 *	field:word:bit:bits:kind
 *
 * with the word of the record and the lowest bit in it.  A field of more than
 * 64 bits starts at bit 0 and runs over the following words.  Kinds:
 * u unsigned, d signed, x hexadecimal, p pid, s task state (see
 * EVTLOG_STATES), v softirq vector, c characters up to a NUL, 4 IPv4 address
 * in network order, n big-endian number, k ticks, t ns of CLOCK_BOOTTIME, z bytes that
 * follow the @words of its type: the record has (z + 7) / 8 words more, the last of them
 * padded with zeros.  A type has at most one such field, in its first word.
 *
 * Numbers are never given anew; 0 is not a type, so that zeroed memory is
 * never taken for a record.
 *
 * A message's @arrival is when the network stack first saw it, on the CPU that then
 * took it in, or 0 when nobody looked; the record's own time is when ICMP did.  Of a
 * REMOTE that came while nothing was recorded it is when ICMP saw it.  ICMP_TX is
 * the moment at which the lowest device's driver gets it.  @netns is the network namespace
 * that the message came to or is from: 0 the first one, else its cookie (SO_NETNS_COOKIE);
 * logs of kernels before 0.5.0 do not say.  Whoever has a namespace of his own sends and
 * receives there under any address: of @peer and @local only those of the first can be
 * believed.  A REMOTE's @operation and
 * @group_kind are those of remote.h, @request counts those obeyed since boot, @name is the
 * end of the run's name or of the cgroup's path; that which started
 * a run follows the counters on the CPU that started it, its @arrival before the
 * run.  REMOTE_BOOST tells a task that a request gave @prio, UNBOOST which it has again.
 *
 * USER_EXIT is where the running task leaves user mode, USER_ENTER where it, or another,
 * goes back to it: on a CPU they alternate, as they do for a task, and nothing
 * is recorded in user mode.  @cause is an enum evtlog_user_exit_cause; what the
 * interrupt or exception was is told by the records up to USER_ENTER.  NMIs do not
 * write: those that came in user mode are told behind the next USER_EXIT, their
 * number, the @ticks spent in them, and when the @last began.
 * EXCEPTION is a fault or trap, in user mode or in the kernel, by its vector (14: page
 * fault); its task may sleep in it, and go on on another CPU.  These are frequent, and
 * off unless asked for.
 *
 * A run may be of one tree of tasks: its buffers have EVTLOG_BUFFER_TREE.  Then pid 0 is any task
 * outside, idle tasks among them, wherever a record or header names a task that runs, a parent or a
 * waker, and its state is R, a header's @context 0: SCHED_SWITCH to 0 is that the CPU leaves the
 * tree, until the next one.  Switches between tasks outside are not recorded, nor what interrupts
 * them.
 * SCHED_WAKING, SCHED_WAKEUP_NEW and SCHED_MIGRATE_TASK are those of the tree's tasks, whoever
 * wakes or moves them; TASK, SCHED_PROCESS_FORK (by the child), SCHED_PROCESS_EXEC,
 * SCHED_PROCESS_EXIT, TASK_RENAME, REMOTE_BOOST and REMOTE_UNBOOST are those of the tree's tasks.
 * PUT, PUT_AT, ICMP_RX, ICMP_TX, REMOTE and EVENT are those of all.
 *
 * ON_CPU is in buffers that have EVTLOG_BUFFER_GLOBAL alone: the records behind it, up to the next,
 * are of that CPU, while the task @pid ran there.  Each such buffer begins with one.
 *
 * EVENT is one that kernel code registered while the kernel ran; EVENT_FORMAT says what those
 * of an @id are, in the whole run.  What follows it is text, "NAME\nFIELD FIELD ...\n", each field
 *
 *	field:offset:bytes:kind
 *
 * with its first byte in what follows the EVENT's first word, and of the kinds above u d x p
 * c 4 n k t, or b: bytes, 6: an IPv6 address, m: a MAC address.  Kind 6 has 16 bytes, m has 6, c and b
 * have any number, all others have 1, 2, 4 or 8.  0 bytes, in a last field of c or b, are all that is
 * left.  If a probe could not read a text, its field c is a NUL followed only by bytes 0xff, if it has
 * at least two bytes.  What an EVENT is too short for is not in it.  Formats follow a run's
 * start, perhaps behind the first EVENTs, and are told again whenever one is registered.
 *
 * Of an EVENT that is a sample of what happened a field "weight" says for how many it stands, and
 * a line behind that of the fields which sample it is: "sample count N\n", one of each N of a CPU;
 * "sample probability P\n"; "sample time NS\n", at most one of a CPU in so many nanoseconds; or
 * "sample key N FIELD\n", all that have a value of FIELD that one of N has.  A line "filter TEXT\n"
 * tells that only those were recorded of which the condition is true (see /proc/evtlog/filters); a
 * long one is cut off.  Readers skip lines that they do not know.
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

/* Words of the longest record, but for what follows one of variable size; and with that. */
#define EVTLOG_RECORD_WORDS_MAX	8
#define EVTLOG_EVENT_WORDS_MAX	(1 + EVTLOG_EVENT_BYTES_MAX / 8)

/**
 * evtlog_event_bytes() - bytes that follow an EVENT's or EVENT_FORMAT's first word
 * @first:	that word
 */
static __inline__ unsigned int evtlog_event_bytes(__u64 first)
{
	return (unsigned int)(first >> (EVTLOG_DATA_SHIFT + EVTLOG_EVENT_ID_BITS));
}

/**
 * evtlog_record_words() - size of a record of one of EVTLOG_TYPES
 * @first:	the record's first word
 *
 * The one place that knows it.  A reader of logs takes the sizes of the log's own
 * description instead (struct evtlog_type_info), which may be of another version.
 *
 * A type of variable size has its fewest words in EVTLOG_TYPES, says in its data bits
 * how many more follow, and has a case of its own here, which adds them; those bits are a
 * field of a new kind, by which a reader knows.  With data 0 the result is the fewest.
 *
 * Return: in words, the first one included; 0 if there is no such type
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
 * Task states as the scheduler's tracepoint prints them, by the number a
 * record holds; the last is a task that was preempted while running.
 */
#define EVTLOG_STATES		"RSDTtXZPI+"
#define EVTLOG_STATE_PREEMPTED	9

/* Causes of loss: the index into @lost of a header, and a LOST record's cause. */
enum evtlog_lost_cause {
	EVTLOG_LOST_FULL,	/* no buffer was free: the logger was too slow */
	EVTLOG_LOST_NMI,	/* an NMI's event; NMIs do not write */
	EVTLOG_LOST_NESTED,	/* of a probe in the writer's own slow path; or a global ring stays locked */
	EVTLOG_LOST_LARGE,	/* an EVENT larger than EVTLOG_EVENT_BYTES_MAX or a quarter of a buffer */
	EVTLOG_LOST_CAUSES = 4	/* room; unused ones are 0 */
};

/*
 * Kernel counters, read by each CPU at the two instants between which it records: a CPU's
 * part of a run can be proved complete from itself.  An event that the kernel has counted
 * already when it starts or ends the recording is taken off.
 * All but CTXT and STEAL are 32 bits wide in the kernel and wrap: subtract them as such.
 * SOFTIRQ counters at the start may follow the first interrupts' records, never a
 * softirq's entry.  A CPU that was not online at both instants has no pair.
 * IRQS counts the device interrupts of a CPU together, so that a CPU reads few counters however many
 * lines the machine has.  Lines that several handlers may share have an IRQ counter each instead, if
 * it is not 0: each handler has its own record of one interrupt.  Logs of kernels before 0.12.0
 * have an IRQ counter of each line, and no IRQS.
 * Logs of kernels before 0.5.0 have CTXT, of all CPUs at one instant, and no SWITCHES.
 *
 * ICMP counts the messages with a right checksum that IPv4 of the first namespace received
 * (InMsgs - InCsumErrors of /proc/net/snmp, which a CPU counts for itself): exactly its ICMP_RX
 * with @netns 0.  Like SOFTIRQ's it may follow the first records, never an ICMP_RX.  There
 * is none of ICMP_TX: the kernel counts a message (OutMsgs) where it is made, by whichever CPU that
 * is, and not one whose header its sender made (IP_HDRINCL); the record is made where a
 * driver gets it, perhaps later, on another CPU, more than once, or never.  Counts by type
 * (IcmpMsg) are common to all CPUs, so that no CPU can read its part of them.
 * Logs of kernels before 0.6.0 have no ICMP.
 *
 * REJECTED is there for each type that a filter of /proc/evtlog/filters was set for: what was
 * recorded and what was rejected are together all events of that type.
 *
 * STEAL is a time, not a count of events: how long the hypervisor did not run this CPU although it
 * had work.  If the time has changed since the last STEAL of this CPU, there is one more, with
 * at_end 0, right before a LOCAL_TIMER_ENTRY.  Without a steal clock there is no STEAL, and the
 * time is unknown, not 0.  Logs of kernels before 0.12.0 have no STEAL.
 */
enum evtlog_counter {
	EVTLOG_COUNTER_CTXT,	/* context switches of all CPUs; on one CPU */
	EVTLOG_COUNTER_SOFTIRQ,	/* this CPU; index: softirq vector */
	EVTLOG_COUNTER_IRQ,	/* this CPU; index: Linux irq number */
	EVTLOG_COUNTER_VECTOR,	/* this CPU; index: the entry record's type */
	EVTLOG_COUNTER_SWITCHES, /* this CPU; index 0: context switches */
	EVTLOG_COUNTER_ICMP,	/* this CPU; index 0: ICMP messages received, see above */
	EVTLOG_COUNTER_REJECTED, /* this CPU; index: the type of which a filter rejected records */
	EVTLOG_COUNTER_IRQS,	/* this CPU; index 0: interrupts of all lines but those with an IRQ */
	EVTLOG_COUNTER_STEAL,	/* this CPU; index 0: stolen nanoseconds since boot, 64 bits */
};

/* Why user mode was left: a USER_EXIT's @cause. */
enum evtlog_user_exit_cause {
	EVTLOG_USER_EXIT_OTHER,		/* interrupt or exception; @nr is 0 */
	EVTLOG_USER_EXIT_SYSCALL,	/* system call @nr */
	EVTLOG_USER_EXIT_COMPAT,	/* @nr of the calls of 32-bit programs */
};

/* A USER_EXIT's @nr: a system call with a number that 16 bits do not hold. */
#define EVTLOG_SYSCALL_OTHER	0xffff

/* As @begin_pid: nobody looked, the buffer only tells a loss at the end. */
#define EVTLOG_PID_UNKNOWN	0xffffffffU

/* Flags of a TASK record. */
#define EVTLOG_TASK_KTHREAD	0x1

/**
 * struct evtlog_clock_set - one reading of all clocks, taken together
 * @ticks:	the CPU's counter before the clocks were read
 * @width_ticks: how long reading them took: they belong to some instant in
 *		[ticks, ticks + width_ticks]
 * @tai_offset_s: CLOCK_TAI - CLOCK_REALTIME in s; 0 when the kernel was not told
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
#define EVTLOG_BUFFER_FIRST	0x1	/* a CPU's part of a run begins here */
#define EVTLOG_BUFFER_FLUSHED	0x2	/* handed over before it was full */
#define EVTLOG_BUFFER_FINAL	0x4	/* the CPU's last buffer of this run */
#define EVTLOG_BUFFER_TSC_BAD	0x8	/* the kernel does not trust the counter */
#define EVTLOG_BUFFER_NAMED	0x10	/* of a named buffer: @run numbers these, @run_name is its name */

#define EVTLOG_BUFFER_GLOBAL	0x20	/* of one ring that all CPUs write: @cpu is the ring's, see ON_CPU */
#define EVTLOG_BUFFER_TREE	0x40	/* of a run of one tree of tasks: pid 0 is whoever is outside of it */

/* Bits of @context. */
#define EVTLOG_CONTEXT_SOFTIRQ	0x1	/* a softirq is being served */
#define EVTLOG_CONTEXT_HARDIRQ	0x2	/* a hard interrupt is being served */

/**
 * struct evtlog_buffer_header - at the start of every buffer
 * @header_bytes: sizeof(struct evtlog_buffer_header) of the writing kernel;
 *		records start there
 * @used_bytes:	header and records; the rest of the buffer is not data
 * @run:	start/stop sequence number, 1 for the first run after boot
 * @sequence:	of this CPU's buffers within this run, from 0, without a hole
 *		unless a whole buffer is missing
 * @ticks_hz:	nominal rate of the counter; 0 when unknown
 * @begin_ticks, @end_ticks: the buffer holds all events of its CPU in between,
 *		less the lost ones.  A CPU records from its first event on: a FIRST
 *		buffer begins when the run was started, and @begin is that first event's.
 *		Of a CPU without any event another tells that it had none, from the start to
 *		the stop: @begin and @end are when that was told
 * @lost:	records lost since the CPU's previous buffer was closed, by cause:
 *		the gap before this buffer (a LOST record at its start says
 *		between which times), and what NMIs had to drop meanwhile
 * @begin, @end: clock sets, taken at opening and closing
 * @begin_pid:	task running at opening; @begin_comm its name
 * @cpus_in_run: CPUs that took part in the run; known in FINAL buffers, else 0
 * @tree_pid:	with EVTLOG_BUFFER_TREE: pid of the process whose tree it is, as it was when the run
 *		started, or the number of a tree of cgroups, at least 2^EVTLOG_PID_BITS; else 0
 * @boot_id:	random, made at boot
 * @run_name:	of the run, as given at its start, NUL-padded; letters, digits and
 *		"._-", the first a letter, at most 31.  Empty: it has only its number
 * @reference_ticks: when the run was ordered: the arrival of the message, or the call
 *
 * Written when the buffer is opened and completed when it is closed; never changed once
 * a reader can see it.
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
 * Copy-free reading of /proc/evtlog/cpuN: map the file (all buffers of the CPU,
 * one after the other, read-only), then take and give back whole buffers.
 *
 * EVTLOG_IOC_GET	the oldest full buffer: its index, offset in the map and
 *			used bytes.  Waits unless the file is non-blocking.
 *			-EAGAIN none is full; -EINTR, where the
 *			signal's handler has no SA_RESTART; -EBUSY another file reads
 *			this CPU; -ENODATA the CPU has no buffers; -EPERM the file was
 *			opened without CAP_SYS_ADMIN, and the caller is not the process
 *			that /proc/evtlog/pid names.  read() is refused like this, too.
 * EVTLOG_IOC_PUT	gives the buffer last got back to the writer.  -EINVAL
 *			when none is held.
 * EVTLOG_IOC_POSITION	where the CPU's next record goes.  Takes no buffer, and needs
 *			not be asked by the file that does.  -ENXIO the CPU is offline.
 */

/**
 * struct evtlog_get - a buffer that EVTLOG_IOC_GET gives
 * @index:	of the buffer
 * @used_bytes:	of it, header included
 * @offset:	in the map
 */
struct evtlog_get {
	__u32	index;
	__u32	used_bytes;
	__u64	offset;
};

/**
 * struct evtlog_position - an instant, as a place in a CPU's records
 * @run:	which is recorded; 0: none is, and all but @ticks is 0
 * @sequence:	of the buffer, as its header will say
 * @offset:	in that buffer, in bytes, header included
 * @reserved:	0
 * @ticks:	the CPU's counter at that instant
 *
 * Taken on the CPU itself, with interrupts off.  By @sequence, then @offset, the records
 * before a position were written before it was taken, those at it and behind
 * were not: what lies from one position to another was recorded in between.
 * While records are lost because no buffer is free it is the start of the next
 * buffer, which has the LOST record.
 */
struct evtlog_position {
	__u64	run;
	__u64	sequence;
	__u32	offset;
	__u32	reserved;
	__u64	ticks;
};

/*
 * Of a named buffer's cpuN, /proc/evtlog/named/NAME/cpuN, which beside this has GET and PUT:
 *
 * EVTLOG_IOC_WATERMARK	when a buffer is handed over before it is full, as long as the file is
 *			open.  -EBUSY another file reads this CPU; -EPERM as of GET.
 * EVTLOG_IOC_SIGIO	send SIGIO, or what F_SETSIG says, to whom F_SETOWN says, as buffers
 *			come: the argument is the file's descriptor, or -1: no more.
 */

#define EVTLOG_WATERMARK_MS_MAX	3600000

/**
 * struct evtlog_watermark - what is enough for a reader; 0: a buffer has to be full
 * @bytes:	of records in a buffer
 * @records:	EVENTs in a buffer
 * @ms:		since its first record, at most EVTLOG_WATERMARK_MS_MAX
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
