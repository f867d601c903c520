/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ways of packets that path's probes recorded: followed when they are first asked for.
 *
 * Stage: between tools/path and the answers and pictures; any thread may ask.
 */
#ifndef EVTLOG_VIEW_SESSION_PATHS_H
#define EVTLOG_VIEW_SESSION_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "path/packets.h"
#include "session.h"

/* Of more records of probes, packets are not followed: each takes some 500 bytes. */
#define SESSION_PATHS_RECORDS	UINT64_C(20000000)

/*
 * A packet's way.
 *
 * @packet:	its visits are of hosts of the session, at session_time()
 * @begin_ns, @end_ns: of its first visit and of its last, which clocks' errors may have in
 *		another order than its stations
 */
struct session_way {
	const struct path_packet *packet;
	int64_t begin_ns;
	int64_t end_ns;
};

/*
 * All of them, by @begin_ns; a way's number here is what it is called by.
 *
 * @longest_ns:	of any
 * @too_many:	records; 0: not too many
 * @lanes:	by host and CPU: UINT32_MAX is not shown
 */
struct session_paths {
	struct session_way *ways;
	size_t count;
	int64_t longest_ns;
	uint64_t too_many;
	struct packets packets;
	uint32_t **lanes;
	uint32_t host_count;
};

/**
 * session_follow() - the session's
 * @given_up:	asked now and then: the answer is not wanted any more; may be NULL
 *
 * They stay the session's, and as they are.  Return: 0; -ECANCELED; -ENOMEM; -errno of reading,
 * of which the next call tries again.
 */
int session_follow(struct session *session, bool (*given_up)(void *context), void *context,
		   const struct session_paths **pathsp);
void session_paths_free(struct session *session);

/* The first way that may have a visit in or behind @time_ns. */
size_t session_paths_from(const struct session_paths *paths, int64_t time_ns);

/* The lane of a visit; UINT32_MAX: it is not shown. */
uint32_t session_visit_lane(const struct session_paths *paths, const struct path_visit *visit);

/* The kernel's reason of a drop. */
const char *session_visit_reason(const struct session *session, const struct path_visit *visit,
				 char *text);

/* Within which the time between two visits is right: of one host 0; UINT64_MAX: not known. */
uint64_t session_visits_bound(const struct session *session, const struct path_visit *a,
			      const struct path_visit *b);

#endif /* EVTLOG_VIEW_SESSION_PATHS_H */
