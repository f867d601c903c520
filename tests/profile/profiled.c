// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * profiled CALLS SLEEPS PAGES [hop] - makes CALLS getppid(), SLEEPS sleeps and signals, and PAGES
 * page faults; hop: on two CPUs. Prints the kernel's accounting; waits for a kill.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void go_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		perror("sched_setaffinity");
}

static void on_signal(int number)
{
}

int main(int argc, char **argv)
{
	const struct timespec ms = { .tv_nsec = 1000000 };
	int calls = atoi(argv[1]), sleeps = atoi(argv[2]), pages = atoi(argv[3]);
	volatile unsigned long spun = 0;
	char line[128] = "";
	struct rusage usage;
	FILE *schedstat;
	char *memory;
	int i;

	signal(SIGUSR1, on_signal);
	for (i = 0; i < sleeps; i++)
		raise(SIGUSR1);
	for (i = 0; i < calls; i++)
		syscall(SYS_getppid);
	for (i = 0; i < sleeps; i++) {
		nanosleep(&ms, NULL);
		if (argc > 4)
			go_to(i & 1);
	}
	memory = mmap(NULL, pages * 4096UL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	for (i = 0; i < pages; i++)
		memory[i * 4096UL] = 1;
	while (spun < 30000000)
		spun++;
	getrusage(RUSAGE_SELF, &usage);
	schedstat = fopen("/proc/self/schedstat", "r");
	if (!schedstat || !fgets(line, sizeof(line), schedstat))
		perror("/proc/self/schedstat");
	printf("pid %d faults %ld voluntary %ld involuntary %ld user_us %ld system_us %ld "
	       "schedstat %s", getpid(), usage.ru_minflt, usage.ru_nvcsw, usage.ru_nivcsw,
	       usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec,
	       usage.ru_stime.tv_sec * 1000000 + usage.ru_stime.tv_usec, line);
	fflush(stdout);
	pause();
	return 0;
}
