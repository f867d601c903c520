// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looks up a clock's bounds over a span.
 */
#include "clock-error.h"

/* Between packets a bound is greatest in the middle, so that ends alone do not tell. */
#define PLACES	256

uint64_t worst_bound(const struct session *session, uint32_t host, int64_t from_ns,
		     int64_t to_ns)
{
	uint64_t worst = 0;

	for (unsigned int i = 0; i <= PLACES; i++) {
		int64_t at = from_ns + (__int128)(to_ns - from_ns) * i / PLACES;
		uint64_t bound = session_bound(session, host,
					       session_raw(session, host, at));

		if (bound > worst)
			worst = bound;
	}
	return worst;
}
