// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Options of random tests: duration and seed
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "limits.h"
#include "random.h"

static struct timespec start;

static uint64_t parse_number(const char *program, const char *text)
{
	uint64_t n;
	char *end;

	errno = 0;
	n = strtoull(text, &end, 0);
	if (errno || end == text || *end) {
		fprintf(stderr, "%s: %s: not a number\n", program, text);
		exit(2);
	}
	return n;
}

static void usage(const char *program, FILE *to)
{
	fprintf(to, "Usage: %s [--ops N | --seconds S] [--seed N]\n", program);
}

void limits_parse(struct limits *l, int argc, char **argv)
{
	static const struct option options[] = {
		{ "ops", required_argument, NULL, 'o' },
		{ "seconds", required_argument, NULL, 's' },
		{ "seed", required_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	const char *given = getenv("SEED");
	int c;

	l->seed = given ? parse_number(argv[0], given) : random_seed();
	while ((c = getopt_long(argc, argv, "h", options, NULL)) >= 0) {
		switch (c) {
		case 'o':
			l->ops = parse_number(argv[0], optarg);
			l->seconds = 0;
			break;
		case 's':
			l->seconds = (double)parse_number(argv[0], optarg);
			break;
		case 'r':
			l->seed = parse_number(argv[0], optarg);
			break;
		case 'h':
			usage(argv[0], stdout);
			exit(0);
		default:
			usage(argv[0], stderr);
			exit(2);
		}
	}
	if (optind != argc) {
		usage(argv[0], stderr);
		exit(2);
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("SEED=%llu\n", (unsigned long long)l->seed);
	clock_gettime(CLOCK_MONOTONIC, &start);
}

double limits_elapsed(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start.tv_sec) +
	       1e-9 * (double)(now.tv_nsec - start.tv_nsec);
}
