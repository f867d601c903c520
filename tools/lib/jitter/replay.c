// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Replays a log once and divides each interruption into parts.
 *
 * Stage: between the merged events of all CPUs and the tracks of threads.  It does not use samples.
 *
 * A wanted task is interrupted while it is outside of user mode.  While it waits on a CPU, each
 * tick there goes to the part of the innermost source on the stack of the current task.
 */
#include <string.h>

#include "attribution.h"
#include "lib/codec/record-class.h"
#include "lib/stream/lanes.h"

#define PROGRESS_EVENTS	65536

/* Begin or end of an interrupt, a softirq or an exception. */
static void on_interrupt(struct replay *replay, struct cpu *cpu, const struct evtlog_event *event)
{
	static const uint8_t sources[EVTLOG_KINDS] = {
		[EVTLOG_KIND_SOFTIRQ] = EVTLOG_SOURCE_SOFTIRQ,
		[EVTLOG_KIND_IRQ] = EVTLOG_SOURCE_IRQ,
		[EVTLOG_KIND_VECTOR] = EVTLOG_SOURCE_VECTOR,
		[EVTLOG_KIND_EXCEPTION] = EVTLOG_SOURCE_EXCEPTION,
	};
	const struct record_class *class = record_class(event->known);
	enum evtlog_jitter_kind source = sources[record_kind(class)];
	uint32_t number;

	if (source == EVTLOG_SOURCE_TASK)
		return;
	number = record_number(class, event->words);
	/* Other vectors are distinguished by their number, which is above all record types. */
	if (number == EVTLOG_VECTOR_ENTRY && source == EVTLOG_SOURCE_VECTOR)
		number = JITTER_OTHER_VECTOR + evtlog_data(event->words, 0, 8);
	if (class->step == RECORD_ENTRY)
		jitter_cpu_enter(replay, cpu, event->ticks, source, number);
	else if (class->step == RECORD_EXIT)
		jitter_cpu_leave(replay, cpu, event->ticks, source, number);
}

static void on_record(struct replay *replay, struct cpu *cpu, const struct evtlog_event *event)
{
	const uint64_t *words = event->words;

	replay->seen |= UINT64_C(1) << event->known;
	switch (event->known) {
	case EVTLOG_LOST:
		jitter_cpu_lose(replay, cpu, words[2], words[3], 0);
		break;
	case EVTLOG_SCHED_SWITCH:
		jitter_cpu_switch(replay, cpu, event);
		break;
	case EVTLOG_SCHED_PROCESS_FORK:
		jitter_task_fork(replay, event);
		/* Fall through. */
	case EVTLOG_TASK:
	case EVTLOG_SCHED_PROCESS_EXEC:
	case EVTLOG_TASK_RENAME:
		jitter_task_rename(replay, evtlog_record_pid(words), event->ticks);
		break;
	case EVTLOG_COUNTER:
		if (jitter_steal_note(&replay->jitter->steals[cpu->slot], event))
			replay->failed = -ENOMEM;
		break;
	case EVTLOG_USER_EXIT:
		jitter_cpu_user_exit(replay, cpu, event);
		break;
	case EVTLOG_USER_ENTER:
		jitter_cpu_user_enter(replay, cpu, event);
		break;
	case EVTLOG_USER_NMI:
		jitter_cpu_user_nmi(replay, cpu, event);
		break;
	default:
		on_interrupt(replay, cpu, event);
		break;
	}
}

static void on_event(struct replay *replay, const struct evtlog_event *event)
{
	uint32_t slot = file_slot(replay->jitter->file, event->cpu);
	struct cpu *cpu = slot == NO_SLOT ? NULL : &replay->cpus[slot];

	if (!cpu)
		return;
	switch (event->kind) {
	case EVTLOG_EVENT_RECORD:
		on_record(replay, cpu, event);
		break;
	case EVTLOG_EVENT_BEGIN:
		jitter_task_rename(replay, event->begin_pid, event->ticks);
		jitter_cpu_lose(replay, cpu, 0, event->ticks, event->lost);
		jitter_cpu_start(replay, cpu, event);
		break;
	case EVTLOG_EVENT_GAP:
		jitter_task_rename(replay, event->begin_pid, event->ticks);
		jitter_cpu_lose(replay, cpu, event->from_ticks, event->ticks, event->lost);
		jitter_cpu_start(replay, cpu, event);
		break;
	case EVTLOG_EVENT_BUFFER:
		jitter_task_rename(replay, event->begin_pid, event->ticks);
		if (!cpu->current)
			jitter_cpu_start(replay, cpu, event);
		break;
	case EVTLOG_EVENT_END:
		jitter_cpu_lose(replay, cpu, event->ticks, UINT64_MAX, 0);
		break;
	}
}

static void note_span(struct replay *replay, const struct evtlog_event *event)
{
	if (!replay->begun) {
		replay->begun = true;
		replay->first_ticks = event->ticks;
		replay->first_ns = event->time_ns;
	}
	replay->last_ticks = event->ticks;
	replay->last_ns = event->time_ns;
}

static int read_all(struct replay *replay)
{
	const struct evtlog_jitter_options *options = &replay->jitter->options;
	struct evtlog_file *file = replay->jitter->file;
	const struct evtlog_event *event;
	struct evtlog_summary summary;
	struct lanes lanes = { 0 };
	unsigned int countdown = PROGRESS_EVENTS;
	int result = lanes_open(&lanes, file, 0);

	if (result)
		goto close;
	evtlog_summarize(file, &summary);
	while ((result = lanes_next(&lanes, &event)) > 0) {
		note_span(replay, event);
		result = evtlog_tasks_update(replay->names, event);
		if (result)
			break;
		on_event(replay, event);
		if (replay->failed) {
			result = replay->failed;
			break;
		}
		if (options->progress && !--countdown) {
			countdown = PROGRESS_EVENTS;
			options->progress(options->progress_arg, lanes_position(&lanes),
					  summary.raw_bytes);
		}
	}
close:
	lanes_close(&lanes);
	return result;
}

