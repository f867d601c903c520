/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selects the hosts for a command: from arguments, files, and the Slurm job.
 *
 * Functions print errors and return 0 or an exit status.
 */
#ifndef EVTLOG_REMOTE_TARGETS_H
#define EVTLOG_REMOTE_TARGETS_H

#include "common/hostlist.h"
#include "common/options.h"

struct hosts_choice {
	struct hostlist included;
	struct hostlist excluded;
};

/* --exclude and --hosts-file */
enum { TARGETS_FILE = 0x4000, TARGETS_EXCLUDE };
extern const struct option_desc targets_options[];

/** hosts_exclude() - exclude hosts: a list, or @FILE */
int hosts_exclude(struct hosts_choice *choice, const char *text, const char *command);

/** hosts_file() - add the hosts of a file */
int hosts_file(struct hosts_choice *choice, const char *path, const char *command);

/**
 * hosts_choose() - get all selected hosts without the excluded ones
 * @arguments:	lists and @FILEs, NULL-terminated
 * @command:	for messages
 *
 * An empty result is an error.  Free @list in both cases.
 */
int hosts_choose(struct hostlist *list, struct hosts_choice *choice, char **arguments,
		 const char *command);

void targets_filter_free(struct hosts_choice *choice);

#endif /* EVTLOG_REMOTE_TARGETS_H */
