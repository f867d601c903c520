// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog export: a part of logs in another form: a page that opens offline, an OTF2 archive, CTF
 * traces, a trace for Perfetto, or Parquet files.
 *
 * The work is in tools/view/html/export.c, tools/otf2/export.c, tools/ctf/export.c,
 * tools/perfetto/export.c and tools/parquet/export.c.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/atomic-file.h"
#include "common/command.h"
#include "common/error.h"
#include "common/number.h"
#include "common/options.h"
#include "ctf/export.h"
#include "input/open-log.h"
#include "otf2/export.h"
#include "parquet/export.h"
#include "perfetto/export.h"
#include "view/html/export.h"
#include "view/session/session.h"

/* More would be of no use in a browser. */
#define EVENTS_MAX	10000000

#define INTERVAL_MIN_NS	1000

enum { HTML = 256, EVENTS, FORCE, OTF2, CTF, PERFETTO, PARQUET, TABLE_NAMES, INTERVAL, STREAMS,
       SOURCE, WITH, WITH_CLOCK, REGIONS };

/* What can be written, by bits of page_options.forms */
enum form { FORM_HTML, FORM_OTF2, FORM_CTF, FORM_PERFETTO, FORM_PARQUET, FORMS };

static const char *const form_names[FORMS] = { "html", "otf2", "ctf", "perfetto", "parquet" };

struct page_options {
	struct session_options session;
	struct filter filter;
	struct export_options export;
	const char *html;
	unsigned int forms;
	struct otf2_options otf2;
	struct ctf_options ctf;
	struct perfetto_options perfetto;
	struct parquet_options parquet;
	unsigned int given;
};

static int export_paths(char **paths, size_t count, const struct page_options *opts)
{
	struct session *session = NULL;
	int status = output_check("export", "--html", opts->html, paths, count);

	if (status == EXIT_OK)
		status = session_open(&session, paths, count, &opts->session);
	if (status == EXIT_OK)
		status = export_write(session, &opts->export, opts->html);
	if (status == EXIT_OK)
		status = session_verdict(session);
	session_close(session);
	return status;
}

/* Options of one form alone, by their letters or numbers */
static const struct {
	int option;
	const char *name;
	enum form form;
} of_one_form[] = {
	{ EVENTS, "events", FORM_HTML },
	{ FORCE, "force", FORM_HTML },
	{ SESSION_INDEX_DIR, "index-dir", FORM_HTML },
	{ TABLE_NAMES, "tables", FORM_PARQUET },
	{ INTERVAL, "interval", FORM_OTF2 },
	{ STREAMS, "streams", FORM_OTF2 },
	{ SOURCE, "source", FORM_OTF2 },
	{ WITH, "with", FORM_OTF2 },
	{ WITH_CLOCK, "with-clock", FORM_OTF2 },
	{ REGIONS, "regions", FORM_OTF2 },
};

static void note_given(struct page_options *opts, int option)
{
	for (size_t i = 0; i < sizeof(of_one_form) / sizeof(*of_one_form); i++)
		if (of_one_form[i].option == option)
			opts->given |= 1u << i;
}

static int check_given(const struct page_options *opts)
{
	for (size_t i = 0; i < sizeof(of_one_form) / sizeof(*of_one_form); i++)
		if (opts->given & 1u << i && !(opts->forms & 1u << of_one_form[i].form))
			return misuse("export", "--%s is for --%s only", of_one_form[i].name,
				      form_names[of_one_form[i].form]);
	if (opts->otf2.with_clock && !opts->otf2.with)
		return misuse("export", "--with-clock is for --with only");
	return EXIT_OK;
}

static int export_form(const struct page_options *opts, char **paths, size_t count)
{
	if (opts->forms & 1u << FORM_OTF2)
		return otf2_export(&opts->otf2, paths, count);
	if (opts->forms & 1u << FORM_CTF)
		return ctf_export(&opts->ctf, paths, count);
	if (opts->forms & 1u << FORM_PERFETTO)
		return perfetto_export(&opts->perfetto, paths, count);
	if (opts->forms & 1u << FORM_PARQUET)
		return parquet_export(&opts->parquet, paths, count);
	return export_paths(paths, count, opts);
}

