/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Claims of programs that run as root in a guest: each is printed, and the number of wrong ones is
 * counted, also of child processes.
 */
#ifndef EVTLOG_TESTS_PROFILE_CLAIMS_H
#define EVTLOG_TESTS_PROFILE_CLAIMS_H

#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int wrong;

static inline void claim(int holds, const char *what, long value)
{
	if (!holds)
		__atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
	printf("%s %s (%ld)\n", holds ? "ok   " : "WRONG", what, value);
	fflush(stdout);
}

static inline void claim_equal(const char *what, long value, long expected)
{
	claim(value == expected, what, value);
	if (value != expected)
		printf("      expected %ld\n", expected);
}

static inline void in_child(void (*trial)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		wrong = 0;
		trial();
		fflush(stdout);
		_exit(!!wrong);
	}
	waitpid(pid, &status, 0);
	wrong += !!status;
}

static inline void become_nobody(void)
{
	if (setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534))
		_exit(3);
	prctl(PR_SET_DUMPABLE, 1);
}

#endif /* EVTLOG_TESTS_PROFILE_CLAIMS_H */
