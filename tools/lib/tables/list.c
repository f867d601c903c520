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
	COLUMN("utid", INT64, MAYBE, HELP("running thread; NULL if unknown"))
#define CUT	COLUMN("cut", BOOL, HELP("true if the begin or the end is not known"))
#define DEPTH	COLUMN("depth", INT32, HELP("0: interrupts only the thread"))
/* Columns for the source of a row. The error is the same in all rows of a host. */
#define SOURCE \
	COLUMN("host", STRING, MAYBE, LOCAL, HELP("name of the host")), \
	COLUMN("run", INT64, MAYBE, HELP("number of the run, on that host since boot")), \
	COLUMN("err_ns", INT64, MAYBE, \
	       HELP("error of times, plus or minus; NULL if unknown"))

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
	TS, DUR, CPU, COLUMN("utid", INT64, HELP("running thread; 0: the CPU is idle")),
	COLUMN("end_state", STRING, MAYBE,
	       HELP("state at the switch away: R, R+ preempted, S, D, T, ...; NULL: no switch")),
	COLUMN("priority", INT32, MAYBE, HELP("NULL: not in the log")),
	COLUMN("wait_dur", INT64, MAYBE, .order = TABLE_SCATTERED,
	       HELP("ns of waiting for the CPU before ts; NULL: see thread_wait_rest")),
	COLUMN("sleep_dur", INT64, MAYBE, .order = TABLE_SCATTERED,
	       HELP("ns of being blocked before that; NULL: not blocked, or see thread_wait_rest")),
	COLUMN("prior_state", STRING, MAYBE,
	       HELP("state of that sleep; without a sleep, of the wait")),
	COLUMN("waker_utid", INT64, MAYBE, HELP("thread that ran on the CPU that woke it; 0: idle")),
	COLUMN("waker_cpu", INT32, MAYBE, HELP("CPU that woke it; NULL: see wakeup_rest and wakeup_new")),
	COLUMN("irq_context", BOOL, MAYBE, HELP("true if an interrupt woke it; NULL: no sleep")),
	CUT, SOURCE);

COLUMNS(THREAD_STATE,
	TS, DUR, UTID,
	COLUMN("state", STRING, HELP("Running, or as end_state of sched_slice")),
	COLUMN("cpu", INT32, MAYBE, HELP("CPU on which it runs; NULL: it does not run")),
	COLUMN("waker_utid", INT64, MAYBE, HELP("for R after a sleep: thread that woke it; 0: idle")),
	COLUMN("irq_context", BOOL, MAYBE,
			HELP("for R after a sleep: true if an interrupt woke it")),
	COLUMN("io_wait", BOOL, MAYBE, HELP("NULL: not in the log")),
	COLUMN("blocked_function", STRING, MAYBE, HELP("NULL: not in the log")), CUT, SOURCE);

#define WAIT \
	TS, DUR, UTID, \
	COLUMN("state", STRING, HELP("as end_state of sched_slice")), \
	COLUMN("waker_utid", INT64, MAYBE, HELP("for R after a sleep: thread that woke it; 0: idle")), \
	COLUMN("irq_context", BOOL, MAYBE, \
			HELP("for R after a sleep: true if an interrupt woke it")), \
	CUT, SOURCE
COLUMNS(THREAD_WAIT, WAIT);
COLUMNS(THREAD_WAIT_REST, WAIT);

COLUMNS(IRQ_SLICE,
	TS, DUR, CPU, COLUMN("irq", INT32, MAYBE, HELP("number of the interrupt")),
	COLUMN("name", STRING, MAYBE, HELP("NULL: not in the log")),
	COLUMN("ret", INT32, MAYBE, HELP("return value of the handler; NULL if unknown")), UTID_MAYBE,
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
	TS, DUR, COLUMN("cpu", INT32, HELP("CPU on which it ends")), UTID_MAYBE,
	COLUMN("vector", INT32, HELP("number of the exception")),
	COLUMN("name", STRING, MAYBE, HELP("page fault, ...")), CUT, SOURCE);

COLUMNS(SYSCALL_SLICE,
	TS, DUR, COLUMN("cpu", INT32, HELP("CPU on which it ends")), UTID,
	COLUMN("nr", INT32, HELP("number of the system call")),
	COLUMN("name", STRING, MAYBE, HELP("name of the system call")),
	COLUMN("compat", BOOL, HELP("true for 32-bit system calls")), CUT, SOURCE);

COLUMNS(USER_SLICE,
	TS, DUR, CPU, UTID_MAYBE,
	COLUMN("end_cause", STRING, MAYBE,
	       HELP("cause of leaving user mode: syscall, compat, or other: an interrupt or exception")),
	CUT, SOURCE);

#define WAKING \
	TS, CPU, COLUMN("utid", INT64, HELP("woken thread")), \
	COLUMN("waker_utid", INT64, MAYBE, HELP("thread that runs on the waking CPU")), \
	COLUMN("irq_context", BOOL, HELP("true if an interrupt woke it, not the thread")), \
	COLUMN("spurious", BOOL, HELP("true if the thread was not known to sleep")), SOURCE
