/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The threads of a process that have regions, and the detection of new children.
 *
 * No locks are used, because signal handlers and new children call these functions.
 */
#ifndef EVTLOG_LIB_REGION_PROCESS_H
#define EVTLOG_LIB_REGION_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REGION_THREADS_MAX	16384
/* Not a number of a process: @process of threads that do not count regions any more. */
#define REGION_PROCESS_ENDS	(UINT32_MAX - 1)

struct region_thread;

/*
 * @mark:	number of this process; 0 in a new child, until region_process_check() sets one
 * @ends:	region_thread_end_others() was called
 *
 * The kernel sets both to 0 in every new child.  pthread_atfork() covers only fork().
 */
union region_process_page {
	struct {
		volatile uint32_t mark;
		bool ends;
	};
	char bytes[4096];
};

extern union region_process_page region_process __attribute__((visibility("hidden")));

/** region_process_set_up() - call this when the library is loaded */
void region_process_set_up(void);

/** region_process_check() - in a new child, forget the threads of the parent */
void region_process_check(void);

/** region_process_is_here() - returns false in the child of a vfork(), which shares memory */
bool region_process_is_here(void);

/** region_process_room() - count one more thread; returns false if there are too many */
bool region_process_room(void);

/** region_process_missed() - a thread counted by region_process_room() has no tree */
void region_process_missed(void);

/** region_process_add() - add a thread to the list permanently */
void region_process_add(struct region_thread *thread);

/** region_process_threads() - get the newest thread */
struct region_thread *region_process_threads(void);

/** region_process_threads_missed() - number of threads that did not fit into the list */
uint64_t region_process_threads_missed(void);

/** region_memory() - allocate zeroed memory with mmap(); safe in signal handlers */
void *region_memory(size_t bytes);

/* Limit of tries (0.1 s): a signal handler could wait for its own thread. */
#define REGION_TRIES	1000

/**
 * region_wait() - wait between two tries; the first is number 0
 *
 * Sleeps after some tries: the other thread may need this CPU and have a lower priority.  It can be
 * called anywhere in a program, is not a cancellation point, and changes errno.
 */
void region_wait(unsigned int try);

#endif /* EVTLOG_LIB_REGION_PROCESS_H */
