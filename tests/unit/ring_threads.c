// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ring with a separate reader.
 *
 * A second thread reads, sometimes fast, sometimes slowly. Every record must be read once, in order
 * and with its time, or be reported as lost. ring_steps.c tests interrupts.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "limits.h"
#include "ring_log.h"

static struct limits limits = { .ops = 1500000 };

/* Accessed atomically: the run is active; the reader has finished it. */
static bool recording, all_is_read;
static struct evtlog_ring *ring;

static bool read_one(void)
{
	const struct evtlog_buffer_header *h = evtlog_ring_peek(ring, NULL);

	if (!h)
		return false;
	log_judge(h);
	/* The next writer must not find the old contents. */
	memset((void *)h, 0x5a, h->used_bytes);
	evtlog_ring_release(ring);
	return true;
}

static void *reader_main(void *arg)
{
	struct random rng = { .state = *(uint64_t *)arg };
	struct timespec pause = { 0 };
	u32 mood = 0;

	while (__atomic_load_n(&recording, __ATOMIC_ACQUIRE)) {
		if (random_one_in(&rng, 200))
			mood = random_below(&rng, 3);
		if (mood == 2) {
			pause.tv_nsec = random_below(&rng, 300000);
			nanosleep(&pause, NULL);
		}
		read_one();
	}
	/* As a stopping CPU does, and a reader that has made room for a FINAL buffer */
	evtlog_ring_finish(ring, 1);
	while (read_one()) {
		if (ring->final_due)
			evtlog_ring_finish(ring, 1);
	}
	__atomic_store_n(&all_is_read, true, __ATOMIC_RELEASE);
	return NULL;
}

/* Writes for some ten milliseconds. */
static void write_for_a_while(struct random *rng, u32 *serial)
{
	u32 i, spin = random_below(rng, 3) * 40;
	bool polite = random_one_in(rng, 2);
	volatile u32 k;

	for (i = 0; i < 100000; i++) {
		/* On a busy machine, the reader must get a CPU sometimes. */
		if (polite && evtlog_ring_waiting(ring) == ring->nr_buffers)
			sched_yield();
		log_write_random(rng, serial);
		for (k = random_below(rng, spin + 1); k; k--)
			;
	}
}

static void round_of(struct random *rng)
{
	static const u32 sizes[] = { 24, 64, 256, 1024, 8192 };
	uint64_t reader_seed = random_next(rng);
	u32 serial = 0;
	pthread_t reader;

	log_begin(random_next(rng), 2 + random_below(rng, 3),
		  sizes[random_below(rng, 5)],
		  random_one_in(rng, 2) ? 50 : 100000);
	ring = &evtlog_ring;
	shim_irqs_off = 1;
	evtlog_ring_begin(ring, 1);
	shim_irqs_off = 0;

	__atomic_store_n(&recording, true, __ATOMIC_RELEASE);
	__atomic_store_n(&all_is_read, false, __ATOMIC_RELEASE);
	errno = pthread_create(&reader, NULL, reader_main, &reader_seed);
	if (errno) {
		perror("ring_threads: pthread_create");
		exit(1);
	}
	write_for_a_while(rng, &serial);

	shim_irqs_off = 1;
	evtlog_ring_end(ring);
	shim_irqs_off = 0;
	__atomic_store_n(&recording, false, __ATOMIC_RELEASE);
	/* Hooks that are still on find no run, whichever thread finishes it. */
	while (!__atomic_load_n(&all_is_read, __ATOMIC_ACQUIRE))
		log_write_random(rng, &serial);
	pthread_join(reader, NULL);
	log_end();
}

int main(int argc, char **argv)
{
	struct random rng;
	u32 rounds = 0;

	limits_parse(&limits, argc, argv);
	rng.state = limits.seed;
	do {
		round_of(&rng);
		rounds++;
	} while (limits.seconds > 0 ? limits_elapsed() < limits.seconds :
		 log_totals.tried < limits.ops);

	printf("%u rounds in %.1f s: %llu records tried, %llu read, %llu lost\n"
	       "in %llu gaps, %llu full times, %llu buffers\n",
	       rounds, limits_elapsed(), (unsigned long long)log_totals.tried,
	       (unsigned long long)log_totals.read,
	       (unsigned long long)log_totals.lost,
	       (unsigned long long)log_totals.gaps,
	       (unsigned long long)log_totals.times,
	       (unsigned long long)log_totals.buffers);
	if (!log_totals.read || !log_totals.lost) {
		fprintf(stderr, "FAIL: nothing was lost: this proved nothing\n");
		return 1;
	}
	return 0;
}
