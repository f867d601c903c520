// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Compares the tick counters of a host's CPUs by the order of tasks' events.
 *
 * Stage: see <evtlog/cpu-clocks.h>.
 *
 * An order is wrong only if both CPUs show it without a gap: during a task's slice on a CPU, from
 * its switch in to its switch out, the task is switched in, migrates or is forked on another CPU.
 * A missing record never makes an order wrong.
 *
 * Not each wake-up wakes a sleeping task: the task may still be running, on its way to sleep, and
 * a signal can let a task continue without a wake-up.  So a wake-up after its task's switch in
 * counts only if there are many.
 *
 * Counters are compared in ticks at their nominal rate.  Where they disagree, the clock sets
 * disagree, too, and with them the piecewise linear clock of the file.
 */
#include <errno.h>
#include <stdlib.h>

#include "compare.h"

/* Late wake-ups count if there are at least LATE_LEAST, and more than 1 in LATE_SHARE is late. */
#define LATE_LEAST	16
#define LATE_SHARE	4

/* States in which a task is switched out: indices into EVTLOG_STATES. */
#define STATE_RUNNING	0
#define STATE_DEAD	5
#define STATE_ZOMBIE	6

#define ROUNDS_MAX	16

int64_t clocks_time(const struct evtlog_cpu_clocks *clocks, const struct evtlog_event *event,
		    unsigned int slot)
{
	int64_t ns = event->time_ns;

	if (clocks->mult)
		ns = (__int128)(int64_t)(event->ticks - clocks->base_ticks) *
		     (__int128)clocks->mult >> clocks->shift;
	return clocks->ahead_ns ? ns - clocks->ahead_ns[slot] : ns;
}

/* ---- Orders ---- */

static struct clocks_pair *pair_of(struct evtlog_cpu_clocks *clocks, unsigned int from,
				   unsigned int to)
{
	struct clocks_pair *row = clocks->pairs[from];

	if (!row) {
		row = calloc(clocks->slots, sizeof(*row));
		if (!row)
			return NULL;
		for (unsigned int i = 0; i < clocks->slots; i++)
			row[i].least_ns = INT64_MAX;
		clocks->pairs[from] = row;
	}
	return &row[to];
}

/* Adds the order that @point of @task was before @ns on @slot. */
static int add_order(struct evtlog_cpu_clocks *clocks, const struct clocks_task *task,
		     enum clocks_point point, unsigned int slot, int64_t ns)
{
	unsigned int from = task->slot[point];
	struct clocks_pair *pair;

	if (from == SLOT_NONE || from == slot || task->ns[point] > ns)
		return 0;
	pair = pair_of(clocks, from, slot);
	if (!pair)
		return -ENOMEM;
	pair->orders++;
	pair->wakes += point == POINT_WAKE;
	if (ns - task->ns[point] < pair->least_ns)
		pair->least_ns = ns - task->ns[point];
	clocks->summary.orders++;
	return 0;
}

/* The event on @from was before the event on @to, but its recorded time is @ns later. */
static int add_violation(struct evtlog_cpu_clocks *clocks, unsigned int from, unsigned int to,
			 int64_t ns)
{
	unsigned int a = from < to ? from : to, b = from < to ? to : from;
	struct evtlog_cpu_clocks_summary *summary = &clocks->summary;
	struct clocks_pair *pair;

	if (ns <= SLACK_NS || a == b)
		return 0;
	pair = pair_of(clocks, from, to);
	if (!pair)
		return -ENOMEM;
	if (-ns < pair->least_signed_ns)
		pair->least_signed_ns = -ns;
	pair->violations++;
	summary->orders++;
	summary->violations++;
	if ((uint64_t)ns > summary->worst_ns) {
		summary->worst_ns = ns;
		summary->worst_cpus[0] = evtlog_cpu_number(clocks->file, a);
		summary->worst_cpus[1] = evtlog_cpu_number(clocks->file, b);
	}
	return 0;
}

static void set_point(struct clocks_task *task, enum clocks_point point, unsigned int slot,
		      int64_t ns)
{
	task->slot[point] = slot;
	task->ns[point] = ns;
}

static bool runs(const struct clocks_task *task)
{
	return task->slot[POINT_IN] != SLOT_NONE &&
	       (task->slot[POINT_OUT] == SLOT_NONE || task->ns[POINT_OUT] < task->ns[POINT_IN]);
}

/* ---- Events ---- */

