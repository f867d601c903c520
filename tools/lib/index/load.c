// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Parses the bytes of an index, which are untrusted.
 *
 * Values that lookups use as a place or a length are checked here.  Times and sums are not.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "file.h"
#include "lib/base/head.h"

static int bad(const char **reason, const char *what)
{
	*reason = what;
	return -EBADMSG;
}

static const struct head_format head_of_index = {
	.magic = INDEX_MAGIC,
	.bytes = sizeof(struct index_header),
	.version = INDEX_VERSION,
	.version_at = offsetof(struct index_header, version),
	.version_bytes = 4,
	.length_at = offsetof(struct index_header, header_bytes),
	.crc_at = offsetof(struct index_header, crc32),
};

static int check_header(const struct evtlog_index *index,
			const struct index_header *wanted, struct index_header *header,
			const char **reason)
{
	enum head_fault fault = head_check_all(&head_of_index, index->bytes, index->length);

	if (fault == HEAD_ALIEN)
		return bad(reason, "it is not an index");
	if (fault) {
		*reason = head_fault_text(fault);
		return fault == HEAD_VERSION ? -ESTALE : -EBADMSG;
	}
	memcpy(header, index->bytes, sizeof(*header));
	if (header->header_bytes != sizeof(*header)) {
		*reason = head_fault_text(HEAD_VERSION);
		return -ESTALE;
	}
	if (header->run != wanted->run ||
	    memcmp(header->boot_id, wanted->boot_id, sizeof(header->boot_id))) {
		*reason = "it is of another run";
		return -ESTALE;
	}
	if (header->log_bytes != wanted->log_bytes ||
	    header->log_mtime_ns != wanted->log_mtime_ns) {
		*reason = "the log changed after it was built";
		return -ESTALE;
	}
	if (wanted->flags & ~header->flags) {
		*reason = "it has no checkpoints";
		return -ESTALE;
	}
	if (header->directory_offset % 8 || header->directory_offset > index->length ||
	    header->directory_bytes > index->length - header->directory_offset ||
	    header->directory_bytes !=
	    header->cpus * (uint64_t)sizeof(struct index_cpu) +
	    header->chunks * (uint64_t)sizeof(struct index_chunk) +
	    header->tasks * (uint64_t)sizeof(struct index_task) +
	    header->lifetimes * (uint64_t)sizeof(struct index_lifetime) +
	    header->names * (uint64_t)sizeof(struct index_name) +
	    header->starts * (uint64_t)sizeof(struct index_start) ||
	    header->cpus != evtlog_cpu_count(index->file))
		return bad(reason, "its lengths contradict each other");
	if (crc32(0, index->bytes + header->directory_offset, header->directory_bytes) !=
	    header->directory_crc32)
		return bad(reason, "its directory is damaged");
	return 0;
}

/* Returns true if all rosters are within @bytes. */
static bool rosters_fit(const struct index_view *view, uint32_t bytes)
{
	for (unsigned int i = 0; i < index_groups(view->leaf_count); i++)
		if (view->rosters[i].offset > bytes ||
		    view->rosters[i].count > bytes - view->rosters[i].offset)
			return false;
	return true;
}

static bool chunk_fits(const struct evtlog_index *index, const struct index_chunk *chunk)
{
	uint64_t length;
	struct index_view view;

	if (!chunk->leaves || chunk->leaves > INDEX_CHUNK_LEAVES || chunk->offset % 8)
		return false;
	length = index_chunk_bytes(chunk->leaves) +
		 (((uint64_t)chunk->roster_bytes + 7) & ~UINT64_C(7));
	if (chunk->offset > index->length || length > index->length - chunk->offset ||
	    crc32(0, index->bytes + chunk->offset, length) != chunk->crc32)
		return false;
	index_view(index, chunk, &view);
	return rosters_fit(&view, chunk->roster_bytes);
}

void index_view(const struct evtlog_index *index, const struct index_chunk *chunk,
		struct index_view *view)
{
	const uint8_t *at = index->bytes + chunk->offset;

	for (unsigned int level = INDEX_LEVELS; level; level--) {
		view->nodes[level - 1] = (const void *)at;
		at += index_nodes(chunk->leaves, level) * sizeof(struct index_node);
	}
	view->leaves = (const void *)at;
	at += chunk->leaves * sizeof(struct index_leaf);
	view->rosters = (const void *)at;
	at += index_groups(chunk->leaves) * sizeof(struct index_roster);
	view->roster_bytes = at;
	view->roster_length = chunk->roster_bytes;
	view->leaf_count = chunk->leaves;
	view->begin_ns = chunk->begin_ns;
}

