// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Creates the threads of the benchmark, starts them together and waits for them.
 *
 * Stage: around the loops that measure. All that could disturb the loops is done before or after:
 * memory is locked and touched, threads are pinned, files are open.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <evtlog/abi.h>

#include "bench.h"
#include "common/error.h"
#include "control/control.h"
#include "lib/base/io.h"
#include "record/workload.h"

/* ---- Units of work ---- */

/* A unit takes about 100 ns. */
#define UNIT_STEPS	64

uint64_t units_do(uint64_t seed, uint64_t units)
{
	for (uint64_t i = 0; i < units * UNIT_STEPS; i++) {
		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		/* Prevents the compiler from removing or combining steps. */
		asm volatile("" : "+r" (seed));
	}
	return seed;
}

/* ---- The benchmark ---- */

/* Far more than a quiet CPU needs. On a busy CPU, further samples are counted as dropped. */
#define SAMPLES_PER_S	20000
#define SAMPLES_LEAST	65536
/* All samples together use at most this fraction of the machine's memory. */
#define MEMORY_SHARE	8
#define STACK_BYTES	(256 * 1024)
/* From bench_go() to the common start: time for each thread to wake up and get its CPU. */
#define BEGIN_WITHIN_NS	10000000

static const struct bench_method *const methods[] = {
	[EVTLOG_SAMPLES_LOOP] = &bench_detour,
	[EVTLOG_SAMPLES_WORK] = &bench_fwq,
	[EVTLOG_SAMPLES_QUANTUM] = &bench_ftq,
};

static int fail(struct bench_thread *thread, const char *what, int error)
{
	thread->failed = what;
	thread->error = -error;
	return -error;
}

/* Touches the stack that later calls use, so that they cause no page faults. */
static void __attribute__((noinline)) touch_stack(void)
{
	volatile char pages[STACK_BYTES / 2];

	for (size_t i = 0; i < sizeof(pages); i += 4096)
		pages[i] = 0;
}

static int note_position(const struct bench_thread *thread,
			 struct evtlog_samples_position *to)
{
	struct evtlog_position position;

	memset(to, 0, sizeof(*to));
	to->ticks = ticks_now();
	if (thread->position_fd < 0)
		return 0;
	if (ioctl(thread->position_fd, EVTLOG_IOC_POSITION, &position))
		return errno;
	*to = (struct evtlog_samples_position){
		.run = position.run,
		.sequence = position.sequence,
		.offset = position.offset,
		.ticks = position.ticks,
	};
	return 0;
}

/* The pid as in events, also in a pid namespace. */
static pid_t own_pid(void)
{
	struct control_status status;
	pid_t pid;

	if (control_status(&status))
		return gettid();
	pid = status.self_thread;
	control_status_free(&status);
	return pid ? pid : gettid();
}

