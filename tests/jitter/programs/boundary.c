// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * boundary - a user program that measures when and how often it leaves user mode.
 *
 * Reads the tick counter around what it does, and prints the ticks with its pid and the kernel's
 * counts; boundary.py compares them with the log.  The program is pinned and its memory is locked,
 * so that it leaves user mode only as planned.
 *
 * boundary CPU WHAT NUMBER [THRESHOLD], where WHAT is
 *
 *   gaps SECONDS THRESHOLD   prints the steps of the counter that are larger, in ticks
 *   calls N                  calls getppid() N times, and some invalid numbers
 *   faults N                 touches N fresh pages
 *   traps N                  raises several exceptions N times each; #AC if the machine checks it
 *   spin SECONDS             stays in user mode
 *   cost ROUNDS              prints the ns of a getppid() in the fastest of ROUNDS rounds
 *   mean ROUNDS              prints the mean ns of a getppid() in rounds without interruptions:
 *                            those that take less than 1.5 times the fastest
 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "pinned.h"

#define GAPS_MAX	100000
#define CALLS_A_ROUND	64

static struct gap {
	uint64_t from, to;
} gaps[GAPS_MAX];

static sigjmp_buf behind;

static inline long call(long nr)
{
	long result;

	asm volatile("syscall" : "=a" (result) : "a" (nr) : "rcx", "r11", "memory");
	return result;
}

static double ticks_per_s(void)
{
	double begin = now_ns(), end;
	uint64_t from = ticks(), to;

	do {
		end = now_ns();
		to = ticks();
	} while (end - begin < 5e7);
	return (to - from) / (end - begin) * 1e9;
}

static void find_gaps(double seconds, uint64_t threshold)
{
	uint64_t span = seconds * ticks_per_s();
	uint64_t begin, last, now, sleep_at;
	const struct timespec nap = { .tv_nsec = 300000 };
	size_t n = 0;

	begin = last = ticks();
	sleep_at = begin + span / 64;
	while (last - begin < span && n < GAPS_MAX) {
		now = ticks();
		if (now - last > threshold)
			gaps[n++] = (struct gap) { last, now };
		last = now;
		if (now >= sleep_at) {
			sleep_at += span / 64;
			syscall(SYS_nanosleep, &nap, NULL);
		}
	}
	printf("pid %d\nspan %" PRIu64 " %" PRIu64 "\n", getpid(), begin, last);
	for (size_t i = 0; i < n; i++)
		printf("gap %" PRIu64 " %" PRIu64 "\n", gaps[i].from, gaps[i].to);
}

static void make_calls(long n)
{
	static const long none[] = { 1000, 0xfffe, 0xffff, 0x10000, -1 };
	uint64_t begin = ticks(), end;

	for (long i = 0; i < n; i++)
		call(SYS_getppid);
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (call(none[i]) != -ENOSYS)
			die("a call that is none");
	end = ticks();
	printf("pid %d\nspan %" PRIu64 " %" PRIu64 "\ngetppid %ld\n", getpid(),
	       begin, end, n);
	printf("other 3\n");
}

static long minor_faults(void)
{
	struct rusage usage;

	if (syscall(SYS_getrusage, RUSAGE_SELF, &usage))
		die("getrusage");
	return usage.ru_minflt;
}

