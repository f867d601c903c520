// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * With random gaps of CPUs, gaps_first_ns() is the first gap, as found by a search of all.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../../tools/lib/stream/gaps.h"

enum { SLOTS = 60, STEPS = 400000 };

int main(void)
{
	struct evtlog_event events[SLOTS];
	uint64_t naive[SLOTS];
	struct gaps gaps = { 0 };
	unsigned long most = 0;

	if (gaps_init(&gaps, SLOTS))
		return 1;
	for (unsigned int i = 0; i < SLOTS; i++)
		naive[i] = UINT64_MAX;
	srandom(1);
	for (unsigned long step = 0; step < STEPS; step++) {
		unsigned int slot = random() % SLOTS, first = 0;

		if (naive[slot] != UINT64_MAX || random() % 3 == 0) {
			gaps_remove(&gaps, slot);
			naive[slot] = UINT64_MAX;
		} else {
			naive[slot] = random() % 50;
			gaps_add(&gaps, slot, naive[slot], &events[slot]);
		}
		for (unsigned int i = 1; i < SLOTS; i++)
			if (naive[i] < naive[first])
				first = i;
		if (gaps.count > most)
			most = gaps.count;
		if (gaps_first_ns(&gaps) == naive[first] &&
		    (!gaps.count || (gaps.heap[0].slot == first &&
				     gaps.heap[0].event == &events[first])))
			continue;
		printf("gaps_test: step %lu: CPU %u is first at %llu, not %llu\n", step, first,
		       (unsigned long long)naive[first],
		       (unsigned long long)gaps_first_ns(&gaps));
		return 1;
	}
	printf("gaps_test: %d steps, up to %lu gaps\n", STEPS, most);
	gaps_free(&gaps);
	return most < SLOTS / 4;
}
