// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Keeps the parts of an absence: which stay each tick of it belongs to.
 *
 * Stage: called by jitter-walk.c as the CPU that the task waits on goes from one thing
 * to the next.  It does not know what records are.
 *
 * A part stays open while its source is preempted, until it sleeps; its own ticks are
 * those in which it was on top.  Each tick is charged once, so that parts
 * partition the absence.
 */
#include <string.h>

#include "attribution.h"

int track_lose(struct jitter_track *track, uint64_t from, uint64_t to, uint64_t records)
{
	struct jitter_loss *last = NULL;

	if (from > to)
		from = to;
	if (track->loss_count)
		last = &track->losses[track->loss_count - 1];
	if (last && from <= last->to_ticks && to >= last->from_ticks) {
		last->from_ticks = from < last->from_ticks ? from : last->from_ticks;
		last->to_ticks = to > last->to_ticks ? to : last->to_ticks;
		last->records += records;
		return 0;
	}
	if (room_for_one(&track->losses, &track->loss_room, track->loss_count,
			 sizeof(*track->losses)))
		return -ENOMEM;
	track->losses[track->loss_count++] = (struct jitter_loss) { from, to, records };
	return 0;
}

static int add_interruption(struct walk *walk, struct absence *absence, uint64_t leave,
			    uint64_t enter, size_t first, size_t parts, uint32_t flags)
{
	struct jitter_track *track = absence->track;

	if (room_for_one(&track->interruptions, &track->room, track->count,
			 sizeof(*track->interruptions)))
		return -ENOMEM;
	if (track->count == UINT32_MAX - 1 || track->part_count > UINT32_MAX - 1)
		return -EOVERFLOW;
	track->interruptions[track->count++] = (struct evtlog_interruption) {
		.leave_ticks = leave,
		.enter_ticks = enter,
		.first_part = first,
		.parts = parts,
		.thread = absence->number,
		.sample = EVTLOG_JITTER_NONE,
		.pattern = EVTLOG_JITTER_NONE,
		.flags = flags,
	};
	walk->interruptions++;
	return 0;
}

static int add_part(struct walk *walk, struct absence *absence, uint64_t now,
		    uint32_t source, uint32_t pid, bool activation)
{
	struct jitter_track *track = absence->track;

	if (room_for_one(&track->parts, &track->part_room, track->part_count,
			 sizeof(*track->parts)))
		return -ENOMEM;
	track->parts[track->part_count++] = (struct evtlog_jitter_part) {
		.begin_ticks = now,
		.end_ticks = now,
		.source = source,
		.pid = pid,
		.activation = activation,
	};
	return 0;
}

static struct stay *find_stay(struct absence *absence, uint64_t serial)
{
	for (size_t i = absence->stay_count; i--; )
		if (absence->stays[i].serial == serial)
			return &absence->stays[i];
	return NULL;
}

static int add_stay(struct walk *walk, struct absence *absence, const struct task *task,
		    uint64_t serial, uint64_t now, uint32_t source, bool activation)
{
	uint32_t part = absence->track->part_count - absence->begins;
	int error;

	if (room_for_one(&absence->stays, &absence->stay_room, absence->stay_count,
			 sizeof(*absence->stays)))
		return -ENOMEM;
	error = add_part(walk, absence, now, source, task->pid, activation);
	if (!error)
		absence->stays[absence->stay_count++] = (struct stay) {
			serial, task, part
		};
	return error;
}

static struct evtlog_jitter_part *part_of(struct absence *absence, const struct stay *stay)
{
	return &absence->track->parts[absence->begins + stay->part];
}

static void end_stay(struct absence *absence, uint64_t serial, uint64_t now)
{
	struct stay *stay = find_stay(absence, serial);

	if (!stay)
		return;
	part_of(absence, stay)->end_ticks = now;
	memmove(stay, stay + 1, (char *)(absence->stays + absence->stay_count) -
		(char *)(stay + 1));
	absence->stay_count--;
}

/* The wanted task itself does not end its stay where it sleeps. */
static uint64_t task_serial(const struct absence *absence, const struct task *task)
{
	return task == absence->task ? 0 : task->serial;
}

static uint64_t frame_serial(const struct absence *absence, const struct task *task,
			     const struct frame *frame)
{
	return task == absence->task ? frame->id : frame->serial;
}

