// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * window - counts the datagrams that a network namespace receives in a time, while other programs
 * make the traffic.
 *
 * window NETNS-FILE SECONDS
 *
 * Prints by how much InDatagrams in /proc/net/snmp rises during SECONDS, and the ns between the two
 * readings.
 */
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include "load.h"

static long datagrams(void)
{
	FILE *file = fopen("/proc/self/net/snmp", "r");
	char line[512];
	long number;

	if (!file)
		die("/proc/self/net/snmp");
	/* The names come first; InDatagrams is the first number. */
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "Udp: %ld", &number) == 1) {
			fclose(file);
			return number;
		}
	}
	die("no line Udp: in /proc/self/net/snmp");
}

int main(int argc, char **argv)
{
	double seconds = argc == 3 ? atof(argv[2]) : 0, begin;
	struct timespec wait = { seconds, (seconds - (long)seconds) * 1e9 };
	int netns;
	long first;

	if (seconds <= 0) {
		fprintf(stderr, "Usage: window NETNS-FILE SECONDS\n");
		return 2;
	}
	netns = open(argv[1], O_RDONLY);
	if (netns < 0 || setns(netns, CLONE_NEWNET))
		die(argv[1]);
	first = datagrams();
	begin = now_ns(CLOCK_MONOTONIC_RAW);
	while (nanosleep(&wait, &wait))
		;
	printf("%ld", datagrams() - first);
	printf(" %.0f\n", now_ns(CLOCK_MONOTONIC_RAW) - begin);
	return 0;
}
