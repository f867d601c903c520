/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One host while its log is written as a CTF trace.
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

/* ---- Numbers of events, and how the fields of each are laid out ---- */

/*
 * Numbers of events in a CTF trace, and how the fields of each are laid out.
 *
 * events.c writes what metadata.c declares by this table.
 */

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

/* ---- A host ---- */

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

/* ---- Text in payloads ---- */

/*
 * Text and a NUL; "?" if it is empty: babeltrace2 2.0.4 shows the text of the event before for one.
 * Takes 2 bytes at least.
 */
static inline uint8_t *put_string(uint8_t *at, const void *bytes, size_t most)
{
	size_t length = text_copy(at, bytes, most);

	if (!length)
		at[length++] = '?';
	return put_u8(at + length, 0);
}

/* ---- The events of a host as LTTng's kernel tracer would have written them ---- */

/* An event of a CPU that is wanted, within the span.  0 or -ENOMEM. */
int ctf_write(struct ctf_host *host, struct ctf_stream *stream, const struct evtlog_event *event);

/* What is missing of a CPU: from @from_ns to @to_ns of the log's time. */
void ctf_write_loss(struct ctf_host *host, struct ctf_stream *stream, uint64_t from_ns,
		    uint64_t to_ns, uint64_t lost, uint64_t lost_buffers);

/* ---- What the scheduler does with tasks, and how tasks are ---- */

/* The name of a task, which on each CPU is another of the idle task; returns
 * where the next goes. */
uint8_t *ctf_put_comm(struct ctf_host *host, uint8_t *at, uint32_t pid,
		      uint32_t cpu);
uint8_t *ctf_put_pid(uint8_t *at, uint32_t pid);

/* A record of the type that each is called after. */
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

/* All tasks that are known, as the span begins. */
void ctf_write_tasks(struct ctf_host *host, struct ctf_stream *stream,
		     uint64_t raw_ns);

/* ---- Events that LTTng has no name for ---- */

/* Record types as the log describes them, and registered events as their formats do. */

/* What the file's record types look like. */
void ctf_types_init(struct ctf_host *host);

/* A record as it is in the file. */
void ctf_write_type(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
		    const struct evtlog_event *event);

/* An EVENT: by its format, if the log has one.  0 or -ENOMEM. */
int ctf_write_event(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
		    const struct evtlog_event *event);

/* ---- The text that says what is in a host's streams ---- */

/* CTF 1.8's metadata. */

/* Once all events are written: of calls and registered events those that occurred.  0 or -errno. */
int ctf_metadata_write(struct ctf_host *host, const struct sources *sources, size_t number);

/* What a note says; of CTF_NOTE_UNRECORDED too. */
extern const char *const ctf_notes[CTF_NOTES];

#endif /* EVTLOG_CTF_HOST_H */