static bool in_window(const struct absence *absence, uint64_t ticks)
{
	const struct evtlog_jitter_thread *thread = &absence->track->thread;

	return ticks >= thread->begin_ticks && ticks <= thread->end_ticks;
}

/* ---- An absence from its begin to its end ---- */

/* Without memory for it the walk fails. */
static bool wait_on(struct walk *walk, struct absence *absence, struct cpu *cpu)
{
	if (room_for_one(&cpu->absences, &cpu->room, cpu->waiting, sizeof(*cpu->absences))) {
		walk->failed = -ENOMEM;
		absence->open = false;
		return false;
	}
	absence->cpu = cpu;
	cpu->absences[cpu->waiting++] = absence;
	return true;
}

static void wait_no_more(struct absence *absence)
{
	struct cpu *cpu = absence->cpu;
	size_t i = 0;

	while (cpu->absences[i] != absence)
		i++;
	cpu->absences[i] = cpu->absences[--cpu->waiting];
	absence->cpu = NULL;
}

static void begin(struct walk *walk, struct absence *absence, uint64_t now)
{
	uint32_t source;

	absence->begins = absence->track->part_count;
	absence->stay_count = 0;
	walk->failed = jitter_source(walk->jitter, EVTLOG_SOURCE_ENTRY, 0, &source);
	if (!walk->failed)
		walk->failed = add_stay(walk, absence, absence->task, 0, now, source, true);
}

void absence_begin(struct walk *walk, struct absence *absence, struct cpu *cpu,
		   uint64_t now)
{
	if (!in_window(absence, now))
		return;
	absence->open = true;
	absence->leave = now;
	absence->at = now;
	if (wait_on(walk, absence, cpu))
		begin(walk, absence, now);
}

/* Whether the stay goes on, though its task may not run: else it ended unseen. */
static bool goes_on(const struct absence *absence, const struct stay *stay)
{
	const struct task *task = stay->task;

	if (stay->serial == task_serial(absence, task))
		return true;
	for (unsigned int k = 0; k < task->depth; k++)
		if (stay->serial == frame_serial(absence, task, &task->frames[k]))
			return true;
	return false;
}

void absence_close(struct walk *walk, struct absence *absence, uint64_t now)
{
	size_t parts = absence->track->part_count - absence->begins;

	if (now < absence->at)
		now = absence->at;
	for (size_t i = 0; i < absence->stay_count; i++)
		if (goes_on(absence, &absence->stays[i]))
			part_of(absence, &absence->stays[i])->end_ticks = now;
	wait_no_more(absence);
	absence->open = false;
	if (in_window(absence, now))
		walk->failed = add_interruption(walk, absence, absence->leave, now,
						absence->begins, parts, 0);
	else
		absence->track->part_count = absence->begins;
}

void absence_spoil(struct walk *walk, struct absence *absence, uint64_t now)
{
	uint64_t end = absence->track->thread.end_ticks;

	wait_no_more(absence);
	absence->open = false;
	absence->track->part_count = absence->begins;
	if (now > end)
		now = end;
	if (now < absence->leave)
		now = absence->leave;
	if (!walk->failed)
		walk->failed = add_interruption(walk, absence, absence->leave, now,
						absence->begins, 0, EVTLOG_JITTER_EXCLUDED);
}

/*
 * Of several only their sum is known, and when the last began: what the user saw of each
 * can't be told, and is as if it were lost.
 */
void absence_nmi(struct walk *walk, struct absence *absence, uint64_t count,
		 uint64_t ticks, uint64_t last)
{
	struct jitter_track *track = absence->track;
	uint32_t source;

	if (!count || !absence->in_user || last < absence->user_since ||
	    last > absence->left || ticks > absence->left - absence->user_since ||
	    (absence->open && (track->part_count != absence->begins + 1 ||
			       absence->at != absence->leave)))
		return;
	if (count > 1) {
		walk->failed = track_lose(track, absence->user_since, last, 0);
		return;
	}
	if (ticks > absence->left - last || !in_window(absence, last) ||
	    !in_window(absence, last + ticks))
		return;
	/* It was before what has just begun. */
	if (absence->open)
		track->part_count = absence->begins;
	walk->failed = jitter_source(walk->jitter, EVTLOG_SOURCE_NMI, 0, &source);
	if (!walk->failed)
		walk->failed = add_part(walk, absence, last, source, absence->task->pid, true);
	if (walk->failed)
		return;
	track->parts[track->part_count - 1].end_ticks = last + ticks;
	track->parts[track->part_count - 1].own_ticks = ticks;
	walk->failed = add_interruption(walk, absence, last, last + ticks,
					track->part_count - 1, 1, 0);
	if (absence->open && !walk->failed)
		begin(walk, absence, absence->leave);
}

