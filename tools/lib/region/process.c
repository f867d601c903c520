// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The threads of a process that have regions, and whether it is a new child.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "lib/region/process.h"
#include "lib/region/thread.h"

static struct region_thread *threads;
static unsigned int nr_threads;
static uint64_t threads_missed;

static uint32_t nr_processes;
static pid_t pid;

/* Whole pages, of which the kernel forgets what is in them. */
__attribute__((aligned(4096))) union region_process_page region_process;

void *region_memory(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

void region_process_set_up(void)
{
	/* Without it pthread_atfork() alone tells. */
	madvise(&region_process, sizeof(region_process), MADV_WIPEONFORK);
}

void region_process_check(void)
{
	if (region_process.mark)
		return;
	threads = NULL;
	nr_threads = 0;
	threads_missed = 0;
	pid = getpid();
	region_process.mark = ++nr_processes;
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
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
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
