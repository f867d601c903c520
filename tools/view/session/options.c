// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Options of commands that show logs by their indexes.
 */
#include <errno.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "draw/ruler.h"
#include "input/open-log.h"
#include "session.h"

const struct option_desc session_option_table[] = {
	{ SESSION_HOSTS, "host", "LIST", "show only these hosts: node[1-16],rack2-*",
	  .kind = VALUE_HOSTS },
	{ FILTER_CPU, "cpu", "LIST", "show only these CPUs of each host: 0,2-3",
	  .kind = VALUE_CPUS, .valid = FILTER_CPUS_LIKE },
	OPTION_GROUP(filter_time_options),
	{ SESSION_INDEX_DIR, "index-dir", "DIR", "keep the indexes in DIR; none: store no indexes, "
	  "and read the whole logs each time", .kind = VALUE_DIRECTORY, .valid = "a directory" },
	{ SESSION_ASSUME_NTP, "assume-ntp", .help = "accept hosts without packets to the others, "
	  "and trust their real-time clocks" },
	{ }
};

int session_option(struct session_options *options, struct filter *filter,
		   int option, const char *text)
{
	int error = 0;

	switch (option) {
	case SESSION_HOSTS:
		return host_filter_option(&options->hosts, options->command, text);
	case FILTER_CPU:
	case FILTER_FROM:
	case FILTER_TO:
		error = filter_option(filter, option, text);
		options->cpus = filter->cpus;
		return error;
	case SESSION_INDEX_DIR:
		/* An empty name would mean the root directory. */
		if (!*text)
			return -EINVAL;
		options->in_memory = !strcmp(text, "none");
		options->index_directory = options->in_memory ? NULL : text;
		return 0;
	case SESSION_ASSUME_NTP:
		options->assume_ntp = true;
		return 0;
	default:
		return -EINVAL;
	}
}

int session_paths(const char *command, const char *done, char **args, int count,
		  char ***paths, size_t *paths_count)
{
	if (!count)
		return misuse(command, "name files or directories");
	for (int i = 0; i < count; i++)
		if (!strcmp(args[i], "-"))
			return misuse(command, "standard input can't be %s: name a file", done);
	return paths_expand(args, count, paths, paths_count);
}

int session_check_span(const struct session *session, const char *command, uint64_t from_ns,
		       uint64_t to_ns)
{
	char from[RULER_LABEL_BYTES], end[RULER_LABEL_BYTES];

	if (from_ns >= to_ns)
		return misuse(command, "--from is not before --to");
	if (from_ns < (uint64_t)session->length_ns || !from_ns)
		return EXIT_OK;
	ruler_time(from_ns, from);
	ruler_time(session->length_ns, end);
	pr_err("--from: %s is after the end, which is %s after the start", from, end);
	return EXIT_MISUSE;
}
