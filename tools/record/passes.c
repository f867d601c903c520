// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads how many passes the kernel's sampler has made and missed, from its file.
 *
 * Called by cmd-record.c before a run and behind it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "control/control.h"
#include "passes.h"

/* Behind "\nNAME " */
static uint64_t number_behind(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

void sampler_passes_now(struct sampler_passes *passes)
{
	char *text;

	*passes = (struct sampler_passes) { 0 };
	if (control_read("sampler", &text))
		return;
	passes->made = number_behind(text, "\npasses ");
	passes->missed = number_behind(text, "\nmissed ");
	free(text);
}

void sampler_passes_say(const struct sampler_passes *before)
{
	struct sampler_passes now;
	uint64_t missed, due;

	sampler_passes_now(&now);
	missed = now.missed - before->missed;
	due = now.made - before->made + missed;
	if (!missed || now.missed < before->missed || now.made < before->made)
		return;
	pr_warn("the sampler missed %" PRIu64 " of %" PRIu64 " passes (%.1f %%), as others had the CPU or a pass took too long: choose a longer --sample, or fewer tasks by --tree",
		missed, due, 100.0 * missed / due);
}
