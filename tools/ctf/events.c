// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the events of a host in the format of LTTng's kernel tracer.
 *
 * Fields that are not in a log get values that cannot be real: see ctf_note and metadata.c.
 */
#include <string.h>

#include "host.h"
#include "print/names.h"

/* Longest name that is written; drivers can choose names of any length. */
#define IRQ_NAME_BYTES	256

/* ---- Interrupts ---- */

static void write_number(struct ctf_stream *stream, unsigned int id, uint64_t time_ns, uint32_t number)
{
	uint8_t *at = ctf_stream_event(stream, id, time_ns, 4);

	ctf_stream_done(stream, put_u32(at, number));
}

static void write_irq_entry(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
			    const struct evtlog_event *event)
{
	uint32_t irq = evtlog_data(event->words, 0, EVTLOG_DATA_BITS);
	const char *name = fields_irq_name(&host->fields, irq);
	uint8_t *at = ctf_stream_event(stream, CTF_IRQ_ENTRY, time_ns, 4 + IRQ_NAME_BYTES);

	at = put_u32(at, irq);
	at = put_string(at, name ? name : "", IRQ_NAME_BYTES - 1);
	ctf_stream_done(stream, at);
}

static void write_irq_exit(struct ctf_stream *stream, uint64_t time_ns,
			   const struct evtlog_event *event)
{
	uint8_t *at = ctf_stream_event(stream, CTF_IRQ_EXIT, time_ns, 8);

	at = put_u32(at, evtlog_data(event->words, 0, 24));
	at = put_u32(at, evtlog_data(event->words, 24, 2));
	ctf_stream_done(stream, at);
}

/*
 * For the vectors of Linux 6.1 on x86: returns the id of the entry; the id of the exit follows.
 * 0 if LTTng has no name for the vector.
 */
static unsigned int id_of_vector(uint32_t vector)
{
	switch (vector) {
	case 0xff:
		return CTF_SPURIOUS_ENTRY;
	case 0xfe:
		return CTF_ERROR_ENTRY;
	case 0xfa:
		return CTF_THERMAL_ENTRY;
	case 0xf9:
		return CTF_THRESHOLD_ENTRY;
	case 0xf7:
		return CTF_PLATFORM_ENTRY;
	case 0xf4:
		return CTF_DEFERRED_ENTRY;
	default:
		return 0;
	}
}

static void write_vector(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
			 const struct evtlog_event *event)
{
	uint32_t vector = evtlog_data(event->words, 0, EVTLOG_DATA_BITS);
	unsigned int id = id_of_vector(vector);

	if (id)
		write_number(stream, id + (event->known == EVTLOG_VECTOR_EXIT), time_ns, vector);
	else
		ctf_write_type(host, stream, time_ns, event);
}

/* ---- System calls ---- */

/* Returns the id of the entry event of a system call; 0 if LTTng has no name for the call. */
static unsigned int id_of_call(struct ctf_host *host, uint32_t number, bool compat)
{
	if (!host->names_calls || number >= CTF_CALLS || !(compat ? syscall_name_32(number) : syscall_name(number)))
		return 0;
	host->calls[compat][number] = 1;
	ctf_note(host, CTF_NOTE_CALLS);
	return (compat ? CTF_OF_COMPAT : CTF_OF_CALL) + 2 * number;
}

static void write_user_exit(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
			    const struct evtlog_event *event)
{
	unsigned int cause = evtlog_data(event->words, 0, 2);
	bool compat = cause == EVTLOG_USER_EXIT_COMPAT;
	unsigned int id = compat || cause == EVTLOG_USER_EXIT_SYSCALL ?
			  id_of_call(host, evtlog_data(event->words, 2, 16), compat) : 0;

	if (id)
		ctf_stream_done(stream, ctf_stream_event(stream, id, time_ns, 0));
	else
		ctf_write_type(host, stream, time_ns, event);
}

