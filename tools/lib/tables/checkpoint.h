/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Layout of a checkpoint's bytes, for checkpoint.c alone.
 */
#ifndef EVTLOG_LIB_TABLES_CHECKPOINT_H
#define EVTLOG_LIB_TABLES_CHECKPOINT_H

#include "internal.h"

/*
 * Head of a checkpoint. CPUs and tasks, those of the replay, processes, and free numbers of
 * processes follow, each padded to 8 bytes.
 */
struct checkpoint_saved {
	uint32_t cpu_bytes;
	uint32_t task_bytes;
	uint32_t process_bytes;
	uint32_t replay_bytes;
	uint32_t cpus;
	uint32_t free;
	uint64_t tasks;
	uint64_t processes;
	uint64_t free_processes;
	uint64_t time_ns;
	uint64_t raw_ns;
	uint64_t events;
	int64_t now;
	int64_t utid;
	int64_t upid;
	int64_t event;
};

struct checkpoint_part {
	void *at;
	uint64_t count;
	size_t size;
};

enum checkpoint_part_number {
	CPUS, TASKS, REPLAY_CPUS, REPLAY_TASKS, PROCESSES, FREE_PROCESSES, PARTS
};

#endif /* EVTLOG_LIB_TABLES_CHECKPOINT_H */
