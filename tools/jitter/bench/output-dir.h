/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directory that `evtlog jitter run` leaves, and the log in it.
 *
 * It does not look into files.
 */
#ifndef EVTLOG_JITTER_BENCH_OUTPUT_DIR_H
#define EVTLOG_JITTER_BENCH_OUTPUT_DIR_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * output_dir_make() - make the directory, or see that it is empty
 * @wanted:	NULL: jitter-HOST-@run
 * @path:	PATH_MAX bytes; absolute
 * @made:	whether it was not there
 *
 * Says what is wrong.  Returns 0 or -errno.
 */
int output_dir_make(const char *wanted, uint64_t run, char *path, bool *made);

/*
 * output_dir_bring() - have a log in the directory, by another name or as a copy
 * @path:	where it is, maybe there already
 * @to:		PATH_MAX bytes; where it is then
 *
 * Says what is wrong.  Returns 0 or -errno.
 */
int output_dir_bring(const char *path, const char *directory, char *to);

#endif /* EVTLOG_JITTER_BENCH_OUTPUT_DIR_H */
