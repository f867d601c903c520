// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ring with interrupts at random instructions and a separate reader.
 *
 * Signals replace interrupts, which write between a task's records, and NMIs, which only count. A
 * second thread reads, sometimes fast, sometimes slowly, and sends bursts of signals. Every record
 * must be read once, in order and with its time, or be reported as lost.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "limits.h"
#include "ring_log.h"

#define IRQ_SIGNAL	SIGRTMIN
#define NMI_SIGNAL	(SIGRTMIN + 1)

static struct limits limits = { .seconds = 4 };

static pthread_t writer;
/* Accessed atomically: the run is active; the reader has finished it. */
static bool recording, all_is_read;
static struct evtlog_ring *ring;

static timer_t irq_timer, nmi_timer;
static struct random irq_rng, nmi_rng;
static u32 irq_serial;
static u64 irqs, nested;

static void die(const char *what)
{
	fprintf(stderr, "ring_signals: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* At a random time soon: no instruction is preferred. */
static void timer_arm(timer_t timer, struct random *rng)
{
	struct itimerspec in = {
		.it_value.tv_nsec = 1000 + random_below(rng, 1 <<
						(8 + random_below(rng, 10))),
	};

	timer_settime(timer, 0, &in, NULL);
}

static void timer_disarm(timer_t timer)
{
	const struct itimerspec never = { .it_value = { 0 } };

	timer_settime(timer, 0, &never, NULL);
}

static void irq(void)
{
	u32 records = random_below(&irq_rng, 4);

	irqs++;
	while (records--)
		log_write_random(&irq_rng, &irq_serial);
	timer_arm(irq_timer, &irq_rng);
}

static void nmi(void)
{
	if (shim_irqs_off)
		nested++;
	log_nmi();
	timer_arm(nmi_timer, &nmi_rng);
}

static timer_t timer_make(int signal)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = signal,
		._sigev_un._tid = (int)syscall(SYS_gettid),
	};
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer))
		die("timer_create");
	return timer;
}

static void signals_block(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, IRQ_SIGNAL);
	sigaddset(&set, NMI_SIGNAL);
	if (pthread_sigmask(how, &set, NULL))
		die("pthread_sigmask");
}

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
	u32 mood = 0, burst;

	signals_block(SIG_BLOCK);
	while (__atomic_load_n(&recording, __ATOMIC_ACQUIRE)) {
		if (random_one_in(&rng, 200))
			mood = random_below(&rng, 3);
		if (mood == 2) {
			pause.tv_nsec = random_below(&rng, 300000);
			nanosleep(&pause, NULL);
		}
		read_one();
		if (mood == 0 || limits.no_signals || !random_one_in(&rng, 100))
			continue;
		for (burst = random_below(&rng, 20); burst; burst--)
			pthread_kill(writer, random_one_in(&rng, 3) ?
				     NMI_SIGNAL : IRQ_SIGNAL);
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
	if (pthread_create(&reader, NULL, reader_main, &reader_seed))
		die("pthread_create");
	if (!limits.no_signals) {
		signals_block(SIG_UNBLOCK);
		timer_arm(irq_timer, &irq_rng);
		timer_arm(nmi_timer, &nmi_rng);
	}
	write_for_a_while(rng, &serial);
	if (!limits.no_signals) {
		signals_block(SIG_BLOCK);
		timer_disarm(irq_timer);
		timer_disarm(nmi_timer);
	}

	shim_irqs_off = 1;
	evtlog_ring_end(ring);
	shim_irqs_off = 0;
	__atomic_store_n(&recording, false, __ATOMIC_RELEASE);
	/* Hooks that are still on find no run, whichever thread finishes it. */
	while (!__atomic_load_n(&all_is_read, __ATOMIC_ACQUIRE))
		log_write_random(rng, &serial);
	if (pthread_join(reader, NULL))
		die("pthread_join");
	log_end();
}

int main(int argc, char **argv)
{
	struct random rng;
	u32 rounds = 0;

	limits_parse(&limits, argc, argv);
	rng.state = limits.seed;
	irq_rng.state = random_next(&rng);
	nmi_rng.state = random_next(&rng);

	writer = pthread_self();
	signals_block(SIG_BLOCK);
	shim_irq_handle(IRQ_SIGNAL, irq);
	shim_nmi_handle(NMI_SIGNAL, nmi);
	irq_timer = timer_make(IRQ_SIGNAL);
	nmi_timer = timer_make(NMI_SIGNAL);

	do {
		round_of(&rng);
		rounds++;
	} while (limits.seconds > 0 ? limits_elapsed() < limits.seconds :
		 log_totals.tried < limits.ops);

	printf("%u rounds in %.1f s: %llu records tried, %llu read, %llu lost\n"
	       "in %llu gaps, %llu full times, %llu buffers\n"
	       "%llu interrupts, %llu NMIs, %llu of them while interrupts were off\n",
	       rounds, limits_elapsed(), (unsigned long long)log_totals.tried,
	       (unsigned long long)log_totals.read,
	       (unsigned long long)log_totals.lost,
	       (unsigned long long)log_totals.gaps,
	       (unsigned long long)log_totals.times,
	       (unsigned long long)log_totals.buffers,
	       (unsigned long long)irqs, (unsigned long long)log_totals.nmis,
	       (unsigned long long)nested);
	if (!log_totals.read || !log_totals.lost ||
	    (!limits.no_signals && (!irqs || !nested))) {
		fprintf(stderr, "FAIL: nothing was lost, or no signal came: this proved nothing\n");
		return 1;
	}
	return 0;
}
