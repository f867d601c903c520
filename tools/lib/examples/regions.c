// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counts primes and writes them, in two regions.
 *
 *	cc regions.c $(pkg-config --cflags --libs evtlog) -o regions
 *	EVTLOG_PROFILE_FILE=/tmp/primes ./regions 200000 >/dev/null
 *	evtlog profile report /tmp/primes.*
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <evtlog/region.h>

static bool is_prime(unsigned long number)
{
	for (unsigned long i = 2; i * i <= number; i++) {
		if (number % i == 0)
			return false;
	}
	return number > 1;
}

int main(int argc, char **argv)
{
	unsigned long most = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;

	for (unsigned long first = 0; first < most; first += 1000) {
		unsigned int count = 0;

		evtlog_region_begin("count");
		for (unsigned long i = first; i < first + 1000; i++)
			count += is_prime(i);
		evtlog_region_end("count");
		evtlog_region_begin("write");
		printf("%lu %u\n", first, count);
		fflush(stdout);
		evtlog_region_end("write");
	}
	return 0;
}
