/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Full buffers out of the kernel, without copying.
 */
#ifndef EVTLOG_LOGD_DRAIN_H
#define EVTLOG_LOGD_DRAIN_H

#include <stdbool.h>
#include <stddef.h>

struct drain;
struct runs;

/*
 * @DRAIN_EMPTY:	the kernel has no full buffer left
 * @DRAIN_MORE:		there may be more; the allowed passes are used up
 * @DRAIN_BLOCKED:	another reader holds a CPU: try again in a while
 * @DRAIN_STALLED:	buffers can't be written: try again in a while
 */
enum drain_result { DRAIN_EMPTY, DRAIN_MORE, DRAIN_BLOCKED, DRAIN_STALLED };

/**
 * drain_open() - open the buffers of every possible CPU
 *
 * Says what is wrong.  Returns 0 or -errno.
 */
int drain_open(struct drain **drain);

/** drain_close() - buffers got and not written go back to the kernel's queue */
void drain_close(struct drain *drain);

/** drain_cpus() - number of possible CPUs */
unsigned int drain_cpus(const struct drain *drain);

/** drain_map() - map the buffers that there are, so that the first full one need not wait for it */
void drain_map(struct drain *drain);

/**
 * drain_run() - move full buffers into the files of their runs
 * @passes:	over all CPUs, one buffer of each a pass; 0 = until it is empty
 *
 * A buffer is handed back to the kernel when, and only when, it is written.
 */
enum drain_result drain_run(struct drain *drain, struct runs *runs, unsigned int passes);

#endif /* EVTLOG_LOGD_DRAIN_H */
