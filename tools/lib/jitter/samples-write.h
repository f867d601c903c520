/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes samples for samples.c; see <evtlog/jitter.h>.
 *
 * Stage: called after the benchmark.  It does not check its input, and does not open files.
 */
#ifndef EVTLOG_LIB_JITTER_SAMPLES_WRITE_H
#define EVTLOG_LIB_JITTER_SAMPLES_WRITE_H

#include <stdio.h>

#include <evtlog/jitter.h>

/*
 * @text:	lines "key=value"
 * @threads:	sorted by CPU
 * @samples:	samples of each thread; their number is in struct evtlog_samples_thread
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

/**
 * samples_write() - write @file to @out; the caller flushes and closes @out
 *
 * Return: 0; -EFBIG the text is longer than readers accept, nothing is written; -errno of the first
 * write that failed
 */
int samples_write(FILE *out, const struct samples_file *file);

#endif /* EVTLOG_LIB_JITTER_SAMPLES_WRITE_H */
