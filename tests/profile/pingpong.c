// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pingpong ROUNDS - two processes on one CPU send each other a byte. Prints the ns per round (two
 * switches and four system calls): the mean of the shortest of 40 series of ROUNDS, as others
 * contain interrupts.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

#define TIMES	40
/* Rounds until both processes are on their CPU */
#define FIRST	100

static int pass_on(int from, int to)
{
	char byte;

	return read(from, &byte, 1) == 1 && write(to, "x", 1) == 1 ? 0 : -1;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1000, there[2], back[2];
	double begin = 0, least = 0;
	char byte;

	if (!stay_on(0) || pipe(there) || pipe(back))
		return 1;
	if (!fork()) {
		for (int i = 0; i < FIRST + TIMES * rounds; i++) {
			if (pass_on(there[0], back[1]))
				_exit(1);
		}
		_exit(0);
	}
	for (int i = 0; i < FIRST + TIMES * rounds; i++) {
		if (i >= FIRST && (i - FIRST) % rounds == 0) {
			double now = now_ns();

			if (i > FIRST && (!least || now - begin < least))
				least = now - begin;
			begin = now;
		}
		if (write(there[1], "x", 1) != 1 || read(back[0], &byte, 1) != 1)
			return 1;
	}
	if (now_ns() - begin < least)
		least = now_ns() - begin;
	printf("%.0f\n", least / rounds);
	wait(NULL);
	return 0;
}
