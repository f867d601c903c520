// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ring's writer, natively and unmodified, against the least that a log of
 * times can cost: read the counter, store eight bytes.
 *
 * Both fill memory of the same size over and over, in turns of the same length
 * within one run, so that whatever else the machine does meets both. A full
 * buffer goes back at once, or once another thread has read it through. Prints
 * rows of bench, tool, metric, unit, value; measures no kernel.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "context.h"
#include "ring.h"

#define BUFFERS		2
#define BUFFER_BYTES	(1U << 20)
#define RECORDS		(1U << 19)	/* in a turn */
#define ROUNDS_MAX	1001

static unsigned int rounds = 201;
static pthread_barrier_t barrier;

/* A thread's turns, in ns per record */
struct worker {
	pthread_t thread;
	unsigned int cpu;
	double writer_ns[ROUNDS_MAX];
	double bare_ns[ROUNDS_MAX];
	u64 lost;
};

/* A reader of its own takes the buffers; else they go back at once. */
static bool reader_drains;
static bool reader_goes_on;
static struct evtlog_ring *drained;
static u64 bytes_read;

static void die(const char *what, int error)
{
	fprintf(stderr, "native: %s: %s\n", what, strerror(error));
	exit(1);
}

/* This thread's time on a CPU: other programs do not count, but for the caches. */
static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Supplied to the ring, as the kernel does it: once a buffer */

