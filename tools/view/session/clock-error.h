/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far a host's clock may be wrong over a span.
 */
#ifndef EVTLOG_VIEW_SESSION_CLOCK_ERROR_H
#define EVTLOG_VIEW_SESSION_CLOCK_ERROR_H

#include "session.h"

/* The greatest of the bounds looked up all over the span; UINT64_MAX: nobody knows. */
uint64_t worst_bound(const struct session *session, uint32_t host, int64_t from_ns,
		     int64_t to_ns);

#endif /* EVTLOG_VIEW_SESSION_CLOCK_ERROR_H */
