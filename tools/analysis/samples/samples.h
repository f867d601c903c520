/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The passes of the kernel's sampler in a log: where all tasks were, and what they did.
 *
 * Stage: fed with all events of a log in the order of time, it collects the records of a pass
 * until that is complete, and finds which tasks came, went and moved since the complete pass
 * before.  An incomplete pass tells nothing.
 *
 * The sampler's thread starts anew when its settings change, or after it was off: the pass behind
 * that is of other tasks, maybe, and tells of none that it came or went.  Events then have other
 * ids, or the policy of a task is told again; or all tasks are others.
 *
 * A pass is of the time of its last record.  The sampler itself, which runs on its CPU while it
 * looks, is left out; what it took that CPU from is seen to wait.
 */
#ifndef EVTLOG_ANALYSIS_SAMPLES_H
#define EVTLOG_ANALYSIS_SAMPLES_H

#include "analysis/runqueue/runqueue.h"

#define SAMPLES_NO_CPU	UINT32_MAX

/*
 * A task in a pass, which has not exited.
 * @task:	its number in the run queues
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
 * What is different from the complete pass before.  In the first one of a start nothing is.
 * @from:	index of the CPU where it was; RUNQUEUE_NONE: it was not there
 * @to:		where it is; RUNQUEUE_NONE: it is there no more
 */
struct sample_change {
	uint32_t task;
	uint32_t from;
	uint32_t to;
};

/*
 * A task's last complete pass, counted from 1, and where and how it was then.
 * @told:	its policy, as its last record of that has it; 0: none yet
 */
struct sample_seen {
	uint64_t pass;
	uint32_t cpu;
	uint32_t told;
	char state;
};

struct sample_format;

/*
 * @queues:	whose numbers of CPUs and tasks are used; nothing else of them is changed
 * @now:	tasks of the last complete pass; @before: of the one before it
 * @runnable:	of each CPU, tasks that run or wait, but the sampler; SAMPLES_NO_CPU: it was offline
 * @changes:	@change_count of them
 * @time_ns:	of the last complete pass
 * @complete:	passes so far
 * @missed:	that were due before this one and did not take place
 * @incomplete:	that took place before this one, or are it, and of which records are lost
 * @off_ns:	from then on the pass before this one does not hold, as the sampler was off, or its
 *		settings changed; UINT64_MAX: it was not
 * @seen:	by number of the task
 * @start_ns, @due: since the sampler started, its first pass, and how many were due behind that
 * @last_ns:	of the last pass, complete or not
 * @first:	the complete pass behind the last start
 * @stream:	index of the CPU on which the sampler ran; the others are for the pass that is read
 */
struct samples {
	const struct evtlog_file *file;
	struct runqueues *queues;
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
	uint32_t told_records;
	uint32_t told_pid;
	uint32_t told;
	bool open;
	bool has_restarted;
	bool is_new_start;
	struct sample_list next;
	uint32_t *next_runnable;
};

enum samples_result {
	SAMPLES_NOTHING,
	SAMPLES_COMPLETE,	/* a pass is complete with this event */
	SAMPLES_INCOMPLETE,	/* a pass ends with this event, and is not complete */
};

/* 0 or -ENOMEM; samples_free() in both cases. */
int samples_init(struct samples *samples, const struct evtlog_file *file,
		 struct runqueues *queues);
void samples_free(struct samples *samples);

/* Whether an event is one of the sampler. */
bool samples_has(struct samples *samples, const struct evtlog_event *event);

/* Takes the next event of the log.  enum samples_result; -ENOMEM. */
int samples_take(struct samples *samples, const struct evtlog_event *event);

/*
 * When the last pass ceases to hold, if there is none behind it up to @now_ns: passes were as far
 * apart since the sampler started that two more were due, so that it was switched off.
 * UINT64_MAX: it still holds, or there is none.
 */
uint64_t samples_off_ns(const struct samples *samples, uint64_t now_ns);

/* Whether a log has a complete pass; reads up to the first.  1; 0; -ENOMEM; -errno of read(). */
int samples_are_there(struct evtlog_file *file);

enum samples_source {
	SOURCE_AUTO,
	SOURCE_EVENTS,
	SOURCE_SAMPLES,
};

/* The words of an option --source, which ends with NULL. */
extern const char *const samples_source_names[];

/*
 * Whether to use samples: if asked for, or if the log has no scheduling events, but passes.
 * 1; 0; -ENODATA: asked for, and there is none; -ENOMEM; -errno of read().
 */
int samples_choose(struct evtlog_file *file, enum samples_source source);

#endif /* EVTLOG_ANALYSIS_SAMPLES_H */