/* Checks that @point was not on another CPU while the task was on @slot, @in_ns to @out_ns. */
static int check_inside(struct evtlog_cpu_clocks *clocks, const struct clocks_task *task,
			enum clocks_point point, unsigned int slot, int64_t in_ns, int64_t out_ns)
{
	int64_t ns = task->ns[point], before = out_ns - ns, after = ns - in_ns;
	unsigned int other = task->slot[point];

	if (other == SLOT_NONE || other == slot)
		return 0;
	return before < after ? add_violation(clocks, slot, other, before) :
				add_violation(clocks, other, slot, after);
}

/* The task that runs on @slot is switched out. */
static int switch_out(struct evtlog_cpu_clocks *clocks, unsigned int slot, int64_t ns,
		      unsigned int state)
{
	static const enum clocks_point elsewhere[] = {
		POINT_IN, POINT_IN_BEFORE, POINT_MIGRATE, POINT_FORK,
	};
	const struct clocks_cpu *cpu = &clocks->cpu[slot];
	struct clocks_task *task;
	int error = 0;

	if (!cpu->pid)
		return 0;
	task = clocks_task_get(clocks, cpu->pid);
	if (!task)
		return -ENOMEM;
	if (task->flags & TASK_IGNORED)
		return 0;
	/* Its pid may have been reused before this switch. */
	if (state == STATE_DEAD || state == STATE_ZOMBIE) {
		clocks_task_reset(task);
		return 0;
	}
	for (size_t i = 0; !error && i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
		error = check_inside(clocks, task, elsewhere[i], slot, cpu->in_ns, ns);
	set_point(task, POINT_OUT, slot, ns);
	task->flags &= ~TASK_SLEPT;
	if (state != STATE_RUNNING && state != EVTLOG_STATE_PREEMPTED)
		task->flags |= TASK_SLEPT;
	return error;
}

static int switch_in(struct evtlog_cpu_clocks *clocks, unsigned int slot, int64_t ns, uint32_t pid)
{
	struct clocks_cpu *cpu = &clocks->cpu[slot];
	struct clocks_task *task;
	int error;

	cpu->pid = 0;
	if (!pid)
		return 0;
	task = clocks_task_get(clocks, pid);
	if (!task)
		return -ENOMEM;
	if (task->flags & TASK_IGNORED)
		return 0;
	cpu->pid = pid;
	cpu->in_ns = ns;
	error = add_order(clocks, task, POINT_OUT, slot, ns);
	if (!error)
		error = add_order(clocks, task, POINT_MIGRATE, slot, ns);
	if (!error)
		error = add_order(clocks, task, POINT_FORK, slot, ns);
	if (!error && (task->flags & TASK_SLEPT))
		error = add_order(clocks, task, POINT_WAKE, slot, ns);
	task->flags &= ~TASK_UNWOKEN;
	if ((task->flags & TASK_SLEPT) && task->slot[POINT_WAKE] == SLOT_NONE && !runs(task))
		task->flags |= TASK_UNWOKEN;
	task->slot[POINT_MIGRATE] = task->slot[POINT_FORK] = task->slot[POINT_WAKE] = SLOT_NONE;
	if (task->slot[POINT_IN] != slot && task->slot[POINT_IN] != SLOT_NONE)
		set_point(task, POINT_IN_BEFORE, task->slot[POINT_IN], task->ns[POINT_IN]);
	set_point(task, POINT_IN, slot, ns);
	return error;
}

static int migrate(struct evtlog_cpu_clocks *clocks, unsigned int slot, int64_t ns, uint32_t pid)
{
	struct clocks_task *task = clocks_task_get(clocks, pid);
	int error = 0;

	if (!task)
		return -ENOMEM;
	if (task->flags & TASK_IGNORED)
		return 0;
	if (!runs(task))
		error = add_order(clocks, task, POINT_OUT, slot, ns);
	set_point(task, POINT_MIGRATE, slot, ns);
	return error;
}

static int wake(struct evtlog_cpu_clocks *clocks, unsigned int slot, int64_t ns, uint32_t pid)
{
	struct clocks_task *task = clocks_task_find(clocks, pid);
	struct clocks_pair *pair;

	if (!task || (task->flags & TASK_IGNORED))
		return 0;
	if (!runs(task)) {
		set_point(task, POINT_WAKE, slot, ns);
		return 0;
	}
	if (!(task->flags & TASK_UNWOKEN) || task->slot[POINT_IN] == slot ||
	    ns - task->ns[POINT_IN] <= SLACK_NS)
		return 0;
	task->flags &= ~TASK_UNWOKEN;
	pair = pair_of(clocks, slot, task->slot[POINT_IN]);
	if (!pair)
		return -ENOMEM;
	pair->late++;
	return 0;
}

/* A new task has this pid: it is forked, or @wakes for the first time. */
static int fork_task(struct evtlog_cpu_clocks *clocks, unsigned int slot, int64_t ns, uint32_t pid,
		     bool wakes)
{
	struct clocks_task *task = clocks_task_get(clocks, pid);
	struct clocks_pair *pair;

	if (!task)
		return -ENOMEM;
	if (wakes && (task->flags & TASK_IGNORED))
		return 0;
	if (!(task->flags & TASK_IGNORED) && task->slot[POINT_IN] != SLOT_NONE &&
	    task->slot[POINT_IN] != slot && ns - task->ns[POINT_IN] > SLACK_NS) {
		pair = pair_of(clocks, slot, task->slot[POINT_IN]);
		if (!pair)
			return -ENOMEM;
		pair->forked++;
		if (ns - task->ns[POINT_IN] > pair->forked_ns)
			pair->forked_ns = ns - task->ns[POINT_IN];
	}
	if (!wakes)
		clocks_task_reset(task);
	set_point(task, POINT_FORK, slot, ns);
	return 0;
}

/* Ignores a task whose pid will soon be another task's. */
static int ignore(struct evtlog_cpu_clocks *clocks, struct clocks_cpu *cpu, uint32_t pid)
{
	struct clocks_task *task;

	cpu->pid = 0;
	if (!pid)
		return 0;
	task = clocks_task_get(clocks, pid);
	if (!task)
		return -ENOMEM;
	clocks_task_reset(task);
	task->flags = TASK_IGNORED;
	return 0;
}

/* Takes the running task from the first record after a gap. */
static int start(struct evtlog_cpu_clocks *clocks, unsigned int slot, int64_t ns, uint32_t pid)
{
	const struct clocks_task *task = clocks_task_find(clocks, pid);
	struct clocks_cpu *cpu = &clocks->cpu[slot];

	cpu->fresh = false;
	cpu->in_ns = ns;
	cpu->pid = pid == EVTLOG_PID_UNKNOWN || (task && (task->flags & TASK_IGNORED)) ? 0 : pid;
	return 0;
}

static int take_record(struct evtlog_cpu_clocks *clocks, const struct evtlog_event *event,
		       unsigned int slot)
{
	struct clocks_cpu *cpu = &clocks->cpu[slot];
	const uint64_t *words = event->words;
	int64_t ns;
	int error = 0;

	switch (event->known) {
	case EVTLOG_SCHED_SWITCH:
	case EVTLOG_SCHED_WAKING:
	case EVTLOG_SCHED_WAKEUP_NEW:
	case EVTLOG_SCHED_MIGRATE_TASK:
	case EVTLOG_SCHED_PROCESS_FORK:
	case EVTLOG_SCHED_PROCESS_EXIT:
	case EVTLOG_SCHED_PROCESS_EXEC:
		break;
	default:
		if (!cpu->fresh)
			return 0;
	}
	ns = clocks_time(clocks, event, slot);
	if (cpu->fresh)
		error = start(clocks, slot, ns, event->pid);
	if (error)
		return error;
	switch (event->known) {
	case EVTLOG_SCHED_SWITCH:
		/* With filtered events, it is unknown where a task was in the meantime. */
		if (clocks->no_switches || clocks->no_wakings)
			return 0;
		if (event->pid == cpu->pid)
			error = switch_out(clocks, slot, ns, evtlog_data(words, 22, 4));
		return error ? error : switch_in(clocks, slot, ns, evtlog_record_pid(words));
	case EVTLOG_SCHED_WAKING:
		return wake(clocks, slot, ns, evtlog_record_pid(words));
	case EVTLOG_SCHED_MIGRATE_TASK:
		return evtlog_record_pid(words) ?
		       migrate(clocks, slot, ns, evtlog_record_pid(words)) : 0;
	case EVTLOG_SCHED_WAKEUP_NEW:
	case EVTLOG_SCHED_PROCESS_FORK:
		return evtlog_record_pid(words) ?
		       fork_task(clocks, slot, ns, evtlog_record_pid(words),
				 event->known == EVTLOG_SCHED_WAKEUP_NEW) : 0;
	case EVTLOG_SCHED_PROCESS_EXIT:
		return ignore(clocks, cpu, evtlog_record_pid(words));
	case EVTLOG_SCHED_PROCESS_EXEC:
		/* A thread gets the pid of its group's leader. */
		if ((uint32_t)words[1] == evtlog_record_pid(words))
			return 0;
		error = ignore(clocks, cpu, evtlog_record_pid(words));
		return error ? error
			     : ignore(clocks, cpu,
				      (uint32_t)words[1] &
					      ((1u << EVTLOG_PID_BITS) - 1));
	default:
		return 0;
	}
}

int evtlog_cpu_clocks_event(struct evtlog_cpu_clocks *clocks, const struct evtlog_event *event)
{
	unsigned int slot = file_slot(clocks->file, event->cpu);

	if (slot >= clocks->slots)
		return 0;
	if (__builtin_expect(event->kind == EVTLOG_EVENT_RECORD, 1))
		return take_record(clocks, event, slot);
	clocks->gaps += event->kind == EVTLOG_EVENT_GAP || event->rest_missing || event->lost;
	if (event->kind == EVTLOG_EVENT_BEGIN || event->kind == EVTLOG_EVENT_GAP) {
		clocks->cpu[slot].fresh = true;
		clocks->cpu[slot].pid = 0;
	}
	return 0;
}

/* ---- Result ---- */

/*
 * Adds the orders that are wrong only if no record is missing: a fork of a task that already ran,
 * which may be another task with this pid; and late wake-ups, if there are many, as a few are due
 * to a race in kernels.
 */
static void judge_whole(struct evtlog_cpu_clocks *clocks)
{
	struct evtlog_summary summary;

	evtlog_summarize(clocks->file, &summary);
	if (clocks->gaps || !summary.complete)
		return;
	for (unsigned int a = 0; a < clocks->slots; a++)
		for (unsigned int b = 0; clocks->pairs[a] && b < clocks->slots; b++) {
			struct clocks_pair *pair = &clocks->pairs[a][b];

			if (pair->late >= LATE_LEAST &&
			    (uint64_t)pair->late * LATE_SHARE > pair->wakes + pair->late)
				for (uint32_t i = 0; i < pair->late; i++)
					add_violation(clocks, a, b, SLACK_NS + 1);
			for (uint32_t i = 0; i < pair->forked; i++)
				add_violation(clocks, a, b, pair->forked_ns);
		}
}

/* One round of shortest paths.  Returns true if any became shorter. */
static bool relax(const struct evtlog_cpu_clocks *clocks)
{
	bool shorter = false;

	for (unsigned int a = 0; a < clocks->slots; a++)
		for (unsigned int b = 0; clocks->pairs[a] && b < clocks->slots; b++) {
			int64_t least = clocks->pairs[a][b].least_ns;

			if (least == INT64_MAX)
				continue;
			least = least > SLACK_NS ? least : SLACK_NS;
			/* b is ahead of the first CPU by at most a's bound + @least. */
			if (clocks->high_ns[a] != INT64_MAX &&
			    clocks->high_ns[a] + least < clocks->high_ns[b]) {
				clocks->high_ns[b] = clocks->high_ns[a] + least;
				shorter = true;
			}
			if (clocks->low_ns[b] != INT64_MIN &&
			    clocks->low_ns[b] - least > clocks->low_ns[a]) {
				clocks->low_ns[a] = clocks->low_ns[b] - least;
				shorter = true;
			}
		}
	return shorter;
}

void clocks_close(struct evtlog_cpu_clocks *clocks)
{
	for (unsigned int i = 0; i < clocks->slots; i++) {
		clocks->low_ns[i] = i ? INT64_MIN : 0;
		clocks->high_ns[i] = i ? INT64_MAX : 0;
	}
	for (unsigned int i = 0; i < ROUNDS_MAX && relax(clocks); i++)
		;
}

/* Sets the verdict, and the bounds if no order is wrong. */
static void judge(struct evtlog_cpu_clocks *clocks)
{
	struct evtlog_cpu_clocks_summary *summary = &clocks->summary;
	struct evtlog_summary of_file;

	judge_whole(clocks);
	evtlog_summarize(clocks->file, &of_file);
	summary->constant = true;
	summary->verdict = !summary->orders ? EVTLOG_CPU_CLOCKS_UNKNOWN :
			   !summary->violations ? EVTLOG_CPU_CLOCKS_AGREE :
			   of_file.tsc_bad ? EVTLOG_CPU_CLOCKS_UNTRUSTED :
			   EVTLOG_CPU_CLOCKS_DISAGREE;
	clocks_close(clocks);
	if (!summary->violations)
		return;
	summary->constant = false;
	for (unsigned int i = 1; i < clocks->slots; i++) {
		clocks->low_ns[i] = INT64_MIN;
		clocks->high_ns[i] = INT64_MAX;
	}
}

int evtlog_cpu_clocks_finish(struct evtlog_cpu_clocks *clocks)
{
	judge(clocks);
	return clocks->summary.violations ? clocks_guess(clocks) : 0;
}

const struct evtlog_cpu_clocks_summary *
evtlog_cpu_clocks_summary(const struct evtlog_cpu_clocks *clocks)
{
	return &clocks->summary;
}

bool evtlog_cpu_clocks_offset(const struct evtlog_cpu_clocks *clocks, unsigned int number,
			      struct evtlog_cpu_offset *offset)
{
	unsigned int slot = number + 1;

	if (slot >= clocks->slots)
		return false;
	*offset = (struct evtlog_cpu_offset) {
		.cpu = evtlog_cpu_number(clocks->file, slot),
		.other = evtlog_cpu_number(clocks->file, 0),
		.low_ns = clocks->low_ns[slot],
		.high_ns = clocks->high_ns[slot],
		.wrong = clocks->low_ns[slot] > 0 || clocks->high_ns[slot] < 0,
	};
	return true;
}

/* ---- Begin and end ---- */

int evtlog_cpu_clocks_new(struct evtlog_file *file, struct evtlog_cpu_clocks **clocksp)
{
	unsigned int count = evtlog_cpu_count(file), slots = count < SLOTS_MAX ? count : SLOTS_MAX;
	struct evtlog_cpu_clocks *clocks = calloc(1, sizeof(*clocks));

	*clocksp = NULL;
	if (!clocks)
		return -ENOMEM;
	clocks->file = file;
	clocks->no_switches = evtlog_recorded(file, EVTLOG_SCHED_SWITCH) == EVTLOG_RECORDED_OFF;
	clocks->no_wakings = evtlog_recorded(file, EVTLOG_SCHED_WAKING) == EVTLOG_RECORDED_OFF;
	clocks->slots = slots;
	clocks->cpu = calloc(slots + 1, sizeof(*clocks->cpu));
	clocks->pairs = calloc(slots + 1, sizeof(*clocks->pairs));
	clocks->low_ns = calloc(slots + 1, sizeof(*clocks->low_ns));
	clocks->high_ns = calloc(slots + 1, sizeof(*clocks->high_ns));
	if (!clocks->cpu || !clocks->pairs || !clocks->low_ns || !clocks->high_ns) {
		evtlog_cpu_clocks_free(clocks);
		return -ENOMEM;
	}
	/* If each CPU has its own clock, ticks of different CPUs are not comparable. */
	if (file->clock_count == 1 && evtlog_ticks_hz(file)) {
		clock_rate(1000000000, evtlog_ticks_hz(file), &clocks->mult, &clocks->shift);
		clocks->base_ticks = file->block_count ? file->blocks[0].begin_ticks : 0;
	}
	*clocksp = clocks;
	return 0;
}

void evtlog_cpu_clocks_free(struct evtlog_cpu_clocks *clocks)
{
	if (!clocks)
		return;
	for (unsigned int i = 0; clocks->pairs && i < clocks->slots; i++)
		free(clocks->pairs[i]);
	free(clocks->pairs);
	key_table_free(&clocks->by_pid);
	free(clocks->tasks);
	free(clocks->cpu);
	free(clocks->ahead_ns);
	free(clocks->low_ns);
	free(clocks->high_ns);
	free(clocks);
}

int evtlog_cpu_clocks_read(struct evtlog_file *file, uint64_t events_max,
			   struct evtlog_cpu_clocks **clocksp)
{
	struct evtlog_cpu_merge *merge = NULL;
	const struct evtlog_event *event;
	int result = evtlog_cpu_clocks_new(file, clocksp);

	if (!result)
		result = evtlog_cpu_merge_new(file, &merge);
	while (!result && events_max-- && (result = evtlog_cpu_merge_next(merge, &event)) > 0)
		result = evtlog_cpu_clocks_event(*clocksp, event);
	evtlog_cpu_merge_free(merge);
	if (!result)
		judge(*clocksp);
	if (result) {
		evtlog_cpu_clocks_free(*clocksp);
		*clocksp = NULL;
	}
	return result;
}
