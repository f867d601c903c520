/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Layout of a checkpoint's bytes, for checkpoint.c alone.
 */
#ifndef EVTLOG_LIB_TABLES_CHECKPOINT_H
#define EVTLOG_LIB_TABLES_CHECKPOINT_H

#include "internal.h"

/*
 * Head of a checkpoint. CPUs, tasks, processes, losses, and the free numbers of tasks and processes
 * follow, each padded to 8 bytes.
 */
struct checkpoint_saved {
	uint32_t cpu_bytes;
	uint32_t task_bytes;
	uint32_t process_bytes;
	uint32_t cpus;
	uint64_t tasks;
	uint64_t processes;
	uint64_t losses;
	uint64_t free_tasks;
	uint64_t free_processes;
	uint64_t time_ns;
	uint64_t raw_ns;
	uint64_t lost_until_ns;
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

enum checkpoint_part_number { CPUS, TASKS, PROCESSES, LOSSES, FREE_TASKS, FREE_PROCESSES, PARTS };

#endif /* EVTLOG_LIB_TABLES_CHECKPOINT_H */
