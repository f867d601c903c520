// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replay_test LOG... - what a replay knows of each task is what a search back through events finds
 *
 * The search has no state: for a task, it looks for the last event that shows what the task does,
 * and for a loss since then. The logs must have no exec.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/merge/iterator.h"
#include "lib/replay/replay.h"

enum does { UNKNOWN, RUNS, WAITS, SLEEPS };

/* An event, and the gap that it ends, if @gap: it was taken before the event @gap_at. */
struct seen {
	uint8_t kind;
	uint8_t known;
	uint8_t state;
	bool gap;
	bool loss;
	uint32_t cpu;
	uint32_t pid;	/* the task that the event is about */
	uint32_t out;	/* of a switch: the task that leaves */
	size_t gap_at;
};

static struct seen *events;
static size_t event_count, event_capacity;
static unsigned long known_count, unknown_count;

static void fail(const char *what, uint32_t pid)
{
	fprintf(stderr, "replay_test: event %zu, task %u: %s\n", event_count - 1, pid, what);
	exit(1);
}

static bool waits(unsigned int state)
{
	return !state || state == EVTLOG_STATE_PREEMPTED;
}

static bool begins(const struct seen *seen)
{
	return seen->kind == EVTLOG_EVENT_BEGIN || seen->kind == EVTLOG_EVENT_GAP;
}

/* Is an event between @from and the present lost on a CPU, or on any with NO_SLOT? */
static bool is_lost(size_t from, uint32_t cpu)
{
	for (size_t i = 0; i < event_count && cpu == NO_SLOT; i++)
		if (events[i].kind == EVTLOG_EVENT_END && events[i].loss)
			return true;
	for (size_t i = 0; i < event_capacity; i++)
		if (events[i].gap && (cpu == NO_SLOT ? events[i].loss : events[i].cpu == cpu) &&
		    events[i].gap_at < event_count && i > from)
			return true;
	return false;
}

static bool has_ended(size_t from, uint32_t cpu)
{
	for (size_t i = from + 1; i < event_count; i++)
		if (events[i].cpu == cpu && events[i].kind == EVTLOG_EVENT_END)
			return true;
	return is_lost(from, cpu);
}

static enum does search(uint32_t pid)
{
	enum does shown = UNKNOWN;
	size_t at = SIZE_MAX;

	for (size_t i = event_count; i--;) {
		const struct seen *seen = &events[i];
		bool is_record = seen->kind == EVTLOG_EVENT_RECORD;

		if (seen->pid == pid && (begins(seen) || seen->known == EVTLOG_SCHED_SWITCH)) {
			if (!has_ended(i, seen->cpu))
				return RUNS;
			break;
		}
		if (!is_record)
			continue;
		if (seen->pid == pid && seen->known == EVTLOG_SCHED_PROCESS_FORK)
			break;
		/* They do not change what a task does that runs: search on. */
		if (at == SIZE_MAX && seen->pid == pid) {
			if (seen->known == EVTLOG_SCHED_WAKING ||
			    seen->known == EVTLOG_SCHED_WAKEUP_NEW)
				shown = WAITS;
			else if (seen->known == EVTLOG_TASK)
				shown = waits(seen->state) ? WAITS : SLEEPS;
			if (shown)
				at = i;
		}
		if (seen->known == EVTLOG_SCHED_SWITCH && seen->out == pid) {
			if (at == SIZE_MAX) {
				at = i;
				shown = waits(seen->state) ? WAITS : SLEEPS;
			}
			break;
		}
	}
	return shown && !is_lost(at, NO_SLOT) ? shown : UNKNOWN;
}

static enum does does(const struct replay *replay, uint32_t pid)
{
	unsigned int state = replay->tasks[replay_find(replay, pid)].state;

	return state <= REPLAY_RUNNING ? state : replay_is_waiting(state) ? WAITS : SLEEPS;
}

static void compare(const struct replay *replay)
{
	unsigned int queued = 0, counted = 0;

	for (size_t i = REPLAY_IDLE + 1; i < replay->task_count; i++) {
		const struct replay_task *task = &replay->tasks[i];
		enum does found;

		if (!task->is_used)
			continue;
		found = search(task->pid);
		if (does(replay, task->pid) != found)
			fail(found ? "it is unknown, or another state" : "it is not known", task->pid);
		if (found == RUNS && replay->cpus[task->cpu].task != i)
			fail("its CPU does not run it", task->pid);
		known_count += found != UNKNOWN;
		unknown_count += found == UNKNOWN;
		queued += task->queue != NO_SLOT;
		if (task->queue != NO_SLOT && found != RUNS && found != WAITS)
			fail("it sleeps in a queue", task->pid);
		if (found == WAITS && task->placed && replay->cpus[task->cpu].known &&
		    task->queue == NO_SLOT)
			fail("it waits in no queue", task->pid);
	}
	for (unsigned int i = 0; i < replay->cpu_count; i++)
		counted += replay->cpus[i].count;
	if (counted != queued)
		fail("queues have other tasks", 0);
}

