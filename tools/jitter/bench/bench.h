/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The benchmark: a thread on each CPU that notes when it was kept from its work.
 *
 * It knows of the log but its position.
 */
#ifndef EVTLOG_JITTER_BENCH_BENCH_H
#define EVTLOG_JITTER_BENCH_BENCH_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <evtlog/jitter.h>

#include "cpus.h"
#include "tsc.h"

/*
 * @length_ns:	of a quantum or a piece of work; LOOP: unused
 * @rt_priority: SCHED_FIFO; 0: as any task
 */
struct bench_options {
	enum evtlog_samples_method method;
	uint64_t duration_ns;
	uint64_t threshold_ns;
	uint64_t length_ns;
	unsigned int rt_priority;
};

struct bench;

/*
 * One thread, on cache lines of its own while it runs.
 * @span_ticks:	of the window; @length_ticks: of a quantum or piece
 * @units:	of work in a piece
 * @samples, @capacity: room for so many, locked and touched
 * @result:	with the number of samples
 * @position_fd: of its CPU's log; -1: nothing is recorded
 * @error:	why it did not begin; then @failed says in what
 */
struct bench_thread {
	struct bench *bench;
	pthread_t thread;
	uint64_t span_ticks;
	uint64_t length_ticks;
	uint64_t units;
	struct evtlog_sample *samples;
	uint64_t capacity;
	struct evtlog_samples_thread result;
	int position_fd;
	int error;
	const char *failed;
} __attribute__((aligned(128)));

/*
 * @prepare:	in its place, before the window: what result.base_ticks and others are
 * @run:	the window
 * @finish:	behind it, for what is known only then; NULL
 */
struct bench_method {
	int (*prepare)(struct bench_thread *thread);
	void (*run)(struct bench_thread *thread);
	void (*finish)(struct bench_thread *thread);
};

extern const struct bench_method bench_detour;
extern const struct bench_method bench_fwq;
extern const struct bench_method bench_ftq;

enum bench_gate { BENCH_CLOSED, BENCH_GO, BENCH_CANCELLED };

/*
 * @started:	threads made and not joined
 * @waiting:	of them, calibrated and at the gate
 * @lock:	guards @waiting and @gate
 * @stop:	read now and then by all threads
 * @told:	why a CPU can't be measured; once is enough
 * @begin_ticks: when all begin
 * @done:	readable when the last is done
 */
struct bench {
	const struct bench_options *options;
	const struct bench_method *method;
	uint64_t hz;
	struct bench_thread *threads;
	uint32_t count;
	uint32_t started;
	uint32_t waiting;
	enum bench_gate gate;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	volatile bool stop;
	atomic_bool told;
	uint64_t begin_ticks;
	atomic_uint running;
	int done;
};

/* Whether a loop that takes @base_ticks can tell noise above @threshold_ticks. */
#define BENCH_PERIODS	4

/*
 * bench_start() - make the threads, each calibrated in its place and waiting
 * @logged:	note where the log stands
 *
 * Says what is wrong.  Returns 0 or -errno; bench_end() in any case.
 */
int bench_start(struct bench *bench, const struct bench_options *options,
		const struct cpus *cpus, bool logged);

/* Lets them go; they begin together. */
void bench_go(struct bench *bench);

/*
 * bench_wait() - sleep until they are done, or a signal came, which ends them
 * @on_second:	NULL, or called about once a second
 *
 * Returns 0; why a thread failed, said; -EINTR if a signal ended it early.
 */
int bench_wait(struct bench *bench, void (*on_second)(void *arg), void *arg);

/* Ends threads that still wait, and gives back what there is. */
void bench_end(struct bench *bench);

#endif /* EVTLOG_JITTER_BENCH_BENCH_H */
