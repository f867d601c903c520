/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which hosts a command is for: its arguments, files, and the Slurm job.
 *
 * Functions say what is wrong and return 0, or an exit status.
 */
#ifndef EVTLOG_REMOTE_TARGETS_H
#define EVTLOG_REMOTE_TARGETS_H

#include "common/hostlist.h"
#include "common/options.h"

struct hosts_choice {
	struct hostlist included;
	struct hostlist excluded;
};

/* --exclude, by its letter, and --hosts-file */
enum { TARGETS_FILE = 0x4000 };
extern const struct option_desc targets_options[];

/** hosts_exclude() - --exclude: a list, or @FILE */
int hosts_exclude(struct hosts_choice *choice, const char *text, const char *command);

/** hosts_file() - --hosts-file */
int hosts_file(struct hosts_choice *choice, const char *path, const char *command);

/**
 * hosts_choose() - all of them, less those excluded
 * @arguments:	lists and @FILEs, ended by NULL
 * @command:	for messages
 *
 * No host at all is an error.  Free @list in any case.
 */
int hosts_choose(struct hostlist *list, struct hosts_choice *choice, char **arguments,
		 const char *command);

void targets_filter_free(struct hosts_choice *choice);

#endif /* EVTLOG_REMOTE_TARGETS_H */
