/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An event: a record, or a begin, gap or end in the data of a CPU.
 *
 * Stage: streams and merges return events (stream.h, host-merge.h, merged.h); commands process
 * them.  To extract the fields of a record, see record.h.
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
	/* The data of the CPU begins; @pid and @context are valid from here on. */
	EVTLOG_EVENT_BEGIN,
	/*
	 * Events are missing from @from_ns to the time of this event: records were lost, buffers
	 * are missing or damaged, or the CPU was offline.
	 */
	EVTLOG_EVENT_GAP,
	/* The data of the CPU ends; see @rest_missing. */
	EVTLOG_EVENT_END,
	/* A buffer begins; nothing is missing before it. */
	EVTLOG_EVENT_BUFFER,
};

/* Context in which a CPU executes: the innermost one if contexts are nested. */
enum evtlog_context {
	EVTLOG_IN_TASK,
	EVTLOG_IN_SOFTIRQ,	/* number: softirq vector */
	EVTLOG_IN_IRQ,		/* number: Linux irq number */
	EVTLOG_IN_VECTOR,	/* number: @known type of the entry record */
};

#define EVTLOG_NUMBER_UNKNOWN	UINT32_MAX

/**
 * struct evtlog_event - an event on a CPU
 * @words: the record in the layout of this library's abi.h, not of the file; NULL if @known is 0
 * @file_words: the record as it is in the file, for evtlog_field_u64() and evtlog_field_s64(); NULL
 *	if the event is not a record
 * @known: EVTLOG_SCHED_SWITCH, ...; 0 for a type unknown to this library, or if not a record
 * @number: number of the type in the file
 * @context, @context_number: context of the CPU just before the event (GAP: just before @from_ns);
 *	the next event has the context after a GAP
 * @pid: running task just before the event (GAP: before @from_ns); EVTLOG_PID_UNKNOWN if unknown
 * @begin_pid, @begin_comm: BEGIN, GAP and BUFFER only: the task that runs from here on, and its
 *	name of EVTLOG_COMM_LEN bytes
 * @from_ns, @from_ticks: GAP only: start of the gap
 * @lost: BEGIN and GAP only: lost records, if they were counted
 * @lost_buffers: BEGIN and GAP only: whole buffers that are missing before the event; at least 1 if
 *	the file has no buffer of the CPU.  If @lost and @lost_buffers of a GAP are 0, the CPU was
 *	offline
 * @rest_missing: END only: the run continued, but the last buffer of the CPU is missing
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
