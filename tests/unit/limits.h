/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options of random tests: duration and seed
 */
#ifndef UNIT_LIMITS_H
#define UNIT_LIMITS_H

#include <stdint.h>

struct limits {
	uint64_t seed;
	uint64_t ops;		/* used if @seconds is 0 */
	double seconds;
};

/*
 * Parses --seed, --ops and --seconds. Without --seed, takes $SEED or 1. Prints the seed
 * and starts the time. Exits on misuse.
 */
void limits_parse(struct limits *l, int argc, char **argv);

double limits_elapsed(void);

#endif /* UNIT_LIMITS_H */
