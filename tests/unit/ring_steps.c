// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ring with an NMI and an interrupt before each instruction.
 *
 * The processor's trap flag stops the writer after every instruction. At each stop, a forked
 * process executes both on its CPU, continues and checks the result. No
 * instruction is left out.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "ring_log.h"
#include "ring_read.h"

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)

#define BUFFER_WORDS	40

static u64 stops;
static bool delivered;
static u32 serial;

/* Shared with the forked processes */
static struct {
	u64 irqs, deferred;
} *seen;

static void irq(void)
{
	log_write(serial++);
	log_write_words(RECORD_SIZED + 3, serial++);
}

static void nmi(void)
{
	log_nmi();
}

#define TRAP_FLAG	0x100UL

static void on_trap(int signal, siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;
	pid_t child = fork();
	int status;

	if (child) {
		stops++;
		if (child < 0 || waitpid(child, &status, 0) != child || status) {
			fprintf(stderr, "FAIL: interrupted at stop %llu\n", (unsigned long long)stops);
			_exit(1);
		}
		return;
	}
	delivered = true;
	interrupted->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
	seen->irqs++;
	seen->deferred += !!shim_irqs_off;
	shim_nmi_deliver();
	shim_irq_deliver();
}

static inline void trap_flag(unsigned long set)
{
	asm volatile("pushfq\n\t"
		     "andq $~0x100, (%%rsp)\n\t"
		     "orq %0, (%%rsp)\n\t"
		     "popfq" : : "r" (set ? TRAP_FLAG : 0UL) : "memory", "cc");
}

/* Fills the current buffer except for @words words. */
static void fill_but(u32 words)
{
	while (evtlog_ring.end - evtlog_ring.pos > (long)words)
		log_write(serial++);
}

static void fill_all(void)
{
	while (evtlog_ring.pos)
		log_write(serial++);
}

static void other_upper_half(void)
{
	evtlog_ring.high--;
}

static void nothing(void)
{
}

static void one_word_left(void)
{
	fill_but(1);
}

static void no_word_left(void)
{
	fill_but(0);
}

static void two_words_left_and_late(void)
{
	fill_but(2);
	other_upper_half();
}

static void write_one(void)
{
	log_write(serial++ & ~1U);
}

static void write_one_irqon(void)
{
	log_write(serial++ | 1);
}

static void write_three(void)
{
	log_write_words(RECORD_SIZED + 3, serial++);
}

static void flush_and_begin(void)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	evtlog_ring_flush(&evtlog_ring);
	evtlog_ring_begin(&evtlog_ring, 1);
	raw_local_irq_restore(flags);
}

/* Buffers are read with interrupts off: the reader is not this CPU. */
static void read_all(void)
{
	const struct evtlog_buffer_header *h;

	while ((h = evtlog_ring_peek(&evtlog_ring, NULL))) {
		log_judge(h);
		evtlog_ring_release(&evtlog_ring);
	}
}

static const struct scene {
	const char *name;
	void (*before)(void);
	void (*step)(void);
} scenes[] = {
	{ "one word", nothing, write_one },
	{ "one word, interrupts on", nothing, write_one_irqon },
	{ "three words", nothing, write_three },
	{ "the last word of a buffer", one_word_left, write_one },
	{ "one word into the next buffer", no_word_left, write_one },
	{ "three words into the next buffer", one_word_left, write_three },
	{ "a full time", other_upper_half, write_one },
	{ "a full time into the next buffer", two_words_left_and_late, write_three },
	{ "a loss", fill_all, write_one },
	{ "a loss of three words", fill_all, write_three },
	{ "a flush", nothing, flush_and_begin },
	{ "a flush without a buffer", fill_all, flush_and_begin },
};

static void trial(const struct scene *scene, u64 seed)
{
	log_begin(seed, 2, BUFFER_WORDS, 1000000);
	shim_irqs_off = 1;
	evtlog_ring_begin(&evtlog_ring, 1);
	shim_irqs_off = 0;
	scene->before();

	stops = 0;
	trap_flag(1);
	scene->step();
	trap_flag(0);

	log_write(serial++);
	read_all();
	log_write(serial++);
	shim_irqs_off = 1;
	evtlog_ring_end(&evtlog_ring);
	shim_irqs_off = 0;
	read_all();
	evtlog_ring_finish(&evtlog_ring, 1);
	read_all();
	log_end();
	if (delivered)
		_exit(0);
}

int main(void)
{
	struct sigaction action = {
		.sa_sigaction = on_trap,
		.sa_flags = SA_SIGINFO,
	};
	u32 i;

	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED) {
		perror("ring_steps: mmap");
		return 1;
	}
	if (sigaction(SIGTRAP, &action, NULL)) {
		perror("ring_steps: sigaction");
		return 1;
	}
	shim_irq_handler = irq;
	shim_nmi_handler = nmi;
	for (i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
		trial(&scenes[i], i);
		printf("%s: interrupted before each of %llu instructions\n",
		       scenes[i].name, (unsigned long long)stops);
		if (stops < 10) {
			fprintf(stderr, "FAIL: the trap flag does not work\n");
			return 1;
		}
	}
	printf("%llu interrupts, %llu of them deferred\n",
	       (unsigned long long)seen->irqs, (unsigned long long)seen->deferred);
	return seen->deferred && seen->irqs > seen->deferred ? 0 : 1;
}

#else

int main(void)
{
	printf("the trap flag is x86's, and no sanitizer may look on\n");
	return 77;
}

#endif
