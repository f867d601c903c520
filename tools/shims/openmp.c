// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libevtlog-openmp.so: OpenMP's constructs, tasks and waits are regions.
 *
 * Preload it, or name it in OMP_TOOL_LIBRARIES.  The runtime calls it through OMPT: clang's
 * runtime does, gcc's does not.  A worker's parallel region ends when the worker gets the next
 * region, or when the program ends.  The time in between is in its implicit barrier.
 *
 * A thread runs a task on top of the task that it has suspended, and returns to that one later:
 * its regions nest like its stack.
 */
#include <omp-tools.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <evtlog/region.h>

#define PARALLEL	"OpenMP parallel"
#define TEAMS		"OpenMP teams"

/* More than the regions of a thread can be nested; deeper regions are counted there. */
#define TASKS_MAX	1024

/* Flag in a task's data, added to the address. */
#define EXPLICIT	1

/* Used by newer runtimes, but not in the header of LLVM 14. */
enum { WORK_SCOPE = 8, WORK_LOOP_STATIC = 10, WORK_LOOP_DYNAMIC, WORK_LOOP_GUIDED, WORK_LOOP_OTHER };

/*
 * struct tasks - implicit and explicit tasks that the thread is in, the innermost last
 * @task:	from the task's data: its address when this library stored it, and EXPLICIT.  The
 *		runtime may copy the data
 * @region:	NULL if the task has no region
 */
struct tasks {
	unsigned int count;
	struct {
		uint64_t task;
		const char *region;
	} at[TASKS_MAX];
};

/* NULL until the first task.  Not thread-local: that would reduce the stack, which may be small. */
static __thread struct tasks *tasks;
static const char explicit_task[] = "OpenMP task";
static unsigned int nr_workers;

static void mark(ompt_scope_endpoint_t endpoint, const char *name)
{
	if (endpoint == ompt_scope_begin)
		evtlog_region_begin(name);
	else if (endpoint == ompt_scope_end)
		evtlog_region_end(name);
}

/* ---- Tasks ---- */

/* If there is no room, the task's time belongs to the region around it. */
static void enter_task(const ompt_data_t *task, const char *region)
{
	if (!tasks)
		tasks = calloc(1, sizeof(*tasks));
	if (!tasks || tasks->count == TASKS_MAX)
		return;
	tasks->at[tasks->count].task = task->value;
	tasks->at[tasks->count++].region = region;
	if (region)
		evtlog_region_begin(region);
}

static void leave_tasks(unsigned int count)
{
	while (tasks && tasks->count > count)
		if (tasks->at[--tasks->count].region)
			evtlog_region_end(tasks->at[tasks->count].region);
}

/* Returns the number of tasks up to and including @task, 0 if the thread is not in it. */
static unsigned int find_task(const ompt_data_t *task)
{
	unsigned int count = tasks ? tasks->count : 0;

	while (count && tasks->at[count - 1].task != task->value)
		count--;
	return count;
}

static void task_create(ompt_data_t *outer, const ompt_frame_t *frame, ompt_data_t *task, int flags,
			int has_dependences, const void *site)
{
	if (flags & ompt_task_explicit)
		task->value = (uintptr_t)task | EXPLICIT;
}

/*
 * An untied task may continue on another thread before this callback runs for the thread that
 * left the task.  So each thread uses only its own list.
 */
static void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	unsigned int count;

	if (status == ompt_task_complete || status == ompt_task_cancel || status == ompt_task_detach) {
		count = find_task(prior);
		if (count && tasks->at[count - 1].region == explicit_task)
			leave_tasks(count - 1);
	}
	/* These only report that a task can continue or is complete. */
	if (!next || status == ompt_task_early_fulfill || status == ompt_task_late_fulfill)
		return;
	count = find_task(next);
	if (count)
		leave_tasks(count);
	else if (next->value & EXPLICIT)
		enter_task(next, explicit_task);
}

/* None for the first thread, in parallel_begin()'s region, and for the process's initial task. */
static const char *implicit_region(unsigned int threads, unsigned int index, int flags)
{
	if (flags & ompt_task_initial)
		return index && threads > 1 ? TEAMS : NULL;
	return index ? PARALLEL : NULL;
}

static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
			  unsigned int threads, unsigned int index, int flags)
{
	unsigned int count;

	if (endpoint == ompt_scope_begin)
		task->value = (uintptr_t)task;
	count = find_task(task);
	if (count)
		leave_tasks(count - 1);
	if (endpoint == ompt_scope_begin)
		enter_task(task, implicit_region(threads, index, flags));
}

/* ---- Threads and constructs ---- */

/* Otherwise a worker has the name of the thread that created it. */
static void thread_begin(ompt_thread_t type, ompt_data_t *thread)
{
	char name[16];

	if (type != ompt_thread_worker)
		return;
	snprintf(name, sizeof(name), "OMP worker %u",
		 __atomic_add_fetch(&nr_workers, 1, __ATOMIC_RELAXED) % 10000);
	evtlog_region_thread(name);
}

static void thread_end(ompt_data_t *thread)
{
	leave_tasks(0);
	free(tasks);
	tasks = NULL;
}

static const char *parallel_name(int flags)
{
	return flags & ompt_parallel_league ? TEAMS : PARALLEL;
}

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
			   unsigned int threads, int flags, const void *site)
{
	evtlog_region_begin(parallel_name(flags));
}

static void parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *site)
{
	evtlog_region_end(parallel_name(flags));
}

