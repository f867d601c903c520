/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many passes of the sampler took place while a run was recorded, and how many were missed.
 *
 * The kernel counts both since it booted.
 */
#ifndef EVTLOG_RECORD_PASSES_H
#define EVTLOG_RECORD_PASSES_H

#include <stdint.h>

struct sampler_passes {
	uint64_t made;
	uint64_t missed;
};

/** sampler_passes_now() - since the kernel booted; zeros if it does not tell */
void sampler_passes_now(struct sampler_passes *passes);

/** sampler_passes_say() - warn, if any were missed since @before */
void sampler_passes_say(const struct sampler_passes *before);

#endif /* EVTLOG_RECORD_PASSES_H */
