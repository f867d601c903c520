// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Writes the directory of an index: CPUs, chunks, tasks.
 *
 * load.c reads it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "file.h"
#include "lib/base/array.h"
#include "lib/base/io.h"

struct directory {
	uint8_t *bytes;
	size_t used, room;
};

static int put(struct directory *to, const void *from, size_t bytes)
{
	int error = array_reserve_more(&to->bytes, &to->room, to->used, bytes, 1);

	if (error || !bytes)
		return error;
	memcpy(to->bytes + to->used, from, bytes);
	to->used += bytes;
	return 0;
}

static void seal(struct index_header *header)
{
	header->crc32 = 0;
	header->crc32 = crc32(0, (const uint8_t *)header, sizeof(*header));
}

static int put_tasks(struct directory *to, const struct index_tasks *tasks)
{
	int error = 0;

	for (size_t i = 0; i < tasks->count && !error; i++) {
		struct index_task task = { 0 };

		INDEX_COPY_TASK(&task, &tasks->tasks[i]);
		error = put(to, &task, sizeof(task));
	}
	return error;
}

int index_store_checkpoints(int fd, uint64_t *offset, const struct index_checkpoints *checkpoints,
			    struct index_header *header)
{
	size_t bytes = checkpoints->count * sizeof(*checkpoints->at);

	header->flags |= INDEX_CHECKPOINTS;
	header->checkpoints = checkpoints->count;
	header->checkpoints_offset = *offset;
	header->checkpoints_crc32 = bytes ? crc32(0, (const uint8_t *)checkpoints->at, bytes) : 0;
	*offset += bytes;
	return bytes ? io_write_at(fd, checkpoints->at, bytes, header->checkpoints_offset) : 0;
}

int index_store(int fd, uint64_t offset, const struct evtlog_index_cpu *cpus,
		const struct index_made *made, unsigned int cpu_count,
		const struct index_tasks *tasks, struct index_header *header)
{
	struct directory to = { 0 };
	size_t chunks = 0, starts = 0;
	int error = 0;

	for (unsigned int i = 0; i < cpu_count && !error; i++) {
		struct index_cpu cpu = {
			.first_chunk = chunks,
			.chunks = made[i].count,
		};

		INDEX_COPY_CPU(&cpu, &cpus[i]);
		chunks += cpu.chunks;
		error = put(&to, &cpu, sizeof(cpu));
	}
	for (unsigned int i = 0; i < cpu_count && !error; i++)
		error = put(&to, made[i].at, made[i].count * sizeof(struct index_chunk));
	if (!error)
		error = put_tasks(&to, tasks);
	if (!error)
		error = put(&to, tasks->lifetimes,
			    tasks->lifetime_count * sizeof(*tasks->lifetimes));
	for (size_t i = 0; i < tasks->name_count && !error; i++) {
		struct index_name name;

		INDEX_COPY_NAME(&name, &tasks->names[i]);
		error = put(&to, &name, sizeof(name));
	}
	for (unsigned int i = 0; i < cpu_count && !error; i++) {
		starts += made[i].start_count;
		error = put(&to, made[i].starts,
			    made[i].start_count * sizeof(struct index_start));
	}
	if (!error)
		error = io_write_at(fd, to.bytes, to.used, offset);
	header->directory_offset = offset;
	header->directory_bytes = to.used;
	header->cpus = cpu_count;
	header->chunks = chunks;
	header->tasks = tasks->count;
	header->lifetimes = tasks->lifetime_count;
	header->names = tasks->name_count;
	header->starts = starts;
	header->directory_crc32 = to.used && !error ? crc32(0, to.bytes, to.used) : 0;
	seal(header);
	free(to.bytes);
	return error ? error : io_write_at(fd, header, sizeof(*header), 0);
}

int index_store_tasks(const struct evtlog_index *index, int fd,
		      struct index_header *header)
{
	uint64_t offset = header->directory_offset +
			  header->cpus * (uint64_t)sizeof(struct index_cpu) +
			  header->chunks * (uint64_t)sizeof(struct index_chunk);
	struct directory to = { 0 };
	int error = put_tasks(&to, &index->tasks);

	if (!error)
		error = io_write_at(fd, to.bytes, to.used, offset);
	free(to.bytes);
	if (error)
		return error;
	/* The bytes are mapped shared from @fd. */
	header->directory_crc32 = crc32(0, index->bytes + header->directory_offset,
					header->directory_bytes);
	seal(header);
	return io_write_at(fd, header, sizeof(*header), 0);
}
