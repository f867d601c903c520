// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes scheduling events and task states in the format of LTTng's kernel tracer.
 *
 * Fields that are not in a log get values that cannot be real: see ctf_note and metadata.c.
 */
#include <string.h>

#include "host.h"

/* A priority that no task has */
#define PRIO_UNKNOWN	INT32_MIN
#define PID_UNKNOWN	(-1)
/* LTTng's priorities are the kernel's minus this number: real-time priorities are negative. */
#define PRIO_FIRST	100

/*
 * Task states of Linux 4.1, which readers expect (Trace Compass: LinuxValues.java).  Linux 4.14 and
 * later have other values, and LTTng writes them unchanged.  Readers then show a preempted task as
 * waiting, and a parked task as dead.
 */
enum { STATE_EXIT_DEAD = 0x10, STATE_EXIT_ZOMBIE = 0x20, STATE_DEAD = 0x40, STATE_PARKED = 0x200,
       STATE_NOLOAD = 0x400, STATE_UNINTERRUPTIBLE = 2 };

/* lttng_statedump_process_state */
enum { TYPE_USER, TYPE_KERNEL };
enum { MODE_UNKNOWN = 5, SUBMODE_UNKNOWN = 1 };
enum { STATUS_UNNAMED = 0, STATUS_WAIT_CPU = 2, STATUS_ZOMBIE = 4, STATUS_WAIT = 5, STATUS_DEAD = 7 };

/* Same order as EVTLOG_STATES.  A preempted task has state 0 and is marked in evtlog_preempted. */
static const int64_t states[16] = {
	0, 1, STATE_UNINTERRUPTIBLE, 4, 8, STATE_EXIT_DEAD | STATE_DEAD,
	STATE_EXIT_ZOMBIE | STATE_DEAD, STATE_PARKED, STATE_UNINTERRUPTIBLE | STATE_NOLOAD, 0,
};

/* ---- Names ---- */

/* The idle task has another name on each CPU; but in a log of one tree, pid 0 is all of outside. */
uint8_t *ctf_put_comm(struct ctf_host *host, uint8_t *at, uint32_t pid, uint32_t cpu)
{
	static const char idle[CTF_COMM_BYTES] = "swapper/";
	char digits[10];
	unsigned int count = 0;
	uint8_t *digit;

	if (__builtin_expect(pid != 0, 1) || host->is_of_tree)
		return put_bytes(at, tasks_of(&host->tasks, pid)->comm, CTF_COMM_BYTES);
	memcpy(at, idle, sizeof(idle));
	digit = at + strlen(idle);
	do {
		digits[count++] = '0' + cpu % 10;
		cpu /= 10;
	} while (cpu);
	while (count)
		*digit++ = digits[--count];
	return at + CTF_COMM_BYTES;
}

uint8_t *ctf_put_pid(uint8_t *at, uint32_t pid)
{
	return put_u32(at, pid == EVTLOG_PID_UNKNOWN ? (uint32_t)PID_UNKNOWN : pid);
}

/* comm, tid, prio */
#define TASK_BYTES	(CTF_COMM_BYTES + 4 + 4)

static uint8_t *put_task(struct ctf_host *host, uint8_t *at, uint32_t pid, uint32_t cpu, int32_t prio)
{
	at = ctf_put_comm(host, at, pid, cpu);
	at = ctf_put_pid(at, pid);
	return put_u32(at, prio);
}

/* ---- Scheduling ---- */

void ctf_write_switch(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
		      const struct evtlog_event *event)
{
	unsigned int state = evtlog_switch_state(event->words);
	uint8_t *at = ctf_stream_event(stream, CTF_SWITCH, time_ns, 2 * TASK_BYTES + 8 + 1);

	at = put_task(host, at, event->pid, event->cpu, PRIO_UNKNOWN);
	at = put_u64(at, states[state]);
	at = put_task(host, at, evtlog_record_pid(event->words), event->cpu, PRIO_UNKNOWN);
	at = put_u8(at, state == EVTLOG_STATE_PREEMPTED);
	ctf_stream_done(stream, at);
	ctf_note(host, CTF_NOTE_PRIO);
}

void ctf_write_waking(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
		      const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words);
	uint8_t *at = ctf_stream_event(stream, CTF_WAKING, time_ns, TASK_BYTES + 4);

	at = put_task(host, at, pid, event->cpu, PRIO_UNKNOWN);
	at = put_u32(at, tasks_cpu(&host->tasks, pid));
	ctf_stream_done(stream, at);
	ctf_note(host, CTF_NOTE_PRIO);
}

void ctf_write_wakeup_new(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
			  const struct evtlog_event *event)
{
	uint8_t *at = ctf_stream_event(stream, CTF_WAKEUP_NEW, time_ns, TASK_BYTES + 4);

	at = put_task(host, at, evtlog_record_pid(event->words), event->cpu,
		      (int32_t)(event->words[1] >> 32) - PRIO_FIRST);
	at = put_u32(at, event->words[1]);
	ctf_stream_done(stream, at);
}