void evtlog_clock_set_read(struct evtlog_clock_set *set)
{
	struct timespec t;

	memset(set, 0, sizeof(*set));
	set->ticks = evtlog_ticks64();
	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	set->raw_ns = (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
	clock_gettime(CLOCK_REALTIME, &t);
	set->real_ns = (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
	set->width_ticks = (u32)(evtlog_ticks64() - set->ticks);
}

u64 evtlog_ticks_hz(void)
{
	return 0;
}

bool evtlog_ticks_trusted(void)
{
	return true;
}

void evtlog_context_fill(struct evtlog_buffer_header *h)
{
	h->begin_pid = (u32)getpid();
}

void evtlog_ring_handed_over(struct evtlog_ring *r)
{
	if (!reader_drains)
		evtlog_ring_release(r);
}

/* What is compared */

static __attribute__((__noinline__)) void write_records(unsigned int n)
{
	u32 pid = 1;

	/* As a switch's hook does: interrupts are off, the tag is made here. */
	while (n--) {
		evtlog_write_irqoff(EVTLOG_TAG(EVTLOG_SCHED_SWITCH, pid));
		pid ^= n;
		pid &= EVTLOG_DATA_MAX;
	}
}

static __attribute__((__noinline__)) u64 *store_bare(u64 *at, u64 *start, u64 *end,
						     unsigned int n)
{
	while (n--) {
		*(volatile u64 *)at = evtlog_ticks64();
		if (++at == end)
			at = start;
	}
	return at;
}

static void ring_make(void)
{
	struct evtlog_ring *r = &evtlog_ring;
	u32 i;

	memset(r, 0, sizeof(*r));
	r->buffer_bytes = BUFFER_BYTES;
	r->nr_buffers = BUFFERS;
	for (i = 0; i < BUFFERS; i++) {
		r->buffer[i] = aligned_alloc(4096, BUFFER_BYTES);
		if (!r->buffer[i])
			die("buffers", ENOMEM);
		memset(r->buffer[i], 0, BUFFER_BYTES);
	}
	evtlog_ring_begin(r, 1);
}

static void ring_destroy(void)
{
	u32 i;

	for (i = 0; i < BUFFERS; i++)
		free(evtlog_ring.buffer[i]);
}

static void *reader_main(void *unused)
{
	const struct evtlog_buffer_header *h;
	char *copy = malloc(BUFFER_BYTES);

	if (!copy)
		die("reader", ENOMEM);
	while (__atomic_load_n(&reader_goes_on, __ATOMIC_ACQUIRE)) {
		h = evtlog_ring_peek(drained, NULL);
		if (!h) {
			sched_yield();
			continue;
		}
		memcpy(copy, h, h->used_bytes);
		bytes_read += h->used_bytes;
		evtlog_ring_release(drained);
	}
	free(copy);
	return NULL;
}

static void pin(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	/* Where this is not allowed, the scheduler's choice must do. */
	(void)sched_setaffinity(0, sizeof(set), &set);
}

/* Starts a turn in which the reader keeps up from the beginning. */
static void wait_for_reader(void)
{
	while (evtlog_ring_waiting(&evtlog_ring))
		sched_yield();
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;
	const size_t words = BUFFERS * BUFFER_BYTES / 8;
	u64 *array = aligned_alloc(4096, words * 8), *at = array;
	unsigned int round, chunk;
	double start;

	if (!array)
		die("array", ENOMEM);
	pin(w->cpu);
	memset(array, 0, words * 8);
	ring_make();
	if (w->cpu == 0)
		drained = &evtlog_ring;
	pthread_barrier_wait(&barrier);

	for (round = 0; round < rounds; round++) {
		double writer = 0, bare = 0;

		/* Turns of a quarter of a millisecond: few are interrupted. */
		for (chunk = 0; chunk < 16; chunk++) {
			if (reader_drains)
				wait_for_reader();
			start = now_ns();
			write_records(RECORDS / 16);
			writer += now_ns() - start;
			start = now_ns();
			at = store_bare(at, array, array + words, RECORDS / 16);
			bare += now_ns() - start;
		}
		w->writer_ns[round] = writer / RECORDS;
		w->bare_ns[round] = bare / RECORDS;
	}
	w->lost = evtlog_ring.total_lost[EVTLOG_LOST_FULL];
	pthread_barrier_wait(&barrier);
	/* The reader has ended: the ring is this thread's, and goes with it. */
	pthread_barrier_wait(&barrier);
	ring_destroy();
	free(array);
	return NULL;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void report(const char *metric, const char *unit, double *value, size_t n)
{
	qsort(value, n, sizeof(*value), compare);
	printf("native\tevtlog\t%s\t%s\t%.3f\n", metric, unit, value[n / 2]);
	printf("native\tevtlog\t%s_p10\t%s\t%.3f\n", metric, unit, value[n / 10]);
	printf("native\tevtlog\t%s_p90\t%s\t%.3f\n", metric, unit,
	       value[n * 9 / 10]);
}

static void measure(const char *name, unsigned int threads, bool with_reader)
{
	static struct worker worker[2];
	static double writer[2 * ROUNDS_MAX], bare[2 * ROUNDS_MAX];
	static double ratio[2 * ROUNDS_MAX];
	unsigned int i, k, n = 0;
	pthread_t reader;
	char metric[64];
	u64 lost = 0;
	int error;

	reader_drains = with_reader;
	pthread_barrier_init(&barrier, NULL, threads + 1);
	for (i = 0; i < threads; i++) {
		worker[i].cpu = i;
		error = pthread_create(&worker[i].thread, NULL, worker_main,
				       &worker[i]);
		if (error)
			die("pthread_create", error);
	}
	pthread_barrier_wait(&barrier);
	if (with_reader) {
		reader_goes_on = true;
		error = pthread_create(&reader, NULL, reader_main, NULL);
		if (error)
			die("pthread_create", error);
	}
	pthread_barrier_wait(&barrier);
	if (with_reader) {
		__atomic_store_n(&reader_goes_on, false, __ATOMIC_RELEASE);
		pthread_join(reader, NULL);
	}
	pthread_barrier_wait(&barrier);
	for (i = 0; i < threads; i++)
		pthread_join(worker[i].thread, NULL);
	pthread_barrier_destroy(&barrier);

	for (i = 0; i < threads; i++) {
		lost += worker[i].lost;
		for (k = 0; k < rounds; k++, n++) {
			writer[n] = worker[i].writer_ns[k];
			bare[n] = worker[i].bare_ns[k];
			ratio[n] = writer[n] / bare[n];
		}
	}
	snprintf(metric, sizeof(metric), "record_%s", name);
	report(metric, "ns", writer, n);
	snprintf(metric, sizeof(metric), "bare_%s", name);
	report(metric, "ns", bare, n);
	snprintf(metric, sizeof(metric), "ratio_%s", name);
	report(metric, "ratio", ratio, n);
	printf("native\tevtlog\tlost_%s\trecords\t%llu\n", name,
	       (unsigned long long)lost);
}

int main(int argc, char **argv)
{
	char *end;

	if (argc > 1) {
		rounds = (unsigned int)strtoul(argv[1], &end, 10);
		if (*end || rounds < 1 || rounds > ROUNDS_MAX || argc > 2) {
			fprintf(stderr, "Usage: native [ROUNDS, 1 to %d]\n",
				ROUNDS_MAX);
			return 2;
		}
	}
	printf("bench\ttool\tmetric\tunit\tvalue\n");
	measure("one_thread", 1, false);
	if (sysconf(_SC_NPROCESSORS_ONLN) >= 2) {
		measure("two_threads", 2, false);
		measure("with_reader", 1, true);
	}
	return 0;
}
