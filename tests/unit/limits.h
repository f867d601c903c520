/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long a random test goes on, and from which seed: its options.
 */
#ifndef UNIT_LIMITS_H
#define UNIT_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

struct limits {
	uint64_t seed;
	uint64_t ops;		/* used where @seconds is 0 */
	double seconds;
	bool no_signals;
};

/*
 * Changes what --seed, --ops, --seconds and --no-signals say, takes $SEED or makes a seed
 * if none is given, prints it and starts the time. Exits on misuse.
 */
void limits_parse(struct limits *l, int argc, char **argv);

double limits_elapsed(void);

#endif /* UNIT_LIMITS_H */
