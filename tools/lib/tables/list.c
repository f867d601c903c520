// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * List of the tables and their columns.
 *
 * The code that emits rows uses this order of columns.
 */
#include <string.h>

#include "tables.h"

#define COLUMN(text, is, ...)	{ .name = text, .type = TABLE_##is, __VA_ARGS__ }
#define HELP(text)		.help = text
#define MAYBE			.nullable = true
#define ONCE			.once = true
#define WHOLE			.whole = true
#define LOCAL			.local = true
#define RISING			.order = TABLE_RISING, LOCAL

#define TS	COLUMN("ts", INT64, RISING, HELP("begin, or instant, in ns"))
#define DUR	COLUMN("dur", INT64, .order = TABLE_SCATTERED, HELP("duration in ns"))
#define CPU	COLUMN("cpu", INT32, HELP("number of the CPU"))
#define UTID	COLUMN("utid", INT64, HELP("thread: see table thread"))
#define UTID_MAYBE \
	COLUMN("utid", INT64, MAYBE, HELP("thread that runs; NULL: nobody knows"))
#define CUT	COLUMN("cut", BOOL, HELP("begins before what is known of it, or ends behind it"))
#define DEPTH	COLUMN("depth", INT32, HELP("0: nothing else is interrupted but the thread"))
/* Columns for the source of a row. The error is the same in all rows of a host. */
#define SOURCE \
	COLUMN("host", STRING, MAYBE, LOCAL, HELP("name of the host")), \
	COLUMN("run", INT64, MAYBE, HELP("number of the run, on that host since boot")), \
	COLUMN("err_ns", INT64, MAYBE, \
	       HELP("times are right within plus or minus this; NULL: nobody knows"))

