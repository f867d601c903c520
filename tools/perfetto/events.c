// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the events of a host as Perfetto's ftrace messages.
 */
#include <string.h>

#include "export/values.h"
#include "host.h"
#include "message.h"

/* Largest message without long text, bytes of its lengths; the same for an interrupt's name */
#define SHORT_BYTES	160
#define SHORT_LENGTH	1
#define IRQ_NAME_BYTES	256
#define IRQ_LENGTH	2

/* CLONE_THREAD and the flags that it requires; the log has no clone flags. */
#define CLONE_FLAGS_THREAD	(0x10000 | 0x800 | 0x100)

/* States as ftrace prints them on Linux 4.14 and later, by the number in a record */
static const uint16_t states[16] = {
	0, 1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x100,
};

/* ---- Messages ---- */

struct writing {
	uint8_t *event;
	uint8_t *body;
	uint8_t *at;
	unsigned int length_bytes;
};

static inline void begin(struct writing *writing, struct bundle *bundle, uint64_t time_ns,
			 uint32_t pid, unsigned int field, unsigned int length_bytes)
{
	uint8_t *at = bundle_event(bundle, length_bytes == SHORT_LENGTH ? SHORT_BYTES :
							      SHORT_BYTES + IRQ_NAME_BYTES);

	writing->length_bytes = length_bytes;
	writing->event = nested_begin(at, BUNDLE_EVENT, length_bytes);
	at = put_number(at, EVENT_TIMESTAMP, time_ns);
	if (pid != EVTLOG_PID_UNKNOWN)
		at = put_number(at, EVENT_PID, pid);
	writing->body = nested_begin(at, field, length_bytes);
	writing->at = at;
}

static inline void end(struct writing *writing, struct bundle *bundle, uint64_t time_ns)
{
	nested_end(writing->body, writing->at, writing->length_bytes);
	nested_end(writing->event, writing->at, writing->length_bytes);
	bundle_event_done(bundle, time_ns, writing->at);
}

static uint8_t *put_comm(uint8_t *at, unsigned int field, const struct export_task *task)
{
	return put_bytes(at, field, task->comm, strnlen(task->comm, EVTLOG_COMM_LEN));
}

static void write_number(struct bundle *bundle, uint64_t time_ns, const struct evtlog_event *event,
			 unsigned int field)
{
	struct writing writing;

	begin(&writing, bundle, time_ns, event->pid, field, SHORT_LENGTH);
	writing.at = put_number(writing.at, ONLY_NUMBER,
				evtlog_data(event->words, 0, EVTLOG_DATA_BITS));
	end(&writing, bundle, time_ns);
}

/* ---- Scheduling ---- */

/* A switch with the previous task: the first switch of a CPU, and the first after lost events. */
static void write_whole_switch(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
			       const struct evtlog_event *event)
{
	uint32_t next = evtlog_record_pid(event->words);
	struct writing writing;

	begin(&writing, bundle, time_ns, event->pid, EVENT_SCHED_SWITCH, SHORT_LENGTH);
	writing.at = put_comm(writing.at, SWITCH_PREV_COMM, tasks_of(&host->tasks, event->pid));
	writing.at = put_number(writing.at, SWITCH_PREV_PID, event->pid);
	writing.at = put_number(writing.at, SWITCH_PREV_STATE,
				states[evtlog_switch_state(event->words)]);
	writing.at = put_comm(writing.at, SWITCH_NEXT_COMM, tasks_of(&host->tasks, next));
	writing.at = put_number(writing.at, SWITCH_NEXT_PID, next);
	end(&writing, bundle, time_ns);
	bundle->known = true;
}

static void write_switch(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
			 const struct evtlog_event *event)
{
	uint32_t next = evtlog_record_pid(event->words);

	perfetto_note(host, PERFETTO_NOTE_PRIO);
	if (__builtin_expect(!bundle->known && event->pid != EVTLOG_PID_UNKNOWN, 0)) {
		write_whole_switch(host, bundle, time_ns, event);
		return;
	}
	bundle_switch(bundle, time_ns, states[evtlog_switch_state(event->words)], next,
		      tasks_of(&host->tasks, next)->comm);
	bundle->known = true;
}

