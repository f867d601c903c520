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
 */
struct thread {
	uint32_t tid;
	size_t host;
	size_t of;
	bool seen;
	struct location location;
};

/* The threads of a host, before its first event. */
void threads_begin(struct host *host, size_t number);

/* Finds a task among the threads: called once for each. */
void thread_find(struct host *host, struct task *task);

/* The part that is wanted begins, and ends. */
void threads_open(struct host *host, uint64_t time_ns);
void threads_close(struct host *host, uint64_t time_ns);

/* It may be in another state, or on another CPU. */
void thread_show_slow(struct host *host, const struct task *task, uint64_t time_ns);

static inline void thread_show(struct host *host, const struct task *task, uint64_t time_ns)
{
	if (__builtin_expect(task && task->thread, 0))
		thread_show_slow(host, task, time_ns);
}

/* Of all that are on a CPU of which nothing is known any more, or which was stopped. */
void threads_forget(struct host *host, const struct cpu *cpu, uint64_t time_ns);

#endif /* EVTLOG_OTF2_THREAD_H */
