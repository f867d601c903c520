// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A line of progress, from the second second on.
 */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void progress_begin(struct progress *progress, const char *what, uint64_t total)
{
	*progress = (struct progress) {
		.what = what,
		.total = total,
		.began_ms = now_ms(),
		.terminal = isatty(STDERR_FILENO),
	};
}

void progress_update(struct progress *progress, uint64_t done)
{
	uint64_t now;

	if (!progress->terminal || !progress->total)
		return;
	now = now_ms();
	if (now - progress->began_ms < 1000 || now - progress->shown_ms < 200)
		return;
	fprintf(stderr, "\revtlog: %s: %3.0f %%", progress->what,
		100.0 * done / progress->total);
	progress->shown_ms = now;
	progress->shown = true;
}

void progress_end(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
