// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * jitter_picture SEED WIDTH linear|log FROM TO DIRECTORY - draws interruptions made by hand
 *
 * Prints their lengths, for jitter_picture.py.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jitter/plot/plot.h"
#include "jitter_made.h"

static void draw(const struct made *made, struct jitter_show *show, const char *directory)
{
	char path[4096];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s.png", directory, jitter_view_names[show->view]);
	out = fopen(path, "w");
	if (!out || jitter_show(&made->data, show, out) || fclose(out)) {
		fprintf(stderr, "jitter_picture: %s: not drawn\n", path);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	struct jitter_show show = {
		.paper = { .title = "Made by hand", .height = 640 },
		.subtitle = "for a test",
	};
	struct made made;
	uint32_t timer, beat, random;
	/* Always the same: with one seed in some thousands, a random source would stand out. */
	uint64_t seed, times = 88172645463325252;

	if (argc != 7)
		return 2;
	seed = strtoull(argv[1], NULL, 10);
	show.paper.width = strtoul(argv[2], NULL, 10);
	show.choice.linear = !strcmp(argv[3], "linear");
	show.choice.from = strtod(argv[4], NULL);
	show.choice.to = strtod(argv[5], NULL);
	show.paper.light = seed & 1;
	made_begin(&made, 1, 20);
	timer = made_source(&made, "timer interrupt");
	beat = made_source(&made, "beat\x1b[1m \xff");
	random = made_source(&made, "at random");
	for (int i = 0; i < 4950; i++) {
		uint64_t ns = 2000 + 2000 * made_random(&seed) * made_random(&seed);

		made_add(&made, 0, i / 250.0 + 0.0001, ns, ns + 300, timer);
		printf("interruption %llu\npart %llu\nuser %llu\n", (unsigned long long)ns,
		       (unsigned long long)ns, (unsigned long long)ns + 300);
	}
	for (int i = 0; i < 57; i++) {
		uint64_t ns = 90000 + 30000 * made_random(&seed);

		made_add(&made, 0, i / 3.0 + 0.0021, ns, ns + 300, beat);
		printf("interruption %llu\npart %llu\nuser %llu\n", (unsigned long long)ns,
		       (unsigned long long)ns, (unsigned long long)ns + 300);
	}
	for (int i = 0; i < 800; i++) {
		uint64_t ns = 5000 + 9000 * made_random(&seed);

		made_add(&made, 0, 0.01 + 19.7 * made_random(&times), ns, ns + 300, random);
		printf("interruption %llu\npart %llu\nuser %llu\n", (unsigned long long)ns,
		       (unsigned long long)ns, (unsigned long long)ns + 300);
	}
	made_end(&made);
	draw(&made, &show, argv[6]);
	show.view = JITTER_DENSITY;
	draw(&made, &show, argv[6]);
	show.view = JITTER_SPECTRUM;
	show.choice.from = show.choice.to = 0;
	draw(&made, &show, argv[6]);
	made_free(&made);
	return 0;
}
