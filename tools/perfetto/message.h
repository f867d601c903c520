/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the wire format of Protocol Buffers into memory; the caller makes sure that it has room.
 *
 * protobuf-c is not used, as it builds a structure in memory for each message and encodes each
 * message as a whole.  This encoder appends an event with a few stores.  A softirq's entry takes
 * 65 instructions here and 976 with protobuf-c 1.4.1 (callgrind, gcc 12 -O2, bundles of 512
 * events in structures that are allocated once).
 */
#ifndef EVTLOG_PERFETTO_MESSAGE_H
#define EVTLOG_PERFETTO_MESSAGE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Largest size of a number, and of a field's tag */
#define VARINT_BYTES	10
#define TAG_BYTES	3

enum wire { WIRE_VARINT, WIRE_BYTES = 2 };

static inline uint8_t *put_varint(uint8_t *at, uint64_t value)
{
	while (value >= 0x80) {
		*at++ = value | 0x80;
		value >>= 7;
	}
	*at++ = value;
	return at;
}

static inline unsigned int varint_bytes(uint64_t value)
{
	return (63 - __builtin_clzll(value | 1)) / 7 + 1;
}

static inline uint8_t *put_number(uint8_t *at, unsigned int field, uint64_t value)
{
	at = put_varint(at, field << 3 | WIRE_VARINT);
	return put_varint(at, value);
}

static inline uint8_t *put_bytes(uint8_t *at, unsigned int field, const void *bytes, size_t count)
{
	at = put_varint(at, field << 3 | WIRE_BYTES);
	at = put_varint(at, count);
	memcpy(at, bytes, count);
	return at + count;
}

static inline uint8_t *put_text(uint8_t *at, unsigned int field, const char *text)
{
	return put_bytes(at, field, text, strlen(text));
}

/*
 * A message within a message.  nested_begin() leaves @LENGTH bytes for its length, which
 * nested_end() stores.  The wire format allows a length to use more bytes than it needs.
 */
#define nested_begin(at, field, LENGTH) \
	((at) = put_varint(at, (field) << 3 | WIRE_BYTES) + (LENGTH))

static inline void nested_end(uint8_t *begin, const uint8_t *end, unsigned int length_bytes)
{
	size_t length = end - begin;

	for (unsigned int i = 0; i < length_bytes; i++, length >>= 7)
		begin[(int)i - (int)length_bytes] = (length & 0x7f) |
						    (i + 1 < length_bytes ? 0x80 : 0);
}

/* ---- Field numbers of Perfetto's messages ---- */

/* From Perfetto's protos/perfetto/trace; tests/export/perfetto.proto has the same for protoc. */

enum { TRACE_PACKET = 1 };

/* TracePacket */
enum {
	PACKET_FTRACE_EVENTS = 1,
	PACKET_PROCESS_TREE = 2,
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10,
	PACKET_SYSTEM_INFO = 45,
	PACKET_TIMESTAMP_CLOCK_ID = 58,
	PACKET_TRACE_ATTRIBUTES = 126,
};

/* FtraceEventBundle */
enum {
	BUNDLE_CPU = 1,
	BUNDLE_EVENT = 2,
	BUNDLE_LOST_EVENTS = 3,
	BUNDLE_COMPACT_SCHED = 4,
	BUNDLE_FTRACE_CLOCK = 5,
	BUNDLE_PREVIOUS_END = 10,
};

#define FTRACE_CLOCK_MONO_RAW	4

/* FtraceEventBundle.CompactSched */
enum {
	COMPACT_SWITCH_TIMESTAMP = 1,
	COMPACT_SWITCH_PREV_STATE = 2,
	COMPACT_SWITCH_NEXT_PID = 3,
	COMPACT_SWITCH_NEXT_PRIO = 4,
	COMPACT_INTERN_TABLE = 5,
	COMPACT_SWITCH_NEXT_COMM_INDEX = 6,
	COMPACT_WAKING_TIMESTAMP = 7,
	COMPACT_WAKING_PID = 8,
	COMPACT_WAKING_TARGET_CPU = 9,
	COMPACT_WAKING_PRIO = 10,
	COMPACT_WAKING_COMM_INDEX = 11,
	COMPACT_WAKING_COMMON_FLAGS = 12,
};

