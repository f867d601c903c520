/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Moves full buffers out of the kernel, without copying.
 */
#ifndef EVTLOG_LOGD_DRAIN_H
#define EVTLOG_LOGD_DRAIN_H

#include <stdbool.h>
#include <stddef.h>

struct drain;
struct runs;

/*
 * @DRAIN_EMPTY:	the kernel has no more full buffers
 * @DRAIN_MORE:		the passes are used up; the kernel may have more buffers
 * @DRAIN_BLOCKED:	another reader has a CPU: try again later
 * @DRAIN_STALLED:	buffers cannot be written: try again later
 */
enum drain_result { DRAIN_EMPTY, DRAIN_MORE, DRAIN_BLOCKED, DRAIN_STALLED };

/**
 * drain_open() - open the buffers of all possible CPUs
 *
 * Prints errors.  Returns 0 or -errno.
 */
int drain_open(struct drain **drain);

/** drain_close() - a buffer that was taken but not written returns to the kernel's queue */
void drain_close(struct drain *drain);

/** drain_cpus() - return the number of possible CPUs */
unsigned int drain_cpus(const struct drain *drain);

/** drain_map() - map all existing buffers in advance, to save time at the first full one */
void drain_map(struct drain *drain);

/**
 * drain_run() - move full buffers into the files of their runs
 * @passes:	passes over all CPUs, each with one buffer per CPU; 0: until all are empty
 *
 * A buffer is returned to the kernel after it is written, and only then.
 */
enum drain_result drain_run(struct drain *drain, struct runs *runs, unsigned int passes);

#endif /* EVTLOG_LOGD_DRAIN_H */
