// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pingpong - a load of context switches. On each CPU two tasks pass a byte back and forth until
 * they are killed or their parent dies. They sleep most of the time, which is free in virtual time.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void play(int from, int to)
{
	char ball;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 1; read(from, &ball, 1) == 1 && write(to, &ball, 1) == 1; i++)
		if (i % 200 == 0)
			usleep(20000);
	_exit(0);
}

int main(void)
{
	for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++) {
		int there[2], back[2];
		cpu_set_t set;

		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		if (pipe(there) || pipe(back) || sched_setaffinity(0, sizeof(set), &set)) {
			perror("pingpong");
			return 125;
		}
		if (!fork())
			play(there[0], back[1]);
		if (!fork())
			play(back[0], there[1]);
		if (write(there[1], "", 1) != 1)
			return 125;
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
