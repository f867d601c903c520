/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An index file without its chunks: the header at the start and the directory at the end.
 *
 * Stage: build.c makes the index, write.c writes the directory and the header, load.c reads them.
 */
#ifndef EVTLOG_LIB_INDEX_FILE_H
#define EVTLOG_LIB_INDEX_FILE_H

#include <string.h>

#include "checkpoint.h"
#include "internal.h"

#define INDEX_MAGIC	0x3158474f4c545645ULL	/* "EVTLOGX1" */
#define INDEX_VERSION	10	/* 10: checkpoints have the state of lib/replay */

/* In @flags: built with checkpoints, although there may be none. */
#define INDEX_CHECKPOINTS	0x1
/* In @flags: the end of the run is missing in the log. */
#define INDEX_LOG_CUT		0x2

/*
 * At the start of the file.  The directory has struct index_cpu of each CPU, struct index_chunk of
 * all chunks, sorted by CPU, struct index_task, struct index_lifetime, struct index_name, struct
 * index_start.  @checkpoints of struct index_checkpoint are at @checkpoints_offset.
 * @log_bytes, @log_mtime_ns, @run, @boot_id: identify the log
 * @log_damages: number of damaged or missing places in the log
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
 * Copy between public structs and structs of the file, in both directions; members have the same
 * names.  The file has its own structs, because its format must not change when the public ones do.
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
 * Checks the bytes of an index in @index->bytes and fills in @index.  Returns 0, -ENOMEM, -ESTALE
 * the index is of another log, -EBADMSG; sets @reason.
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
 * A checkpoint is made after at least @events, and if the buffers since the previous checkpoint
 * have at least @share bytes for each byte of the previous checkpoint.
 */
struct index_checkpoints_step {
	uint64_t events;
	unsigned int share;
};

/*
 * Reads the whole log as tables and passes each checkpoint to @sink, which sets its offset.
 * @progress gets bytes that were read.  Returns 0, -ENOMEM, -errno of read(), or an error of these
 * two.
 */
int index_checkpoints_make(struct evtlog_file *file, const struct index_checkpoints_step *step,
			   struct index_checkpoints *checkpoints,
			   int (*sink)(void *arg, uint64_t *offset, const void *bytes,
				       size_t length),
			   int (*progress)(void *arg, uint64_t bytes), void *arg);

/* ---- write.c ---- */

/* Writes the list of checkpoints at @offset of @fd.  index_store() writes the header afterwards. */
int index_store_checkpoints(int fd, uint64_t *offset, const struct index_checkpoints *checkpoints,
			    struct index_header *header);

/* The chunks and buffer starts of a CPU. */
struct index_made {
	struct index_chunk *at;
	size_t count;
	size_t capacity;
	struct index_start *starts;
	size_t start_count;
	size_t start_capacity;
};

/* Writes the directory at @offset of @fd, then the header. */
int index_store(int fd, uint64_t offset, const struct evtlog_index_cpu *cpus,
		const struct index_made *made, unsigned int cpu_count,
		const struct index_tasks *tasks, struct index_header *header);

/* Writes the tasks of @index again to @fd, from which the bytes of @index are mapped. */
int index_store_tasks(const struct evtlog_index *index, int fd,
		      struct index_header *header);

/* ---- build.c ---- */

/* Reads the whole log, with several threads, and writes its index to @fd. */
int index_build(const char *log, struct evtlog_file *file,
		const struct evtlog_index_options *options, int fd,
		struct index_header *header);

#endif /* EVTLOG_LIB_INDEX_FILE_H */
