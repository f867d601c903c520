/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An event: a record, or what else is to be known of a CPU's part of a run.
 *
 * Stage: what streams and merges hand out (stream.h, host-merge.h, merged.h), and
 * what shows a log takes.  It does not take a record apart: see record.h.
 */
#ifndef EVTLOG_EVENT_H
#define EVTLOG_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum evtlog_event_kind {
	EVTLOG_EVENT_RECORD,
	/* The CPU's part begins; @pid and @context hold from here on. */
	EVTLOG_EVENT_BEGIN,
	/*
	 * Nothing is known from @from_ns up to the event's own time: records
	 * were lost, buffers are missing or damaged, the CPU was offline.
	 */
	EVTLOG_EVENT_GAP,
	/* The CPU's part ends, or what there is of it: see @rest_missing. */
	EVTLOG_EVENT_END,
	/* A buffer begins; nothing is missing before it. */
	EVTLOG_EVENT_BUFFER,
};

/* What a CPU is doing; of nested things the innermost. */
enum evtlog_context {
	EVTLOG_IN_TASK,
	EVTLOG_IN_SOFTIRQ,	/* number: the softirq's vector */
	EVTLOG_IN_IRQ,		/* number: the irq */
	EVTLOG_IN_VECTOR,	/* number: known type of the entry record */
};

#define EVTLOG_NUMBER_UNKNOWN	UINT32_MAX

/**
 * struct evtlog_event - something that happened on a CPU
 * @words: the record as this library's abi.h lays it out, whatever the
 *	file's layout; NULL unless @known
 * @file_words: the record as it is in the file, to be read by its type's
 *	fields; NULL unless a record
 * @known: EVTLOG_SCHED_SWITCH, ...; 0 for types this library does not know
 *	and for what is not a record
 * @number: type in the file
 * @context, @context_number: where the CPU was just before the event (GAP: before
 *	@from_ns); where it is after a GAP the next event tells
 * @pid: task running just before the event, likewise; EVTLOG_PID_UNKNOWN if
 *	nobody knows
 * @begin_pid, @begin_comm: BEGIN, GAP and BUFFER only: the task that runs from
 *	here on and its name of EVTLOG_COMM_LEN bytes
 * @from_ns, @from_ticks: GAP only
 * @lost: BEGIN and GAP only: lost records, as far as they were counted
 * @lost_buffers: BEGIN and GAP only: whole buffers that are missing before it; at least 1 of a CPU of which
 *	the file has none.  A GAP that lacks neither records nor buffers: the CPU was offline
 * @rest_missing: END only: the run went on, but the CPU's last buffer is not there
 */
struct evtlog_event {
	uint64_t time_ns;
	uint64_t ticks;
	const uint64_t *words;
	const uint64_t *file_words;
	uint32_t cpu;
	uint32_t pid;
	uint32_t context_number;
	uint8_t kind;
	uint8_t known;
	uint8_t number;
	uint8_t context;
	uint32_t begin_pid;
	const char *begin_comm;
	uint64_t from_ns;
	uint64_t lost;
	uint64_t lost_buffers;
	bool rest_missing;
	uint64_t from_ticks;
};

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_EVENT_H */
