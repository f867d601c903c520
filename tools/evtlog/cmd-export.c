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

static const char help_text[] =
	"Usage: evtlog export --html FILE [OPTION...] LOG|DIRECTORY...\n\n"
	"Writes a part of logs as one file: the page of 'evtlog view' with its data,\n"
	"which any browser opens without this program and without a network. Lanes,\n"
	"tasks, times and the statistics of the whole part are in it; so are its events\n"
	"and arrows up to a number, and the page says where they are cut.\n\n"
	"      --html FILE      write the page there (- is stdout)\n"
	"      --hosts LIST     of several hosts only these: node[1-16],rack2-*\n"
	"      --cpus LIST      only these CPUs: 0,2-3\n"
	"      --from TIME      from this time since the first host's start: 1.5, 10ms\n"
	"      --to TIME        up to this time\n"
	"      --events N       at most N events in the list (50000)\n"
	"      --force          even if the file gets larger than 24 MiB\n"
	"      --index-dir DIR  keep the indexes there\n"
	"      --no-index       keep them nowhere: read all logs each time\n"
	"      --assume-ntp     believe the real-time clocks of hosts that no packets\n"
	"                       relate to the others; without this they are refused\n"
	"  -h, --help           this text\n\n"
	"Examples:\n"
	"  evtlog export --html run.html node1-1.evl\n"
	"  evtlog export --html stall.html --from 1.2s --to 1.3s --cpus 0-7 logs/\n"
	"  evtlog export --html - node1-1.evl | gzip >run.html.gz\n";

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

static int run(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "html", required_argument, NULL, HTML },
		SESSION_OPTIONS,
		{ "events", required_argument, NULL, EVENTS },
		{ "force", no_argument, NULL, FORCE },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	static const struct option_value values[] = {
		SESSION_VALUES,
		{ EVENTS, NULL, "a number from 0 to 10000000" },
		{ }
	};
	static const struct options options = {
		"export", help_text, SESSION_LETTERS "h", longs, take_option, values
	};
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
	.summary = "write a part of logs as a page that opens offline",
	.run = run,
};
