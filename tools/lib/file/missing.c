// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds holes in the CPUs' sequences of buffers, unless other damage covers them.
 *
 * Stage: when a file is opened, after its blocks were found.  It does not find buffers missing at
 * the end: only a FINAL buffer shows where the end is.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"

/* Buffers known to be lost, from a damaged block's header or a GAP block; the end is exclusive. */
struct known_loss {
	uint32_t cpu;
	uint64_t first;
	uint64_t behind;
};

static int compare_known_losses(const void *a, const void *b)
{
	const struct known_loss *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

static size_t gather(const struct evtlog_file *file, struct known_loss *known_loss)
{
	size_t count = 0;

	for (size_t i = 0; i < file->damages.listed; i++) {
		const struct evtlog_damage *damage = &file->damages.at[i];
		uint64_t capacity = UINT64_MAX - damage->sequence;

		if (!damage->has_cpu || !damage->buffers)
			continue;
		known_loss[count++] = (struct known_loss) {
			.cpu = damage->cpu,
			.first = damage->sequence,
			.behind = damage->sequence +
				  (damage->buffers < capacity ?
				   damage->buffers : capacity),
		};
	}
	qsort(known_loss, count, sizeof(*known_loss), compare_known_losses);
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

/* The position in the list moves on with the holes, which are in the same order. */
static void note_hole(struct evtlog_file *file, uint32_t cpu, uint64_t from,
		      uint64_t to, const struct known_loss **known_loss,
		      const struct known_loss *end)
{
	file->summary.missing_buffers += to - from;
	for (; *known_loss < end && (*known_loss)->cpu <= cpu; (*known_loss)++) {
		if ((*known_loss)->cpu < cpu || (*known_loss)->behind <= from)
			continue;
		if ((*known_loss)->first >= to)
			break;
		if ((*known_loss)->first > from)
			note(file, cpu, from, (*known_loss)->first);
		from = (*known_loss)->behind;
		if (from >= to)
			return;
	}
	if (from < to)
		note(file, cpu, from, to);
}

int note_holes(struct evtlog_file *file)
{
	struct known_loss *all = calloc(file->damages.listed + 1, sizeof(*all));
	const struct known_loss *known_loss = all, *end;

	if (!all)
		return -ENOMEM;
	end = all + gather(file, all);
	for (unsigned int slot = 0; slot < file->part_count; slot++) {
		const struct cpu_part *part = &file->parts[slot];
		uint64_t next = 0;

		for (size_t i = 0; i < part->count; i++) {
			uint64_t own = file->blocks[part->first + i].sequence;

			if (next < own)
				note_hole(file, part->cpu, next, own, &known_loss,
					  end);
			next = own + 1;
		}
	}
	free(all);
	return 0;
}

/* ---- CPUs of a run without any buffer in the file, as it was cut or is still written ---- */

/* More CPUs than any machine has; a hostile header must not cost memory. */
#define ABSENT_MAX	8192

static unsigned long number_of(const char *text)
{
	char *end;
	unsigned long number = text && *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 0;

	return number && !*end ? number : 0;
}

/* Returns the number of CPUs in the run; 0 if it is unknown, or if none is missing. */
static unsigned long cpus_of_run(const struct evtlog_file *file)
{
	/* Even in a complete file, a block whose own header is damaged has no CPU. */
	if (file->summary.cpus_in_run)
		return file->summary.cpus_in_run;
	if (file->trailer_flags & EVTLOG_TRAILER_COMPLETE)
		return 0;
	return number_of(evtlog_meta(file, "cpus"));
}

static bool has_part(const struct evtlog_file *file, unsigned long cpu)
{
	for (unsigned int i = 0; i < file->part_count; i++)
		if (file->parts[i].cpu == cpu)
			return true;
	return false;
}

/* Parses the next range of "0-3,6".  Returns false at its end, or if it is malformed. */
static bool next_range(const char **text, unsigned long *first, unsigned long *last)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	*first = *last = strtoul(*text, &end, 10);
	if (*end == '-')
		*last = strtoul(end + 1, &end, 10);
	*text = end + (*end == ',');
	return *first <= *last && *last < EVTLOG_CPU_LIMIT;
}

static void add(struct evtlog_file *file, unsigned long cpu, unsigned long *missing)
{
	if (!*missing || has_part(file, cpu))
		return;
	file->parts[file->part_count++] = (struct cpu_part) {
		.cpu = cpu,
		.first = file->block_count,
	};
	(*missing)--;
}

static int by_cpu(const void *a, const void *b)
{
	const struct cpu_part *x = a, *y = b;

	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

int add_absent(struct evtlog_file *file)
{
	unsigned long cpus = cpus_of_run(file), missing, first, last;
	const char *online = evtlog_meta(file, "cpus_online");
	struct cpu_part *parts;

	/* A file without any buffer has no missing parts. */
	if (!file->block_count || cpus <= file->part_count)
		return 0;
	missing = cpus - file->part_count;
	if (missing > ABSENT_MAX)
		return 0;
	parts = reallocarray(file->parts, cpus, sizeof(*parts));
	if (!parts)
		return -ENOMEM;
	file->parts = parts;
	while (online && next_range(&online, &first, &last))
		for (unsigned long cpu = first; missing && cpu <= last; cpu++)
			add(file, cpu, &missing);
	for (unsigned long cpu = 0; missing && cpu < EVTLOG_CPU_LIMIT; cpu++)
		add(file, cpu, &missing);
	qsort(file->parts, file->part_count, sizeof(*file->parts), by_cpu);
	for (unsigned int slot = 0; slot < file->part_count; slot++) {
		file->parts[slot].slot = slot;
		file->summary.cut_cpus += !file->parts[slot].count;
	}
	return 0;
}

bool evtlog_cpu_is_absent(const struct evtlog_file *file, unsigned int slot)
{
	const struct cpu_part *part;

	if (slot >= file->part_count)
		return false;
	part = &file->parts[slot];
	for (size_t i = 0; i < part->count; i++)
		if (!(file->blocks[part->first + i].state & BLOCK_BAD))
			return false;
	return true;
}
