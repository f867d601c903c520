/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the merge needs of a stream beyond its public face.
 *
 * Stage: within libevtlog.
 */
#ifndef EVTLOG_STREAM_H
#define EVTLOG_STREAM_H

#include <stdint.h>

struct evtlog_stream;

/* Bytes of buffers taken up so far, for showing progress. */
uint64_t stream_bytes_done(const struct evtlog_stream *stream);

#endif /* EVTLOG_STREAM_H */
