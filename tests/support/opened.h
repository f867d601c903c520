/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Common functions of the guests' programs that read /proc/evtlog/cpuN: they open it, and exit with
 * a message.
 *
 * Stage: in the guest. It has no common code with the tools that read these files.
 */
#ifndef EVTLOG_TESTS_SUPPORT_OPENED_H
#define EVTLOG_TESTS_SUPPORT_OPENED_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline _Noreturn void die(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
	exit(1);
}

static inline int open_cpu(int cpu)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/evtlog/cpu%d", cpu);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		die(path);
	return fd;
}

#endif /* EVTLOG_TESTS_SUPPORT_OPENED_H */