static int settle(struct bench_thread *thread)
{
	const struct bench_options *options = thread->bench->options;
	struct sched_param param = { .sched_priority = options->rt_priority };
	cpu_set_t set;
	char name[16];
	int error;

	snprintf(name, sizeof(name), "jitter/%" PRIu32, thread->result.cpu);
	prctl(PR_SET_NAME, name);
	CPU_ZERO(&set);
	CPU_SET(thread->result.cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return fail(thread, "can't be moved to this CPU", errno);
	if (options->rt_priority) {
		error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
		if (error)
			return fail(thread, "--rt", error);
	}
	thread->result.pid = own_pid();
	touch_stack();
	error = note_position(thread, &thread->result.begin);
	if (error)
		return fail(thread, "its position in the log", error);
	error = -thread->bench->method->prepare(thread);
	return error ? fail(thread, NULL, error) : 0;
}

/* Returns false if the benchmark was cancelled. */
static bool wait_to_go(struct bench *bench)
{
	bool goes;

	pthread_mutex_lock(&bench->lock);
	bench->waiting++;
	pthread_cond_broadcast(&bench->changed);
	while (bench->gate == BENCH_CLOSED)
		pthread_cond_wait(&bench->changed, &bench->lock);
	goes = bench->gate == BENCH_GO;
	pthread_mutex_unlock(&bench->lock);
	return goes;
}

static void open_gate(struct bench *bench, enum bench_gate gate)
{
	pthread_mutex_lock(&bench->lock);
	bench->gate = gate;
	pthread_cond_broadcast(&bench->changed);
	pthread_mutex_unlock(&bench->lock);
}

static void wait_until_ready(struct bench *bench)
{
	pthread_mutex_lock(&bench->lock);
	while (bench->waiting < bench->started)
		pthread_cond_wait(&bench->changed, &bench->lock);
	pthread_mutex_unlock(&bench->lock);
}

/*
 * Fails if the thread may have measured another CPU: its CPU went offline, or its affinity
 * changed. The current CPU alone is no proof, as the kernel may have moved the thread back.
 */
static int check_place(struct bench_thread *thread)
{
	uint32_t cpu = thread->result.cpu;
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return fail(thread, "its affinity", errno);
	if (CPU_COUNT(&set) == 1 && CPU_ISSET(cpu, &set) && sched_getcpu() == (int)cpu)
		return 0;
	pr_err("CPU %" PRIu32 ": its thread was moved: keep the CPU online and do not change affinity or cpuset",
	       cpu);
	return fail(thread, NULL, EXDEV);
}

static void *be_thread(void *arg)
{
	struct bench_thread *thread = arg;
	struct bench *bench = thread->bench;
	const uint64_t one = 1;
	int error;

	settle(thread);
	if (!wait_to_go(bench))
		return NULL;
	while (ticks_now() < bench->begin_ticks)
		;
	error = note_position(thread, &thread->result.begin);
	bench->method->run(thread);
	if (!check_place(thread)) {
		if (!error)
			error = note_position(thread, &thread->result.end);
		if (error)
			fail(thread, "its position in the log", error);
	}
	if (atomic_fetch_sub(&bench->running, 1) == 1)
		io_write(bench->done, &one, sizeof(one));
	if (bench->method->finish)
		bench->method->finish(thread);
	return NULL;
}

static int get_capacity(struct bench_thread *thread)
{
	const struct bench *bench = thread->bench;
	const struct bench_options *options = bench->options;
	uint64_t most = (uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / MEMORY_SHARE /
			bench->count / sizeof(*thread->samples);
	uint64_t wanted = options->duration_ns / 1000000000 * SAMPLES_PER_S + SAMPLES_LEAST;

	if (options->method == EVTLOG_SAMPLES_LOOP) {
		thread->capacity = wanted < most ? wanted : most;
	} else {
		/* No sample is shorter than length_ns, so there are never more. */
		thread->capacity = options->duration_ns / options->length_ns + 2;
		if (thread->capacity > most) {
			pr_err("%" PRIu64 " samples per CPU do not fit into memory, at most %" PRIu64 " do: use a shorter --duration, or a longer --quantum",
			       thread->capacity, most);
			return -ENOMEM;
		}
	}
	thread->samples = mmap(NULL, thread->capacity * sizeof(*thread->samples),
			       PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (thread->samples == MAP_FAILED) {
		thread->samples = NULL;
		pr_err("memory for %" PRIu64 " samples: %s", thread->capacity, strerror(errno));
		return -ENOMEM;
	}
	return 0;
}

static int open_position(struct bench_thread *thread)
{
	char path[64];
	int error;

	snprintf(path, sizeof(path), CONTROL_DIRECTORY "/cpu%" PRIu32, thread->result.cpu);
	thread->position_fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (thread->position_fd >= 0)
		return 0;
	error = -errno;
	pr_err("%s: %s", path, strerror(-error));
	return error;
}

/* While these files are open, the buffers cannot be changed. */
static void close_positions(struct bench *bench)
{
	for (uint32_t i = 0; i < bench->count; i++) {
		if (bench->threads[i].position_fd >= 0)
			close(bench->threads[i].position_fd);
		bench->threads[i].position_fd = -1;
	}
}

static int start_threads(struct bench *bench)
{
	pthread_attr_t attr;
	int error = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	for (; bench->started < bench->count && !error; bench->started += !error) {
		struct bench_thread *thread = &bench->threads[bench->started];

		error = pthread_create(&thread->thread, &attr, be_thread, thread);
	}
	pthread_attr_destroy(&attr);
	if (error)
		pr_err("thread %" PRIu32 ": %s", bench->started, strerror(error));
	return -error;
}

static int check_threads(const struct bench *bench)
{
	for (uint32_t i = 0; i < bench->count; i++) {
		const struct bench_thread *thread = &bench->threads[i];

		if (thread->error && thread->failed)
			pr_err("CPU %" PRIu32 ": %s: %s", thread->result.cpu, thread->failed,
			       strerror(-thread->error));
		if (thread->error)
			return thread->error;
	}
	return 0;
}

static int make_threads(struct bench *bench, const struct cpus *cpus, bool logged)
{
	const struct bench_options *options = bench->options;
	int error = 0;

	bench->threads = aligned_alloc(_Alignof(struct bench_thread),
				       cpus->count * sizeof(*bench->threads));
	if (!bench->threads) {
		pr_err("%s", strerror(ENOMEM));
		return -ENOMEM;
	}
	memset(bench->threads, 0, cpus->count * sizeof(*bench->threads));
	bench->count = cpus->count;
	for (uint32_t i = 0; i < bench->count; i++) {
		bench->threads[i].bench = bench;
		bench->threads[i].position_fd = -1;
		bench->threads[i].result.cpu = cpus->cpus[i];
		bench->threads[i].span_ticks = ticks_of_ns(options->duration_ns, bench->hz);
		bench->threads[i].length_ticks = ticks_of_ns(options->length_ns, bench->hz);
		bench->threads[i].result.threshold_ticks =
			ticks_of_ns(options->threshold_ns, bench->hz);
	}
	for (uint32_t i = 0; i < bench->count && !error; i++) {
		error = get_capacity(&bench->threads[i]);
		if (!error && logged)
			error = open_position(&bench->threads[i]);
	}
	return error;
}

int bench_start(struct bench *bench, const struct bench_options *options,
		const struct cpus *cpus, bool logged)
{
	int error;

	memset(bench, 0, sizeof(*bench));
	pthread_mutex_init(&bench->lock, NULL);
	pthread_cond_init(&bench->changed, NULL);
	bench->options = options;
	bench->method = methods[options->method];
	bench->hz = ticks_hz_now();
	bench->done = eventfd(0, EFD_CLOEXEC);
	if (bench->done < 0 || mlockall(MCL_CURRENT | MCL_FUTURE)) {
		error = -errno;
		pr_err("memory can't be locked: %s", strerror(-error));
		return error;
	}
	error = make_threads(bench, cpus, logged);
	if (error)
		return error;
	atomic_init(&bench->running, bench->count);
	error = start_threads(bench);
	if (error)
		return error;
	wait_until_ready(bench);
	return check_threads(bench);
}

void bench_go(struct bench *bench)
{
	bench->begin_ticks = ticks_now() + ticks_of_ns(BEGIN_WITHIN_NS, bench->hz);
	open_gate(bench, BENCH_GO);
}

int bench_wait(struct bench *bench, void (*on_second)(void *arg), void *arg)
{
	bool interrupted = false;
	int error;

	while (!workload_wait_fd(bench->done, on_second ? 1000 : -1)) {
		if (workload_interrupted()) {
			/* The threads check @stop every few ms. */
			interrupted = bench->stop = true;
			on_second = NULL;
		} else if (on_second) {
			on_second(arg);
		}
	}
	for (uint32_t i = 0; i < bench->count; i++)
		pthread_join(bench->threads[i].thread, NULL);
	bench->started = 0;
	close_positions(bench);
	/* A thread's error has priority over a signal: samples of another CPU are useless. */
	error = check_threads(bench);
	return error ? error : interrupted ? -EINTR : 0;
}

void bench_end(struct bench *bench)
{
	if (bench->started)
		open_gate(bench, BENCH_CANCELLED);
	for (uint32_t i = 0; i < bench->started; i++)
		pthread_join(bench->threads[i].thread, NULL);
	for (uint32_t i = 0; i < bench->count; i++) {
		struct bench_thread *thread = &bench->threads[i];

		if (thread->samples)
			munmap(thread->samples, thread->capacity * sizeof(*thread->samples));
	}
	close_positions(bench);
	free(bench->threads);
	bench->threads = NULL;
	bench->started = bench->count = 0;
	if (bench->done >= 0)
		close(bench->done);
	bench->done = -1;
	pthread_cond_destroy(&bench->changed);
	pthread_mutex_destroy(&bench->lock);
	munlockall();
}
