/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TCP's two ends, where bytes and packets are not the same: what a program writes goes out in
 * segments, and segments that wait to be read are joined.
 *
 * For packets.c.  Functions return 0 or -ENOMEM.
 */
#ifndef EVTLOG_PATH_STREAM_H
#define EVTLOG_PATH_STREAM_H

#include "packets.h"

struct path_begin;

/* A program writes. */
int path_stream_write(struct path_host *host, const struct path_record *record,
		      const struct path_begin *begin);

/* The writing of a segment's first byte; NULL: it has none, or that was not recorded. */
const struct path_begin *path_stream_write_of(struct path_host *host, uint64_t sk,
					      const struct path_header *header);

/* A segment may be added to another, which is the kernel's to decide. */
int path_stream_add(struct packets *packets, struct path_host *host,
		    const struct path_record *record);

/* A segment is read, and so are those that were added to it. */
int path_stream_read(struct packets *packets, struct path_live *live,
		     const struct path_visit *visit);

#endif /* EVTLOG_PATH_STREAM_H */
