/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thread's tree of regions.
 *
 * Written by its thread alone, without a lock.  Threads are in a list that only grows, and so are
 * the regions within a region: what writes a file goes through them meanwhile.
 */
#ifndef EVTLOG_LIB_REGION_THREAD_H
#define EVTLOG_LIB_REGION_THREAD_H

#include "lib/region/clock.h"
#include "lib/region/trace.h"

#define REGION_NODES_MAX	8192	/* of a thread */
#define REGION_DEPTH_MAX	256
#define REGION_NAME_MAX		400	/* a longer one is cut */

/*
 * struct region_node - a region, within others
 * @key:	its name's address, or its function's
 * @name:	a copy; of a function NULL
 * @first, @next: the newest region within it; the next older one beside it: neither moves
 * @recent:	the region within it that began last
 * @follower:	what began after it last time, beside it
 * @start:	in ticks, while it is open
 * @sums:	of its own time
 * @trace_number: in the thread's trace; 0: none yet.  @is_named: its function's name is there, too
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
 * @root:	what is in no region
 * @top:	the innermost region
 * @depth:	of @top; beyond REGION_DEPTH_MAX, or without memory, @skipped are open
 * @is_named:	@comm is of region_thread_name()
 * @mark:	clock.now at region_mark(), so long as nothing was charged since; 0: none.  @mark_time:
 *	as the trace tells it
 * @busy:	it is in this library: a signal handler must not be
 * @process:	the process it was in, by number: a child is another one; or REGION_PROCESS_ENDS
 * @missed:	regions that have no time of their own, for want of room
 * @unmatched:	ends without a begin
 * @is_traced:	as trace.is_on; @is_special: that or @skipped, in one look
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

/** region_begin() - the calling thread begins a region */
void region_begin(const void *key, bool is_function);

/** region_end() - the calling thread ends one; NULL: the innermost */
void region_end(const void *key, bool is_function);

/** region_mark() - region_since_mark() may make a region of what is from now on */
void region_mark(void);

/** region_since_mark() - makes it, if the thread began and ended nothing since */
void region_since_mark(const char *name);

/** region_thread_name() - of the calling thread, in place of the kernel's */
void region_thread_name(const char *name);

/**
 * region_thread_hold() - regions of signal handlers of the calling thread are not counted until
 * region_thread_release()
 *
 * Return: for that one.
 */
bool region_thread_hold(void);
void region_thread_release(bool was_held);

/**
 * region_thread_end_others() - other threads count no regions any more, until the process ends
 *
 * So the sums of a thread that runs are those of one moment, its last begin or end of a region.  Returns
 * when no other thread is in this library, or after REGION_TRIES in all.
 */
void region_thread_end_others(void);

/** region_charge() - all time until now, of the calling thread */
void region_charge(void);

#endif /* EVTLOG_LIB_REGION_THREAD_H */