static const char *work_name(int type)
{
	switch (type) {
	case ompt_work_loop:
		return "OpenMP loop";
	case WORK_LOOP_STATIC:
		return "OpenMP loop static";
	case WORK_LOOP_DYNAMIC:
		return "OpenMP loop dynamic";
	case WORK_LOOP_GUIDED:
		return "OpenMP loop guided";
	case WORK_LOOP_OTHER:
		return "OpenMP loop of another schedule";
	case ompt_work_sections:
		return "OpenMP sections";
	case ompt_work_single_executor:
		return "OpenMP single";
	case ompt_work_single_other:
		return "OpenMP single of another";
	case ompt_work_workshare:
		return "OpenMP workshare";
	case ompt_work_distribute:
		return "OpenMP distribute";
	case ompt_work_taskloop:
		return "OpenMP taskloop";
	case WORK_SCOPE:
		return "OpenMP scope";
	default:
		return "OpenMP work";
	}
}

static void work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
		 ompt_data_t *task, uint64_t count, const void *site)
{
	mark(endpoint, work_name(type));
}

static void masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
		   const void *site)
{
	mark(endpoint, "OpenMP masked");
}

/* Not for deferred ones: they may begin and end on different threads. */
static void target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
		   ompt_id_t id, const void *site)
{
	if (kind == ompt_target)
		mark(endpoint, "OpenMP target");
	else if (kind < ompt_target_nowait)
		mark(endpoint, "OpenMP target data");
}

/* ---- Waits ---- */

static const char *sync_name(ompt_sync_region_t kind)
{
	switch (kind) {
	case ompt_sync_region_barrier_explicit:
		return "OpenMP barrier";
	case ompt_sync_region_taskwait:
		return "OpenMP taskwait";
	case ompt_sync_region_taskgroup:
		return "OpenMP taskgroup";
	case ompt_sync_region_reduction:
		return "OpenMP reduction";
	default:
		return "OpenMP implicit barrier";
	}
}

static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
			ompt_data_t *parallel, ompt_data_t *task, const void *site)
{
	mark(endpoint, sync_name(kind));
}

static const char *wait_name(ompt_sync_region_t kind)
{
	switch (kind) {
	case ompt_sync_region_barrier_explicit:
		return "OpenMP wait in barrier";
	case ompt_sync_region_taskwait:
		return "OpenMP wait in taskwait";
	case ompt_sync_region_taskgroup:
		return "OpenMP wait in taskgroup";
	default:
		return "OpenMP wait in implicit barrier";
	}
}

static void sync_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
		      ompt_data_t *parallel, ompt_data_t *task, const void *site)
{
	mark(endpoint, wait_name(kind));
}

/* NULL for locks: the wait of a test that fails has no end. */
static const char *mutex_name(ompt_mutex_t kind)
{
	switch (kind) {
	case ompt_mutex_critical:
		return "OpenMP wait for critical";
	case ompt_mutex_atomic:
		return "OpenMP wait for atomic";
	case ompt_mutex_ordered:
		return "OpenMP wait for ordered";
	default:
		return NULL;
	}
}

static void mutex_acquire(ompt_mutex_t kind, unsigned int hint, unsigned int implementation,
			  ompt_wait_id_t id, const void *site)
{
	const char *name = mutex_name(kind);

	if (name)
		evtlog_region_begin(name);
	else
		evtlog_region_mark();
}

static void mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *site)
{
	const char *name = mutex_name(kind);

	if (name)
		evtlog_region_end(name);
	else if (kind == ompt_mutex_nest_lock || kind == ompt_mutex_test_nest_lock)
		evtlog_region_since_mark("OpenMP wait for nested lock");
	else
		evtlog_region_since_mark("OpenMP wait for lock");
}

/* The thread already holds the lock. */
static void nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void *site)
{
	if (endpoint == ompt_scope_begin)
		evtlog_region_since_mark("OpenMP wait for nested lock");
}

/* ---- The tool ---- */

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	if (!set)
		return 0;
	set(ompt_callback_thread_begin, (ompt_callback_t)thread_begin);
	set(ompt_callback_thread_end, (ompt_callback_t)thread_end);
	set(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin);
	set(ompt_callback_parallel_end, (ompt_callback_t)parallel_end);
	set(ompt_callback_implicit_task, (ompt_callback_t)implicit_task);
	set(ompt_callback_task_create, (ompt_callback_t)task_create);
	set(ompt_callback_task_schedule, (ompt_callback_t)task_schedule);
	set(ompt_callback_work, (ompt_callback_t)work);
	set(ompt_callback_masked, (ompt_callback_t)masked);
	set(ompt_callback_target, (ompt_callback_t)target);
	set(ompt_callback_sync_region, (ompt_callback_t)sync_region);
	set(ompt_callback_sync_region_wait, (ompt_callback_t)sync_wait);
	set(ompt_callback_reduction, (ompt_callback_t)sync_region);
	set(ompt_callback_mutex_acquire, (ompt_callback_t)mutex_acquire);
	set(ompt_callback_mutex_acquired, (ompt_callback_t)mutex_acquired);
	set(ompt_callback_nest_lock, (ompt_callback_t)nest_lock);
	return 1;
}

static void finalize(ompt_data_t *tool)
{
}

/* The runtime looks up this name. */
ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime);

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime)
{
	static ompt_start_tool_result_t result = {
		.initialize = initialize, .finalize = finalize,
	};

	return &result;
}