void ctf_write_migrate(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
		       const struct evtlog_event *event)
{
	uint8_t *at = ctf_stream_event(stream, CTF_MIGRATE, time_ns, TASK_BYTES + 8);

	at = put_task(host, at, evtlog_record_pid(event->words), event->cpu, PRIO_UNKNOWN);
	at = put_u64(at, event->words[1]);
	ctf_stream_done(stream, at);
	ctf_note(host, CTF_NOTE_PRIO);
}

void ctf_write_fork(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
		    const struct evtlog_event *event)
{
	uint32_t child = evtlog_record_pid(event->words), parent = event->words[1];
	const struct export_task *known;
	uint8_t *at = ctf_stream_event(stream, CTF_FORK, time_ns, 80);

	at = ctf_put_comm(host, at, parent, event->cpu);
	at = put_u32(at, parent);
	known = tasks_of(&host->tasks, parent);
	at = ctf_put_pid(at, known->named ? known->tgid : EVTLOG_PID_UNKNOWN);
	at = put_u32(at, 0);
	at = ctf_put_comm(host, at, child, event->cpu);
	at = put_u32(at, child);
	at = put_u8(at, 1);
	at = put_u32(at, child);
	at = put_u32(at, event->words[1] >> 32);
	at = put_u32(at, 0);
	at = put_u64(at, event->words[2]);
	ctf_stream_done(stream, at);
	ctf_note(host, CTF_NOTE_FORK);
}

void ctf_write_exec(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
		    const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words);
	uint8_t *at = ctf_stream_event(stream, CTF_EXEC, time_ns, CTF_COMM_BYTES + 1 + 12);

	at = put_string(at, tasks_of(&host->tasks, pid)->comm, CTF_COMM_BYTES);
	at = put_u32(at, pid);
	at = put_u64(at, event->words[1]);
	ctf_stream_done(stream, at);
	ctf_note(host, CTF_NOTE_EXEC);
}

void ctf_write_exit(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
		    const struct evtlog_event *event)
{
	uint8_t *at = ctf_stream_event(stream, CTF_EXIT, time_ns, TASK_BYTES + 8);

	at = put_task(host, at, evtlog_record_pid(event->words), event->cpu, PRIO_UNKNOWN);
	at = put_u64(at, event->words[1]);
	ctf_stream_done(stream, at);
	ctf_note(host, CTF_NOTE_PRIO);
}

/* ---- State of tasks ---- */

static int32_t status_shown(enum task_status status)
{
	switch (status) {
	case TASK_STATUS_RUNNABLE:
		return STATUS_WAIT_CPU;
	case TASK_STATUS_BLOCKED:
		return STATUS_WAIT;
	case TASK_STATUS_ZOMBIE:
		return STATUS_ZOMBIE;
	case TASK_STATUS_DEAD:
		return STATUS_DEAD;
	default:
		return STATUS_UNNAMED;
	}
}

/* @words: words of the TASK record; NULL if the export writes the state without a record */
static void write_task(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
		       const struct export_task *task, const uint64_t *words)
{
	uint8_t *at = ctf_stream_event(stream, CTF_TASK, time_ns, 96);
	int32_t cpu = words ? (int32_t)words[3] : tasks_cpu(&host->tasks, task->pid);
	enum task_status status = words ? tasks_status_of(evtlog_switch_state(words)) :
					  tasks_status(&host->tasks, task);

	at = put_u32(at, task->pid);
	at = put_u32(at, task->tgid);
	at = put_u32(at, task->ppid);
	at = ctf_put_comm(host, at, task->pid, cpu < 0 ? 0 : cpu);
	at = put_u32(at, task->flags & EVTLOG_TASK_KTHREAD ? TYPE_KERNEL : TYPE_USER);
	at = put_u32(at, MODE_UNKNOWN);
	at = put_u32(at, SUBMODE_UNKNOWN);
	at = put_u32(at, status_shown(status));
	at = put_u32(at, cpu);
	at = put_u64(at, 0);
	at = put_u8(at, words != NULL);
	at = put_u64(at, words ? words[2] : 0);
	at = put_u64(at, words ? words[4] : 0);
	ctf_stream_done(stream, at);
	ctf_note(host, CTF_NOTE_TASK);
}

void ctf_write_tasks(struct ctf_host *host, struct ctf_stream *stream, uint64_t raw_ns)
{
	uint64_t time_ns = host_clock_ns(&host->clock, raw_ns);

	for (size_t i = 1; i < host->tasks.count; i++) {
		const struct export_task task = host->tasks.at[i];

		if (!task.named || !task.pid || tasks_status(&host->tasks, &task) == TASK_STATUS_DEAD)
			continue;
		write_task(host, stream, time_ns, &task, NULL);
	}
}

void ctf_write_task(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
		    const struct evtlog_event *event)
{
	const struct export_task task = *tasks_of(&host->tasks, evtlog_record_pid(event->words));

	write_task(host, stream, time_ns, &task, event->words);
}
