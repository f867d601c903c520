/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a file of samples; see <evtlog/jitter.h>.
 *
 * It takes what it is given for right.
 */
#ifndef EVTLOG_JITTER_BENCH_SAMPLES_WRITE_H
#define EVTLOG_JITTER_BENCH_SAMPLES_WRITE_H

#include <evtlog/jitter.h>

/*
 * @text:	lines "key=value"
 * @threads:	by CPU
 * @samples:	of each thread, as many as its struct says
 */
struct samples_file {
	uint32_t flags;
	enum evtlog_samples_method method;
	uint64_t ticks_hz;
	const char *text;
	const struct evtlog_samples_thread *threads;
	const struct evtlog_sample *const *samples;
	uint32_t count;
};

/* Whole or not at all, for its owner only, as it tells what runs here.  0 or -errno. */
int samples_write(const char *path, const struct samples_file *file);

#endif /* EVTLOG_JITTER_BENCH_SAMPLES_WRITE_H */
