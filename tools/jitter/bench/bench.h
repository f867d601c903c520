/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The benchmark: a thread on each CPU that notes when it was kept from its work.
 *
 * It knows of the log but its position.
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

/* ---- The counter that both the benchmark and the kernel's log read ---- */

/*
 * Without a fence, which would take longer than the reading itself.  None is needed:
 * an interrupt comes between two instructions, all before it done and none behind it
 * begun, and IRET lets none begin early.  So a reading before an interruption is less than
 * the kernel's at its begin, and one behind it greater than that at its end.
 */
static inline uint64_t ticks_now(void)
{
	uint32_t low, high;

	asm volatile("rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return (uint64_t)high << 32 | low;
}

/* A counter's reading and CLOCK_MONOTONIC_RAW, of one instant. */
struct ticks_at {
	uint64_t ticks;
	uint64_t raw_ns;
};

/* The closest of some attempts. */
struct ticks_at ticks_at_now(void);

/* From two of them; 0 if they are too close to tell. */
uint64_t ticks_hz(const struct ticks_at *from, const struct ticks_at *to);

/* The same, of the next 50 ms: good to some 10 ppm, for lengths that must be known. */
uint64_t ticks_hz_now(void);

/* @ns in ticks, rounded. */
uint64_t ticks_of_ns(uint64_t ns, uint64_t hz);
/* And back. */
uint64_t ticks_to_ns(uint64_t ticks, uint64_t hz);

/* ---- Which CPUs the benchmark takes, and which are left for others ---- */

#define CPUS_LIST_BYTES	1024

/*
 * @cpus:	in order
 * @others:	on which this process may run besides; may be empty
 */
struct cpus {
	uint32_t *cpus;
	uint32_t count;
	cpu_set_t others;
};

/*
 * @list:	such as 0-3,5; NULL: all that are online and allowed
 *
 * Says what is wrong.  Returns an exit status; cpus_free() if it is EXIT_OK.
 */
int cpus_choose(struct cpus *cpus, const char *list);
void cpus_free(struct cpus *cpus);

/*
 * cpus_stolen_ms() - for how long the hypervisor ran something else since boot, as the kernel knows it
 *
 * The sum over @cpus, from the column steal of /proc/stat: proc_stat(5). In units of USER_HZ.  0 also
 * if the kernel has no steal clock.
 */
uint64_t cpus_stolen_ms(const struct cpus *cpus);

/* "0-3,5", as far as there is room. */
void cpus_print(const cpu_set_t *set, char *text, size_t bytes);

/* ---- The benchmark ---- */

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

/* ---- A unit of work ---- */

/* Always the same instructions, each waiting for the one before; no memory. */

/* In one place, so that it is the same also where the number of units is known. */
uint64_t units_do(uint64_t seed, uint64_t units);

#endif /* EVTLOG_JITTER_BENCH_BENCH_H */
