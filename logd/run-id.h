/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which run a file is of, and what such files are called.
 */
#ifndef EVTLOG_LOGD_RUN_ID_H
#define EVTLOG_LOGD_RUN_ID_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include <evtlog/abi.h>

#define RUN_ID_SUFFIX	".evl"

/*
 * @name:	given at the run's start, fit for file names; "": it has only a number
 * @reference_ticks: when the run was ordered; 0 = not known
 * @tree_pid:	of the process whose tree alone it is of; 0 = of all tasks
 */
struct run_id {
	uint64_t number;
	uint8_t boot_id[16];
	char name[EVTLOG_RUN_NAME_LEN];
	uint64_t reference_ticks;
	uint32_t tree_pid;
};

/** run_id_of_buffer() - a name that is not one is left away */
void run_id_of_buffer(struct run_id *run, const struct evtlog_buffer_header *buffer);

/** run_id_name_is_good() - first a letter, then letters, digits and "._-" */
bool run_id_name_is_good(const char *name);

/**
 * run_id_file_name() - HOST-NAME.evl, or HOST-RUN.evl for a run without a name
 * @name:	gets it; NAME_MAX + 1 bytes
 * @part:	from 1 on; 2 gives HOST-NAME.2.evl
 *
 * Returns 0 or -ENAMETOOLONG.
 */
int run_id_file_name(const struct run_id *run, const char *host, unsigned int part,
		     char *name);

/** run_id_owns_name() - whether it is one that run_id_file_name() gives */
bool run_id_owns_name(const struct run_id *run, const char *host, const char *name);

#endif /* EVTLOG_LOGD_RUN_ID_H */