static int take_cpus(struct evtlog_index *index, const struct index_header *header,
		     const struct index_cpu *cpus, const struct index_chunk *chunks,
		     const char **reason)
{
	index->cpus = calloc(header->cpus + 1, sizeof(*index->cpus));
	index->lanes = calloc(header->cpus + 1, sizeof(*index->lanes));
	if (!index->cpus || !index->lanes)
		return -ENOMEM;
	for (uint32_t i = 0; i < header->cpus; i++) {
		if (cpus[i].first_chunk > header->chunks ||
		    cpus[i].chunks > header->chunks - cpus[i].first_chunk ||
		    cpus[i].cpu != evtlog_cpu_number(index->file, i))
			return bad(reason, "its CPUs are not the log's");
		INDEX_COPY_CPU(&index->cpus[i], &cpus[i]);
		index->lanes[i].chunks = chunks + cpus[i].first_chunk;
		index->lanes[i].chunk_count = cpus[i].chunks;
	}
	index->cpu_count = header->cpus;
	for (uint32_t i = 0; i < header->chunks; i++)
		if (!chunk_fits(index, &chunks[i]))
			return bad(reason, "a part of it is damaged");
	return 0;
}

static int take_tasks(struct evtlog_index *index, const struct index_header *header,
		      const struct index_task *tasks, const struct index_lifetime *lifetimes,
		      const struct index_name *names, const char **reason)
{
	uint64_t first_name = 0;

	if (!header->tasks || header->lifetimes != header->tasks)
		return bad(reason, "its tasks are damaged");
	index->tasks.tasks = calloc(header->tasks, sizeof(*index->tasks.tasks));
	index->tasks.lifetimes = calloc(header->lifetimes, sizeof(*index->tasks.lifetimes));
	index->tasks.names = calloc(header->names + 1, sizeof(*index->tasks.names));
	if (!index->tasks.tasks || !index->tasks.lifetimes || !index->tasks.names)
		return -ENOMEM;
	for (uint32_t i = 0; i < header->names; i++)
		INDEX_COPY_NAME(&index->tasks.names[i], &names[i]);
	for (uint32_t i = 0; i < header->tasks; i++) {
		if (lifetimes[i].id != i || lifetimes[i].pid != tasks[i].pid ||
		    lifetimes[i].first_name != first_name || !lifetimes[i].name_count)
			return bad(reason, "its tasks are damaged");
		first_name += lifetimes[i].name_count;
		INDEX_COPY_TASK(&index->tasks.tasks[i], &tasks[i]);
		index->tasks.tasks[i].kernel_thread = tasks[i].flags & EVTLOG_TASK_KTHREAD;
		index->tasks.reused |= i && lifetimes[i].pid == lifetimes[i - 1].pid;
		index->tasks.lifetimes[i] = lifetimes[i];
	}
	if (first_name != header->names)
		return bad(reason, "its names are damaged");
	index->tasks.count = header->tasks;
	index->tasks.lifetime_count = header->lifetimes;
	index->tasks.name_count = header->names;
	return 0;
}

static int take_starts(struct evtlog_index *index, const struct index_header *header,
		       const struct index_start *starts, const char **reason)
{
	for (uint32_t i = 0; i < header->starts; i++) {
		if (starts[i].depth > INDEX_PLACES)
			return bad(reason, "its places are damaged");
		for (uint32_t k = 0; k < starts[i].depth; k++)
			if (starts[i].kind[k] > EVTLOG_IN_VECTOR)
				return bad(reason, "its places are damaged");
	}
	index->starts = starts;
	index->start_count = header->starts;
	return 0;
}

int index_load(struct evtlog_index *index, const struct index_header *wanted,
	       const char **reason)
{
	const struct index_cpu *cpus;
	const struct index_chunk *chunks;
	const struct index_task *tasks;
	const struct index_lifetime *lifetimes;
	const struct index_name *names;
	struct index_header header;
	int error = check_header(index, wanted, &header, reason);

	if (error)
		return error;
	cpus = (const void *)(index->bytes + header.directory_offset);
	chunks = (const void *)(cpus + header.cpus);
	tasks = (const void *)(chunks + header.chunks);
	lifetimes = (const void *)(tasks + header.tasks);
	names = (const void *)(lifetimes + header.lifetimes);
	error = take_cpus(index, &header, cpus, chunks, reason);
	if (!error)
		error = take_tasks(index, &header, tasks, lifetimes, names, reason);
	if (!error)
		error = take_starts(index, &header, (const void *)(names + header.names), reason);
	if (error) {
		index_unload(index);
		return error;
	}
	index->lacks = (struct evtlog_index_lacks) {
		.damages = header.log_damages,
		.cut = header.flags & INDEX_LOG_CUT,
	};
	for (unsigned int i = 0; i < index->cpu_count; i++)
		index->lacks.lost += index->cpus[i].lost;
	return 0;
}

void index_unload(struct evtlog_index *index)
{
	free(index->cpus);
	free(index->lanes);
	index_tasks_free(&index->tasks);
	index->cpus = NULL;
	index->lanes = NULL;
	index->cpu_count = 0;
	index->starts = NULL;
	index->start_count = 0;
}

const struct evtlog_index_cpu *evtlog_index_cpu(const struct evtlog_index *index,
						unsigned int slot)
{
	return slot < index->cpu_count ? &index->cpus[slot] : NULL;
}

const struct evtlog_index_lacks *evtlog_index_lacks(const struct evtlog_index *index)
{
	return &index->lacks;
}