#define TABLE(NAME, text, about, at)	KEYED(NAME, text, about, at, -1)
#define KEYED(NAME, text, about, at, of) \
	[TABLE_##NAME] = { \
		.name = text, \
		.help = about, \
		.columns = columns_##NAME, \
		.column_count = sizeof(columns_##NAME) / sizeof(*columns_##NAME), \
		.time = at, \
		.key = of, \
	}
#define COLUMNS(NAME, ...)	static const struct table_column columns_##NAME[] = { __VA_ARGS__ }
/* Index of the column with the row's time */
#define TIMED	0
#define TIMELESS	-1

COLUMNS(SCHED_SLICE,
	TS, DUR, CPU, COLUMN("utid", INT64, HELP("thread that runs; 0: the CPU is idle")),
	COLUMN("end_state", STRING, MAYBE,
	       HELP("in which it leaves the CPU: R, R+ preempted, S, D, T, ...; NULL: it does not")),
	COLUMN("priority", INT32, MAYBE, HELP("NULL: the log does not say")),
	COLUMN("wait_dur", INT64, MAYBE, .order = TABLE_SCATTERED,
	       HELP("ns that it waited for the CPU until ts; NULL: see thread_wait_rest")),
	COLUMN("sleep_dur", INT64, MAYBE, .order = TABLE_SCATTERED,
	       HELP("ns that it was blocked before that; NULL: it was not, or the same")),
	COLUMN("prior_state", STRING, MAYBE,
	       HELP("in which it left a CPU before: of the sleep; if there is none, of the wait")),
	COLUMN("waker_utid", INT64, MAYBE, HELP("thread that ran where it was woken; 0: idle")),
	COLUMN("waker_cpu", INT32, MAYBE, HELP("where that was; NULL: see wakeup_rest and wakeup_new")),
	COLUMN("irq_context", BOOL, MAYBE, HELP("an interrupt woke it; NULL: it did not sleep")),
	CUT, SOURCE);

COLUMNS(THREAD_STATE,
	TS, DUR, UTID,
	COLUMN("state", STRING, HELP("Running, or as end_state of sched_slice")),
	COLUMN("cpu", INT32, MAYBE, HELP("where it runs; NULL: it does not")),
	COLUMN("waker_utid", INT64, MAYBE, HELP("of R after a sleep: the thread that woke it; 0: idle")),
	COLUMN("irq_context", BOOL, MAYBE,
			HELP("of R after a sleep: it was woken by an interrupt")),
	COLUMN("io_wait", BOOL, MAYBE, HELP("NULL: the log does not say")),
	COLUMN("blocked_function", STRING, MAYBE, HELP("NULL: the log does not say")), CUT, SOURCE);

#define WAIT \
	TS, DUR, UTID, \
	COLUMN("state", STRING, HELP("as end_state of sched_slice")), \
	COLUMN("waker_utid", INT64, MAYBE, HELP("of R after a sleep: the thread that woke it; 0: idle")), \
	COLUMN("irq_context", BOOL, MAYBE, \
			HELP("of R after a sleep: it was woken by an interrupt")), \
	CUT, SOURCE
COLUMNS(THREAD_WAIT, WAIT);
COLUMNS(THREAD_WAIT_REST, WAIT);

COLUMNS(IRQ_SLICE,
	TS, DUR, CPU, COLUMN("irq", INT32, MAYBE, HELP("number of the interrupt")),
	COLUMN("name", STRING, MAYBE, HELP("NULL: the log does not say")),
	COLUMN("ret", INT32, MAYBE, HELP("what its handler returned; NULL: unknown")), UTID_MAYBE,
			DEPTH,
	CUT, SOURCE);

COLUMNS(SOFTIRQ_SLICE,
	TS, DUR, CPU, COLUMN("vec", INT32, MAYBE, HELP("number of the softirq")),
	COLUMN("name", STRING, MAYBE, HELP("TIMER, NET_RX, ...")), UTID_MAYBE, DEPTH, CUT, SOURCE);

COLUMNS(VECTOR_SLICE,
	TS, DUR, CPU, COLUMN("vector", INT32, MAYBE, HELP("number of the vector")),
	COLUMN("name", STRING, MAYBE, HELP("local_timer, reschedule, ...")), UTID_MAYBE, DEPTH, CUT,
	SOURCE);

COLUMNS(EXCEPTION_SLICE,
	TS, DUR, COLUMN("cpu", INT32, HELP("where it ends")), UTID_MAYBE,
	COLUMN("vector", INT32, HELP("number of the exception")),
	COLUMN("name", STRING, MAYBE, HELP("page fault, ...")), CUT, SOURCE);

COLUMNS(SYSCALL_SLICE,
	TS, DUR, COLUMN("cpu", INT32, HELP("where it ends")), UTID,
	COLUMN("nr", INT32, HELP("number of the system call")),
	COLUMN("name", STRING, MAYBE, HELP("name of the system call")),
	COLUMN("compat", BOOL, HELP("it is one of 32-bit programs")), CUT, SOURCE);

COLUMNS(USER_SLICE,
	TS, DUR, CPU, UTID_MAYBE,
	COLUMN("end_cause", STRING, MAYBE,
	       HELP("why user mode is left: syscall, compat, or other: an interrupt or exception")),
	CUT, SOURCE);

#define WAKING \
	TS, CPU, COLUMN("utid", INT64, HELP("thread that is woken")), \
	COLUMN("waker_utid", INT64, MAYBE, HELP("thread that runs where the wake-up is made")), \
	COLUMN("irq_context", BOOL, HELP("an interrupt made it, not the thread")), \
	COLUMN("spurious", BOOL, HELP("it was not known to sleep")), SOURCE
COLUMNS(WAKEUP, WAKING);
COLUMNS(WAKEUP_REST, WAKING);

COLUMNS(WAKEUP_NEW,
	TS, CPU, COLUMN("utid", INT64, HELP("the new thread")),
	COLUMN("target_cpu", INT32, HELP("where it will run")),
	COLUMN("priority", INT32, HELP("of the kernel")),
	COLUMN("parent_utid", INT64, MAYBE, HELP("thread that runs where it is made")), SOURCE);

COLUMNS(SCHED_MIGRATE,
	TS, COLUMN("cpu", INT32, HELP("CPU that moves it")), UTID,
	COLUMN("orig_cpu", INT32, HELP("from where")),
	COLUMN("dest_cpu", INT32, HELP("to where")), SOURCE);

COLUMNS(PROCESS_EXIT,
	TS, CPU, COLUMN("utid", INT64, HELP("thread that exits")),
	COLUMN("exit_code", INT32, HELP("as wait() has it")), SOURCE);

COLUMNS(EVENT,
	COLUMN("id", INT64, RISING, HELP("number of the event")), TS, CPU,
			UTID_MAYBE,
	COLUMN("name", STRING, HELP("of its type, or of the registered event")),
	COLUMN("arg_set_id", INT64, MAYBE, RISING, HELP("its fields in args")),
			SOURCE);

COLUMNS(ARGS,
	COLUMN("arg_set_id", INT64, RISING, HELP("of table event")),
	COLUMN("key", STRING, HELP("name of the field")),
	COLUMN("int_value", INT64, MAYBE, HELP("of a number; NULL: it is 2^63 or more")),
	COLUMN("string_value", STRING, MAYBE, ONCE, HELP("of text; of bytes in hexadecimal")),
	COLUMN("real_value", DOUBLE, MAYBE, HELP("NULL: no field is one")),
	COLUMN("uint_value", UINT64, MAYBE, HELP("of a number without a sign")),
	COLUMN("value_type", STRING, HELP("int: has a sign, uint: has none, string")));

COLUMNS(SAMPLE,
	TS, CPU, COLUMN("utid", INT64, HELP("thread that was seen; cpu is where")),
	COLUMN("state", STRING, HELP("Running, R: waits for the CPU, or S, D, T, Z, ...")),
	COLUMN("priority", INT32, HELP("120 and nice; less than 100 are real-time")), SOURCE);

COLUMNS(KERNEL_COUNTER,
	TS, CPU, COLUMN("name", STRING,
			HELP("softirq, irq, vector, switches, icmp, rejected, ctxt, steal (ns)")),
	COLUMN("idx", INT32, HELP("which one of these")),
	COLUMN("at_end", BOOL, HELP("read at the end of the run, not at its begin")),
	COLUMN("value", INT64, .order = TABLE_SCATTERED, HELP("as the kernel has it")), SOURCE);

COLUMNS(LOSS,
	TS, DUR, CPU,
	COLUMN("cause", STRING, HELP("lost, offline, or end: the end of the log is missing")),
	COLUMN("lost", INT64, HELP("records, as far as they were counted")),
	COLUMN("lost_buffers", INT64, HELP("whole buffers that are missing")), SOURCE);

COLUMNS(CLOCK,
	TS, COLUMN("raw_ns", INT64, RISING, HELP("CLOCK_MONOTONIC_RAW of the host")),
	COLUMN("offset_ns", INT64, .order = TABLE_SCATTERED, HELP("raw_ns less ts")),
	COLUMN("bound_ns", INT64, MAYBE, HELP("ts is right within this, here; NULL: nobody knows")),
	COLUMN("real_ns", INT64, RISING,
			HELP("CLOCK_REALTIME of the host, since 1970")),
	COLUMN("method", STRING, MAYBE, HELP("how the host was related: reference, packets, ntp")),
	SOURCE);

COLUMNS(THREAD,
	COLUMN("utid", INT64, RISING, HELP("number of the thread; 0: idle")),
	COLUMN("tid", INT32, .order = TABLE_SCATTERED, HELP("its thread id in the kernel")),
	COLUMN("name", STRING, MAYBE, ONCE, HELP("its last name; thread_name has all")),
	COLUMN("upid", INT64, MAYBE, HELP("its process; NULL: nobody knows")),
	COLUMN("start_ts", INT64, MAYBE, .order = TABLE_SCATTERED,
			HELP("when it was forked; NULL: not in the log")),
	COLUMN("end_ts", INT64, MAYBE, .order = TABLE_SCATTERED,
			HELP("when it exited; NULL: not in the log")),
	COLUMN("is_main_thread", BOOL, MAYBE, HELP("of its process")),
	COLUMN("is_idle", BOOL, HELP("it is the idle task")),
	COLUMN("is_kernel_thread", BOOL, MAYBE, HELP("NULL: nobody knows")),
	COLUMN("start_boot_ns", INT64, MAYBE, .order = TABLE_SCATTERED,
	       HELP("start time by CLOCK_BOOTTIME: tells pids apart")),
	SOURCE);

COLUMNS(PROCESS,
	COLUMN("upid", INT64, RISING, HELP("number of the process")),
	COLUMN("pid", INT32, .order = TABLE_SCATTERED, HELP("its process id in the kernel")),
	COLUMN("name", STRING, MAYBE, ONCE, HELP("last name of its main thread")),
	COLUMN("parent_upid", INT64, MAYBE, HELP("process that made it")),
	COLUMN("start_ts", INT64, MAYBE, .order = TABLE_SCATTERED,
			HELP("when it was forked; NULL: not in the log")),
	COLUMN("end_ts", INT64, MAYBE, .order = TABLE_SCATTERED,
			HELP("when its main thread exited; NULL: not in the log")),
	COLUMN("is_kernel_thread", BOOL, MAYBE, HELP("NULL: nobody knows")), SOURCE);

COLUMNS(THREAD_NAME,
	COLUMN("ts", INT64, .order = TABLE_SCATTERED, HELP("since when it had the name, in ns")),
	DUR, UTID, COLUMN("name", STRING, ONCE, HELP("what it was called then")), SOURCE);

COLUMNS(RUN,
	COLUMN("begin_ts", INT64, HELP("first instant of the run")),
	COLUMN("end_ts", INT64, HELP("last instant of the run")),
	COLUMN("real_ns", INT64, HELP("CLOCK_REALTIME at begin_ts, since 1970")),
	COLUMN("name", STRING, MAYBE, ONCE, HELP("of the run, as it was started")),
	COLUMN("boot_id", STRING, ONCE, HELP("random, made at boot")),
	COLUMN("kernel", STRING, MAYBE, ONCE, HELP("release of the kernel")),
	COLUMN("cpus", INT32, HELP("CPUs of the run")),
	COLUMN("ticks_hz", INT64, HELP("nominal rate of the tick counter")),
	COLUMN("lost", INT64, WHOLE, HELP("records that the kernel counted as lost")),
	COLUMN("lost_buffers", INT64, WHOLE, HELP("whole buffers that are missing")),
	COLUMN("complete", BOOL, WHOLE, HELP("the last buffer of each CPU is there")),
	COLUMN("events", INT64, WHOLE, HELP("that were read and wanted")), SOURCE);

COLUMNS(META,
	COLUMN("key", STRING, HELP("a line of the header of the log: see evtlog-file(5)")),
	COLUMN("value", STRING, ONCE, HELP("what it says")), SOURCE);

const struct table tables_list[TABLES] = {
	TABLE(SCHED_SLICE, "sched_slice", "what runs on a CPU, from switch to switch", TIMED),
	TABLE(THREAD_STATE, "thread_state", "in what state a thread is", TIMED),
	TABLE(THREAD_WAIT, "thread_wait", "the same, but for Running: sched_slice has these",
			TIMED),
	TABLE(THREAD_WAIT_REST, "thread_wait_rest",
	      "rows of thread_wait of which no sched_slice tells: cut, or at the end", TIMED),
	TABLE(IRQ_SLICE, "irq_slice", "interrupts of devices", TIMED),
	TABLE(SOFTIRQ_SLICE, "softirq_slice", "softirqs", TIMED),
	TABLE(VECTOR_SLICE, "vector_slice", "interrupts of the system: timer, IPIs", TIMED),
	TABLE(EXCEPTION_SLICE, "exception_slice", "faults and traps", TIMED),
	TABLE(SYSCALL_SLICE, "syscall_slice", "system calls", TIMED),
	TABLE(USER_SLICE, "user_slice", "time in user mode", TIMED),
	TABLE(WAKEUP, "wakeup", "wake-ups", TIMED),
	TABLE(WAKEUP_REST, "wakeup_rest", "rows of wakeup of which no sched_slice tells", TIMED),
	TABLE(WAKEUP_NEW, "wakeup_new", "first wake-ups of new threads", TIMED),
	TABLE(SCHED_MIGRATE, "sched_migrate", "moves of threads to other CPUs", TIMED),
	TABLE(PROCESS_EXIT, "process_exit", "exits of threads", TIMED),
	TABLE(EVENT, "event", "all other events, registered ones too", 1),
	KEYED(ARGS, "args", "fields of these events", TIMELESS, 1),
	TABLE(SAMPLE, "sample", "threads as the sampler saw them", TIMED),
	TABLE(KERNEL_COUNTER, "kernel_counter", "counters of the kernel at begin and end; steal also after each change", TIMED),
	TABLE(LOSS, "loss", "times of which nothing is known of a CPU", TIMED),
	TABLE(CLOCK, "clock", "the clock of a host and its error, over time", TIMED),
	TABLE(THREAD, "thread", "threads", TIMELESS),
	TABLE(PROCESS, "process", "processes", TIMELESS),
	TABLE(THREAD_NAME, "thread_name", "what threads but idle were called, and when", TIMELESS),
	TABLE(RUN, "run", "logs, one row each", TIMELESS),
	TABLE(META, "meta", "lines of the headers of logs", TIMELESS),
};

enum table_number tables_find(const char *name)
{
	for (unsigned int i = 0; i < TABLES; i++)
		if (!strcmp(tables_list[i].name, name))
			return i;
	return TABLES;
}
