/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Moves full buffers out of the kernel, without copying.
 */
#ifndef EVTLOG_LOGFILE_DRAIN_H
#define EVTLOG_LOGFILE_DRAIN_H

struct runs;
struct streams;

/*
 * @DRAIN_EMPTY:	the kernel has no more full buffers
 * @DRAIN_MORE:		the passes are used up; the kernel may have more buffers
 * @DRAIN_BLOCKED:	another reader has a CPU: try again later
 * @DRAIN_STALLED:	buffers cannot be written: try again later
 */
enum drain_result { DRAIN_EMPTY, DRAIN_MORE, DRAIN_BLOCKED, DRAIN_STALLED };

/**
 * drain_run() - move full buffers into their files
 * @passes:	passes over all streams, each with one buffer per stream; 0: until all are empty
 *
 * A buffer is returned to the kernel after it is written, and only then.
 */
enum drain_result drain_run(struct streams *streams, struct runs *runs, unsigned int passes);

#endif /* EVTLOG_LOGFILE_DRAIN_H */
