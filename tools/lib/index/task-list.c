// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Rosters: the tasks of a group of leaves.
 *
 * Stage: made when a group of leaves is complete; read for lookups by task.  The bytes that are
 * read are untrusted.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"
#include "lib/base/array.h"

/* Size of the longest entry. */
#define ENTRY_MAX	(5 + 10 + 6)

/* ---- Making ---- */

static uint8_t *put_number(uint8_t *to, uint64_t number)
{
	while (number >= 0x80) {
		*to++ = number | 0x80;
		number >>= 7;
	}
	*to++ = number;
	return to;
}

int index_roster_make(struct index_chunk_builder *chunk, struct index_pids *pids)
{
	struct index_roster *roster = &chunk->rosters[(chunk->leaf_count - 1) >>
						      INDEX_GROUP_SHIFT];
	uint32_t last = 0;
	uint8_t *to;

	if (array_reserve_more(&chunk->roster_bytes, &chunk->roster_capacity, chunk->roster_used,
			       pids->count * (size_t)ENTRY_MAX, 1))
		return -ENOMEM;
	*roster = (struct index_roster) {
		.offset = chunk->roster_used,
		.count = pids->count,
	};
	to = chunk->roster_bytes + chunk->roster_used;
	index_pids_sort(pids);
	for (uint32_t i = 0; i < pids->count; i++) {
		const struct index_pid *pid = &pids->at[i];

		roster->filter |= index_filter(pid->pid);
		to = put_number(to, pid->pid - last);
		to = put_number(to, pid->ns);
		to = put_number(to, (uint64_t)pid->switches << INDEX_ROSTER_SHIFT |
				    pid->kinds);
		last = pid->pid;
	}
	chunk->roster_used = to - chunk->roster_bytes;
	return 0;
}

/* ---- Reading ---- */

static bool take_number(struct index_reader *reader, uint64_t *number)
{
	unsigned int shift = 0;

	*number = 0;
	while (reader->at < reader->end && shift < 64) {
		uint8_t byte = *reader->at++;

		*number |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
		shift += 7;
	}
	return false;
}

void index_read_roster(struct index_reader *reader, const struct index_view *view,
		       unsigned int group)
{
	const struct index_roster *roster = &view->rosters[group];

	reader->at = view->roster_bytes + roster->offset;
	reader->end = view->roster_bytes + view->roster_length;
	reader->left = roster->count;
	reader->pid = 0;
}

bool index_next_entry(struct index_reader *reader, struct index_entry *entry)
{
	uint64_t step, word;

	if (!reader->left || !take_number(reader, &step) ||
	    !take_number(reader, &entry->ns) || !take_number(reader, &word))
		return false;
	reader->left--;
	reader->pid += step;
	entry->pid = reader->pid;
	entry->switches = word >> INDEX_ROSTER_SHIFT;
	entry->kinds = word & ((1u << INDEX_ROSTER_SHIFT) - 1);
	return true;
}

bool index_find_entry(const struct index_view *view, unsigned int group, uint32_t pid,
		      struct index_entry *entry)
{
	struct index_reader reader;

	if (!(view->rosters[group].filter & index_filter(pid)))
		return false;
	index_read_roster(&reader, view, group);
	while (index_next_entry(&reader, entry) && entry->pid <= pid)
		if (entry->pid == pid)
			return true;
	return false;
}

void index_group_span(const struct index_view *view, unsigned int group,
		      uint64_t *begin_ns, uint64_t *end_ns)
{
	unsigned int first = group << INDEX_GROUP_SHIFT;
	unsigned int end = first + INDEX_GROUP_LEAVES;

	if (end > view->leaf_count)
		end = view->leaf_count;
	*begin_ns = index_leaf_begin(view, first);
	*end_ns = view->leaves[end - 1].end_ns;
}
