/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Echoes to other hosts while a run records, by which clocks are compared later.
 */
#ifndef LOGD_SYNC_H
#define LOGD_SYNC_H

#include <sys/types.h>

#include "config.h"

/* @child: the process that sends; 0 = none */
struct sync {
	pid_t child;
};

/**
 * sync_start() - find the peers and begin a process that sends to them
 *
 * To be called before buffers are opened, while there are all rights.  What is wrong with
 * a peer is said, and is no error: a log without echoes is better than none.
 */
void sync_start(struct sync *sync, const struct config *config);

/** sync_burst() - send often for a while: the run is about to end */
void sync_burst(const struct sync *sync);

/** sync_stop() - end the process */
void sync_stop(struct sync *sync);

#define SYNC_BURST_MS	500

#endif /* LOGD_SYNC_H */
