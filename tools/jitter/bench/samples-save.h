/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saves a file of samples, completely or not at all.
 *
 * Stage: after the benchmark.
 */
#ifndef EVTLOG_JITTER_BENCH_SAMPLES_SAVE_H
#define EVTLOG_JITTER_BENCH_SAMPLES_SAVE_H

#include "lib/jitter/samples-write.h"

/* Only the owner can read the file: it shows what runs on this machine. Returns 0 or -errno. */
int samples_save(const char *path, const struct samples_file *file);

#endif /* EVTLOG_JITTER_BENCH_SAMPLES_SAVE_H */
