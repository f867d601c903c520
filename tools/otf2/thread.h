/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The states of a program's thread in the kernel, as a second location of the thread.
 *
 * Stage: schedule.c and passes.c call it after each change of a task; location.h writes.
 */
#ifndef EVTLOG_OTF2_THREAD_H
#define EVTLOG_OTF2_THREAD_H

#include "host.h"

/*
 * @of:		index of the program's location
 * @seen:	the log has the thread
 * @exited:	it exits, or has exited
 * @ended:	another thread has its number now
 * @twin:	another location has the same thread number, and shows the states
 * @location:	in the same group as the program's location
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

/* Call it before the first event of a host.  Returns 0 or -ENOMEM. */
int threads_begin(struct host *host, size_t number);

/* Frees the locations, also after an error. */
void threads_free(struct host *host);

/* Begin and end of the wanted part */
void threads_open(struct host *host, uint64_t time_ns);
void threads_close(struct host *host, uint64_t time_ns);

void thread_show_slow(struct host *host, struct thread *thread, uint64_t time_ns);

/* Returns NULL if no program has this thread. */
static inline struct thread *thread_of(struct host *host, uint32_t pid)
{
	uint32_t number = pid < REPLAY_PIDS && host->thread_of_pid ? host->thread_of_pid[pid] : 0;

	return number ? &host->threads[number - 1] : NULL;
}

/* Call it if the thread may be in another state, or on another CPU. */
static inline void thread_show(struct host *host, uint32_t pid, uint64_t time_ns)
{
	struct thread *thread = thread_of(host, pid);

	if (thread && !thread->ended && (thread->exited || replay_find(&host->replay, pid)))
		thread_show_slow(host, thread, time_ns);
}

/* From now on, another thread has the number. */
void thread_end_slow(struct host *host, struct thread *thread, uint64_t time_ns);

/* The thread is forked, or exits. */
static inline void thread_lives(struct host *host, uint32_t pid, uint64_t time_ns, bool lives)
{
	struct thread *thread = thread_of(host, pid);

	if (!thread)
		return;
	if (lives && thread->exited && !thread->ended)
		thread_end_slow(host, thread, time_ns);
	thread->exited |= !lives;
}

/* Defines the location, after its events are written. */
void thread_define(const struct thread *thread, struct archive *archive);

/* Shows an unknown state for all threads that the last pass saw on a CPU. */
void threads_forget(struct host *host, uint32_t cpu, uint64_t time_ns);

#endif /* EVTLOG_OTF2_THREAD_H */
