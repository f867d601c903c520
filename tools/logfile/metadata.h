/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of a file's header: machine, kernel and settings.
 */
#ifndef EVTLOG_LOGFILE_METADATA_H
#define EVTLOG_LOGFILE_METADATA_H

#include <stdbool.h>
#include <stddef.h>

struct control_status;
struct run_id;

/*
 * @named_buffer: "cpus" or "global"; NULL: a run
 * @cpus_possible: number of CPUs that the kernel has or may get
 * @status:	of the kernel; number and size of the buffers are those of the run or named buffer
 * @events:	types, each with its sign, separated by blanks; NULL: unknown
 * @has_sampler: True: the sampler of @status is that of the run
 * @tree_choice: how the tree of the run was selected; NULL or "" if unknown
 * @tree_processes: number of processes marked in the tree; 0 if unknown
 * @format:	text of the kernel's file
 */
struct metadata {
	const char *host;
	const struct run_id *run;
	const char *named_buffer;
	unsigned int cpus_possible;
	const struct control_status *status;
	const char *events;
	bool has_sampler;
	const char *tree_choice;
	unsigned int tree_processes;
	const char *format;
};

/** metadata_host() - return this host's name, with characters that are safe in file names */
const char *metadata_host(void);

/**
 * metadata_make() - make the text: lines "key=value", an empty line, @format
 *
 * Returns 0 or -ENOMEM; @text is malloc()ed.
 */
int metadata_make(const struct metadata *metadata, char **text, size_t *bytes);

#endif /* EVTLOG_LOGFILE_METADATA_H */
