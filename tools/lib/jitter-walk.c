// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Walks a log once and cuts each interruption into parts.
 *
 * Stage: between the merged events of all CPUs and the tracks of threads.  It knows
 * nothing of samples; who wants the time of what is counted is not asked here.
 *
 * Each CPU has a current task, each task a stack of what it is in: exceptions and
 * softirqs that it keeps when it is switched out, interrupts that end before.  An
 * absence is a wanted task out of user mode; while it waits on a CPU each tick
 * there goes to the part that belongs to the top of the current task's stack.
 */
#include <limits.h>
#include <string.h>

#include "file.h"
#include "jitter-tracks.h"

#define PROGRESS_EVENTS	65536

static struct task *task_get(struct walk *walk, uint32_t pid)
{
	size_t at;

	if (2 * walk->task_count >= walk->capacity) {
		size_t capacity = walk->capacity ? 2 * walk->capacity : 1024;
		struct task **grown = calloc(capacity, sizeof(*grown));

		if (!grown)
			return NULL;
		for (size_t i = 0; i < walk->capacity; i++) {
			if (!walk->tasks[i])
				continue;
			at = walk->tasks[i]->pid * UINT32_C(0x9e3779b1);
			for (at &= capacity - 1; grown[at]; )
				at = (at + 1) & (capacity - 1);
			grown[at] = walk->tasks[i];
		}
		free(walk->tasks);
		walk->tasks = grown;
		walk->capacity = capacity;
	}
	at = pid * UINT32_C(0x9e3779b1);
	for (at &= walk->capacity - 1; walk->tasks[at]; at = (at + 1) & (walk->capacity - 1))
		if (walk->tasks[at]->pid == pid)
			return walk->tasks[at];
	walk->tasks[at] = calloc(1, sizeof(**walk->tasks));
	if (!walk->tasks[at])
		return NULL;
	walk->task_count++;
	walk->tasks[at]->pid = pid;
	walk->tasks[at]->source = EVTLOG_JITTER_NONE;
	walk->tasks[at]->asleep = true;
	walk->tasks[at]->serial = ++walk->serial;
	return walk->tasks[at];
}

/* The idle task of each CPU is its own; NULL when nobody knows or out of memory. */
static struct task *task_on(struct walk *walk, struct cpu *cpu, uint32_t pid)
{
	struct task *task;

	if (!pid)
		return &cpu->idle;
	if (pid == EVTLOG_PID_UNKNOWN)
		return NULL;
	task = task_get(walk, pid);
	if (!task)
		walk->failed = -ENOMEM;
	return task;
}

/* ---- Gaps ---- */

static void lose(struct walk *walk, struct cpu *cpu, uint64_t from, uint64_t to,
		 uint64_t records)
{
	for (size_t i = 0; i < walk->absence_count && !walk->failed; i++) {
		struct absence *absence = &walk->absences[i];

		if (absence->open ? absence->cpu != cpu : absence->last != cpu)
			continue;
		walk->failed = track_lose(absence->track, from, to, records);
		if (absence->open)
			absence_spoil(walk, absence, to);
		absence->in_user = false;
	}
}

/* ---- What happens on a CPU ---- */

static void charge_all(struct walk *walk, struct cpu *cpu, uint64_t now)
{
	for (size_t i = 0; i < cpu->waiting; i++)
		absence_charge(cpu->absences[i], cpu->current, now);
}

static void enter_frame(struct walk *walk, struct cpu *cpu, uint64_t now,
			enum evtlog_jitter_kind kind, uint32_t number)
{
	struct task *task = cpu->current;
	struct frame *frame;

	if (!task)
		return;
	charge_all(walk, cpu, now);
	if (task->depth == FRAMES_MAX)
		return;
	frame = &task->frames[task->depth++];
	*frame = (struct frame) {
		.kind = kind,
		.number = number,
		.id = ++walk->serial,
		.serial = walk->serial,
	};
	for (size_t i = 0; i < cpu->waiting && !walk->failed; i++)
		walk->failed = absence_frame(walk, cpu->absences[i], task, frame, now);
}

