/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes samples as samples.c reads them; see <evtlog/jitter.h>.
 *
 * Stage: behind the benchmark.  It takes what it is given for right, and does not know files.
 */
#ifndef EVTLOG_LIB_JITTER_SAMPLES_WRITE_H
#define EVTLOG_LIB_JITTER_SAMPLES_WRITE_H

#include <stdio.h>

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

/**
 * samples_write() - writes @file to @out, which stays the caller's and is not flushed
 *
 * Return: 0; -EFBIG when the text is longer than a reader takes, with nothing written;
 * -errno of the first write that failed
 */
int samples_write(FILE *out, const struct samples_file *file);

#endif /* EVTLOG_LIB_JITTER_SAMPLES_WRITE_H */