/* Checks that the log has the events that are needed. */
static int check_seen(struct replay *replay)
{
	const struct {
		unsigned int type;
		const char *events;
	} needed[] = {
		{ EVTLOG_USER_EXIT, "user" }, { EVTLOG_USER_ENTER, "user" },
		{ EVTLOG_SCHED_SWITCH, "sched" },
	};
	const uint64_t handlers = UINT64_C(1) << EVTLOG_IRQ_HANDLER_ENTRY |
		UINT64_C(1) << EVTLOG_LOCAL_TIMER_ENTRY |
		UINT64_C(1) << EVTLOG_RESCHEDULE_ENTRY |
		UINT64_C(1) << EVTLOG_EXCEPTION_ENTRY;

	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (!(replay->seen >> needed[i].type & 1))
			return jitter_fail(replay->jitter, -ENODATA,
					   "it has no %s events: record with --events=+%s",
					   needed[i].type == EVTLOG_SCHED_SWITCH ?
					   "sched_switch" : needed[i].type ==
					   EVTLOG_USER_EXIT ? "user_exit" : "user_enter",
					   needed[i].events);
	if (replay->interruptions && !(replay->seen & handlers))
		return jitter_fail(replay->jitter, -ENODATA,
				   "it has no events of interrupts: record with --events=+irq");
	return 0;
}

/* Appends a track to the wanted parts of the task's time. */
static int add_wanted(struct replay *replay, struct task *task, struct off_user *off_user,
		      struct jitter_track *track)
{
	struct off_user **end = &task->off_user;
	uint64_t from = 0;

	for (; *end; end = &(*end)->next)
		from = (*end)->track->thread.end_ticks;
	if (end != &task->off_user && track->thread.begin_ticks < from)
		return jitter_fail(replay->jitter, -EINVAL, "task %u is named twice",
				   track->thread.pid);
	off_user->track = track;
	off_user->task = task;
	*end = off_user;
	return 0;
}

static int set_up(struct replay *replay)
{
	struct evtlog_jitter *jitter = replay->jitter;
	unsigned int count = evtlog_cpu_count(jitter->file);
	int result;

	if (!count)
		return jitter_fail(jitter, -ENODATA, "it has no events");
	replay->cpus = calloc(count, sizeof(*replay->cpus));
	replay->off_users = calloc(jitter->track_count, sizeof(*replay->off_users));
	replay->cpu_count = count;
	jitter->steals = calloc(count, sizeof(*jitter->steals));
	jitter->steals_count = jitter->steals ? count : 0;
	if (!jitter->steals || !replay->cpus || !replay->off_users)
		return -ENOMEM;
	for (unsigned int slot = 0; slot < count; slot++) {
		struct cpu *cpu = &replay->cpus[slot];

		cpu->number = evtlog_cpu_number(jitter->file, slot);
		cpu->slot = slot;
		cpu->idle.source = EVTLOG_JITTER_NONE;
		cpu->idle.serial = ++replay->serial;
		for (size_t i = 0; i < jitter->turns_count; i++)
			if (jitter->turns[i].cpu == cpu->number)
				cpu->turns = &jitter->turns[i];
	}
	replay->off_user_count = jitter->track_count;
	for (size_t i = 0; i < jitter->track_count; i++) {
		struct jitter_track *track = &jitter->tracks[i];
		struct off_user *off_user = &replay->off_users[i];
		struct task *task = jitter_task_get(replay, track->thread.pid);

		if (!task)
			return -ENOMEM;
		result = add_wanted(replay, task, off_user, track);
		if (result)
			return result;
		off_user->number = i;
		track->slot = file_slot(jitter->file, track->thread.cpu);
		if (track->slot != NO_SLOT)
			off_user->last = &replay->cpus[track->slot];
	}
	return evtlog_tasks_new(jitter->file, &replay->names);
}

static void tear_down(struct replay *replay)
{
	for (size_t i = 0; i < replay->task_count; i++)
		free(replay->tasks[i]);
	free(replay->tasks);
	key_table_free(&replay->by_pid);
	for (size_t i = 0; replay->off_users && i < replay->off_user_count; i++)
		off_user_free(&replay->off_users[i]);
	free(replay->off_users);
	for (unsigned int i = 0; replay->cpus && i < replay->cpu_count; i++)
		free(replay->cpus[i].off_users);
	free(replay->cpus);
	evtlog_tasks_free(replay->names);
}

int jitter_replay(struct evtlog_jitter *jitter)
{
	struct replay replay = { .jitter = jitter };
	uint64_t ticks;
	int result = set_up(&replay);

	if (!result)
		result = read_all(&replay);
	if (!result)
		result = check_seen(&replay);
	/* A CPU that is not in the log has no events at all. */
	for (size_t i = 0; i < jitter->track_count && !result; i++)
		if (!replay.off_users[i].last)
			result = track_lose(&jitter->tracks[i], 0, UINT64_MAX, 0);
	ticks = replay.last_ticks - replay.first_ticks;
	if (ticks)
		jitter->summary.ns_per_tick =
			(double)(replay.last_ns - replay.first_ns) / (double)ticks;
	tear_down(&replay);
	return result;
}