/* Drops the frames of the current task from @depth on. */
static void drop_frames(struct cpu *cpu, uint64_t now, unsigned int depth)
{
	struct task *task = cpu->current;

	for (size_t i = 0; i < cpu->waiting; i++)
		for (unsigned int k = depth; k < task->depth; k++)
			absence_end_frame(cpu->absences[i], task, &task->frames[k], now);
	task->depth = depth;
}

static void leave_frame(struct walk *walk, struct cpu *cpu, uint64_t now,
			enum evtlog_jitter_kind kind, uint32_t number)
{
	struct task *task = cpu->current;

	if (!task)
		return;
	for (unsigned int k = task->depth; k--; ) {
		if (task->frames[k].kind != kind || task->frames[k].number != number)
			continue;
		charge_all(walk, cpu, now);
		drop_frames(cpu, now, k);
		return;
	}
}

/* A hard interrupt does not outlive its task's turn, whatever is missing. */
static void drop_hard(struct cpu *cpu, uint64_t now)
{
	struct task *task = cpu->current;

	for (unsigned int k = 0; k < task->depth; k++)
		if (task->frames[k].kind == EVTLOG_SOURCE_IRQ ||
		    task->frames[k].kind == EVTLOG_SOURCE_VECTOR) {
			drop_frames(cpu, now, k);
			return;
		}
}

/* What it does when it runs again is another stay. */
static void fall_asleep(struct walk *walk, struct task *task)
{
	task->asleep = true;
	task->serial = ++walk->serial;
	for (unsigned int k = 0; k < task->depth; k++)
		task->frames[k].serial = ++walk->serial;
}

static void note_turn(struct walk *walk, struct cpu *cpu, uint64_t now)
{
	struct jitter_turns *turns = cpu->turns;
	bool busy = cpu->current != &cpu->idle;

	if (!turns || busy == turns->count % 2)
		return;
	if (jitter_room(&turns->at, &turns->room, turns->count, sizeof(*turns->at))) {
		walk->failed = -ENOMEM;
		return;
	}
	turns->at[turns->count++] = now;
}

static void come_to_run(struct walk *walk, struct cpu *cpu, struct task *task,
			uint64_t now)
{
	bool starts;

	cpu->current = task;
	note_turn(walk, cpu, now);
	if (!task)
		return;
	starts = task->asleep;
	task->asleep = false;
	task->on = cpu;
	if (task->absence)
		absence_arrive(walk, task->absence, cpu, now);
	for (size_t i = 0; i < cpu->waiting && !walk->failed; i++)
		walk->failed = absence_task(walk, cpu->absences[i], task, now, starts);
}

static void on_switch(struct walk *walk, struct cpu *cpu, const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words);
	unsigned int state = evtlog_switch_state(event->words);
	/* Not R, nor preempted: it sleeps, is stopped or ends. */
	bool sleeps = state && state != EVTLOG_STATE_PREEMPTED;
	struct task *task = cpu->current;

	if (task) {
		charge_all(walk, cpu, event->ticks);
		drop_hard(cpu, event->ticks);
		if (task == &cpu->idle)
			sleeps = true;
		for (size_t i = 0; i < cpu->waiting; i++)
			absence_go(cpu->absences[i], task, event->ticks, sleeps);
		if (sleeps)
			fall_asleep(walk, task);
	}
	come_to_run(walk, cpu, task_on(walk, cpu, pid), event->ticks);
}

static void on_user_enter(struct walk *walk, struct cpu *cpu,
			  const struct evtlog_event *event)
{
	struct task *task = task_on(walk, cpu, evtlog_record_pid(event->words));
	struct absence *absence;

	if (!task)
		return;
	charge_all(walk, cpu, event->ticks);
	if (cpu->current != task)
		come_to_run(walk, cpu, task, event->ticks);
	absence = task->absence;
	if (absence)
		absence_arrive(walk, absence, cpu, event->ticks);
	drop_frames(cpu, event->ticks, 0);
	if (!absence || walk->failed)
		return;
	if (absence->open)
		absence_close(walk, absence, event->ticks);
	absence->in_user = true;
	absence->last = cpu;
	absence->user_since = event->ticks;
}

