/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An index's file, but for its chunks: the header, and the directory at its end.
 *
 * Stage: build.c makes it, write.c puts what leads to chunks into it,
 * load.c takes it apart again.
 */
#ifndef EVTLOG_LIB_INDEX_FILE_H
#define EVTLOG_LIB_INDEX_FILE_H

#include <string.h>

#include "checkpoint.h"
#include "internal.h"

#define INDEX_MAGIC	0x3158474f4c545645ULL	/* "EVTLOGX1" */
#define INDEX_VERSION	9	/* what the log lacks */

/* Of flags: it was made with checkpoints, though there may be none. */
#define INDEX_CHECKPOINTS	0x1
/* Of flags: the log lacks the end of the run. */
#define INDEX_LOG_CUT		0x2

/*
 * At the file's begin.  @directory: struct index_cpu of each CPU, struct index_chunk of
 * all chunks, by CPU, struct index_task, struct index_lifetime, struct
 * index_name, struct index_start.  @checkpoints of struct index_checkpoint are at @checkpoints_offset.
 * @log_bytes, @log_mtime_ns, @run, @boot_id: of which log it is
 * @log_damages: places of the log that are damaged or missing
 */
struct index_header {
	uint64_t magic;
	uint32_t version;
	uint32_t header_bytes;
	uint64_t log_bytes;
	int64_t log_mtime_ns;
	uint64_t run;
	uint8_t boot_id[16];
	uint64_t log_damages;
	uint64_t directory_offset;
	uint64_t directory_bytes;
	uint64_t checkpoints_offset;
	uint32_t checkpoints;
	uint32_t checkpoints_crc32;
	uint32_t cpus;
	uint32_t chunks;
	uint32_t tasks;
	uint32_t lifetimes;
	uint32_t names;
	uint32_t starts;
	uint32_t directory_crc32;
	uint32_t crc32;
	uint32_t flags;
	uint32_t reserved;
};

struct index_cpu {
	uint64_t first_chunk;
	uint64_t chunks;
	uint64_t cpu;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t events;
	uint64_t lost;
	uint64_t gaps;
	uint64_t gap_ns;
	uint64_t idle_ns;
	uint64_t busy_ns;
	uint64_t irq_ns;
	uint64_t softirq_ns;
	uint64_t unknown_ns;
	uint64_t counts[EVTLOG_KINDS];
};

struct index_task {
	uint32_t pid;
	uint32_t tgid;
	uint32_t flags;
	uint32_t logger;
	uint64_t first_ns;
	uint64_t last_ns;
	uint64_t run_ns;
	uint64_t switches;
	char comm[EVTLOG_COMM_LEN];
};

struct index_name {
	uint64_t from_ns;
	char comm[EVTLOG_COMM_LEN];
};

/*
 * What users have and what is in the file have the same names: from one to the other, both
 * ways.  The file's are types of their own, as it must not change when those of users do.
 */
#define INDEX_COPY_CPU(to, from) do {						\
	(to)->cpu = (from)->cpu;						\
	(to)->begin_ns = (from)->begin_ns;					\
	(to)->end_ns = (from)->end_ns;						\
	(to)->events = (from)->events;						\
	(to)->lost = (from)->lost;						\
	(to)->gaps = (from)->gaps;						\
	(to)->gap_ns = (from)->gap_ns;						\
	(to)->idle_ns = (from)->idle_ns;					\
	(to)->busy_ns = (from)->busy_ns;					\
	(to)->irq_ns = (from)->irq_ns;						\
	(to)->softirq_ns = (from)->softirq_ns;					\
	(to)->unknown_ns = (from)->unknown_ns;					\
	memcpy((to)->counts, (from)->counts, sizeof((to)->counts));		\
} while (0)

#define INDEX_COPY_TASK(to, from) do {						\
	(to)->pid = (from)->pid;						\
	(to)->tgid = (from)->tgid;						\
	(to)->flags = (from)->flags;						\
	(to)->logger = (from)->logger;						\
	(to)->first_ns = (from)->first_ns;					\
	(to)->last_ns = (from)->last_ns;					\
	(to)->run_ns = (from)->run_ns;						\
	(to)->switches = (from)->switches;					\
	memcpy((to)->comm, (from)->comm, sizeof((to)->comm));			\
} while (0)

#define INDEX_COPY_NAME(to, from) do {						\
	(to)->from_ns = (from)->from_ns;					\
	memcpy((to)->comm, (from)->comm, sizeof((to)->comm));			\
} while (0)

/* ---- load.c ---- */

/*
 * Checks @bytes, which hold an index, and makes @index of it.  Returns 0, -ENOMEM,
 * -ESTALE it is of another log, -EBADMSG; with a @reason.
 */
int index_load(struct evtlog_index *index, const struct index_header *wanted,
	       const char **reason);
void index_unload(struct evtlog_index *index);

/* ---- checkpoints.c ---- */

struct index_checkpoints {
	struct index_checkpoint *at;
	size_t count;
	size_t capacity;
};

/*
 * When one is made: after @events of which the buffers have at least @share bytes for each byte of
 * the last one.
 */
struct index_checkpoints_step {
	uint64_t events;
	unsigned int share;
};

/*
 * Reads all of a log as tables, and gives each checkpoint's bytes to @sink, which sets its place;
 * @tell: as of bytes that were read.  0; -ENOMEM; -errno of read(); what these returned.
 */
int index_checkpoints_make(struct evtlog_file *file, const struct index_checkpoints_step *step,
			   struct index_checkpoints *checkpoints,
			   int (*sink)(void *arg, uint64_t *offset, const void *bytes,
				       size_t length),
			   int (*tell)(void *arg, uint64_t bytes), void *arg);

/* ---- write.c ---- */

/* Writes where checkpoints are, at @offset of @fd; the header is written by index_store(). */
int index_store_checkpoints(int fd, uint64_t *offset, const struct index_checkpoints *checkpoints,
			    struct index_header *header);

/* What was made of a CPU. */
struct index_made {
	struct index_chunk *at;
	size_t count;
	size_t capacity;
	struct index_start *starts;
	size_t start_count;
	size_t start_capacity;
};

/* Writes the directory at @offset of @fd, and the header. */
int index_store(int fd, uint64_t offset, const struct evtlog_index_cpu *cpus,
		const struct index_made *made, unsigned int cpu_count,
		const struct index_tasks *tasks, struct index_header *header);

/* Writes @index's tasks once more to @fd, which its bytes are mapped of. */
int index_store_tasks(const struct evtlog_index *index, int fd,
		      struct index_header *header);

/* ---- build.c ---- */

/* Reads all of a log, with threads, and writes its index to @fd. */
int index_build(const char *log, struct evtlog_file *file,
		const struct evtlog_index_options *options, int fd,
		struct index_header *header);

#endif /* EVTLOG_LIB_INDEX_FILE_H */
