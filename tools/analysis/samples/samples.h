/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The passes of the kernel's sampler in a log: where all tasks were, and what they did.
 *
 * Stage: it takes all events of a log in order of time, collects the records of a pass until the
 * pass is complete, and finds the tasks that came, went or moved since the complete pass before. An
 * incomplete pass has no result.
 *
 * The sampler's thread restarts when its settings change, or after it was off. The first pass after
 * a restart may be of other tasks, so it has no changes. These show a restart: other ids of the
 * events, a repeated policy of a task, or a pass of only new tasks.
 *
 * The time of a pass is the time of its last record. The sampler, which runs on its CPU during a
 * pass, is left out. The task that it interrupted waits.
 */
#ifndef EVTLOG_ANALYSIS_SAMPLES_H
#define EVTLOG_ANALYSIS_SAMPLES_H

#include <evtlog/evtlog.h>

#include "lib/replay/replay.h"

#define SAMPLES_NO_CPU	UINT32_MAX

/*
 * A task in a pass that has not exited.
 * @task:	its number in the replay
 * @cpu:	index of the CPU where it is, or was last
 * @state:	a letter of EVTLOG_STATES
 */
struct sample {
	uint32_t task;
	uint32_t cpu;
	char state;
};

struct sample_list {
	struct sample *at;
	size_t count;
	size_t capacity;
};

/*
 * A difference to the complete pass before. The first pass after a restart has no differences.
 * @from:	index of the CPU where the task was; NO_SLOT: it was not in that pass
 * @to:		where it is now; NO_SLOT: it is not in this pass
 */
struct sample_change {
	uint32_t task;
	uint32_t from;
	uint32_t to;
};

/*
 * The last complete pass with a task, counted from 1, and its CPU and state then.
 * @policy: its policy, from its last policy record; 0: none yet
 */
struct sample_seen {
	uint64_t pass;
	uint32_t cpu;
	uint32_t policy;
	char state;
};

struct sample_format;

/*
 * @replay:	only its numbers of CPUs and tasks are used and changed
 * @now, @before: tasks of the last complete pass, and of the complete pass before it
 * @runnable:	runnable tasks of each CPU, without the sampler; SAMPLES_NO_CPU: offline
 * @changes:	@change_count differences
 * @time_ns:	time of the last complete pass
 * @complete:	number of complete passes so far
 * @missed:	number of passes that were due before this one and did not take place
 * @incomplete:	number of passes with lost records before this one, and this one
 * @off_ns:	the pass before this one does not hold from this time on, as the sampler was off or
 *		its settings changed; UINT64_MAX: it was not off
 * @seen:	by number of the task
 * @start_ns, @due: first pass since the sampler's start, and number of passes due after it
 * @last_ns:	time of the last pass, complete or not
 * @first:	first complete pass since the sampler's start
 * @stream:	index of the sampler's CPU; the members after it are for the pass being read
 */
struct samples {
	const struct evtlog_file *file;
	struct replay *replay;
	struct sample_list now;
	struct sample_list before;
	uint32_t *runnable;
	struct sample_change *changes;
	size_t change_count;
	size_t change_capacity;
	uint64_t time_ns;
	uint64_t complete;
	uint64_t missed;
	uint64_t incomplete;
	uint64_t off_ns;
	struct sample_seen *seen;
	size_t seen_capacity;
	struct sample_format *formats;
	uint8_t *kinds;
	uint64_t last_number;
	uint64_t start_ns;
	uint64_t due;
	uint64_t last_ns;
	uint64_t first;
	uint32_t ids[3];
	uint32_t stream;
	uint32_t cpu_records;
	uint32_t task_records;
	uint32_t policy_records;
	uint32_t policy_pid;
	uint32_t policy;
	bool open;
	bool has_restarted;
	bool is_new_start;
	struct sample_list next;
	uint32_t *next_runnable;
};

enum samples_result {
	SAMPLES_NOTHING,
	SAMPLES_COMPLETE,	/* this event completes a pass */
	SAMPLES_INCOMPLETE,	/* this event ends a pass, which is not complete */
};

/* 0 or -ENOMEM; samples_free() in both cases. */
int samples_init(struct samples *samples, const struct evtlog_file *file,
		 struct replay *replay);
void samples_free(struct samples *samples);

/* Returns true if the event is from the sampler. */
bool samples_has(struct samples *samples, const struct evtlog_event *event);

/* Takes the next event of the log. Returns enum samples_result or -ENOMEM. */
int samples_take(struct samples *samples, const struct evtlog_event *event);

/*
 * Time when the last pass no longer holds, if no pass follows up to @now_ns. With the mean distance
 * of passes since the sampler's start, two more passes were due, so it was switched off.
 * UINT64_MAX: the pass still holds, or there is none.
 */
uint64_t samples_off_ns(const struct samples *samples, uint64_t now_ns);

/* Finds out if a log has a complete pass; reads up to it. 1; 0; -ENOMEM; -errno of read(). */
int samples_are_there(struct evtlog_file *file);

enum samples_source {
	SOURCE_AUTO,
	SOURCE_EVENTS,
	SOURCE_SAMPLES,
};

/* Values of an option --source, ended by NULL */
extern const char *const samples_source_names[];

/*
 * Finds out if samples are to be used: if requested, or if the log has passes but no scheduling
 * events. 1; 0; -ENODATA: requested, and there is no pass; -ENOMEM; -errno of read().
 */
int samples_choose(struct evtlog_file *file, enum samples_source source);

#endif /* EVTLOG_ANALYSIS_SAMPLES_H */