static void write_waking(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
			 const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words);
	const struct export_task *task = tasks_of(&host->tasks, pid);

	bundle_waking(bundle, time_ns, pid, task->comm, tasks_cpu(&host->tasks, pid));
	perfetto_note(host, PERFETTO_NOTE_PRIO);
}

static void write_wakeup_new(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
			     const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words);
	struct writing writing;

	begin(&writing, bundle, time_ns, event->pid, EVENT_WAKEUP_NEW, SHORT_LENGTH);
	writing.at = put_comm(writing.at, WAKEUP_COMM, tasks_of(&host->tasks, pid));
	writing.at = put_number(writing.at, WAKEUP_PID, pid);
	writing.at = put_number(writing.at, WAKEUP_PRIO, (int32_t)(event->words[1] >> 32));
	writing.at = put_number(writing.at, WAKEUP_TARGET_CPU, (uint32_t)event->words[1]);
	end(&writing, bundle, time_ns);
}

static void write_migrate(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
			  const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words);
	struct writing writing;

	begin(&writing, bundle, time_ns, event->pid, EVENT_MIGRATE, SHORT_LENGTH);
	writing.at = put_comm(writing.at, MIGRATE_COMM, tasks_of(&host->tasks, pid));
	writing.at = put_number(writing.at, MIGRATE_PID, pid);
	writing.at = put_number(writing.at, MIGRATE_ORIG_CPU, (uint32_t)event->words[1]);
	writing.at = put_number(writing.at, MIGRATE_DEST_CPU, event->words[1] >> 32);
	end(&writing, bundle, time_ns);
}

/* ---- Tasks ---- */

/* Readers learn from task_newtask whether the new task is a thread. */
static void write_fork(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
		       const struct evtlog_event *event)
{
	uint32_t child = evtlog_record_pid(event->words), parent = event->words[1];
	bool is_thread = event->words[1] >> 32 != child;
	struct writing writing;

	begin(&writing, bundle, time_ns, event->pid, EVENT_NEWTASK, SHORT_LENGTH);
	writing.at = put_number(writing.at, NEWTASK_PID, child);
	writing.at = put_comm(writing.at, NEWTASK_COMM, tasks_of(&host->tasks, child));
	writing.at = put_number(writing.at, NEWTASK_CLONE_FLAGS, is_thread ? CLONE_FLAGS_THREAD : 0);
	end(&writing, bundle, time_ns);
	begin(&writing, bundle, time_ns, event->pid, EVENT_FORK, SHORT_LENGTH);
	writing.at = put_comm(writing.at, FORK_PARENT_COMM, tasks_of(&host->tasks, parent));
	writing.at = put_number(writing.at, FORK_PARENT_PID, parent);
	writing.at = put_comm(writing.at, FORK_CHILD_COMM, tasks_of(&host->tasks, child));
	writing.at = put_number(writing.at, FORK_CHILD_PID, child);
	end(&writing, bundle, time_ns);
	perfetto_note(host, PERFETTO_NOTE_FORK);
}

static void write_exec(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
		       const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words);
	struct writing writing;

	begin(&writing, bundle, time_ns, event->pid, EVENT_EXEC, SHORT_LENGTH);
	writing.at = put_comm(writing.at, EXEC_FILENAME, tasks_of(&host->tasks, pid));
	writing.at = put_number(writing.at, EXEC_PID, pid);
	writing.at = put_number(writing.at, EXEC_OLD_PID, (uint32_t)event->words[1]);
	end(&writing, bundle, time_ns);
	perfetto_note(host, PERFETTO_NOTE_EXEC);
}

