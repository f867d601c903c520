/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel did with a thread of a program, as a location beside the program's own.
 */
#ifndef EVTLOG_OTF2_THREAD_H
#define EVTLOG_OTF2_THREAD_H

#include "host.h"

/*
 * @location:	in the group of the program's location
 * @of:		index of that location
 * @seen:	the log has it
 * @exited:	it runs for the last time, or has
 * @ended:	another has its number since
 * @twin:	another location has the same number, and what the kernel did
 */
struct thread {
	uint32_t tid;
	size_t host;
	size_t of;
	bool seen;
	bool exited;
	bool ended;
	bool twin;
	struct location location;
};

/* The threads of a host, before its first event.  0 or -ENOMEM. */
int threads_begin(struct host *host, size_t number);

/* What is left of their locations after an error. */
void threads_free(struct host *host);

/* The part that is wanted begins, and ends. */
void threads_open(struct host *host, uint64_t time_ns);
void threads_close(struct host *host, uint64_t time_ns);

void thread_show_slow(struct host *host, struct thread *thread, uint64_t time_ns);

/* NULL: the program has no such thread. */
static inline struct thread *thread_of(struct host *host, uint32_t pid)
{
	uint32_t number = pid < RUNQUEUE_PIDS && host->thread_of_pid ? host->thread_of_pid[pid] : 0;

	return number ? &host->threads[number - 1] : NULL;
}

/* It may be in another state, or on another CPU. */
static inline void thread_show(struct host *host, uint32_t pid, uint64_t time_ns)
{
	struct thread *thread = thread_of(host, pid);

	if (thread && !thread->ended && host->queues.by_pid[pid])
		thread_show_slow(host, thread, time_ns);
}

/* Another thread has its number from now on. */
void thread_end_slow(struct host *host, struct thread *thread, uint64_t time_ns);

/* It is forked, or exits. */
static inline void thread_lives(struct host *host, uint32_t pid, uint64_t time_ns, bool lives)
{
	struct thread *thread = thread_of(host, pid);

	if (!thread)
		return;
	if (lives && thread->exited && !thread->ended)
		thread_end_slow(host, thread, time_ns);
	thread->exited |= !lives;
}

/* Its location, once its events are written */
void thread_define(const struct thread *thread, struct archive *archive);

/* Of all that are on a CPU of which nothing is known any more, or which was stopped. */
void threads_forget(struct host *host, uint32_t cpu, uint64_t time_ns);

#endif /* EVTLOG_OTF2_THREAD_H */
