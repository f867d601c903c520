/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One host while its log is written as a CTF trace.
 */
#ifndef EVTLOG_CTF_HOST_H
#define EVTLOG_CTF_HOST_H

#include <evtlog/evtlog.h>

#include "export/host-clock.h"
#include "export/tasks.h"
#include "ids.h"
#include "print/fields.h"
#include "stream.h"

/* What is said of the trace, as it happened to occur: see notes in metadata.c. */
enum ctf_note {
	CTF_NOTE_PRIO,
	CTF_NOTE_CALLS,
	CTF_NOTE_EXEC,
	CTF_NOTE_FORK,
	CTF_NOTE_TASK,
	CTF_NOTE_EVENT,
	CTF_NOTE_UNRECORDED,
	CTF_NOTES
};

/*
 * How a field of a record type that LTTng does not know is written.
 * @bytes:	1, 2, 4 or 8; of text as many as it has
 */
struct ctf_field {
	const struct evtlog_field *field;
	uint16_t bytes;
	bool is_text;
};

struct ctf_type {
	const struct evtlog_type_info *info;
	struct ctf_field fields[EVTLOG_FIELDS_MAX];
	unsigned int field_count;
	uint16_t bytes;
};

/*
 * A registered event that occurred.
 * @looked:	for its format
 * @fixed:	bytes in front of a last field that is as long as the payload
 */
struct ctf_event {
	const struct evtlog_event_format *format;
	bool looked;
	uint16_t fixed;
};

/*
 * @cpu_of_number: index of its stream in @streams, and one; 0: it is not wanted
 * @writing:	the span has begun
 * @is_of_tree:	the log is of one tree, whose outside is pid 0
 * @names_calls: the machine is one whose system calls have names here
 * @calls:	those that occurred; [1]: of 32-bit programs
 * @notes:	bits of enum ctf_note
 * @lost:	as readers will count them
 */
struct ctf_host {
	struct evtlog_file *file;
	const char *name;
	struct host_clock clock;
	struct export_tasks tasks;
	struct fields fields;
	struct ctf_streams all;
	struct ctf_stream *streams;
	unsigned int stream_count;
	uint32_t *cpu_of_number;
	struct span span;
	bool writing;
	bool is_of_tree;
	struct ctf_type types[EVTLOG_TYPE_MAX + 1];
	struct ctf_event *events;
	bool names_calls;
	uint8_t calls[2][CTF_CALLS];
	uint32_t notes;
	uint64_t written;
	uint64_t lost;
};

static inline void ctf_note(struct ctf_host *host, enum ctf_note note)
{
	host->notes |= 1u << note;
}

/* NULL: the CPU is not wanted. */
static inline struct ctf_stream *ctf_stream_of(struct ctf_host *host, uint32_t cpu)
{
	uint32_t number = cpu < EVTLOG_CPU_LIMIT ? host->cpu_of_number[cpu] : 0;

	return number ? &host->streams[number - 1] : NULL;
}

#endif /* EVTLOG_CTF_HOST_H */