static int export_args(char **args, int count, struct page_options *opts)
{
	size_t paths_count;
	char **paths;
	int status;

	opts->export.from_ns = opts->filter.from_ns;
	opts->export.to_ns = opts->filter.to_ns;
	opts->otf2.sources = (struct sources_options) {
		.filter = &opts->filter,
		.hosts = &opts->session.hosts,
		.assume_ntp = opts->session.assume_ntp,
	};
	opts->ctf.sources = opts->otf2.sources;
	opts->perfetto.sources = opts->otf2.sources;
	opts->parquet.sources = opts->otf2.sources;
	if (__builtin_popcount(opts->forms) != 1)
		return misuse("export", "no output is given: give one of --html FILE, --otf2 DIR, --ctf DIR, --perfetto FILE and --parquet DIR");
	status = check_given(opts);
	if (status != EXIT_OK)
		return status;
	status = session_paths("export", "exported", args, count, &paths, &paths_count);
	if (status != EXIT_OK)
		return status;
	status = export_form(opts, paths, paths_count);
	paths_free(paths, paths_count);
	return status;
}

static int parse_source(enum samples_source *source, const char *text)
{
	int word = options_word(samples_source_names, text);

	if (word < 0)
		return word;
	*source = word;
	return 0;
}

static int add_regions(struct otf2_options *otf2, char *path)
{
	char **paths = reallocarray(otf2->regions, otf2->region_count + 1, sizeof(*paths));

	if (!paths)
		return -ENOMEM;
	otf2->regions = paths;
	otf2->regions[otf2->region_count++] = path;
	return 0;
}

