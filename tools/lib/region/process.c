// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The threads of a process that have regions, and the detection of new children.
 */
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "lib/region/process.h"
#include "lib/region/thread.h"

#define YIELDS		10
#define PAUSE_NS	100000

/* sched_yield() in a SCHED_FIFO thread returns at once if only ordinary threads wait. */
void region_wait(unsigned int try)
{
	static const struct timespec pause = { .tv_nsec = PAUSE_NS };

	if (try < YIELDS)
		sched_yield();
	else
		syscall(SYS_nanosleep, &pause, NULL);
}

static struct region_thread *threads;
static unsigned int nr_threads;
static uint64_t threads_missed;

static uint32_t nr_processes;
static pid_t pid;

/* Whole pages, because the kernel clears pages in a child. */
__attribute__((aligned(4096))) union region_process_page region_process;

void *region_memory(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

void region_process_set_up(void)
{
	/* If this fails, only pthread_atfork() detects children. */
	madvise(&region_process, sizeof(region_process), MADV_WIPEONFORK);
}

/* Mark while one thread handles a new child. */
#define MARK_COMES	UINT32_MAX

/*
 * Several threads can detect a new child at once, for example after clone().  One thread handles it
 * and the others wait: a second pass would lose the threads that were added to the list since.
 */
void region_process_check(void)
{
	uint32_t mark = __atomic_load_n(&region_process.mark, __ATOMIC_ACQUIRE);

	if (mark && mark != MARK_COMES)
		return;
	if (!mark && __atomic_compare_exchange_n(&region_process.mark, &mark, MARK_COMES, false,
						 __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
		threads = NULL;
		nr_threads = 0;
		threads_missed = 0;
		region_process.ends = false;
		pid = getpid();
		__atomic_store_n(&region_process.mark, ++nr_processes, __ATOMIC_RELEASE);
		return;
	}
	for (unsigned int try = 0; try < REGION_TRIES &&
	     __atomic_load_n(&region_process.mark, __ATOMIC_ACQUIRE) == MARK_COMES; try++)
		region_wait(try);
}

bool region_process_is_here(void)
{
	return getpid() == pid;
}

bool region_process_room(void)
{
	return __atomic_add_fetch(&nr_threads, 1, __ATOMIC_RELAXED) <= REGION_THREADS_MAX;
}

void region_process_missed(void)
{
	__atomic_sub_fetch(&nr_threads, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&threads_missed, 1, __ATOMIC_RELAXED);
}

void region_process_add(struct region_thread *thread)
{
	thread->process = region_process.mark;
	thread->next = __atomic_load_n(&threads, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&threads, &thread->next, thread, false,
					    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
	if (region_process.ends)
		thread->process = REGION_PROCESS_ENDS;
}

struct region_thread *region_process_threads(void)
{
	region_process_check();
	return __atomic_load_n(&threads, __ATOMIC_ACQUIRE);
}

uint64_t region_process_threads_missed(void)
{
	return __atomic_load_n(&threads_missed, __ATOMIC_RELAXED);
}
