// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * profiled CALLS SLEEPS PAGES - makes CALLS getppid(), SLEEPS sleeps and signals, PAGES page faults,
 * and some read(). Prints its pid; waits for a kill.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void on_signal(int number)
{
}

int main(int argc, char **argv)
{
	const struct timespec ms = { .tv_nsec = 1000000 };
	int calls = atoi(argv[1]), sleeps = atoi(argv[2]), pages = atoi(argv[3]);
	volatile unsigned long spun = 0;
	char line[128];
	FILE *stat;
	char *memory;

	signal(SIGUSR1, on_signal);
	for (int i = 0; i < sleeps; i++)
		raise(SIGUSR1);
	for (int i = 0; i < calls; i++)
		syscall(SYS_getppid);
	for (int i = 0; i < sleeps; i++)
		nanosleep(&ms, NULL);
	memory = mmap(NULL, pages * 4096UL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	for (int i = 0; i < pages; i++)
		memory[i * 4096UL] = 1;
	while (spun < 30000000)
		spun++;
	stat = fopen("/proc/self/stat", "r");
	if (!stat || !fgets(line, sizeof(line), stat))
		perror("/proc/self/stat");
	printf("pid %d\n", getpid());
	fflush(stdout);
	pause();
	return 0;
}