/* Writes the exit of the call that the task entered, unless lost events may have ended it. */
static void write_user_enter(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
			     const struct evtlog_event *event)
{
	const struct export_task *task = tasks_of(&host->tasks, evtlog_record_pid(event->words));
	unsigned int id = task->call ?
			  id_of_call(host, task->call - 1, task->compat) : 0;

	if (id)
		ctf_stream_done(stream, ctf_stream_event(stream, id + 1, time_ns, 0));
	else
		ctf_write_type(host, stream, time_ns, event);
}

/* ---- Begins, gaps and ends ---- */

void ctf_write_loss(struct ctf_host *host, struct ctf_stream *stream, uint64_t from_ns,
		    uint64_t to_ns, uint64_t lost, uint64_t lost_buffers)
{
	uint64_t from = host_clock_ns(&host->clock, from_ns);

	/* The number of events in a missing buffer is unknown; count one. */
	ctf_stream_lose(stream, from, host_clock_ns(&host->clock, to_ns), lost + lost_buffers);
	host->lost += lost + lost_buffers;
}

static uint8_t *put_running(struct ctf_host *host, uint8_t *at, const struct evtlog_event *event)
{
	at = ctf_put_pid(at, event->begin_pid);
	return ctf_put_comm(host, at, event->begin_pid, event->cpu);
}

static void write_begin(struct ctf_host *host, struct ctf_stream *stream,
			const struct evtlog_event *event)
{
	uint64_t time_ns;
	uint8_t *at;

	if (event->lost || event->lost_buffers)
		ctf_write_loss(host, stream, host->span.from_ns, event->time_ns, event->lost,
			       event->lost_buffers);
	time_ns = host_clock_ns(&host->clock, event->time_ns);
	at = ctf_stream_event(stream, CTF_BEGIN, time_ns, 4 + CTF_COMM_BYTES + 16);
	at = put_running(host, at, event);
	at = put_u64(at, event->lost);
	at = put_u64(at, event->lost_buffers);
	ctf_stream_done(stream, at);
}

static void write_gap(struct ctf_host *host, struct ctf_stream *stream,
		      const struct evtlog_event *event)
{
	uint64_t from_ns = event->from_ns < host->span.from_ns ? host->span.from_ns : event->from_ns;
	uint64_t from, time_ns;
	uint8_t *at;

	if (event->lost || event->lost_buffers)
		ctf_write_loss(host, stream, from_ns, event->time_ns, event->lost,
			       event->lost_buffers);
	from = host_clock_ns(&host->clock, event->from_ns);
	time_ns = host_clock_ns(&host->clock, event->time_ns);
	at = ctf_stream_event(stream, CTF_GAP, time_ns, 24 + 4 + CTF_COMM_BYTES);
	at = put_u64(at, from);
	at = put_u64(at, event->lost);
	at = put_u64(at, event->lost_buffers);
	at = put_running(host, at, event);
	ctf_stream_done(stream, at);
}

static void write_end(struct ctf_host *host, struct ctf_stream *stream,
		      const struct evtlog_event *event)
{
	uint64_t time_ns = host_clock_ns(&host->clock, event->time_ns);
	uint8_t *at = ctf_stream_event(stream, CTF_END, time_ns, 1);

	ctf_stream_done(stream, put_u8(at, event->rest_missing));
	if (event->rest_missing && evtlog_end_ns(host->file) > event->time_ns)
		ctf_write_loss(host, stream, event->time_ns, evtlog_end_ns(host->file), 0, 1);
}

static void write_other(struct ctf_host *host, struct ctf_stream *stream,
			const struct evtlog_event *event)
{
	switch (event->kind) {
	case EVTLOG_EVENT_BEGIN:
		write_begin(host, stream, event);
		return;
	case EVTLOG_EVENT_GAP:
		write_gap(host, stream, event);
		return;
	case EVTLOG_EVENT_END:
		write_end(host, stream, event);
		return;
	}
}

/* ---- Records ---- */

