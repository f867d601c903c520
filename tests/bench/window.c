// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * window - counts the datagrams that a network namespace sends or receives in a time, while other
 * programs make the traffic.
 *
 * window NETNS-FILE COLUMN SECONDS
 *
 * COLUMN is a column of Udp: in /proc/net/snmp, InDatagrams or OutDatagrams. Prints its increase
 * during SECONDS, and the ns between the two readings.
 */
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include "load.h"

#define COLUMNS_MAX	16

/* Splits a line at its spaces; returns the number of words. */
static int split(char *line, char *words[COLUMNS_MAX])
{
	int count = 0;

	for (char *word = strtok(line, " \n"); word && count < COLUMNS_MAX;
	     word = strtok(NULL, " \n"))
		words[count++] = word;
	return count;
}

static long datagrams(const char *column)
{
	char names[512], values[512], *name[COLUMNS_MAX], *value[COLUMNS_MAX];
	FILE *file = fopen("/proc/self/net/snmp", "r");
	long number = -1;

	if (!file)
		die("/proc/self/net/snmp");
	while (fgets(names, sizeof(names), file) && fgets(values, sizeof(values), file)) {
		int count;

		if (strncmp(names, "Udp:", 4))
			continue;
		count = split(names, name);
		if (split(values, value) != count)
			break;
		for (int i = 1; i < count; i++)
			if (!strcmp(name[i], column))
				number = atol(value[i]);
	}
	fclose(file);
	return number;
}

int main(int argc, char **argv)
{
	double seconds = argc == 4 ? atof(argv[3]) : 0, begin;
	struct timespec wait = { seconds, (seconds - (long)seconds) * 1e9 };
	int netns;
	long first;

	if (seconds <= 0) {
		fprintf(stderr, "Usage: window NETNS-FILE COLUMN SECONDS\n");
		return 2;
	}
	netns = open(argv[1], O_RDONLY);
	if (netns < 0 || setns(netns, CLONE_NEWNET))
		die(argv[1]);
	first = datagrams(argv[2]);
	if (first < 0) {
		fprintf(stderr, "window: %s: not in /proc/net/snmp\n", argv[2]);
		return 1;
	}
	begin = now_ns(CLOCK_MONOTONIC_RAW);
	while (nanosleep(&wait, &wait))
		;
	printf("%ld", datagrams(argv[2]) - first);
	printf(" %.0f\n", now_ns(CLOCK_MONOTONIC_RAW) - begin);
	return 0;
}
