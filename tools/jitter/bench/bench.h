/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The benchmark: a thread on each CPU records when it was interrupted.
 *
 * It uses only the position of the log.
 */
#ifndef EVTLOG_JITTER_BENCH_BENCH_H
#define EVTLOG_JITTER_BENCH_BENCH_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/jitter.h>

/* ---- The tick counter, which the benchmark and the kernel's log both read ---- */

/*
 * No fence, which would take longer than the read itself. None is needed: at an interrupt, all
 * earlier instructions are complete and no later one has started, and IRET lets none start early.
 * A read before an interruption is less than the kernel's timestamp at its start; a read after it
 * is greater than the timestamp at its end.
 */
static inline uint64_t ticks_now(void)
{
	uint32_t low, high;

	asm volatile("rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return (uint64_t)high << 32 | low;
}

/* The tick counter and CLOCK_MONOTONIC_RAW at the same instant. */
struct ticks_at {
	uint64_t ticks;
	uint64_t raw_ns;
};

/* The most precise of several attempts. */
struct ticks_at ticks_at_now(void);

/* Ticks per second between two readings; 0 if no time is between them. */
uint64_t ticks_hz(const struct ticks_at *from, const struct ticks_at *to);

/* The same, measured for 50 ms: accurate to some 10 ppm, for lengths needed in advance. */
uint64_t ticks_hz_now(void);

/* @ns in ticks, rounded. */
uint64_t ticks_of_ns(uint64_t ns, uint64_t hz);

/* ---- The CPUs that are measured, and those for other work ---- */

#define CPUS_LIST_BYTES	1024

/*
 * @cpus:	measured CPUs, ascending
 * @others:	other CPUs on which this process may run; may be empty
 */
struct cpus {
	uint32_t *cpus;
	uint32_t count;
	cpu_set_t others;
};

/*
 * @list:	such as 0-3,5; NULL: all online CPUs that this process may use
 *
 * Prints errors. Returns an exit status; if it is EXIT_OK, the caller calls cpus_free().
 */
int cpus_choose(struct cpus *cpus, const char *list);
void cpus_free(struct cpus *cpus);

/*
 * cpus_stolen_ms() - time since boot for which the hypervisor did not run these CPUs
 *
 * The sum over @cpus of the column steal in /proc/stat (proc_stat(5)), in steps of 1/USER_HZ.
 * Also 0 if the kernel has no steal clock.
 */
uint64_t cpus_stolen_ms(const struct cpus *cpus);

/* Prints "0-3,5", as far as it fits. */
void cpus_print(const cpu_set_t *set, char *text, size_t bytes);

/* ---- The benchmark ---- */

/*
 * @length_ns:	length of a quantum or piece of work; unused for LOOP
 * @rt_priority: for SCHED_FIFO; 0: normal scheduling
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
 * A thread, aligned to share no cache line with another.
 * @span_ticks:	length of the window; @length_ticks: of a quantum or piece of work
 * @units:	units of work in a piece
 * @samples, @capacity: locked and touched memory for @capacity samples
 * @result:	includes the number of samples
 * @position_fd: for the position in the CPU's log; -1: nothing is recorded
 * @error:	-errno; @failed: what failed, NULL if the error is already printed
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
 * @prepare:	called on the thread's CPU before the window, to calibrate the method
 * @run:	measures during the window
 * @finish:	called after the window, for results that are known only then; may be NULL
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
 * @started:	threads created and not yet joined
 * @waiting:	threads that are calibrated and wait for @gate
 * @lock:	guards @waiting and @gate
 * @stop:	read every few ms by all threads
 * @was_reported:	the reason why a CPU cannot be measured was printed; it is printed once
 * @begin_ticks: when all threads begin
 * @done:	readable when the last thread is done
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
	atomic_bool was_reported;
	uint64_t begin_ticks;
	atomic_uint running;
	int done;
};

/* The smallest threshold, in rounds of the loop. */
#define BENCH_PERIODS	4

/*
 * bench_start() - create the threads; each is calibrated on its CPU and waits
 * @logged:	record the positions in the log
 *
 * Prints errors. Returns 0 or -errno; the caller calls bench_end() in any case.
 */
int bench_start(struct bench *bench, const struct bench_options *options,
		const struct cpus *cpus, bool logged);

/* Starts the measurement of all threads at the same time. */
void bench_go(struct bench *bench);

/*
 * bench_wait() - wait until all threads are done; a signal ends them early
 * @on_second:	called about once per second; may be NULL
 *
 * Returns 0; -errno if a thread failed, after printing it; -EINTR after a signal.
 */
int bench_wait(struct bench *bench, void (*on_second)(void *arg), void *arg);

/* Ends threads that still wait, and frees everything. */
void bench_end(struct bench *bench);

/* ---- Work ---- */

/*
 * The same instructions each time, each depends on the one before; no memory access. Not inlined,
 * so that constant @units do not change the code.
 */
uint64_t units_do(uint64_t seed, uint64_t units);

#endif /* EVTLOG_JITTER_BENCH_BENCH_H */
