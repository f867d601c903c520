/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths of the packets that the probes of `evtlog path` recorded, followed on the first request.
 *
 * Stage: between tools/path and the answers and pictures.  Any thread may call these functions.
 */
#ifndef EVTLOG_VIEW_SESSION_PATHS_H
#define EVTLOG_VIEW_SESSION_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "path/packets.h"
#include "session.h"

/* Packets are not followed if there are more probe records: each takes some 500 bytes. */
#define SESSION_PATHS_RECORDS	UINT64_C(20000000)

/*
 * The path of a packet.
 *
 * @packet:	its visits have hosts of the session and times of session_time()
 * @begin_ns, @end_ns: earliest and latest visit; with clock errors these may be other visits than
 *		the first and the last
 */
struct session_way {
	const struct path_packet *packet;
	int64_t begin_ns;
	int64_t end_ns;
};

/*
 * The paths of all packets, by @begin_ns.  The position of a path is its number for users.
 *
 * @longest_ns:	duration of the longest path
 * @too_many:	number of probe records if these are too many to follow packets; else 0
 * @lanes:	lane by host and CPU; UINT32_MAX: not shown
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
 * session_follow() - get the paths of all packets in the session
 * @given_up:	called now and then; returns true if the answer is no longer wanted; may be NULL
 *
 * The paths belong to the session and do not change.  After an error the next call tries again.
 * Return: 0; -ECANCELED; -ENOMEM; -errno of reading.
 */
int session_follow(struct session *session, bool (*given_up)(void *context), void *context,
		   const struct session_paths **pathsp);
void session_paths_free(struct session *session);

/* Number of the first path that may have a visit at or after @time_ns. */
size_t session_paths_from(const struct session_paths *paths, int64_t time_ns);

/* The lane of a visit; UINT32_MAX if it is not shown. */
uint32_t session_visit_lane(const struct session_paths *paths, const struct path_visit *visit);

/* The kernel's reason for a drop. */
const char *session_visit_reason(const struct session *session, const struct path_visit *visit,
				 char *text);

/* Error of the time between two visits: 0 on one host, UINT64_MAX if unknown. */
uint64_t session_visits_bound(const struct session *session, const struct path_visit *a,
			      const struct path_visit *b);

#endif /* EVTLOG_VIEW_SESSION_PATHS_H */