COLUMNS(WAKEUP, WAKING);
COLUMNS(WAKEUP_REST, WAKING);

COLUMNS(WAKEUP_NEW,
	TS, CPU, COLUMN("utid", INT64, HELP("the new thread")),
	COLUMN("target_cpu", INT32, HELP("CPU on which it will run")),
	COLUMN("priority", INT32, HELP("priority in the kernel")),
	COLUMN("parent_utid", INT64, MAYBE, HELP("thread that runs on the waking CPU")), SOURCE);

COLUMNS(SCHED_MIGRATE,
	TS, COLUMN("cpu", INT32, HELP("CPU that moves it")), UTID,
	COLUMN("orig_cpu", INT32, HELP("CPU before")),
	COLUMN("dest_cpu", INT32, HELP("CPU after")), SOURCE);

COLUMNS(PROCESS_EXIT,
	TS, CPU, COLUMN("utid", INT64, HELP("thread that exits")),
	COLUMN("exit_code", INT32, HELP("status as in wait(2)")), SOURCE);

COLUMNS(EVENT,
	COLUMN("id", INT64, RISING, HELP("number of the event")), TS, CPU,
			UTID_MAYBE,
	COLUMN("name", STRING, HELP("name of the type, or of the registered event")),
	COLUMN("arg_set_id", INT64, MAYBE, RISING, HELP("fields of the event in args")),
			SOURCE);

COLUMNS(ARGS,
	COLUMN("arg_set_id", INT64, RISING, HELP("of table event")),
	COLUMN("key", STRING, HELP("name of the field")),
	COLUMN("int_value", INT64, MAYBE, HELP("value of a number; NULL if it is 2^63 or more")),
	COLUMN("string_value", STRING, MAYBE, ONCE, HELP("text, or bytes in hexadecimal")),
	COLUMN("real_value", DOUBLE, MAYBE, HELP("always NULL")),
	COLUMN("uint_value", UINT64, MAYBE, HELP("value of an unsigned number")),
	COLUMN("value_type", STRING, HELP("int: signed, uint: unsigned, or string")));

COLUMNS(SAMPLE,
	TS, CPU, COLUMN("utid", INT64, HELP("sampled thread; cpu is its CPU")),
	COLUMN("state", STRING, HELP("Running, R: waits for the CPU, or S, D, T, Z, ...")),
	COLUMN("priority", INT32, HELP("120 and nice; less than 100 are real-time")), SOURCE);

COLUMNS(KERNEL_COUNTER,
	TS, CPU, COLUMN("name", STRING,
			HELP("softirq, irq, vector, switches, icmp, rejected, ctxt, steal (ns)")),
	COLUMN("idx", INT32, HELP("index of the counter among these")),
	COLUMN("at_end", BOOL, HELP("true if read at the end of the run, false at its begin")),
	COLUMN("value", INT64, .order = TABLE_SCATTERED, HELP("value in the kernel")), SOURCE);

COLUMNS(LOSS,
	TS, DUR, CPU,
	COLUMN("cause", STRING, HELP("lost, offline, or end (the end of the log is missing)")),
	COLUMN("lost", INT64, HELP("records, as far as they were counted")),
	COLUMN("lost_buffers", INT64, HELP("whole buffers that are missing")), SOURCE);

COLUMNS(CLOCK,
	TS, COLUMN("raw_ns", INT64, RISING, HELP("CLOCK_MONOTONIC_RAW of the host")),
	COLUMN("offset_ns", INT64, .order = TABLE_SCATTERED, HELP("raw_ns less ts")),
	COLUMN("bound_ns", INT64, MAYBE, HELP("error of ts at this time, plus or minus; NULL if unknown")),
	COLUMN("real_ns", INT64, RISING,
			HELP("CLOCK_REALTIME of the host, since 1970")),
	COLUMN("method", STRING, MAYBE, HELP("method that relates the clock: reference, packets, ntp")),
	SOURCE);

COLUMNS(THREAD,
	COLUMN("utid", INT64, RISING, HELP("number of the thread; 0: idle")),
	COLUMN("tid", INT32, .order = TABLE_SCATTERED, HELP("thread id in the kernel")),
	COLUMN("name", STRING, MAYBE, ONCE, HELP("its last name; thread_name has all")),
	COLUMN("upid", INT64, MAYBE, HELP("process of the thread; NULL if unknown")),
	COLUMN("start_ts", INT64, MAYBE, .order = TABLE_SCATTERED,
			HELP("time of the fork; NULL: not in the log")),
	COLUMN("end_ts", INT64, MAYBE, .order = TABLE_SCATTERED,
			HELP("time of the exit; NULL: not in the log")),
	COLUMN("is_main_thread", BOOL, MAYBE, HELP("true for the main thread of its process")),
	COLUMN("is_idle", BOOL, HELP("true for the idle task")),
	COLUMN("is_kernel_thread", BOOL, MAYBE, HELP("NULL if unknown")),
	COLUMN("start_boot_ns", INT64, MAYBE, .order = TABLE_SCATTERED,
	       HELP("start time by CLOCK_BOOTTIME; differs for each use of a pid")),
	SOURCE);