static int take_option(void *context, int option, char *value)
{
	struct page_options *opts = context;
	uint64_t number = 0;
	int error;

	note_given(opts, option);
	switch (option) {
	case HTML:
		opts->forms |= 1u << FORM_HTML;
		opts->html = value;
		return 0;
	case OTF2:
		opts->forms |= 1u << FORM_OTF2;
		opts->otf2.directory = value;
		return 0;
	case CTF:
		opts->forms |= 1u << FORM_CTF;
		opts->ctf.directory = value;
		return 0;
	case PERFETTO:
		opts->forms |= 1u << FORM_PERFETTO;
		opts->perfetto.path = value;
		return 0;
	case PARQUET:
		opts->forms |= 1u << FORM_PARQUET;
		opts->parquet.directory = value;
		return 0;
	case TABLE_NAMES:
		return parquet_tables(&opts->parquet.tables, value);
	case INTERVAL:
		error = filter_time(&opts->otf2.interval_ns, value);
		return !error && opts->otf2.interval_ns < INTERVAL_MIN_NS ? -EINVAL : error;
	case STREAMS:
		error = number_parse(&number, value, 0, OTF2_STREAMS_MAX);
		opts->otf2.streams = number;
		return error;
	case SOURCE:
		return parse_source(&opts->otf2.source, value);
	case WITH:
		opts->otf2.with = value;
		return 0;
	case WITH_CLOCK:
		opts->otf2.with_clock = program_clock_kind(value);
		return opts->otf2.with_clock == CLOCK_KINDS ? -EINVAL : 0;
	case REGIONS:
		return add_regions(&opts->otf2, value);
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
	{ HTML, "html", "FILE", "write an HTML page to FILE; - is stdout", .kind = VALUE_FILE },
	{ OTF2, "otf2", "DIR", "write an OTF2 archive into a new directory DIR, for Vampir and "
	  "other OTF2 readers", .kind = VALUE_DIRECTORY },
	{ CTF, "ctf", "DIR", "write a CTF trace of each host into a new directory DIR, for Trace "
	  "Compass and babeltrace2", .kind = VALUE_DIRECTORY },
	{ PERFETTO, "perfetto", "FILE", "write a trace to FILE for Perfetto's viewer and "
	  "trace_processor, for several hosts an archive; - is stdout", .kind = VALUE_FILE },
	{ PARQUET, "parquet", "DIR", "write each table as a Parquet file into a new directory DIR, "
	  "for DuckDB, pandas and others", .kind = VALUE_DIRECTORY },
	OPTION_GROUP(session_option_table),
	{ TABLE_NAMES, "tables", "NAMES", "write only these tables: sched_slice,thread",
	  .kind = VALUE_TEXT, .valid = "names of tables, as evtlog-tables(7) lists them" },
	{ INTERVAL, "interval", "TIME", "write the counters of an OTF2 archive at intervals of TIME "
	  "(default 10ms)", .kind = VALUE_TEXT, .valid = "a time such as 10ms, at least 1us" },
	{ STREAMS, "streams", "N", "show at most N tasks that wait for a CPU in an OTF2 archive "
	  "(default 32, at most 254)", .kind = VALUE_TEXT, .valid = "a number from 0 to 254" },
	{ SOURCE, "source", "WHAT", "show events, or the sampler's samples, in an OTF2 archive "
	  "(default auto: samples if the log has no scheduling events)",
	  .kind = VALUE_WORD, .words = samples_source_names },
	{ WITH, "with", "TRACE", "add a program's OTF2 trace of the same run; TRACE is its "
	  "traces.otf2", .kind = VALUE_FILE },
	{ WITH_CLOCK, "with-clock", "CLOCK", "use CLOCK for the program's trace (default the clock "
	  "that agrees with the trace)", .kind = VALUE_TEXT,
	  .valid = "raw, monotonic, realtime, tsc or stamp" },
	{ REGIONS, "regions", "PATH", "add a program's regions; PATH is the value of "
	  "EVTLOG_TRACE_FILE, or one of its files; can be repeated", .kind = VALUE_FILE },
	{ EVENTS, "events", "N", "list at most N events (default 50000)",
	  .kind = VALUE_TEXT, .valid = "a number from 0 to 10000000" },
	{ FORCE, "force", .help = "write the file even if it is larger than 24 MiB" },
	{ }
};

static const struct options options = {
	.command = "export",
	.usage = "--html FILE [OPTION...] LOG|DIRECTORY...\n"
		 "--otf2 DIR [OPTION...] LOG|DIRECTORY...\n"
		 "--ctf DIR [OPTION...] LOG|DIRECTORY...\n"
		 "--perfetto FILE [OPTION...] LOG|DIRECTORY...\n"
		 "--parquet DIR [OPTION...] LOG|DIRECTORY...",
	.about = "Write a part of logs in another form.\n"
		 "\n"
		 "--html writes one file: the page of evtlog view with its data. Any browser opens "
		 "this file, without evtlog and without a network. The file has the lanes, tasks, "
		 "times and statistics of the whole part. The number of events and arrows is "
		 "limited, and the page shows where they are cut.\n"
		 "\n"
		 "The other forms have all events. --otf2 writes an archive of the scheduling for "
		 "Vampir, ViTE and other OTF2 readers. --ctf writes a trace per host in the form "
		 "of LTTng, for Trace Compass, babeltrace2 and others. --perfetto writes a trace "
		 "for ui.perfetto.dev and trace_processor. --parquet writes tables for SQL and "
		 "data frames, see evtlog-tables(7).",
	.table = table,
	.notes =
	"Examples:\n"
	"  evtlog export --html run.html node1-1.evl\n"
	"  evtlog export --html stall.html --from 1.2s --to 1.3s --cpu 0-7 logs/\n"
	"  evtlog export --html - node1-1.evl | gzip >run.html.gz\n"
	"  evtlog export --otf2 run.otf2 node1-1.evl && vampir run.otf2/traces.otf2\n"
	"  evtlog export --ctf run.ctf logs/ && babeltrace2 run.ctf\n"
	"  evtlog export --perfetto run.pftrace node1-1.evl\n"
	"  evtlog export --parquet run.parquet logs/\n"
	"  evtlog export --otf2 both.otf2 --with scorep/traces.otf2 node1-1.evl\n"
	"  evtlog export --otf2 both.otf2 --regions traces/solver node1-1.evl\n",
	.operands = VALUE_LOG,
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct page_options opts = {
		.session.command = "export",
		.export.events = EXPORT_EVENTS,
		.otf2.interval_ns = OTF2_INTERVAL_NS,
		.otf2.streams = OTF2_STREAMS,
		.parquet.tables = PARQUET_TABLES,
	};
	int result;

	filter_all(&opts.filter);
	result = options_take(&options, argc, argv, &opts);
	if (result == OPTIONS_TAKEN)
		result = export_args(argv + optind, argc - optind, &opts);
	host_filter_free(&opts.session.hosts);
	filter_free(&opts.filter);
	free(opts.otf2.regions);
	return result;
}

const struct evtlog_command command_export = {
	.name = "export",
	.group = "Other programs",
	.summary = "write a part of a log as an HTML page, or for other viewers",
	.run = run,
};
