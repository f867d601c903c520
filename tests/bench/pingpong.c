// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pingpong - two ordinary tasks pass a byte back and forth through two pipes. Shows a tracer's cost
 * to a user: the load, the tracer's hooks and its recorder share the CPU. Prints the nanoseconds of
 * a round trip (two switches, two wake-ups, four system calls).
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load.h"

#define WARM_UP	1000

static void send_byte(int fd)
{
	if (write(fd, "", 1) != 1)
		die("write");
}

static void await_byte(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		die("read");
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 0;
	int cpu = argc > 2 ? atoi(argv[2]) : 0;
	int there[2], back[2], status;
	double begin = 0;
	cpu_set_t set;
	pid_t pid;
	long i;

	if (rounds < 1) {
		fprintf(stderr, "Usage: pingpong ROUNDS [CPU]\n");
		return 2;
	}
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
	if (pipe(there) || pipe(back))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		for (i = 0; i < WARM_UP + rounds; i++) {
			await_byte(there[0]);
			send_byte(back[1]);
		}
		_exit(0);
	}
	for (i = 0; i < WARM_UP + rounds; i++) {
		if (i == WARM_UP)
			begin = now_ns(CLOCK_MONOTONIC_RAW);
		send_byte(there[1]);
		await_byte(back[0]);
	}
	printf("%.2f\n", (now_ns(CLOCK_MONOTONIC_RAW) - begin) / rounds);
	if (wait(&status) != pid || status) {
		fprintf(stderr, "pingpong: the other task failed\n");
		return 1;
	}
	return 0;
}
