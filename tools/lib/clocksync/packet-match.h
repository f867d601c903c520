/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the two parts of matching packets share.
 */
#ifndef EVTLOG_LIB_CLOCKSYNC_PACKET_MATCH_H
#define EVTLOG_LIB_CLOCKSYNC_PACKET_MATCH_H

#include "clocksync.h"

/*
 * How far @to's clock is ahead of @from's, roughly, if @known; as it was last asked
 * for, since it is asked for again and again.
 */
struct rough {
	uint32_t from;
	uint32_t to;
	bool asked;
	bool known;
	__int128 lower;
	__int128 upper;
};

/* The first of the packets between two hosts, either way; count if there is none. */
size_t packets_find(const struct packets *packets, uint32_t a, uint32_t b);

/*
 * Matches what can be of @count records of one name, which are sorted: sent ones
 * first, by host and time.  @to has room for as many.  Returns how many.
 */
size_t repeats_match(const struct host *hosts,
		     const struct packet_record *records, size_t count,
		     const struct packets *known, struct rough *rough,
		     struct packet *to);

#endif /* EVTLOG_LIB_CLOCKSYNC_PACKET_MATCH_H */