static void on_user_exit(struct walk *walk, struct cpu *cpu,
			 const struct evtlog_event *event)
{
	struct task *task = cpu->current;
	struct absence *absence = task ? task->absence : NULL;

	if (!absence)
		return;
	if (absence->open)
		absence_spoil(walk, absence, event->ticks);
	absence->last = cpu;
	absence->left = event->ticks;
	if (evtlog_data(event->words, 0, 2) == EVTLOG_USER_EXIT_OTHER)
		absence_begin(walk, absence, cpu, event->ticks);
}

/* Told behind the exit from the stretch of user mode in which they came. */
static void on_user_nmi(struct walk *walk, struct cpu *cpu,
			const struct evtlog_event *event)
{
	struct absence *absence = cpu->current ? cpu->current->absence : NULL;

	if (absence)
		absence_nmi(walk, absence, evtlog_data(event->words, 0, EVTLOG_DATA_BITS),
			    event->words[1], event->words[2]);
}

static void on_fork(struct walk *walk, const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words);
	struct task *task = pid ? task_get(walk, pid) : NULL;

	if (!task)
		return;
	task->depth = 0;
	task->kernel_thread = (uint32_t)event->words[1] == KTHREADD_PID;
	fall_asleep(walk, task);
}

/* The name may be another one from here on. */
static void forget_name(struct walk *walk, uint32_t pid)
{
	struct task *task;

	if (!pid || pid == EVTLOG_PID_UNKNOWN)
		return;
	task = task_get(walk, pid);
	if (task)
		task->source = EVTLOG_JITTER_NONE;
}

static void on_record(struct walk *walk, struct cpu *cpu, const struct evtlog_event *event)
{
	const uint64_t *words = event->words;
	uint64_t now = event->ticks;

	walk->seen |= UINT64_C(1) << event->known;
	switch (event->known) {
	case EVTLOG_LOST:
		lose(walk, cpu, words[2], words[3], 0);
		break;
	case EVTLOG_SCHED_SWITCH:
		on_switch(walk, cpu, event);
		break;
	case EVTLOG_SCHED_PROCESS_FORK:
		on_fork(walk, event);
		/* Fall through. */
	case EVTLOG_TASK:
	case EVTLOG_SCHED_PROCESS_EXEC:
	case EVTLOG_TASK_RENAME:
		forget_name(walk, evtlog_record_pid(words));
		break;
	case EVTLOG_SOFTIRQ_ENTRY:
		enter_frame(walk, cpu, now, EVTLOG_SOURCE_SOFTIRQ,
			    evtlog_data(words, 0, EVTLOG_DATA_BITS));
		break;
	case EVTLOG_SOFTIRQ_EXIT:
		leave_frame(walk, cpu, now, EVTLOG_SOURCE_SOFTIRQ,
			    evtlog_data(words, 0, EVTLOG_DATA_BITS));
		break;
	case EVTLOG_IRQ_HANDLER_ENTRY:
		enter_frame(walk, cpu, now, EVTLOG_SOURCE_IRQ, evtlog_data(words, 0, 24));
		break;
	case EVTLOG_IRQ_HANDLER_EXIT:
		leave_frame(walk, cpu, now, EVTLOG_SOURCE_IRQ, evtlog_data(words, 0, 24));
		break;
	case EVTLOG_LOCAL_TIMER_ENTRY:
	case EVTLOG_RESCHEDULE_ENTRY:
	case EVTLOG_CALL_FUNCTION_ENTRY:
	case EVTLOG_CALL_FUNCTION_SINGLE_ENTRY:
	case EVTLOG_IRQ_WORK_ENTRY:
		enter_frame(walk, cpu, now, EVTLOG_SOURCE_VECTOR, event->known);
		break;
	case EVTLOG_LOCAL_TIMER_EXIT:
	case EVTLOG_RESCHEDULE_EXIT:
	case EVTLOG_CALL_FUNCTION_EXIT:
	case EVTLOG_CALL_FUNCTION_SINGLE_EXIT:
	case EVTLOG_IRQ_WORK_EXIT:
		leave_frame(walk, cpu, now, EVTLOG_SOURCE_VECTOR, event->known - 1);
		break;
	/* Rare ones are told apart by their number, which is above all types. */
	case EVTLOG_VECTOR_ENTRY:
		enter_frame(walk, cpu, now, EVTLOG_SOURCE_VECTOR, JITTER_OTHER_VECTOR +
			    evtlog_data(words, 0, 8));
		break;
	case EVTLOG_VECTOR_EXIT:
		leave_frame(walk, cpu, now, EVTLOG_SOURCE_VECTOR, JITTER_OTHER_VECTOR +
			    evtlog_data(words, 0, 8));
		break;
	case EVTLOG_EXCEPTION_ENTRY:
		enter_frame(walk, cpu, now, EVTLOG_SOURCE_EXCEPTION,
			    evtlog_data(words, 0, 8));
		break;
	case EVTLOG_EXCEPTION_EXIT:
		leave_frame(walk, cpu, now, EVTLOG_SOURCE_EXCEPTION,
			    evtlog_data(words, 0, 8));
		break;
	case EVTLOG_USER_EXIT:
		on_user_exit(walk, cpu, event);
		break;
	case EVTLOG_USER_ENTER:
		on_user_enter(walk, cpu, event);
		break;
	case EVTLOG_USER_NMI:
		on_user_nmi(walk, cpu, event);
		break;
	default:
		break;
	}
}

