/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thread's tree of regions.
 *
 * Only the thread itself writes it, without a lock.  The list of threads and the lists of regions
 * only grow, so the writer of a file can walk them at the same time.
 */
#ifndef EVTLOG_LIB_REGION_THREAD_H
#define EVTLOG_LIB_REGION_THREAD_H

#include "lib/region/clock.h"
#include "lib/region/trace.h"

#define REGION_NODES_MAX	8192	/* of a thread */
#define REGION_DEPTH_MAX	256
#define REGION_NAME_MAX		400	/* longer names are truncated */

/*
 * struct region_node - a region
 * @key:	address of its name, or of its function
 * @name:	a copy; NULL for a function
 * @first, @next: newest inner region; next older sibling.  Neither moves
 * @recent:	inner region that began last
 * @follower:	sibling that began after it last time
 * @start:	in ticks, while it is open
 * @sums:	of its own time
 * @trace_number: number in the thread's trace; 0: none.  @is_named: its function's name is there
 */
struct region_node {
	const void *key;
	const char *name;
	uint32_t trace_number;
	bool is_named;
	bool is_function, is_open;
	struct region_node *parent, *first, *next, *recent, *follower;
	uint64_t start, count, inclusive, largest;
	struct region_sums sums;
};

/*
 * struct region_thread - a thread
 * @root:	root of the tree: time outside of all regions
 * @top:	innermost region
 * @depth:	of @top; @skipped more regions are open, beyond REGION_DEPTH_MAX or memory
 * @is_named:	@comm was set by region_thread_name()
 * @mark:	clock.now at region_mark(), until time is charged; 0: none.  @mark_time: for the
 *		trace
 * @busy:	the thread is in this library: signal handlers must not enter it
 * @process:	number of its process, which changes in a child; or REGION_PROCESS_ENDS
 * @missed:	regions without their own time, because there was no space
 * @unmatched:	ends without a begin
 * @is_traced:	same as trace.is_on; @is_special: this or @skipped, in one test
 * @trace:	its regions in time
 * @free, @free_end: memory for nodes from the front, for names from the end
 */
struct region_thread {
	struct region_thread *next;
	struct region_clock clock;
	int pid, tid;
	char comm[16];
	volatile bool busy;
	bool has_ended, is_named;
	uint32_t process;
	unsigned int depth, nr_nodes;
	union {
		struct {
			uint32_t skipped, is_traced;
		};
		uint64_t is_special;
	};
	uint64_t born, end, mark, mark_time, missed, unmatched;
	struct region_node *top, *free;
	char *free_end;
	struct region_trace trace;
	struct region_node root;
};

/** region_begin() - begin a region in the calling thread */
void region_begin(const void *key, bool is_function);

/** region_end() - end a region in the calling thread; NULL: the innermost one */
void region_end(const void *key, bool is_function);

/** region_mark() - mark the time for region_since_mark() */
void region_mark(void);

/** region_since_mark() - make a region from the mark to now, unless another began or ended since */
void region_since_mark(const char *name);

/** region_thread_name() - set the name of the calling thread, instead of the kernel's name */
void region_thread_name(const char *name);

/**
 * region_thread_hold() - ignore regions of the calling thread's signal handlers, until
 * region_thread_release()
 *
 * Return: argument for region_thread_release().
 */
bool region_thread_hold(void);
void region_thread_release(bool was_held);

/**
 * region_thread_end_others() - stop counting regions in other threads, until the process ends
 *
 * The sums of a running thread are then of one time, its last begin or end of a region.  Returns
 * when no other thread is in this library, or after REGION_TRIES tries in total.
 */
void region_thread_end_others(void);

/** region_charge() - charge the time until now in the calling thread */
void region_charge(void);

#endif /* EVTLOG_LIB_REGION_THREAD_H */