/* FtraceEvent */
enum {
	EVENT_TIMESTAMP = 1,
	EVENT_PID = 2,
	EVENT_SCHED_SWITCH = 4,
	EVENT_SOFTIRQ_ENTRY = 24,
	EVENT_SOFTIRQ_EXIT = 25,
	EVENT_IRQ_ENTRY = 36,
	EVENT_IRQ_EXIT = 37,
	EVENT_WAKEUP_NEW = 114,
	EVENT_NEWTASK = 235,
	EVENT_RENAME = 236,
	EVENT_EXEC = 237,
	EVENT_EXIT = 238,
	EVENT_FORK = 239,
	EVENT_GENERIC = 327,
	EVENT_SYS_ENTER = 329,
	EVENT_SYS_EXIT = 330,
	EVENT_MIGRATE = 491,
	EVENT_LOCAL_TIMER_ENTRY = 559,
	EVENT_LOCAL_TIMER_EXIT = 560,
};

/* SchedSwitchFtraceEvent */
enum {
	SWITCH_PREV_COMM = 1,
	SWITCH_PREV_PID = 2,
	SWITCH_PREV_STATE = 4,
	SWITCH_NEXT_COMM = 5,
	SWITCH_NEXT_PID = 6,
};

/* SchedWakeupNewFtraceEvent */
enum { WAKEUP_COMM = 1, WAKEUP_PID = 2, WAKEUP_PRIO = 3, WAKEUP_TARGET_CPU = 5 };
/* SchedMigrateTaskFtraceEvent */
enum { MIGRATE_COMM = 1, MIGRATE_PID = 2, MIGRATE_ORIG_CPU = 4, MIGRATE_DEST_CPU = 5 };
/* SchedProcessForkFtraceEvent */
enum { FORK_PARENT_COMM = 1, FORK_PARENT_PID = 2, FORK_CHILD_COMM = 3, FORK_CHILD_PID = 4 };
/* SchedProcessExecFtraceEvent */
enum { EXEC_FILENAME = 1, EXEC_PID = 2, EXEC_OLD_PID = 3 };
/* SchedProcessExitFtraceEvent */
enum { EXIT_COMM = 1, EXIT_PID = 2, EXIT_TGID = 3 };
/* TaskNewtaskFtraceEvent */
enum { NEWTASK_PID = 1, NEWTASK_COMM = 2, NEWTASK_CLONE_FLAGS = 3 };
/* TaskRenameFtraceEvent */
enum { RENAME_PID = 1, RENAME_NEWCOMM = 3 };
/* IrqHandlerEntryFtraceEvent, IrqHandlerExitFtraceEvent */
enum { IRQ_NUMBER = 1, IRQ_NAME = 2, IRQ_RET = 2 };
/* Softirq*FtraceEvent, LocalTimer*FtraceEvent, Sys*FtraceEvent */
enum { ONLY_NUMBER = 1 };
/* GenericFtraceEvent, its Field */
enum { GENERIC_NAME = 1, GENERIC_FIELD = 2 };
enum { FIELD_NAME = 1, FIELD_TEXT = 3, FIELD_SIGNED = 4, FIELD_UNSIGNED = 5 };

/* ProcessTree, its Process and Thread */
enum { TREE_PROCESS = 1, TREE_THREAD = 2 };
enum { PROCESS_PID = 1, PROCESS_PPID = 2, PROCESS_CMDLINE = 3, PROCESS_IS_KTHREAD = 8,
       PROCESS_CMDLINE_IS_COMM = 9 };
enum { THREAD_TID = 1, THREAD_NAME = 2, THREAD_TGID = 3 };

/* ClockSnapshot, its Clock, BuiltinClock */
enum { SNAPSHOT_CLOCK = 1, SNAPSHOT_PRIMARY = 2 };
enum { CLOCK_ID = 1, CLOCK_TIMESTAMP = 2 };
enum { BUILTIN_REALTIME = 1, BUILTIN_MONOTONIC_RAW = 5 };

/* SystemInfo, Utsname */
enum { SYSTEM_UTSNAME = 1, SYSTEM_TRACING_SERVICE = 4, SYSTEM_NUM_CPUS = 8, SYSTEM_MACHINE_NAME = 17 };
enum { UTSNAME_SYSNAME = 1, UTSNAME_VERSION = 2, UTSNAME_RELEASE = 3, UTSNAME_MACHINE = 4 };

/* TraceAttributes, its Attribute */
enum { ATTRIBUTES_ATTRIBUTE = 1 };
enum { ATTRIBUTE_KEY = 1, ATTRIBUTE_NUMBER = 2, ATTRIBUTE_TEXT = 3 };

#endif /* EVTLOG_PERFETTO_MESSAGE_H */
