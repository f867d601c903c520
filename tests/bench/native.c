// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compares the ring's writer, in user space and unmodified, with the minimum cost of a log of
 * times: reading the counter and storing eight bytes.
 *
 * Both fill memory of the same size repeatedly, in turns of the same length within one run, so
 * other load of the machine affects both. A full buffer is returned at once, or after another
 * thread has read it. Linked with ust.c, LTTng-UST takes turns too; its session decides what
 * happens to its buffers. Prints lines of tool, metric, unit, value. No kernel is measured.
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
#include "ust.h"

#define BUFFERS		2
#define BUFFER_BYTES	(1U << 20)
#define RECORDS		(1U << 19)	/* in each round */
#define TURNS		16		/* in each round */
#define ROUNDS_MAX	1001

static unsigned int rounds = 41;
static pthread_barrier_t barrier;

/* Rounds of a thread, in ns per record */
struct worker {
	pthread_t thread;
	unsigned int cpu;
	double writer_ns[ROUNDS_MAX];
	double bare_ns[ROUNDS_MAX];
	double ust_ns[ROUNDS_MAX];
	u64 lost;
};

/* If @reader_drains, a reader thread takes the buffers; otherwise they are returned at once. */
static bool reader_drains;
static bool reader_goes_on;
static struct evtlog_ring *drained;
static u64 bytes_read;

static void die(const char *what, int error)
{
	fprintf(stderr, "native: %s: %s\n", what, strerror(error));
	exit(1);
}

/* CPU time of this thread: other programs affect it only through the caches. */
static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* The ring calls these functions, as in the kernel: once per buffer. */

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

/* The writers that are compared */

static __attribute__((__noinline__)) void write_records(unsigned int n)
{
	u32 pid = 1;

	/* As in the hook of a switch: interrupts are off, and the tag is computed here. */
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
	/* If this is not permitted, use the scheduler's choice. */
	(void)sched_setaffinity(0, sizeof(set), &set);
}

/* Called before a turn, so that the reader has nothing left to read. */
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
	unsigned int round;

	if (!array)
		die("array", ENOMEM);
	pin(w->cpu);
	memset(array, 0, words * 8);
	ring_make();
	if (w->cpu == 0)
		drained = &evtlog_ring;
	pthread_barrier_wait(&barrier);

	for (round = 0; round < rounds; round++) {
		double writer = 0, bare = 0, ust = 0, start;
		unsigned int turn;

		/* Turns take a quarter of a millisecond, so few are interrupted. */
		for (turn = 0; turn < TURNS; turn++) {
			if (reader_drains)
				wait_for_reader();
			start = now_ns();
			write_records(RECORDS / TURNS);
			writer += now_ns() - start;
			start = now_ns();
			at = store_bare(at, array, array + words, RECORDS / TURNS);
			bare += now_ns() - start;
			if (!ust_write)
				continue;
			start = now_ns();
			ust_write(RECORDS / TURNS);
			ust += now_ns() - start;
		}
		w->writer_ns[round] = writer / RECORDS;
		w->bare_ns[round] = bare / RECORDS;
		w->ust_ns[round] = ust / RECORDS;
	}
	w->lost = evtlog_ring.total_lost[EVTLOG_LOST_FULL];
	pthread_barrier_wait(&barrier);
	/* The reader has ended: only this thread uses the ring. */
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

/* Prints the median of @value, which it sorts. */
static void report(const char *tool, const char *what, const char *name,
		   const char *unit, double *value, size_t n)
{
	qsort(value, n, sizeof(*value), compare);
	printf("%s\t%s_%s\t%s\t%.3f\n", tool, what, name, unit, value[n / 2]);
}

/* Reports all rounds of all threads.  The two times of a ratio are of the same round. */
static void report_rounds(const char *name, const struct worker *worker,
			  unsigned int threads)
{
	static double writer[2 * ROUNDS_MAX], bare[2 * ROUNDS_MAX];
	static double ust[2 * ROUNDS_MAX], to_bare[2 * ROUNDS_MAX];
	static double ust_to_bare[2 * ROUNDS_MAX], ust_to_writer[2 * ROUNDS_MAX];
	unsigned int i, k, n = 0;

	for (i = 0; i < threads; i++) {
		for (k = 0; k < rounds; k++, n++) {
			writer[n] = worker[i].writer_ns[k];
			bare[n] = worker[i].bare_ns[k];
			ust[n] = worker[i].ust_ns[k];
			to_bare[n] = writer[n] / bare[n];
			ust_to_bare[n] = ust[n] / bare[n];
			ust_to_writer[n] = ust[n] / writer[n];
		}
	}
	report("evtlog", "ns_per_event", name, "ns", writer, n);
	report("evtlog", "ratio_to_bare", name, "ratio", to_bare, n);
	report("bare", "ns_per_event", name, "ns", bare, n);
	if (!ust_write)
		return;
	report("lttng_ust", "ns_per_event", name, "ns", ust, n);
	report("lttng_ust", "ratio_to_bare", name, "ratio", ust_to_bare, n);
	report("lttng_ust", "ratio_to_evtlog", name, "ratio", ust_to_writer, n);
}

static void measure(const char *name, unsigned int threads, bool with_reader)
{
	static struct worker worker[2];
	unsigned int i;
	pthread_t reader;
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

	report_rounds(name, worker, threads);
	for (i = 0; i < threads; i++)
		lost += worker[i].lost;
	printf("evtlog\tlost_%s\tevents\t%llu\n", name, (unsigned long long)lost);
	if (ust_write)
		printf("lttng_ust\tsent_%s\tevents\t%llu\n", name,
		       (unsigned long long)RECORDS * rounds * threads);
}

static void usage(FILE *to)
{
	fprintf(to, "Usage: native CASE [ROUNDS, 1 to %d]\n\n"
		"  1_thread   one writer, a full buffer goes back at once\n"
		"  2_threads  two, each on a CPU of its own\n"
		"  draining   one, and a reader that copies every buffer\n", ROUNDS_MAX);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	unsigned int threads;
	char *end;

	if (!strcmp(name, "--help")) {
		usage(stdout);
		return 0;
	}
	if (argc > 2) {
		rounds = (unsigned int)strtoul(argv[2], &end, 10);
		if (*end || rounds < 1 || rounds > ROUNDS_MAX)
			name = "";
	}
	if (argc > 3 || (strcmp(name, "1_thread") && strcmp(name, "2_threads") &&
			 strcmp(name, "draining"))) {
		usage(stderr);
		return 2;
	}
	threads = strcmp(name, "2_threads") ? 1 : 2;
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2 && strcmp(name, "1_thread")) {
		fprintf(stderr, "native: %s: needs two CPUs\n", name);
		return 77;
	}
	if (ust_write && !ust_recording()) {
		fprintf(stderr, "native: LTTng-UST: no session records the event\n");
		return 1;
	}
	measure(name, threads, !strcmp(name, "draining"));
	return 0;
}