static void note(struct seen *seen, const struct evtlog_event *event, uint32_t slot)
{
	const uint64_t *words = event->words;

	*seen = (struct seen) {
		.kind = event->kind, .known = event->known, .cpu = slot, .pid = EVTLOG_PID_UNKNOWN,
		.out = EVTLOG_PID_UNKNOWN,
		.gap = event->kind == EVTLOG_EVENT_GAP || (event->kind == EVTLOG_EVENT_BEGIN &&
		       lanes_is_loss(event)),
		.loss = event->kind == EVTLOG_EVENT_END ? event->rest_missing : lanes_is_loss(event),
		.gap_at = SIZE_MAX,
	};
	if (event->kind != EVTLOG_EVENT_RECORD) {
		seen->pid = event->kind == EVTLOG_EVENT_END ? seen->pid : event->begin_pid;
	} else if (words) {
		seen->pid = evtlog_record_pid(words);
		if (event->known == EVTLOG_SCHED_SWITCH || event->known == EVTLOG_TASK)
			seen->state = evtlog_switch_state(words);
		if (event->known == EVTLOG_SCHED_SWITCH)
			seen->out = event->pid;
	}
}

static void read_all(struct evtlog_file *file)
{
	struct iterator iterator = { 0 };
	const struct iterator_event *at;

	if (iterator_of_log(&iterator, file, 0, NULL))
		fail("no memory", 0);
	event_count = event_capacity = 0;
	free(events);
	events = NULL;
	while (iterator_next(&iterator, &at) > 0) {
		if (array_reserve(&events, &event_capacity, event_count, sizeof(*events)))
			fail("no memory", 0);
		note(&events[event_count++], at->event, file_slot(file, at->event->cpu));
	}
	event_capacity = event_count;
	iterator_end(&iterator);
}

/* Stores before which event the gap on a CPU was taken. */
static void note_gap(uint32_t slot)
{
	for (size_t i = event_count; i < event_capacity; i++)
		if (events[i].cpu == slot && events[i].gap) {
			events[i].gap_at = event_count;
			return;
		}
}

/* A replay that omits changes and queues has the same states, and all changes to unknown. */
static void compare_brief(const struct replay *replay, const struct replay *brief)
{
	size_t ended = 0, ended_brief = 0;

	if (replay->task_count != brief->task_count)
		fail("other tasks if changes are omitted", 0);
	for (size_t i = 0; i < replay->task_count; i++) {
		struct replay_task task = replay->tasks[i];

		task.queue = NO_SLOT;
		task.doubtful = false;
		if (memcmp(&task, &brief->tasks[i], sizeof(task)))
			fail("another state if changes are omitted", task.pid);
	}
	for (size_t i = 0; i < replay->cpu_count; i++)
		if (replay->cpus[i].task != brief->cpus[i].task ||
		    replay->cpus[i].known != brief->cpus[i].known)
			fail("a CPU with another task if changes are omitted", i);
	for (size_t i = 0; i < replay->change_count; i++) {
		const struct replay_change *change = &replay->changes[i];

		ended += change->kind >= REPLAY_FORGET ||
			 (change->kind == REPLAY_STATE && change->task != REPLAY_IDLE &&
			  !change->next);
	}
	for (size_t i = 0; i < brief->change_count; i++)
		ended_brief += brief->changes[i].kind >= REPLAY_FORGET || !brief->changes[i].next;
	if (ended != ended_brief || ended_brief != brief->change_count)
		fail("a change to unknown is omitted, or another one is not", 0);
}

static void replay_all(struct evtlog_file *file, unsigned int every)
{
	struct replay replay = { 0 }, brief = { 0 };
	struct iterator iterator = { 0 };
	const struct iterator_event *at;

	if (replay_init(&replay, file) || replay_init(&brief, file) ||
	    iterator_of_log(&iterator, file, 0, NULL))
		fail("no memory", 0);
	brief.omitted = REPLAY_BRIEF | REPLAY_QUEUES;
	event_count = 0;
	while (iterator_next(&iterator, &at) > 0) {
		const struct evtlog_event *gap;
		uint64_t from_ns;

		while ((gap = replay_gap(&replay, &iterator.lanes, at->event->time_ns, &from_ns))) {
			note_gap(file_slot(file, gap->cpu));
			if (replay_take_gap(&replay, gap, from_ns) ||
			    replay_take_gap(&brief, gap, from_ns))
				fail("no memory", 0);
			compare_brief(&replay, &brief);
		}
		if (replay_take(&replay, at->event, at->event->time_ns) ||
		    replay_take(&brief, at->event, at->event->time_ns))
			fail("no memory", 0);
		compare_brief(&replay, &brief);
		if (!(++event_count % every) || at->event->kind != EVTLOG_EVENT_RECORD)
			compare(&replay);
	}
	iterator_end(&iterator);
	replay_free(&replay);
	replay_free(&brief);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct evtlog_file *file;

		if (evtlog_open(argv[i], &file, NULL)) {
			fprintf(stderr, "replay_test: %s: is not read\n", argv[i]);
			return 1;
		}
		read_all(file);
		replay_all(file, 29);
		evtlog_close(file);
	}
	free(events);
	printf("%lu states are known, %lu are not\n", known_count, unknown_count);
	return !known_count || !unknown_count;
}
