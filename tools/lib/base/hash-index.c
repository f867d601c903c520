// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Makes a table of numbers larger.
 *
 * Stage: now and then, as sources, patterns and tasks come.  Looking is in the header.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hash-index.h"

#define SLOTS_FIRST	256

int jitter_slots_grow(struct jitter_slots *slots, size_t count, jitter_hash *hash,
		      const void *things)
{
	struct jitter_slots grown = {
		.capacity = slots->capacity ? 2 * slots->capacity : SLOTS_FIRST,
	};

	grown.at = reallocarray(NULL, grown.capacity, sizeof(*grown.at));
	if (!grown.at)
		return -ENOMEM;
	/* All are EVTLOG_JITTER_NONE. */
	memset(grown.at, 0xff, grown.capacity * sizeof(*grown.at));
	for (size_t i = 0; i < count; i++) {
		size_t at = jitter_slots_first(&grown, hash(things, i));

		while (grown.at[at] != EVTLOG_JITTER_NONE)
			at = jitter_slots_next(&grown, at);
		grown.at[at] = i;
	}
	free(slots->at);
	*slots = grown;
	return 0;
}

void jitter_slots_free(struct jitter_slots *slots)
{
	free(slots->at);
	*slots = (struct jitter_slots) { 0 };
}
