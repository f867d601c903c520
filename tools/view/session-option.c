// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes the options of commands that look at logs by their indexes.
 *
 * Stage: between argv and session_open().
 */
#include <errno.h>

#include "session-option.h"

int session_option(struct session_options *options, struct selection *selection,
		   int option, const char *text)
{
	int error = 0;

	switch (option) {
	case SESSION_HOSTS:
		return choice_option(&options->hosts, options->command, "hosts", text);
	case 'c':
	case SELECT_FROM:
	case SELECT_TO:
		error = select_option(selection, option, text);
		options->cpus = selection->cpus;
		return error;
	case SESSION_INDEX_DIR:
		/* It would be the root. */
		if (!*text)
			return -EINVAL;
		options->index_directory = text;
		return 0;
	case SESSION_NO_INDEX:
		options->in_memory = true;
		return 0;
	case SESSION_ASSUME_NTP:
		options->assume_ntp = true;
		return 0;
	default:
		return -EINVAL;
	}
}
