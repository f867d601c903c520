// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds holes in the CPUs' sequences of buffers, and who already told of them.
 *
 * Stage: when a file is opened, after its blocks were found.  It does not see
 * buffers missing at the end: only a FINAL buffer shows where that is.
 */
#include <errno.h>
#include <stdlib.h>

#include "file.h"

/* Buffers known to be gone: from a damaged block's header or a GAP block. */
struct told {
	uint32_t cpu;
	uint64_t first;
	uint64_t behind;
};

static int compare_told(const void *a, const void *b)
{
	const struct told *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

static size_t gather(const struct evtlog_file *file, struct told *told)
{
	size_t count = 0;

	for (size_t i = 0; i < file->damages.listed; i++) {
		const struct evtlog_damage *damage = &file->damages.at[i];
		uint64_t capacity = UINT64_MAX - damage->sequence;

		if (!damage->has_cpu || !damage->buffers)
			continue;
		told[count++] = (struct told) {
			.cpu = damage->cpu,
			.first = damage->sequence,
			.behind = damage->sequence +
				  (damage->buffers < capacity ?
				   damage->buffers : capacity),
		};
	}
	qsort(told, count, sizeof(*told), compare_told);
	return count;
}

static void note(struct evtlog_file *file, uint32_t cpu, uint64_t from,
		 uint64_t to)
{
	damage_add(&file->damages, &(struct evtlog_damage) {
		.kind = EVTLOG_DAMAGE_MISSING,
		.has_cpu = true,
		.cpu = cpu,
		.sequence = from,
		.buffers = to - from,
		.reason = "these buffers are not in the file",
	});
}

/* @told moves on with the holes, which come in its order. */
static void note_hole(struct evtlog_file *file, uint32_t cpu, uint64_t from,
		      uint64_t to, const struct told **told,
		      const struct told *end)
{
	file->summary.missing_buffers += to - from;
	for (; *told < end && (*told)->cpu <= cpu; (*told)++) {
		if ((*told)->cpu < cpu || (*told)->behind <= from)
			continue;
		if ((*told)->first >= to)
			break;
		if ((*told)->first > from)
			note(file, cpu, from, (*told)->first);
		from = (*told)->behind;
		if (from >= to)
			return;
	}
	if (from < to)
		note(file, cpu, from, to);
}

int note_holes(struct evtlog_file *file)
{
	struct told *all = calloc(file->damages.listed + 1, sizeof(*all));
	const struct told *told = all, *end;

	if (!all)
		return -ENOMEM;
	end = all + gather(file, all);
	for (unsigned int slot = 0; slot < file->part_count; slot++) {
		const struct cpu_part *part = &file->parts[slot];
		uint64_t next = 0;

		for (size_t i = 0; i < part->count; i++) {
			uint64_t own = file->blocks[part->first + i].sequence;

			if (next < own)
				note_hole(file, part->cpu, next, own, &told,
					  end);
			next = own + 1;
		}
	}
	free(all);
	return 0;
}
