// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog export: a part of logs in another form; so far as a page that opens offline.
 *
 * The work is in tools/view/html/export.c.
 */
#include <errno.h>
#include <stdio.h>

#include "common/atomic-file.h"
#include "common/command.h"
#include "common/error.h"
#include "common/number.h"
#include "common/options.h"
#include "input/paths.h"
#include "view/html/export.h"
#include "view/session/options.h"

/* More would be of no use in a browser. */
#define EVENTS_MAX	10000000

struct page_options {
	struct session_options session;
	struct filter filter;
	struct export_options export;
	const char *html;
};

static int export_paths(char **paths, size_t count, const struct page_options *opts)
{
	struct session *session = NULL;
	int status = output_check("export", "--html", opts->html, paths, count);

	if (status == EXIT_OK)
		status = session_open(&session, paths, count, &opts->session);
	if (status == EXIT_OK)
		status = export_write(session, &opts->export, opts->html);
	session_close(session);
	return status;
}

static int export_args(char **args, int count, struct page_options *opts)
{
	size_t paths_count;
	char **paths;
	int status;

	opts->export.from_ns = opts->filter.from_ns;
	opts->export.to_ns = opts->filter.to_ns;
	if (!opts->html)
		return misuse("export", "say what to write: --html FILE");
	status = session_paths("export", "exported", args, count, &paths, &paths_count);
	if (status != EXIT_OK)
		return status;
	status = export_paths(paths, paths_count, opts);
	paths_free(paths, paths_count);
	return status;
}

enum { HTML = 256, EVENTS, FORCE };

static int take_option(void *context, int option, char *value)
{
	struct page_options *opts = context;

	switch (option) {
	case HTML:
		opts->html = value;
		return 0;
	case EVENTS:
		return number_parse(&opts->export.events, value, 0, EVENTS_MAX);
	case FORCE:
		opts->export.force = true;
		return 0;
	default:
		return session_option(&opts->session, &opts->filter, option, value);
	}
}

static const struct option_desc table[] = {
	{ HTML, "html", "FILE", "write the page to FILE; - is stdout", .kind = VALUE_FILE },
	OPTION_GROUP(session_option_table),
	{ EVENTS, "events", "N", "list at most N events (default 50000)",
	  .kind = VALUE_TEXT, .valid = "a number from 0 to 10000000" },
	{ FORCE, "force", .help = "write the file even if it is larger than 24 MiB" },
	{ }
};

static const struct options options = {
	.command = "export",
	.usage = "--html FILE [OPTION...] LOG|DIRECTORY...",
	.about = "Write a part of logs as one file: the page of evtlog view with its data. "
		 "Any browser opens it, without this program and without a network. The file "
		 "has the lanes, tasks, times and statistics of the whole part. It has "
		 "events and arrows up to a number, and the page shows where they are cut.",
	.table = table,
	.notes =
	"Examples:\n"
	"  evtlog export --html run.html node1-1.evl\n"
	"  evtlog export --html stall.html --from 1.2s --to 1.3s --cpus 0-7 logs/\n"
	"  evtlog export --html - node1-1.evl | gzip >run.html.gz\n",
	.operands = VALUE_LOG,
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct page_options opts = {
		.session.command = "export",
		.export.events = EXPORT_EVENTS,
	};
	int result;

	filter_all(&opts.filter);
	result = options_take(&options, argc, argv, &opts);
	if (result == OPTIONS_TAKEN)
		result = export_args(argv + optind, argc - optind, &opts);
	host_filter_free(&opts.session.hosts);
	filter_free(&opts.filter);
	return result;
}

const struct evtlog_command command_export = {
	.name = "export",
	.summary = "write a part of a log as an HTML page for offline use",
	.run = run,
};
