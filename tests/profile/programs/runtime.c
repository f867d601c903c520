// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * runtime - calls libevtlog-openmp.so as an OpenMP runtime can and LLVM 14's does not: with direct
 * switches between tasks, schedules of loops, kinds of tries for locks, and targets. With an
 * argument: 300 nested tasks.
 */
#include <omp-tools.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <evtlog/region.h>

#define DEEP	300

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime);

static ompt_callback_t callbacks[64];

static ompt_set_result_t set_callback(ompt_callbacks_t which, ompt_callback_t callback)
{
	callbacks[which] = callback;
	return ompt_set_always;
}

static ompt_interface_fn_t lookup(const char *name)
{
	return strcmp(name, "ompt_set_callback") ? NULL : (ompt_interface_fn_t)set_callback;
}

static void create(ompt_data_t *task, int flags)
{
	ompt_callback_task_create_t call = (ompt_callback_task_create_t)callbacks[ompt_callback_task_create];

	task->ptr = NULL;
	call(NULL, NULL, task, flags, 0, NULL);
}

static void schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	ompt_callback_task_schedule_t call =
		(ompt_callback_task_schedule_t)callbacks[ompt_callback_task_schedule];

	call(prior, status, next);
}

static void implicit(ompt_scope_endpoint_t endpoint, ompt_data_t *task, unsigned int index)
{
	ompt_callback_implicit_task_t call =
		(ompt_callback_implicit_task_t)callbacks[ompt_callback_implicit_task];

	call(endpoint, NULL, task, 2, index, ompt_task_implicit);
}

static void in(const char *name)
{
	evtlog_region_begin(name);
	evtlog_region_end(name);
}

static ompt_data_t moved;

/* This thread gets the untied task before the other thread reports that it has left it. */
static void *steal(void *unused)
{
	ompt_data_t own = { 0 }, copy;
	ompt_callback_thread_begin_t begin =
		(ompt_callback_thread_begin_t)callbacks[ompt_callback_thread_begin];
	ompt_callback_thread_end_t end =
		(ompt_callback_thread_end_t)callbacks[ompt_callback_thread_end];

	begin(ompt_thread_worker, NULL);
	implicit(ompt_scope_begin, &own, 1);
	schedule(&own, ompt_task_switch, &moved);
	in("second part");
	schedule(&moved, ompt_task_complete, &own);
	in("behind it");
	/* The data may have moved. */
	copy = own;
	implicit(ompt_scope_end, &copy, 1);
	in("after all");
	end(NULL);
	return NULL;
}

static void run_tasks(ompt_data_t *own)
{
	ompt_data_t a = { 0 }, b = { 0 }, c = { 0 }, inner = { 0 };
	pthread_t thread;

	create(&a, ompt_task_explicit);
	create(&b, ompt_task_explicit);
	create(&c, ompt_task_explicit);
	/* A direct switch from a to b, which was not nested in a */
	schedule(own, ompt_task_switch, &a);
	in("a");
	schedule(&a, ompt_task_complete, &b);
	in("b");
	/* b is suspended for c, which contains other implicit tasks. */
	schedule(&b, ompt_task_switch, &c);
	implicit(ompt_scope_begin, &inner, 0);
	create(&a, ompt_task_explicit);
	schedule(&inner, ompt_task_switch, &a);
	schedule(&a, ompt_task_cancel, &inner);
	in("in c");
	implicit(ompt_scope_end, &inner, 0);
	/* Events that only describe a task do not move the thread. */
	schedule(&b, ompt_task_late_fulfill, NULL);
	schedule(&c, ompt_task_early_fulfill, &b);
	in("in c");
	schedule(&c, ompt_task_detach, &b);
	in("b");
	schedule(&b, ompt_task_complete, own);
	in("outside");
	create(&moved, ompt_task_explicit | ompt_task_untied);
	schedule(own, ompt_task_switch, &moved);
	in("first part");
	pthread_create(&thread, NULL, steal, NULL);
	pthread_join(thread, NULL);
	schedule(&moved, ompt_task_switch, own);
	in("outside");
	/* A wait for dependences is not a running task. */
	create(&a, ompt_task_taskwait | ompt_task_undeferred);
	schedule(&a, ompt_taskwait_complete, NULL);
	in("outside");
}

/* More tasks than a thread can be in: all are left again. */
static void run_deep(ompt_data_t *own)
{
	static ompt_data_t deep[DEEP];

	for (int i = 0; i < DEEP; i++) {
		create(&deep[i], ompt_task_explicit);
		schedule(i ? &deep[i - 1] : own, ompt_task_switch, &deep[i]);
	}
	for (int i = DEEP - 1; i >= 0; i--)
		schedule(&deep[i], ompt_task_complete, i ? &deep[i - 1] : own);
	in("outside");
}

static void work(int type)
{
	ompt_callback_work_t call = (ompt_callback_work_t)callbacks[ompt_callback_work];

	call(type, ompt_scope_begin, NULL, NULL, 1, NULL);
	call(type, ompt_scope_end, NULL, NULL, 1, NULL);
}

static void target(ompt_target_t kind)
{
	ompt_callback_target_t call = (ompt_callback_target_t)callbacks[ompt_callback_target];

	call(kind, ompt_scope_begin, 0, NULL, 1, NULL);
	call(kind, ompt_scope_end, 0, NULL, 1, NULL);
}

static void take(ompt_mutex_t kind, int is_taken)
{
	ompt_callback_mutex_acquire_t acquire =
		(ompt_callback_mutex_acquire_t)callbacks[ompt_callback_mutex_acquire];
	ompt_callback_mutex_t acquired = (ompt_callback_mutex_t)callbacks[ompt_callback_mutex_acquired];

	acquire(kind, 0, 0, 1, NULL);
	if (is_taken)
		acquired(kind, 1, NULL);
}

static void reduce(void)
{
	ompt_callback_sync_region_t call = (ompt_callback_sync_region_t)callbacks[ompt_callback_reduction];

	call(ompt_sync_region_reduction, ompt_scope_begin, NULL, NULL, NULL);
	call(ompt_sync_region_reduction, ompt_scope_end, NULL, NULL, NULL);
}

int main(int argc, char **argv)
{
	ompt_start_tool_result_t *tool = ompt_start_tool(202111, "a test");
	ompt_data_t own = { 0 };

	tool->initialize(lookup, 0, &tool->tool_data);
	implicit(ompt_scope_begin, &own, 0);
	if (argc > 1) {
		run_deep(&own);
		return 0;
	}
	run_tasks(&own);
	for (int type = 8; type <= 13; type++)
		work(type == 9 ? ompt_work_sections : type);
	target(ompt_target);
	target(ompt_target_update);
	target(ompt_target_nowait);
	take(ompt_mutex_test_lock, 0);
	take(ompt_mutex_test_lock, 1);
	take(ompt_mutex_test_nest_lock, 0);
	take(ompt_mutex_nest_lock, 1);
	reduce();
	implicit(ompt_scope_end, &own, 0);
	return 0;
}
