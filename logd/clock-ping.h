/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Echoes to other hosts while a run records, by which clocks are compared later.
 */
#ifndef EVTLOG_LOGD_CLOCK_PING_H
#define EVTLOG_LOGD_CLOCK_PING_H

#include <stdint.h>
#include <sys/types.h>

#include "config.h"

#define SYNC_BURST_MS	500

/*
 * All but @child stays for another, begun when there are no rights any more.
 * @child:	the process that sends; 0 = none
 * @socket, @enable: opened for it; -1 = no echoes are sent
 * @count:	echoes sent, in memory shared with @child
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
 * sync_start() - begin a process that finds the peers and sends to them
 *
 * To be called while there are all rights, and SIGCHLD is blocked.  Names are looked up by
 * the process, which says what is wrong with one: a log without echoes is better than none.
 */
void sync_start(struct sync *sync, const struct config *config);

/**
 * sync_look_after() - if the process has ended, say so and begin another
 *
 * To be called after SIGCHLD.  Never waits; takes no rights.
 */
void sync_look_after(struct sync *sync);

/** sync_burst() - send often for a while: the run is about to end */
void sync_burst(const struct sync *sync);

/** sync_stop() - end the process */
void sync_stop(struct sync *sync);

#endif /* EVTLOG_LOGD_CLOCK_PING_H */