static void touch_pages(long n)
{
	long page = sysconf(_SC_PAGESIZE), before, after;
	uint64_t begin, end;
	char *memory;

	if (munlockall())
		die("munlockall");
	memory = mmap(NULL, n * page, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		die("mmap");
	madvise(memory, n * page, MADV_NOHUGEPAGE);
	minor_faults();
	begin = ticks();
	before = minor_faults();
	for (long i = 0; i < n; i++)
		*(volatile char *)(memory + i * page) = 1;
	after = minor_faults();
	end = ticks();
	printf("pid %d\nspan %" PRIu64 " %" PRIu64 "\npages %ld\nminflt %ld\n",
	       getpid(), begin, end, n, after - before);
}

static void caught(int signal)
{
	/* The kernel leaves the AC flag set; the C library does not support this. */
	asm volatile("pushfq; andl $~0x40000, (%%rsp); popfq" : : : "memory", "cc");
	siglongjmp(behind, signal);
}

static void divide(void)
{
	asm volatile("xorl %%ecx, %%ecx; movl $1, %%eax; cltd; idivl %%ecx"
		     : : : "eax", "ecx", "edx");
}

static void invalid(void)
{
	asm volatile("ud2");
}

static void breakpoint(void)
{
	asm volatile("int3");
}

static void privileged(void)
{
	asm volatile("hlt");
}

static void overflow(void)
{
	asm volatile("int $4");
}

static void coprocessor(void)
{
	const uint16_t zero_divide_raises = 0x37b;

	asm volatile("fninit; fldcw %0; fld1; fldz; fdivrp; fwait; fninit"
		     : : "m" (zero_divide_raises));
}

static void step(void)
{
	asm volatile("pushfq; orl $0x100, (%%rsp); popfq; nop" : : : "memory", "cc");
}

/*
 * BOUND exists only in 32-bit code; each kernel has the segment 0x23 for such code.  A far jump
 * enters it, because the emulator's far return reads the stack as the kernel would.  Data is read
 * through the code segment, because a 64-bit program has no other.
 */
static void bounds(void)
{
	asm volatile("ljmpl *3f\n"
		     ".code32\n"
		     "1: movl $3, %%eax\n"
		     "cs bound %%eax, 2f\n"
		     "ud2\n"
		     ".code64\n"
		     ".pushsection .rodata\n"
		     "2: .long 1, 2\n"
		     "3: .long 1b; .word 0x23\n"
		     ".popsection"
		     : : : "eax", "memory");
}

static void unaligned(void)
{
	static const uint64_t aligned[2];

	asm volatile("pushfq; orl $0x40000, (%%rsp); popfq; movl 1(%0), %%eax; "
		     "pushfq; andl $~0x40000, (%%rsp); popfq"
		     : : "r" (aligned) : "eax", "memory", "cc");
}

/* True if the processor checks alignment.  QEMU's emulator does not. */
static bool is_alignment_checked(void)
{
	if (sigsetjmp(behind, 1))
		return true;
	unaligned();
	return false;
}

/* The exception that some machines do not raise is the last. */
static const struct {
	int vector;
	void (*make)(void);
} traps[] = {
	{ 0, divide }, { 1, step }, { 3, breakpoint }, { 4, overflow }, { 5, bounds },
	{ 6, invalid }, { 13, privileged }, { 16, coprocessor }, { 17, unaligned },
};
#define TRAPS	(sizeof(traps) / sizeof(traps[0]))

static void catch_traps(void)
{
	static const int signals[] = { SIGFPE, SIGTRAP, SIGILL, SIGSEGV, SIGBUS };
	static char handlers_stack[65536];
	/* In 32-bit code the upper half of the stack pointer is undefined. */
	const stack_t stack = { .ss_sp = handlers_stack, .ss_size = sizeof(handlers_stack) };
	const struct sigaction action = { .sa_handler = caught, .sa_flags = SA_ONSTACK };

	if (sigaltstack(&stack, NULL))
		die("sigaltstack");
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (sigaction(signals[i], &action, NULL))
			die("sigaction");
}

/* All memory is locked, so the handler causes no page faults that would be counted. */
static void make_traps(long n)
{
	volatile size_t count = TRAPS;
	uint64_t begin, end;

	catch_traps();
	if (!is_alignment_checked())
		count--;
	begin = ticks();
	for (volatile long i = 0; i < n; i++)
		for (volatile size_t k = 0; k < count; k++)
			if (!sigsetjmp(behind, 1)) {
				traps[k].make();
				die("a trap that was none");
			}
	end = ticks();
	printf("pid %d\nspan %" PRIu64 " %" PRIu64 "\n", getpid(), begin, end);
	for (size_t k = 0; k < TRAPS; k++)
		if (k < count)
			printf("vector %d %ld\n", traps[k].vector, n);
		else
			printf("unraised %d\n", traps[k].vector);
}

static void spin(double seconds)
{
	uint64_t span = seconds * ticks_per_s(), begin = ticks(), end;

	do
		end = ticks();
	while (end - begin < span);
	printf("pid %d\nspan %" PRIu64 " %" PRIu64 "\n", getpid(), begin, end);
}

static void cost(long rounds)
{
	double least = 1e18, begin, end;

	for (long round = 0; round < rounds; round++) {
		begin = now_ns();
		for (int i = 0; i < CALLS_A_ROUND; i++)
			call(SYS_getppid);
		end = now_ns();
		if (end - begin < least)
			least = end - begin;
	}
	printf("%.2f\n", least / CALLS_A_ROUND);
}

static void mean(long rounds)
{
	double *took = calloc(rounds, sizeof(*took)), least = 1e18, sum = 0, begin;
	long n = 0;

	if (!took)
		die("calloc");
	for (long round = 0; round < rounds; round++) {
		begin = now_ns();
		for (int i = 0; i < CALLS_A_ROUND; i++)
			call(SYS_getppid);
		took[round] = now_ns() - begin;
		if (took[round] < least)
			least = took[round];
	}
	for (long round = 0; round < rounds; round++) {
		if (took[round] < 1.5 * least) {
			sum += took[round];
			n++;
		}
	}
	printf("%.2f\n", sum / n / CALLS_A_ROUND);
	free(took);
}

int main(int argc, char **argv)
{
	const char *what = argc > 3 ? argv[2] : "";

	if (argc < 4) {
		fprintf(stderr, "Usage: boundary CPU WHAT NUMBER [THRESHOLD]\n");
		return 2;
	}
	pin(argv[1]);
	if (!strcmp(what, "gaps") && argc > 4)
		find_gaps(atof(argv[3]), strtoull(argv[4], NULL, 0));
	else if (!strcmp(what, "calls"))
		make_calls(atol(argv[3]));
	else if (!strcmp(what, "faults"))
		touch_pages(atol(argv[3]));
	else if (!strcmp(what, "traps"))
		make_traps(atol(argv[3]));
	else if (!strcmp(what, "spin"))
		spin(atof(argv[3]));
	else if (!strcmp(what, "cost"))
		cost(atol(argv[3]));
	else if (!strcmp(what, "mean"))
		mean(atol(argv[3]));
	else
		die(what);
	return 0;
}
