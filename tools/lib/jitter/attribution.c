// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Keeps the parts of an interruption: the interval to which each tick belongs.
 *
 * It does not use records.
 *
 * A part stays open while its source is preempted, until the source sleeps.  Its own ticks are
 * those in which it was the innermost source.  Each tick is charged once, so parts partition the
 * interruption.
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
	if (array_reserve(&track->losses, &track->loss_capacity, track->loss_count,
			  sizeof(*track->losses)))
		return -ENOMEM;
	track->losses[track->loss_count++] = (struct jitter_loss) { from, to, records };
	return 0;
}

static int add_interruption(struct replay *replay, struct off_user *off_user, uint64_t leave,
			    uint64_t enter, size_t first, size_t parts, uint32_t flags)
{
	struct jitter_track *track = off_user->track;

	if (array_reserve(&track->interruptions, &track->capacity, track->count,
			  sizeof(*track->interruptions)))
		return -ENOMEM;
	if (track->count == UINT32_MAX - 1 || track->part_count > UINT32_MAX - 1)
		return -EOVERFLOW;
	track->interruptions[track->count++] = (struct evtlog_interruption) {
		.leave_ticks = leave,
		.enter_ticks = enter,
		.first_part = first,
		.parts = parts,
		.thread = off_user->number,
		.sample = EVTLOG_JITTER_NONE,
		.pattern = EVTLOG_JITTER_NONE,
		.flags = flags,
	};
	replay->interruptions++;
	return 0;
}

