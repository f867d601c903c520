/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Identifies the run of a file, or its named buffer, and names the files of runs.
 */
#ifndef EVTLOG_LOGFILE_RUN_ID_H
#define EVTLOG_LOGFILE_RUN_ID_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include <evtlog/abi.h>

#define RUN_ID_SUFFIX	".evl"

struct control_status;

/*
 * A run, or a named buffer, which has numbers of its own.
 * @name:	given at the run's start, valid in file names; "" if the run has only a number
 * @reference_ticks: when the run was ordered; 0 if unknown
 * @tree_pid:	process whose tree is recorded; 0: all tasks
 */
struct run_id {
	uint64_t number;
	uint8_t boot_id[16];
	char name[EVTLOG_RUN_NAME_LEN];
	uint64_t reference_ticks;
	uint32_t tree_pid;
	bool is_named;
};

/** run_id_of_buffer() - an invalid name is omitted */
void run_id_of_buffer(struct run_id *run, const struct evtlog_buffer_header *buffer);

/** run_id_of_status() - identify the current or last run, as its buffers do */
void run_id_of_status(struct run_id *run, const struct control_status *status);

/** run_id_is_same() - returns true for the same run or named buffer of the same boot */
bool run_id_is_same(const struct run_id *a, const struct run_id *b);

/** run_id_name_is_good() - returns true for a letter, then letters, digits and "._-" */
bool run_id_name_is_good(const char *name);

/**
 * run_id_file_name() - make HOST-NAME.evl, or HOST-RUN.evl for a run without a name
 * @name:	result, NAME_MAX + 1 bytes
 * @part:	1 or more; 2 gives HOST-NAME.2.evl
 *
 * Returns 0 or -ENAMETOOLONG.
 */
int run_id_file_name(const struct run_id *run, const char *host, unsigned int part,
		     char *name);

/** run_id_owns_name() - returns true if run_id_file_name() can give this name */
bool run_id_owns_name(const struct run_id *run, const char *host, const char *name);

#endif /* EVTLOG_LOGFILE_RUN_ID_H */
