/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of one host while its log is written as a CTF trace.
 */
#ifndef EVTLOG_CTF_HOST_H
#define EVTLOG_CTF_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

#include "export/sources.h"
#include "export/tasks.h"
#include "export/values.h"
#include "print/fields.h"
#include "stream.h"

/* ---- Event ids and the layout of fields ---- */

/*
 * metadata.c declares the events from this table; events.c and sched.c write them.
 *
 * The fields of an event in order, each as "type name", separated by blanks.  Fields of LTTng have
 * LTTng's names and types.  Additional fields begin with evtlog_, and follow LTTng's.
 *
 *	comm	text of 16 bytes
 *	int, uint, long, u8, u16, u64	numbers
 *	hex	a number of 64 bits, in hexadecimal
 *	pids	the number of pids in 8 bits, then the pids
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
	/* Record types: + the type's number in the file */
	CTF_OF_TYPE = 256,
	/* System calls: + 2 * the call's number, + 1 for the exit */
	CTF_OF_CALL = 1024,
	CTF_OF_COMPAT = 4096,
	/* Registered events: + the event's id */
	CTF_OF_EVENT = 8192,
};

#define CTF_CALLS	1024

#define CTF_COMM_BYTES	16

/* ---- A host ---- */

/* Notes on differences from LTTng that occurred in a trace; texts are in ctf_notes. */
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
 * A field of a record type without an event of LTTng.
 * @bytes:	size: 1, 2, 4 or 8 for numbers; for text the longest text
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
 * @format:	NULL if the log has none, or metadata cannot declare it
 * @looked:	@format is looked up
 * @fixed:	bytes of all fields of fixed size, plus one for each field
 */
struct ctf_event {
	const struct evtlog_event_format *format;
	bool looked;
	uint16_t fixed;
};

/*
 * @cpu_of_number: by CPU number: index in @streams plus one; 0 if the CPU is not wanted
 * @writing:	the span has begun
 * @is_of_tree:	the log is of one tree; pid 0 also means outside
 * @names_calls: the names of the machine's system calls are known (x86_64)
 * @calls:	1 for calls that occurred; [1]: calls of 32-bit programs
 * @notes:	bits of enum ctf_note
 * @lost:	lost events, as readers count them
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

/* Returns NULL if the CPU is not wanted. */
static inline struct ctf_stream *ctf_stream_of(struct ctf_host *host, uint32_t cpu)
{
	uint32_t number = cpu < EVTLOG_CPU_LIMIT ? host->cpu_of_number[cpu] : 0;

	return number ? &host->streams[number - 1] : NULL;
}

/* ---- Text in payloads ---- */

/*
 * Writes text of up to @most bytes and a NUL; "?" for empty text, as babeltrace2 2.0.4 shows the
 * previous event's text for an empty string.  Writes at least 2 bytes.
 */
static inline uint8_t *put_string(uint8_t *at, const void *bytes, size_t most)
{
	size_t length = text_copy(at, bytes, most);

	if (!length)
		at[length++] = '?';
	return put_u8(at + length, 0);
}

/* ---- The events of a host in the format of LTTng's kernel tracer ---- */

/* Writes an event in the span, of a wanted CPU.  Returns 0 or -ENOMEM. */
int ctf_write(struct ctf_host *host, struct ctf_stream *stream, const struct evtlog_event *event);

/* Writes a loss of a CPU's events, from @from_ns to @to_ns of the log's time. */
void ctf_write_loss(struct ctf_host *host, struct ctf_stream *stream, uint64_t from_ns,
		    uint64_t to_ns, uint64_t lost, uint64_t lost_buffers);

/* ---- Scheduling events and task states ---- */

/* Writes the name of a task; the idle task has another name on each CPU.
 * Returns the position of the next field. */
uint8_t *ctf_put_comm(struct ctf_host *host, uint8_t *at, uint32_t pid,
		      uint32_t cpu);
uint8_t *ctf_put_pid(uint8_t *at, uint32_t pid);

/* Each writes a record of the type in its name. */
void ctf_write_switch(struct ctf_host *host, struct ctf_stream *stream,
		      uint64_t time_ns, const struct evtlog_event *event);
void ctf_write_waking(struct ctf_host *host, struct ctf_stream *stream,
		      uint64_t time_ns, const struct evtlog_event *event);
void ctf_write_wakeup_new(struct ctf_host *host, struct ctf_stream *stream,
			  uint64_t time_ns, const struct evtlog_event *event);
void ctf_write_migrate(struct ctf_host *host, struct ctf_stream *stream,
		       uint64_t time_ns, const struct evtlog_event *event);
void ctf_write_fork(struct ctf_host *host, struct ctf_stream *stream,
		    uint64_t time_ns, const struct evtlog_event *event);
void ctf_write_exec(struct ctf_host *host, struct ctf_stream *stream,
		    uint64_t time_ns, const struct evtlog_event *event);
void ctf_write_exit(struct ctf_host *host, struct ctf_stream *stream,
		    uint64_t time_ns, const struct evtlog_event *event);
void ctf_write_task(struct ctf_host *host, struct ctf_stream *stream,
		    uint64_t time_ns, const struct evtlog_event *event);

/* Writes the states of all known tasks at the begin of the span. */
void ctf_write_tasks(struct ctf_host *host, struct ctf_stream *stream,
		     uint64_t raw_ns);

/* ---- Events that LTTng has no name for ---- */

/* Takes the layout of record types from the file. */
void ctf_types_init(struct ctf_host *host);

/* Writes a record with its fields from the file. */
void ctf_write_type(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
		    const struct evtlog_event *event);

/* Writes an EVENT, by its format if the log has one.  Returns 0 or -ENOMEM. */
int ctf_write_event(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
		    const struct evtlog_event *event);

/* ---- CTF 1.8 metadata: the description of a host's streams ---- */

/*
 * Call it after all events are written: it declares the calls and registered events that occurred.
 * Returns 0 or -errno.
 */
int ctf_metadata_write(struct ctf_host *host, const struct sources *sources, size_t number);

/* The texts of notes */
extern const char *const ctf_notes[CTF_NOTES];

#endif /* EVTLOG_CTF_HOST_H */