static int add_part(struct replay *replay, struct off_user *off_user, uint64_t now,
		    uint32_t source, uint32_t pid, bool activation)
{
	struct jitter_track *track = off_user->track;

	if (array_reserve(&track->parts, &track->part_capacity, track->part_count,
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

static struct interval *find_interval(struct off_user *off_user, uint64_t serial)
{
	for (size_t i = off_user->interval_count; i--; )
		if (off_user->intervals[i].serial == serial)
			return &off_user->intervals[i];
	return NULL;
}

static int add_interval(struct replay *replay, struct off_user *off_user, const struct task *task,
			uint64_t serial, uint64_t now, uint32_t source, bool activation)
{
	uint32_t part = off_user->track->part_count - off_user->begins;
	int error;

	if (array_reserve(&off_user->intervals, &off_user->interval_capacity,
			  off_user->interval_count,
			  sizeof(*off_user->intervals)))
		return -ENOMEM;
	error = add_part(replay, off_user, now, source, task->pid, activation);
	if (!error)
		off_user->intervals[off_user->interval_count++] = (struct interval) {
			serial, task, part
		};
	return error;
}

static struct evtlog_jitter_part *part_of(struct off_user *off_user,
					  const struct interval *interval)
{
	return &off_user->track->parts[off_user->begins + interval->part];
}

static void end_interval(struct off_user *off_user, uint64_t serial, uint64_t now)
{
	struct interval *interval = find_interval(off_user, serial);

	if (!interval)
		return;
	part_of(off_user, interval)->end_ticks = now;
	memmove(interval, interval + 1, (char *)(off_user->intervals + off_user->interval_count) -
		(char *)(interval + 1));
	off_user->interval_count--;
}

/* The wanted task's own interval does not end when it sleeps. */
static uint64_t task_serial(const struct off_user *off_user, const struct task *task)
{
	return task == off_user->task ? 0 : task->serial;
}

static uint64_t frame_serial(const struct off_user *off_user, const struct task *task,
			     const struct frame *frame)
{
	return task == off_user->task ? frame->id : frame->serial;
}

static bool in_window(const struct off_user *off_user, uint64_t ticks)
{
	const struct evtlog_jitter_thread *thread = &off_user->track->thread;

	return ticks >= thread->begin_ticks && ticks <= thread->end_ticks;
}

/* ---- An interruption from its begin to its end ---- */

/* If out of memory, the replay fails. */
static bool wait_on(struct replay *replay, struct off_user *off_user, struct cpu *cpu)
{
	if (array_reserve(&cpu->off_users, &cpu->capacity, cpu->waiting, sizeof(*cpu->off_users))) {
		replay->failed = -ENOMEM;
		off_user->open = false;
		return false;
	}
	off_user->cpu = cpu;
	cpu->off_users[cpu->waiting++] = off_user;
	return true;
}

static void wait_no_more(struct off_user *off_user)
{
	struct cpu *cpu = off_user->cpu;
	size_t i = 0;

	while (cpu->off_users[i] != off_user)
		i++;
	cpu->off_users[i] = cpu->off_users[--cpu->waiting];
	off_user->cpu = NULL;
}

static void begin(struct replay *replay, struct off_user *off_user, uint64_t now)
{
	uint32_t source;

	off_user->begins = off_user->track->part_count;
	off_user->interval_count = 0;
	replay->failed = jitter_source(replay->jitter, EVTLOG_SOURCE_ENTRY, 0, &source);
	if (!replay->failed)
		replay->failed = add_interval(replay, off_user, off_user->task, 0, now, source,
					      true);
}

void off_user_advance(struct task *task, uint64_t now)
{
	struct off_user *last = task->off_user;

	while (last && !last->open && last->next &&
	       now >= last->next->track->thread.begin_ticks) {
		struct off_user *next = last->next;

		next->in_user = last->in_user;
		next->last = last->last;
		next->left = last->left;
		next->user_since = last->user_since;
		task->off_user = last = next;
	}
}

void off_user_begin(struct replay *replay, struct off_user *off_user, struct cpu *cpu,
		    uint64_t now)
{
	if (!in_window(off_user, now))
		return;
	off_user->open = true;
	off_user->leave = now;
	off_user->at = now;
	if (wait_on(replay, off_user, cpu))
		begin(replay, off_user, now);
}

/* Returns true if the interval is open, even if its task does not run; else its end is missing. */
static bool goes_on(const struct off_user *off_user, const struct interval *interval)
{
	const struct task *task = interval->task;

	if (interval->serial == task_serial(off_user, task))
		return true;
	for (unsigned int k = 0; k < task->depth; k++)
		if (interval->serial == frame_serial(off_user, task, &task->frames[k]))
			return true;
	return false;
}

void off_user_close(struct replay *replay, struct off_user *off_user, uint64_t now)
{
	size_t parts = off_user->track->part_count - off_user->begins;

	if (now < off_user->at)
		now = off_user->at;
	for (size_t i = 0; i < off_user->interval_count; i++)
		if (goes_on(off_user, &off_user->intervals[i]))
			part_of(off_user, &off_user->intervals[i])->end_ticks = now;
	wait_no_more(off_user);
	off_user->open = false;
	if (now <= off_user->track->until_ticks)
		replay->failed = add_interruption(replay, off_user, off_user->leave, now,
						  off_user->begins, parts, 0);
	else
		off_user->track->part_count = off_user->begins;
}

void off_user_spoil(struct replay *replay, struct off_user *off_user, uint64_t now)
{
	uint64_t end = off_user->track->until_ticks;

	wait_no_more(off_user);
	off_user->open = false;
	off_user->track->part_count = off_user->begins;
	if (now > end)
		now = end;
	if (now < off_user->leave)
		now = off_user->leave;
	if (!replay->failed)
		replay->failed = add_interruption(replay, off_user, off_user->leave, now,
						  off_user->begins, 0, EVTLOG_JITTER_EXCLUDED);
}

/*
 * For several NMIs, only their total time and the begin of the last one are known.  The time up to
 * the last one then counts as lost.
 */
void off_user_nmi(struct replay *replay, struct off_user *off_user, uint64_t count,
		  uint64_t ticks, uint64_t last)
{
	struct jitter_track *track = off_user->track;
	uint32_t source;

	if (!count || !off_user->in_user || last < off_user->user_since ||
	    last > off_user->left || ticks > off_user->left - off_user->user_since ||
	    (off_user->open && (track->part_count != off_user->begins + 1 ||
				off_user->at != off_user->leave)))
		return;
	if (count > 1) {
		replay->failed = track_lose(track, off_user->user_since, last, 0);
		return;
	}
	if (ticks > off_user->left - last || !in_window(off_user, last) ||
	    !in_window(off_user, last + ticks))
		return;
	/* The NMI comes before the interruption that has just begun. */
	if (off_user->open)
		track->part_count = off_user->begins;
	replay->failed = jitter_source(replay->jitter, EVTLOG_SOURCE_NMI, 0, &source);
	if (!replay->failed)
		replay->failed = add_part(replay, off_user, last, source, off_user->task->pid,
					  true);
	if (replay->failed)
		return;
	track->parts[track->part_count - 1].end_ticks = last + ticks;
	track->parts[track->part_count - 1].own_ticks = ticks;
	replay->failed = add_interruption(replay, off_user, last, last + ticks,
					  track->part_count - 1, 1, 0);
	if (off_user->open && !replay->failed)
		begin(replay, off_user, off_user->leave);
}

/* ---- Events while the task is outside of user mode ---- */

void off_user_charge(struct off_user *off_user, const struct task *task, uint64_t now)
{
	struct evtlog_jitter_part *part;
	struct interval *interval;
	uint64_t serial;

	if (now <= off_user->at || !task)
		return;
	serial = task->depth ? frame_serial(off_user, task, &task->frames[task->depth - 1]) :
		 task_serial(off_user, task);
	interval = find_interval(off_user, serial);
	/* Missing only if the log contradicts itself: charge the kernel's own part. */
	if (!interval)
		interval = &off_user->intervals[0];
	part = part_of(off_user, interval);
	part->own_ticks += now - off_user->at;
	part->end_ticks = now;
	off_user->at = now;
}

int off_user_frame(struct replay *replay, struct off_user *off_user, const struct task *task,
		   const struct frame *frame, uint64_t now)
{
	uint64_t serial = frame_serial(off_user, task, frame);
	uint32_t source;
	int error;

	if (find_interval(off_user, serial))
		return 0;
	error = jitter_source(replay->jitter, frame->kind, frame->number, &source);
	if (!error)
		error = add_interval(replay, off_user, task, serial, now, source, true);
	return error;
}

static int find_source(struct replay *replay, struct task *task)
{
	const struct evtlog_task *known;
	struct evtlog_task copy;

	if (task->source != EVTLOG_JITTER_NONE)
		return 0;
	if (!task->pid)
		return jitter_source(replay->jitter, EVTLOG_SOURCE_IDLE, 0, &task->source);
	known = evtlog_tasks_find(replay->names, task->pid);
	if (known && task->kernel_thread) {
		copy = *known;
		copy.flags |= EVTLOG_TASK_KTHREAD;
		known = &copy;
	}
	return jitter_task_source(replay->jitter, task->pid, known, &task->source);
}

int off_user_task(struct replay *replay, struct off_user *off_user, struct task *task,
		  uint64_t now, bool starts)
{
	uint64_t serial = task_serial(off_user, task);
	int error = 0;

	if (!find_interval(off_user, serial)) {
		error = find_source(replay, task);
		if (!error)
			error = add_interval(replay, off_user, task, serial, now, task->source,
					     starts || !task->pid);
	}
	for (unsigned int k = 0; k < task->depth && !error; k++)
		error = off_user_frame(replay, off_user, task, &task->frames[k], now);
	return error;
}

void off_user_go(struct off_user *off_user, const struct task *task, uint64_t now,
		 bool sleeps)
{
	struct interval *interval;

	if (task == off_user->task)
		return;
	for (unsigned int k = task->depth; k--; )
		if (sleeps) {
			end_interval(off_user, task->frames[k].serial, now);
		} else {
			interval = find_interval(off_user, task->frames[k].serial);
			if (interval)
				part_of(off_user, interval)->end_ticks = now;
		}
	if (sleeps) {
		end_interval(off_user, task->serial, now);
		return;
	}
	interval = find_interval(off_user, task->serial);
	if (interval)
		part_of(off_user, interval)->end_ticks = now;
}

void off_user_end_frame(struct off_user *off_user, const struct task *task,
			const struct frame *frame, uint64_t now)
{
	end_interval(off_user, frame_serial(off_user, task, frame), now);
}

/* Drops the intervals of other tasks, as they belong to the CPU on which it no longer waits. */
static void forget_others(struct off_user *off_user, uint64_t now)
{
	size_t kept = 0;

	for (size_t i = 0; i < off_user->interval_count; i++) {
		struct interval *interval = &off_user->intervals[i];

		if (interval->task == off_user->task)
			off_user->intervals[kept++] = *interval;
		else if (goes_on(off_user, interval))
			part_of(off_user, interval)->end_ticks = now;
	}
	off_user->interval_count = kept;
}

void off_user_arrive(struct replay *replay, struct off_user *off_user, struct cpu *cpu,
		     uint64_t now)
{
	if (off_user->open && off_user->cpu != cpu) {
		off_user_charge(off_user, off_user->cpu->current, now);
		forget_others(off_user, now > off_user->at ? now : off_user->at);
		wait_no_more(off_user);
		wait_on(replay, off_user, cpu);
	}
	off_user->last = cpu;
}

void off_user_free(struct off_user *off_user)
{
	free(off_user->intervals);
}