/* Nothing is known of the CPU before, only who runs from now on. */
static void start_cpu(struct walk *walk, struct cpu *cpu, const struct evtlog_event *event)
{
	struct task *task = task_on(walk, cpu, event->begin_pid);

	/* It may have gone on elsewhere since it was lost here. */
	if (cpu->current && cpu->current->on == cpu)
		cpu->current->depth = 0;
	if (task) {
		task->depth = 0;
		task->asleep = false;
	}
	cpu->current = NULL;
	come_to_run(walk, cpu, task, event->ticks);
}

static void on_event(struct walk *walk, const struct evtlog_event *event)
{
	struct cpu *cpu = event->cpu < walk->cpu_limit ? walk->by_number[event->cpu] : NULL;

	if (!cpu)
		return;
	switch (event->kind) {
	case EVTLOG_EVENT_RECORD:
		on_record(walk, cpu, event);
		break;
	case EVTLOG_EVENT_BEGIN:
		forget_name(walk, event->begin_pid);
		lose(walk, cpu, 0, event->ticks, event->lost);
		start_cpu(walk, cpu, event);
		break;
	case EVTLOG_EVENT_GAP:
		forget_name(walk, event->begin_pid);
		lose(walk, cpu, event->from_ticks, event->ticks, event->lost);
		start_cpu(walk, cpu, event);
		break;
	case EVTLOG_EVENT_BUFFER:
		forget_name(walk, event->begin_pid);
		if (!cpu->current)
			start_cpu(walk, cpu, event);
		break;
	case EVTLOG_EVENT_END:
		lose(walk, cpu, event->ticks, UINT64_MAX, 0);
		break;
	}
}

static void note_span(struct walk *walk, const struct evtlog_event *event)
{
	if (!walk->begun) {
		walk->begun = true;
		walk->first_ticks = event->ticks;
		walk->first_ns = event->time_ns;
	}
	walk->last_ticks = event->ticks;
	walk->last_ns = event->time_ns;
}

static int read_all(struct walk *walk)
{
	const struct evtlog_jitter_options *options = &walk->jitter->options;
	struct evtlog_file *file = walk->jitter->file;
	const struct evtlog_event *event;
	struct evtlog_merge *merge;
	struct evtlog_summary summary;
	unsigned int countdown = PROGRESS_EVENTS;
	int result = evtlog_merge_new(file, &merge);

	if (result)
		return result;
	evtlog_summarize(file, &summary);
	while ((result = evtlog_merge_next(merge, &event)) > 0) {
		note_span(walk, event);
		result = evtlog_tasks_update(walk->names, event);
		if (result)
			break;
		on_event(walk, event);
		if (walk->failed) {
			result = walk->failed;
			break;
		}
		if (options->progress && !--countdown) {
			countdown = PROGRESS_EVENTS;
			options->progress(options->progress_arg,
					  evtlog_merge_position(merge), summary.raw_bytes);
		}
	}
	evtlog_merge_free(merge);
	return result;
}