static void write_exit(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
		       const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words);
	struct writing writing;

	begin(&writing, bundle, time_ns, event->pid, EVENT_EXIT, SHORT_LENGTH);
	writing.at = put_comm(writing.at, EXIT_COMM, tasks_of(&host->tasks, pid));
	writing.at = put_number(writing.at, EXIT_PID, pid);
	writing.at = put_number(writing.at, EXIT_TGID, (uint32_t)event->words[1]);
	end(&writing, bundle, time_ns);
	perfetto_note(host, PERFETTO_NOTE_EXIT);
}

static void write_rename(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
			 const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words);
	struct writing writing;

	begin(&writing, bundle, time_ns, event->pid, EVENT_RENAME, SHORT_LENGTH);
	writing.at = put_number(writing.at, RENAME_PID, pid);
	writing.at = put_comm(writing.at, RENAME_NEWCOMM, tasks_of(&host->tasks, pid));
	end(&writing, bundle, time_ns);
}

/* ---- Interrupts ---- */

static void write_irq_entry(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
			    const struct evtlog_event *event)
{
	uint32_t irq = evtlog_data(event->words, 0, EVTLOG_DATA_BITS);
	const char *name = fields_irq_name(&host->fields, irq);
	struct writing writing;

	begin(&writing, bundle, time_ns, event->pid, EVENT_IRQ_ENTRY, IRQ_LENGTH);
	writing.at = put_number(writing.at, IRQ_NUMBER, irq);
	if (name) {
		uint8_t *begin = nested_begin(writing.at, IRQ_NAME, IRQ_LENGTH);

		writing.at += text_copy(writing.at, name, IRQ_NAME_BYTES);
		nested_end(begin, writing.at, IRQ_LENGTH);
	}
	end(&writing, bundle, time_ns);
}

static void write_irq_exit(struct bundle *bundle, uint64_t time_ns, const struct evtlog_event *event)
{
	struct writing writing;

	begin(&writing, bundle, time_ns, event->pid, EVENT_IRQ_EXIT, SHORT_LENGTH);
	writing.at = put_number(writing.at, IRQ_NUMBER, evtlog_data(event->words, 0, 24));
	writing.at = put_number(writing.at, IRQ_RET, evtlog_data(event->words, 24, 2));
	end(&writing, bundle, time_ns);
}

/* ---- System calls ---- */

static void write_call(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
		       uint32_t pid, unsigned int field, uint32_t number)
{
	struct writing writing;

	begin(&writing, bundle, time_ns, pid, field, SHORT_LENGTH);
	writing.at = put_number(writing.at, ONLY_NUMBER, number);
	end(&writing, bundle, time_ns);
	perfetto_note(host, PERFETTO_NOTE_CALLS);
}

/* Returns false for calls of 32-bit programs: readers would take their numbers for 64-bit ones. */
static bool write_user_exit(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
			    const struct evtlog_event *event)
{
	uint32_t number = evtlog_data(event->words, 2, 16);

	if (evtlog_data(event->words, 0, 2) != EVTLOG_USER_EXIT_SYSCALL ||
	    number == EVTLOG_SYSCALL_OTHER)
		return false;
	write_call(host, bundle, time_ns, event->pid, EVENT_SYS_ENTER, number);
	return true;
}

static bool write_user_enter(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
			     const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words);
	const struct export_task *task = tasks_of(&host->tasks, pid);

	if (!task->call || task->compat || task->call - 1 == EVTLOG_SYSCALL_OTHER)
		return false;
	write_call(host, bundle, time_ns, pid, EVENT_SYS_EXIT, task->call - 1);
	return true;
}

/* ---- Events that are not records ---- */

void perfetto_write_loss(struct perfetto_host *host, struct bundle *bundle, uint64_t from_ns,
			 uint64_t to_ns, uint64_t lost, uint64_t lost_buffers)
{
	uint64_t from = host_clock_ns(&host->clock, from_ns);
	uint64_t to = host_clock_ns(&host->clock, to_ns);

	bundle_flush(bundle);
	/* The number of records in a missing buffer is unknown: count one. */
	host->lost += lost + lost_buffers;
	bundle->lost |= lost || lost_buffers;
	bundle->known = false;
	bundle->previous_ns = from;
	if (bundle->lost)
		perfetto_note(host, PERFETTO_NOTE_LOST);
	perfetto_write_gap(host, bundle, from, to, lost, lost_buffers);
}