int ctf_write(struct ctf_host *host, struct ctf_stream *stream, const struct evtlog_event *event)
{
	static const uint8_t vectors[EVTLOG_TYPE_MAX + 1] = {
		[EVTLOG_LOCAL_TIMER_ENTRY] = CTF_TIMER_ENTRY,
		[EVTLOG_LOCAL_TIMER_EXIT] = CTF_TIMER_EXIT,
		[EVTLOG_RESCHEDULE_ENTRY] = CTF_RESCHEDULE_ENTRY,
		[EVTLOG_RESCHEDULE_EXIT] = CTF_RESCHEDULE_EXIT,
		[EVTLOG_CALL_FUNCTION_ENTRY] = CTF_CALL_ENTRY,
		[EVTLOG_CALL_FUNCTION_EXIT] = CTF_CALL_EXIT,
		[EVTLOG_CALL_FUNCTION_SINGLE_ENTRY] = CTF_CALL_SINGLE_ENTRY,
		[EVTLOG_CALL_FUNCTION_SINGLE_EXIT] = CTF_CALL_SINGLE_EXIT,
		[EVTLOG_IRQ_WORK_ENTRY] = CTF_IRQ_WORK_ENTRY,
		[EVTLOG_IRQ_WORK_EXIT] = CTF_IRQ_WORK_EXIT,
	};
	uint64_t time_ns;

	if (__builtin_expect(event->kind != EVTLOG_EVENT_RECORD, 0)) {
		write_other(host, stream, event);
		return 0;
	}
	time_ns = host_clock_ns(&host->clock, event->time_ns);
	host->written++;
	switch (event->known) {
	case EVTLOG_SCHED_SWITCH:
		ctf_write_switch(host, stream, time_ns, event);
		return 0;
	case EVTLOG_SCHED_WAKING:
		ctf_write_waking(host, stream, time_ns, event);
		return 0;
	case EVTLOG_SCHED_WAKEUP_NEW:
		ctf_write_wakeup_new(host, stream, time_ns, event);
		return 0;
	case EVTLOG_SCHED_MIGRATE_TASK:
		ctf_write_migrate(host, stream, time_ns, event);
		return 0;
	case EVTLOG_SCHED_PROCESS_FORK:
		ctf_write_fork(host, stream, time_ns, event);
		return 0;
	case EVTLOG_SCHED_PROCESS_EXEC:
		ctf_write_exec(host, stream, time_ns, event);
		return 0;
	case EVTLOG_SCHED_PROCESS_EXIT:
		ctf_write_exit(host, stream, time_ns, event);
		return 0;
	case EVTLOG_SOFTIRQ_ENTRY:
		write_number(stream, CTF_SOFTIRQ_ENTRY, time_ns,
			     evtlog_data(event->words, 0, EVTLOG_DATA_BITS));
		return 0;
	case EVTLOG_SOFTIRQ_EXIT:
		write_number(stream, CTF_SOFTIRQ_EXIT, time_ns,
			     evtlog_data(event->words, 0, EVTLOG_DATA_BITS));
		return 0;
	case EVTLOG_IRQ_HANDLER_ENTRY:
		write_irq_entry(host, stream, time_ns, event);
		return 0;
	case EVTLOG_IRQ_HANDLER_EXIT:
		write_irq_exit(stream, time_ns, event);
		return 0;
	case EVTLOG_VECTOR_ENTRY:
	case EVTLOG_VECTOR_EXIT:
		write_vector(host, stream, time_ns, event);
		return 0;
	case EVTLOG_TASK:
		ctf_write_task(host, stream, time_ns, event);
		return 0;
	case EVTLOG_USER_EXIT:
		write_user_exit(host, stream, time_ns, event);
		return 0;
	case EVTLOG_USER_ENTER:
		write_user_enter(host, stream, time_ns, event);
		return 0;
	case EVTLOG_EVENT:
		return ctf_write_event(host, stream, time_ns, event);
	}
	if (vectors[event->known & EVTLOG_TYPE_MAX])
		write_number(stream, vectors[event->known & EVTLOG_TYPE_MAX], time_ns,
			     evtlog_data(event->words, 0, EVTLOG_DATA_BITS));
	else
		ctf_write_type(host, stream, time_ns, event);
	return 0;
}