/* What must be in a log that tells what interruptions are. */
static int check_seen(struct walk *walk)
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
		if (!(walk->seen >> needed[i].type & 1))
			return jitter_fail(walk->jitter, -ENODATA,
					   "it has no %s events: record with --events=+%s",
					   needed[i].type == EVTLOG_SCHED_SWITCH ?
					   "sched_switch" : needed[i].type ==
					   EVTLOG_USER_EXIT ? "user_exit" : "user_enter",
					   needed[i].events);
	if (walk->interruptions && !(walk->seen & handlers))
		return jitter_fail(walk->jitter, -ENODATA,
				   "it has no events of interrupts: record with --events=+irq");
	return 0;
}

static int set_up(struct walk *walk)
{
	struct evtlog_jitter *jitter = walk->jitter;
	unsigned int count = evtlog_cpu_count(jitter->file);

	if (!count)
		return jitter_fail(jitter, -ENODATA, "it has no events");
	walk->cpu_limit = evtlog_cpu_number(jitter->file, count - 1) + 1;
	walk->cpus = calloc(count, sizeof(*walk->cpus));
	walk->by_number = calloc(walk->cpu_limit, sizeof(*walk->by_number));
	walk->absences = calloc(jitter->track_count, sizeof(*walk->absences));
	walk->cpu_count = count;
	if (!walk->cpus || !walk->by_number || !walk->absences)
		return -ENOMEM;
	for (unsigned int slot = 0; slot < count; slot++) {
		struct cpu *cpu = &walk->cpus[slot];

		cpu->number = evtlog_cpu_number(jitter->file, slot);
		cpu->slot = slot;
		cpu->idle.source = EVTLOG_JITTER_NONE;
		cpu->idle.serial = ++walk->serial;
		walk->by_number[cpu->number] = cpu;
		for (size_t i = 0; i < jitter->turns_count; i++)
			if (jitter->turns[i].cpu == cpu->number)
				cpu->turns = &jitter->turns[i];
	}
	walk->absence_count = jitter->track_count;
	for (size_t i = 0; i < jitter->track_count; i++) {
		struct jitter_track *track = &jitter->tracks[i];
		struct absence *absence = &walk->absences[i];
		struct task *task = task_get(walk, track->thread.pid);

		if (!task)
			return -ENOMEM;
		if (task->absence)
			return jitter_fail(jitter, -EINVAL, "task %u is named twice",
					   track->thread.pid);
		absence->track = track;
		absence->number = i;
		absence->task = task;
		task->absence = absence;
		track->slot = UINT_MAX;
		if (track->thread.cpu < walk->cpu_limit &&
		    walk->by_number[track->thread.cpu]) {
			absence->last = walk->by_number[track->thread.cpu];
			track->slot = absence->last->slot;
		}
	}
	return evtlog_tasks_new(jitter->file, &walk->names);
}

static void tear_down(struct walk *walk)
{
	for (size_t i = 0; i < walk->capacity; i++)
		free(walk->tasks[i]);
	free(walk->tasks);
	for (size_t i = 0; walk->absences && i < walk->absence_count; i++)
		absence_free(&walk->absences[i]);
	free(walk->absences);
	for (unsigned int i = 0; walk->cpus && i < walk->cpu_count; i++)
		free(walk->cpus[i].absences);
	free(walk->cpus);
	free(walk->by_number);
	evtlog_tasks_free(walk->names);
}

int jitter_walk(struct evtlog_jitter *jitter)
{
	struct walk walk = { .jitter = jitter };
	uint64_t ticks;
	int result = set_up(&walk);

	if (!result)
		result = read_all(&walk);
	if (!result)
		result = check_seen(&walk);
	/* A CPU that is not in the log has told nothing. */
	for (size_t i = 0; i < jitter->track_count && !result; i++)
		if (!walk.absences[i].last)
			result = track_lose(&jitter->tracks[i], 0, UINT64_MAX, 0);
	ticks = walk.last_ticks - walk.first_ticks;
	if (ticks)
		jitter->summary.ns_per_tick =
			(double)(walk.last_ns - walk.first_ns) / (double)ticks;
	tear_down(&walk);
	return result;
}