COLUMNS(PROCESS,
	COLUMN("upid", INT64, RISING, HELP("number of the process")),
	COLUMN("pid", INT32, .order = TABLE_SCATTERED, HELP("process id in the kernel")),
	COLUMN("name", STRING, MAYBE, ONCE, HELP("last name of its main thread")),
	COLUMN("parent_upid", INT64, MAYBE, HELP("parent process")),
	COLUMN("start_ts", INT64, MAYBE, .order = TABLE_SCATTERED,
			HELP("time of the fork; NULL: not in the log")),
	COLUMN("end_ts", INT64, MAYBE, .order = TABLE_SCATTERED,
			HELP("time of the exit of its main thread; NULL: not in the log")),
	COLUMN("is_kernel_thread", BOOL, MAYBE, HELP("NULL if unknown")), SOURCE);

COLUMNS(THREAD_NAME,
	COLUMN("ts", INT64, .order = TABLE_SCATTERED, HELP("time from which it had the name, in ns")),
	DUR, UTID, COLUMN("name", STRING, ONCE, HELP("name during this time")), SOURCE);

COLUMNS(RUN,
	COLUMN("begin_ts", INT64, HELP("first instant of the run")),
	COLUMN("end_ts", INT64, HELP("last instant of the run")),
	COLUMN("real_ns", INT64, HELP("CLOCK_REALTIME at begin_ts, since 1970")),
	COLUMN("name", STRING, MAYBE, ONCE, HELP("name of the run")),
	COLUMN("boot_id", STRING, ONCE, HELP("random number of this boot")),
	COLUMN("kernel", STRING, MAYBE, ONCE, HELP("release of the kernel")),
	COLUMN("cpus", INT32, HELP("CPUs of the run")),
	COLUMN("ticks_hz", INT64, HELP("nominal rate of the tick counter")),
	COLUMN("lost", INT64, WHOLE, HELP("records that the kernel counted as lost")),
	COLUMN("lost_buffers", INT64, WHOLE, HELP("whole buffers that are missing")),
	COLUMN("complete", BOOL, WHOLE, HELP("true if the last buffer of each CPU is in the log")),
	COLUMN("events", INT64, WHOLE, HELP("events that were read and selected")), SOURCE);

COLUMNS(META,
	COLUMN("key", STRING, HELP("a line of the header of the log: see evtlog-file(5)")),
	COLUMN("value", STRING, ONCE, HELP("value of this line")), SOURCE);

const struct table tables_list[TABLES] = {
	TABLE(SCHED_SLICE, "sched_slice", "the thread that runs on a CPU, from switch to switch", TIMED),
	TABLE(THREAD_STATE, "thread_state", "states of threads", TIMED),
	TABLE(THREAD_WAIT, "thread_wait", "the same without Running, which is in sched_slice",
			TIMED),
	TABLE(THREAD_WAIT_REST, "thread_wait_rest",
	      "rows of thread_wait that are in no sched_slice: cut, or at the end", TIMED),
	TABLE(IRQ_SLICE, "irq_slice", "interrupts of devices", TIMED),
	TABLE(SOFTIRQ_SLICE, "softirq_slice", "softirqs", TIMED),
	TABLE(VECTOR_SLICE, "vector_slice", "interrupts of the system: timer, IPIs", TIMED),
	TABLE(EXCEPTION_SLICE, "exception_slice", "faults and traps", TIMED),
	TABLE(SYSCALL_SLICE, "syscall_slice", "system calls", TIMED),
	TABLE(USER_SLICE, "user_slice", "time in user mode", TIMED),
	TABLE(WAKEUP, "wakeup", "wake-ups", TIMED),
	TABLE(WAKEUP_REST, "wakeup_rest", "rows of wakeup that are in no sched_slice", TIMED),
	TABLE(WAKEUP_NEW, "wakeup_new", "first wake-ups of new threads", TIMED),
	TABLE(SCHED_MIGRATE, "sched_migrate", "moves of threads to other CPUs", TIMED),
	TABLE(PROCESS_EXIT, "process_exit", "exits of threads", TIMED),
	TABLE(EVENT, "event", "all other events, registered ones too", 1),
	KEYED(ARGS, "args", "fields of these events", TIMELESS, 1),
	TABLE(SAMPLE, "sample", "threads as the sampler saw them", TIMED),
	TABLE(KERNEL_COUNTER, "kernel_counter", "counters of the kernel at begin and end; steal also after each change", TIMED),
	TABLE(LOSS, "loss", "times in which nothing is known about a CPU", TIMED),
	TABLE(CLOCK, "clock", "the clock of a host and its error, over time", TIMED),
	TABLE(THREAD, "thread", "threads", TIMELESS),
	TABLE(PROCESS, "process", "processes", TIMELESS),
	TABLE(THREAD_NAME, "thread_name", "names of threads except idle, and their times", TIMELESS),
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
