/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The threads of a process that have regions, and whether it is a new child.
 *
 * Nothing here takes a lock: signal handlers and new children use it.
 */
#ifndef EVTLOG_LIB_REGION_PROCESS_H
#define EVTLOG_LIB_REGION_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REGION_THREADS_MAX	16384
/* No process has this number: that of a thread that counts no regions any more. */
#define REGION_PROCESS_ENDS	(UINT32_MAX - 1)

struct region_thread;

/*
 * @mark:	a number of this process, and 0 in a new child, where region_process_check() sets another one
 * @ends:	region_thread_end_others() was called
 *
 * The kernel sets both to 0 for each way of making a child; pthread_atfork() knows one of them.
 */
union region_process_page {
	struct {
		volatile uint32_t mark;
		bool ends;
	};
	char bytes[4096];
};

extern union region_process_page region_process __attribute__((visibility("hidden")));

/** region_process_set_up() - when the library is loaded */
void region_process_set_up(void);

/** region_process_check() - if this is a new child, its parent's threads are not its own */
void region_process_check(void);

/** region_process_is_here() - false: the child of a vfork(), which has its parent's memory */
bool region_process_is_here(void);

/** region_process_room() - whether there may be one thread more; then it is counted */
bool region_process_room(void);

/** region_process_missed() - a thread that region_process_room() was called for has no tree */
void region_process_missed(void);

/** region_process_add() - puts it into the list, for ever */
void region_process_add(struct region_thread *thread);

/** region_process_threads() - the last one that began */
struct region_thread *region_process_threads(void);

/** region_process_threads_missed() - threads that are not in the list, for want of room */
uint64_t region_process_threads_missed(void);

/** region_memory() - zeroed, for ever: not of malloc(), which a signal may have interrupted */
void *region_memory(size_t bytes);

/* Tries of a thread that must not wait for ever: the other one may be this one, below a signal. 0.1 s. */
#define REGION_TRIES	1000

/**
 * region_wait() - between two tries, the first of which is number 0
 *
 * Sleeps after some: the other thread may need this CPU, and have less right to it.  It may be called
 * wherever the program is, is no cancellation point, and changes errno.
 */
void region_wait(unsigned int try);

#endif /* EVTLOG_LIB_REGION_PROCESS_H */