static void write_other(struct perfetto_host *host, struct bundle *bundle,
			const struct evtlog_event *event)
{
	uint64_t from_ns = host->span.from_ns;

	switch (event->kind) {
	case EVTLOG_EVENT_BEGIN:
		if (event->lost || event->lost_buffers)
			perfetto_write_loss(host, bundle, from_ns, event->time_ns, event->lost,
					    event->lost_buffers);
		return;
	case EVTLOG_EVENT_GAP:
		if (event->from_ns > from_ns)
			from_ns = event->from_ns;
		perfetto_write_loss(host, bundle, from_ns, event->time_ns, event->lost,
				    event->lost_buffers);
		return;
	case EVTLOG_EVENT_END:
		if (event->rest_missing && evtlog_end_ns(host->file) > event->time_ns)
			perfetto_write_loss(host, bundle, event->time_ns,
					    evtlog_end_ns(host->file), 0, 1);
		return;
	}
}

/* ---- Records ---- */

void perfetto_write(struct perfetto_host *host, struct bundle *bundle,
		    const struct evtlog_event *event)
{
	uint64_t time_ns;

	if (__builtin_expect(event->kind != EVTLOG_EVENT_RECORD, 0)) {
		write_other(host, bundle, event);
		return;
	}
	time_ns = host_clock_ns(&host->clock, event->time_ns);
	host->written++;
	switch (event->known) {
	case EVTLOG_SCHED_SWITCH:
		write_switch(host, bundle, time_ns, event);
		return;
	case EVTLOG_SCHED_WAKING:
		write_waking(host, bundle, time_ns, event);
		return;
	case EVTLOG_SCHED_WAKEUP_NEW:
		write_wakeup_new(host, bundle, time_ns, event);
		return;
	case EVTLOG_SCHED_MIGRATE_TASK:
		write_migrate(host, bundle, time_ns, event);
		return;
	case EVTLOG_SCHED_PROCESS_FORK:
		write_fork(host, bundle, time_ns, event);
		return;
	case EVTLOG_SCHED_PROCESS_EXEC:
		write_exec(host, bundle, time_ns, event);
		return;
	case EVTLOG_SCHED_PROCESS_EXIT:
		write_exit(host, bundle, time_ns, event);
		return;
	case EVTLOG_TASK_RENAME:
		write_rename(host, bundle, time_ns, event);
		return;
	case EVTLOG_SOFTIRQ_ENTRY:
		write_number(bundle, time_ns, event, EVENT_SOFTIRQ_ENTRY);
		return;
	case EVTLOG_SOFTIRQ_EXIT:
		write_number(bundle, time_ns, event, EVENT_SOFTIRQ_EXIT);
		return;
	case EVTLOG_IRQ_HANDLER_ENTRY:
		write_irq_entry(host, bundle, time_ns, event);
		return;
	case EVTLOG_IRQ_HANDLER_EXIT:
		write_irq_exit(bundle, time_ns, event);
		return;
	case EVTLOG_LOCAL_TIMER_ENTRY:
		write_number(bundle, time_ns, event, EVENT_LOCAL_TIMER_ENTRY);
		return;
	case EVTLOG_LOCAL_TIMER_EXIT:
		write_number(bundle, time_ns, event, EVENT_LOCAL_TIMER_EXIT);
		return;
	case EVTLOG_USER_EXIT:
		if (write_user_exit(host, bundle, time_ns, event))
			return;
		break;
	case EVTLOG_USER_ENTER:
		if (write_user_enter(host, bundle, time_ns, event))
			return;
		break;
	}
	perfetto_write_generic(host, bundle, time_ns, event);
}
