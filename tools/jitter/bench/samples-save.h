/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saves a file of samples, whole or not at all.
 *
 * Stage: behind the benchmark.
 */
#ifndef EVTLOG_JITTER_BENCH_SAMPLES_SAVE_H
#define EVTLOG_JITTER_BENCH_SAMPLES_SAVE_H

#include "lib/jitter/samples-write.h"

/* For its owner only, as it tells what runs here.  0 or -errno. */
int samples_save(const char *path, const struct samples_file *file);

#endif /* EVTLOG_JITTER_BENCH_SAMPLES_SAVE_H */