/* ---- What goes on while the task is away ---- */

void absence_charge(struct absence *absence, const struct task *task, uint64_t now)
{
	struct evtlog_jitter_part *part;
	struct stay *stay;
	uint64_t serial;

	if (now <= absence->at || !task)
		return;
	serial = task->depth ? frame_serial(absence, task, &task->frames[task->depth - 1]) :
		 task_serial(absence, task);
	stay = find_stay(absence, serial);
	/* Only a log that contradicts itself has none: the kernel's own then. */
	if (!stay)
		stay = &absence->stays[0];
	part = part_of(absence, stay);
	part->own_ticks += now - absence->at;
	part->end_ticks = now;
	absence->at = now;
}

int absence_frame(struct walk *walk, struct absence *absence, const struct task *task,
		  const struct frame *frame, uint64_t now)
{
	uint64_t serial = frame_serial(absence, task, frame);
	uint32_t source;
	int error;

	if (find_stay(absence, serial))
		return 0;
	error = jitter_source(walk->jitter, frame->kind, frame->number, &source);
	if (!error)
		error = add_stay(walk, absence, task, serial, now, source, true);
	return error;
}

static int find_source(struct walk *walk, struct task *task)
{
	const struct evtlog_task *known;
	struct evtlog_task copy;

	if (task->source != EVTLOG_JITTER_NONE)
		return 0;
	if (!task->pid)
		return jitter_source(walk->jitter, EVTLOG_SOURCE_IDLE, 0, &task->source);
	known = evtlog_tasks_find(walk->names, task->pid);
	if (known && task->kernel_thread) {
		copy = *known;
		copy.flags |= EVTLOG_TASK_KTHREAD;
		known = &copy;
	}
	return jitter_task_source(walk->jitter, task->pid, known, &task->source);
}

int absence_task(struct walk *walk, struct absence *absence, struct task *task,
		 uint64_t now, bool starts)
{
	uint64_t serial = task_serial(absence, task);
	int error = 0;

	if (!find_stay(absence, serial)) {
		error = find_source(walk, task);
		if (!error)
			error = add_stay(walk, absence, task, serial, now, task->source,
					 starts || !task->pid);
	}
	for (unsigned int k = 0; k < task->depth && !error; k++)
		error = absence_frame(walk, absence, task, &task->frames[k], now);
	return error;
}

void absence_go(struct absence *absence, const struct task *task, uint64_t now,
		bool sleeps)
{
	struct stay *stay;

	if (task == absence->task)
		return;
	for (unsigned int k = task->depth; k--; )
		if (sleeps) {
			end_stay(absence, task->frames[k].serial, now);
		} else {
			stay = find_stay(absence, task->frames[k].serial);
			if (stay)
				part_of(absence, stay)->end_ticks = now;
		}
	if (sleeps) {
		end_stay(absence, task->serial, now);
		return;
	}
	stay = find_stay(absence, task->serial);
	if (stay)
		part_of(absence, stay)->end_ticks = now;
}

void absence_end_frame(struct absence *absence, const struct task *task,
		       const struct frame *frame, uint64_t now)
{
	end_stay(absence, frame_serial(absence, task, frame), now);
}

/* What others do where it no longer waits does not keep it. */
static void forget_others(struct absence *absence, uint64_t now)
{
	size_t kept = 0;

	for (size_t i = 0; i < absence->stay_count; i++) {
		struct stay *stay = &absence->stays[i];

		if (stay->task == absence->task)
			absence->stays[kept++] = *stay;
		else if (goes_on(absence, stay))
			part_of(absence, stay)->end_ticks = now;
	}
	absence->stay_count = kept;
}

void absence_arrive(struct walk *walk, struct absence *absence, struct cpu *cpu,
		    uint64_t now)
{
	if (absence->open && absence->cpu != cpu) {
		absence_charge(absence, absence->cpu->current, now);
		forget_others(absence, now > absence->at ? now : absence->at);
		wait_no_more(absence);
		wait_on(walk, absence, cpu);
	}
	absence->last = cpu;
}

void absence_free(struct absence *absence)
{
	free(absence->stays);
}
