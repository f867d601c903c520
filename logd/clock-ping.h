/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends echo requests to other hosts during a run, to relate the clocks later.
 */
#ifndef EVTLOG_LOGD_CLOCK_PING_H
#define EVTLOG_LOGD_CLOCK_PING_H

#include <stdint.h>
#include <sys/types.h>

#include "config.h"

#define SYNC_BURST_MS	500

/*
 * All members but @child are also used by a later child, which is started without privileges.
 * @child:	the sending process, 0 if none
 * @socket, @enable: opened for it; -1 if no requests are sent
 * @count:	requests sent, in memory shared with @child
 * @begun_ns:	monotonic time from which @child sends
 */
struct sync {
	pid_t child;
	int socket;
	int enable;
	uint32_t *count;
	uint64_t period_ns;
	uint64_t begun_ns;
	char names[CONFIG_PEERS_BYTES];
};

/**
 * sync_start() - start a process that looks up the peers and sends to them
 *
 * Call it with all privileges and with SIGCHLD blocked.  The process looks up the names and
 * prints errors.  An error is not fatal: a log without echo requests is better than none.
 */
void sync_start(struct sync *sync, const struct config *config);

/**
 * sync_look_after() - if the process has ended, print a warning and start a new one
 *
 * Call it after SIGCHLD.  It does not wait and needs no privileges.
 */
void sync_look_after(struct sync *sync);

/** sync_burst() - send often for a while, because the run is about to end */
void sync_burst(const struct sync *sync);

/** sync_stop() - end the process */
void sync_stop(struct sync *sync);

#endif /* EVTLOG_LOGD_CLOCK_PING_H */
