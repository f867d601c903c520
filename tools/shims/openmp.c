// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libevtlog-openmp.so: parallel regions, work, barriers and waits of OpenMP are regions.
 *
 * Preload it, or name it in OMP_TOOL_LIBRARIES.  The runtime calls it by OMPT: clang's does,
 * gcc's does not.  A worker's parallel region ends when it gets the next one, or the program ends:
 * what is between is in its implicit barrier.
 */
#include <omp-tools.h>
#include <stddef.h>

#include <evtlog/region.h>

static void mark(ompt_scope_endpoint_t endpoint, const char *name)
{
	if (endpoint == ompt_scope_begin)
		evtlog_region_begin(name);
	else if (endpoint == ompt_scope_end)
		evtlog_region_end(name);
}

#define PARALLEL	"OpenMP parallel"

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
			   unsigned int threads, int flags, const void *site)
{
	evtlog_region_begin(PARALLEL);
}

static void parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *site)
{
	evtlog_region_end(PARALLEL);
}

/* The first thread is in its region by parallel_begin(). */
static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
			  unsigned int threads, unsigned int index, int flags)
{
	if (!(flags & ompt_task_initial) && index)
		mark(endpoint, PARALLEL);
}

static const char *work_name(ompt_work_t type)
{
	switch (type) {
	case ompt_work_loop:
		return "OpenMP loop";
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
	default:
		return "OpenMP work";
	}
}

static void work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
		 ompt_data_t *task, uint64_t count, const void *site)
{
	mark(endpoint, work_name(type));
}

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

/* NULL: of a lock, where some waits have no end: tries that fail, nested ones taken again. */
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
}

static void mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *site)
{
	const char *name = mutex_name(kind);

	if (name)
		evtlog_region_end(name);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	if (!set)
		return 0;
	set(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin);
	set(ompt_callback_parallel_end, (ompt_callback_t)parallel_end);
	set(ompt_callback_implicit_task, (ompt_callback_t)implicit_task);
	set(ompt_callback_work, (ompt_callback_t)work);
	set(ompt_callback_sync_region, (ompt_callback_t)sync_region);
	set(ompt_callback_mutex_acquire, (ompt_callback_t)mutex_acquire);
	set(ompt_callback_mutex_acquired, (ompt_callback_t)mutex_acquired);
	return 1;
}

static void finalize(ompt_data_t *tool)
{
}

/* The runtime looks for this name. */
ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime);

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime)
{
	static ompt_start_tool_result_t result = {
		.initialize = initialize, .finalize = finalize,
	};

	return &result;
}
