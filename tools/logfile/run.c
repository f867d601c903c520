// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts the buffers of one run or named buffer, for each CPU.
 *
 * It writes nothing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* More than the maximum of any supported kernel */
#define CPUS_MAX	8192

struct run *run_new(const struct run_id *id)
{
	struct run *run = calloc(1, sizeof(*run));

	if (!run)
		return NULL;
	run->id = *id;
	run->file.fd = -1;
	return run;
}

void run_free(struct run *run)
{
	runfile_drop(&run->file);
	free(run->cpus);
	free(run);
}

static struct run_cpu *cpu_of(struct run *run, uint32_t cpu)
{
	if (cpu >= CPUS_MAX)
		return NULL;
	if (cpu >= run->cpu_count) {
		uint32_t count = cpu + 16;
		struct run_cpu *grown = realloc(run->cpus, count * sizeof(*grown));

		if (!grown)
			return NULL;
		memset(grown + run->cpu_count, 0, (count - run->cpu_count) * sizeof(*grown));
		run->cpus = grown;
		run->cpu_count = count;
	}
	return &run->cpus[cpu];
}

void run_note(struct run *run, const struct evtlog_buffer_header *buffer)
{
	struct run_cpu *cpu = cpu_of(run, buffer->cpu);

	/* Without memory, in the worst case a buffer is in the file twice. */
	if (!cpu || buffer->sequence < cpu->next)
		return;
	if (cpu->first == cpu->next) {
		cpu->first = buffer->sequence;
		cpu->bytes = 0;
		cpu->begin_real_ns = buffer->begin.real_ns;
	}
	cpu->next = buffer->sequence + 1;
	cpu->bytes += buffer->used_bytes;
	cpu->end_real_ns = buffer->end.real_ns;
	run->buffers++;
	for (int cause = 0; cause < EVTLOG_LOST_CAUSES; cause++)
		run->lost += buffer->lost[cause];
	if (buffer->flags & EVTLOG_BUFFER_FINAL) {
		run->finals += !cpu->is_final;
		cpu->is_final = true;
		run->cpus_in_run = buffer->cpus_in_run;
	}
}

bool run_has(const struct run *run, const struct evtlog_buffer_header *buffer)
{
	const struct block_index *index = &run->file.index;

	if (buffer->cpu >= run->cpu_count || buffer->sequence >= run->cpus[buffer->cpu].next)
		return false;
	for (size_t i = index->count; i--;) {
		const struct evtlog_index_entry *entry = &index->entries[i];

		if (entry->cpu == buffer->cpu && entry->sequence == buffer->sequence)
			return entry->begin_ticks == buffer->begin_ticks &&
			       entry->end_ticks == buffer->end_ticks;
	}
	/* It is in an earlier file of the run. */
	return true;
}

void run_starts_part(struct run *run)
{
	for (uint32_t cpu = 0; cpu < run->cpu_count; cpu++)
		run->cpus[cpu].first = run->cpus[cpu].next;
}

bool run_is_complete(const struct run *run)
{
	return run->cpus_in_run && run->finals >= run->cpus_in_run;
}

size_t run_removed_gaps(const struct run *run, struct block *blocks)
{
	size_t count = 0;

	for (uint32_t cpu = 0; cpu < run->cpu_count; cpu++) {
		const struct run_cpu *gone = &run->cpus[cpu];
		struct evtlog_gap gap = {
			.sequence = gone->first,
			.buffers = gone->next - gone->first,
			.bytes = gone->bytes,
			.begin_real_ns = gone->begin_real_ns,
			.end_real_ns = gone->end_real_ns,
			.cpu = cpu,
			.error = ENOENT,
		};

		if (gap.buffers)
			block_of_gap(&blocks[count++], run->id.number, &gap);
	}
	return count;
}
