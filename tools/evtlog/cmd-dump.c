// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog dump: a line per event, in the order of time.
 *
 * Stage: a reading command.  It shows what was recorded and concludes nothing;
 * cmd-stat.c does.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "log.h"
#include "merging.h"
#include "options.h"
#include "paths.h"
#include "progress.h"
#include "say.h"
#include "show.h"

/*
 * @limit:	counts down; UINT64_MAX: no limit
 * @types, @hosts, @assume_ntp: as the user gave them
 */
struct dump {
	struct show show;
	struct show_host host;
	struct evtlog_file *file;
	struct evtlog_tasks *tasks;
	struct selection selection;
	uint64_t limit;
	uint64_t begin_ns;
	char *types;
	struct choice hosts;
	bool assume_ntp;
};

static const char help_text[] =
	"Usage: evtlog dump [OPTION...] FILE|DIRECTORY...\n\n"
	"Prints a line per event, in the order of time: time, CPU, place (. task,\n"
	"s softirq, h interrupt), task running before it, event, fields. Of several hosts'\n"
	"files, or a merged one, as 'evtlog merge' does.\n\n"
	"  -c, --cpu LIST     only these CPUs: 0,2-3\n"
	"  -p, --pid LIST     only events while these tasks ran, or that name them\n"
	"  -t, --type NAMES   only these events: sched_switch,softirq (entry and exit)\n"
	"      --from TIME    from this time since the run's start: 1.5, 10ms, 200us\n"
	"      --to TIME      up to this time\n"
	"  -n, --limit N      at most N lines\n"
	"      --time KIND    start (default): seconds since the run's start;\n"
	"                     real: date and time, UTC; raw: CLOCK_MONOTONIC_RAW;\n"
	"                     ticks: the CPU's counter\n"
	"      --host LIST    of several hosts only these: node[1-16],rack2-*\n"
	"      --assume-ntp   of several hosts: as for merge\n"
	"  -j, --json         a JSON object per line\n"
	"  -h, --help         this text\n\n"
	"Examples:\n"
	"  evtlog dump node1-1.evl | less\n"
	"  evtlog dump --type sched --cpu 0 --from 1s --to 1.01s node1-1.evl\n"
	"  evtlog dump --json --type icmp node1-1.evl | jq .fields.seq\n";

static bool wanted(const struct dump *dump, const struct evtlog_event *event)
{
	return event->time_ns >= dump->begin_ns &&
	       event->time_ns - dump->begin_ns >= dump->selection.from_ns &&
	       show_selects(&dump->selection, dump->selection.types, dump->host.file,
			    event);
}

static int64_t kind_time(const struct dump *dump, const struct evtlog_event *event)
{
	switch (dump->show.time) {
	case SHOW_REAL:
		return evtlog_real_ns(dump->host.file, event->time_ns);
	case SHOW_TICKS:
		return event->ticks;
	default:
		return event->time_ns;
	}
}

static void show(struct dump *dump, const struct evtlog_event *event)
{
	struct show_moment moment = {
		.start_ns = event->time_ns - dump->begin_ns,
		.kind_ns = kind_time(dump, event),
	};

	if (event->kind == EVTLOG_EVENT_GAP)
		moment.from_ns = event->from_ns - dump->begin_ns;
	show_event(&dump->show, &dump->host, event, &moment);
}

static int dump_events(struct dump *dump)
{
	const struct evtlog_event *event;
	struct evtlog_summary summary;
	struct evtlog_merge *merge;
	struct progress progress;
	uint16_t events = 0;
	int result;

	result = evtlog_merge_new(dump->file, &merge);
	if (result)
		return result;
	evtlog_summarize(dump->file, &summary);
	/* On a terminal the lines are progress enough. */
	progress_begin(&progress, "dump", isatty(STDOUT_FILENO) ? 0 :
		       summary.raw_bytes);
	while (dump->limit && !ferror(stdout) &&
	       (result = evtlog_merge_next(merge, &event)) > 0) {
		if (event->time_ns >= dump->begin_ns &&
		    event->time_ns - dump->begin_ns >= dump->selection.to_ns)
			break;
		/* A child has its name from the event on that makes it. */
		if (event->known == EVTLOG_SCHED_PROCESS_FORK)
			result = evtlog_tasks_update(dump->tasks, event);
		if (result < 0)
			break;
		if (wanted(dump, event)) {
			show(dump, event);
			dump->limit -= dump->limit != UINT64_MAX;
		}
		/* Else a name counts from the next event on. */
		result = evtlog_tasks_update(dump->tasks, event);
		if (result)
			break;
		if (!++events)
			progress_update(&progress,
					evtlog_merge_position(merge));
	}
	progress_end(&progress);
	evtlog_merge_free(merge);
	return result < 0 ? result : 0;
}

static int dump_file(struct dump *dump, const char *path)
{
	const char *unknown = NULL;
	int result = EXIT_FAILED, error;

	dump->file = log_open(path);
	if (!dump->file)
		return EXIT_FAILED;
	if (dump->types)
		unknown = select_types(&dump->selection, dump->types, dump->file);
	if (unknown) {
		result = misuse("dump", "--type: %s: %s has no such event",
				unknown, path);
		goto close;
	}
	dump->begin_ns = evtlog_begin_ns(dump->file);
	error = evtlog_tasks_new(dump->file, &dump->tasks);
	if (error)
		goto fail;
	dump->host.file = dump->file;
	dump->host.tasks = dump->tasks;
	error = fields_init(&dump->host.fields, dump->file, dump->tasks);
	if (!error)
		error = dump_events(dump);
	fields_free(&dump->host.fields);
	evtlog_tasks_free(dump->tasks);
fail:
	if (error)
		say("%s: %s", path, strerror(-error));
	else
		result = finish(log_verdict(dump->file, path));
close:
	evtlog_close(dump->file);
	return result;
}

/* One file of one host is read as it is, all else as `evtlog merge` does. */
static int dump_args(struct dump *dump, char **args, int count)
{
	struct merge_wish wish = {
		.command = "dump",
		.selection = dump->selection,
		.types = dump->types,
		.hosts = dump->hosts,
		.limit = dump->limit,
		.show = dump->show,
		.clocks.options.assume_ntp = dump->assume_ntp,
	};
	size_t paths_count;
	char **paths;
	int status;

	if (!count)
		return misuse("dump", "name a file");
	status = paths_expand(args, count, &paths, &paths_count);
	if (status != EXIT_OK)
		return status;
	wish.show.hosts = true;
	if (paths_count == 1 && !dump->hosts.text && !evtlog_is_merged(paths[0]))
		status = dump_file(dump, paths[0]);
	else if (wish.show.time == SHOW_TICKS)
		status = misuse("dump", "--time ticks: hosts' counters have nothing in common");
	else
		status = merge_files(&wish, paths, paths_count);
	paths_free(paths, paths_count);
	return status;
}

enum { TIME = 256, HOST, ASSUME_NTP };

static int take_option(void *context, int option, char *value)
{
	struct dump *dump = context;

	switch (option) {
	case 't':
		dump->types = value;
		return 0;
	case 'n':
		return show_parse_limit(&dump->limit, value);
	case TIME:
		return show_parse_time(&dump->show.time, value);
	case HOST:
		return choice_option(&dump->hosts, "dump", "host", value);
	case ASSUME_NTP:
		dump->assume_ntp = true;
		return 0;
	case 'j':
		dump->show.json = true;
		return 0;
	default:
		return select_option(&dump->selection, option, value);
	}
}

static int run(int argc, char **argv)
{
	static const struct option longs[] = {
		SELECT_OPTIONS,
		{ "type", required_argument, NULL, 't' },
		{ "limit", required_argument, NULL, 'n' },
		{ "time", required_argument, NULL, TIME },
		{ "host", required_argument, NULL, HOST },
		{ "assume-ntp", no_argument, NULL, ASSUME_NTP },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	static const struct option_value values[] = {
		SELECT_VALUES,
		{ 'n', NULL, SHOW_LIMIT_LIKE },
		{ .option = TIME, .words = show_time_words },
		{ }
	};
	static const struct options options = {
		"dump", help_text, SELECT_LETTERS "t:n:jh", longs, take_option, values
	};
	struct dump dump = { .limit = UINT64_MAX };
	int result;

	select_all(&dump.selection);
	result = options_take(&options, argc, argv, &dump);
	if (result == OPTIONS_TAKEN)
		result = dump_args(&dump, argv + optind, argc - optind);
	choice_free(&dump.hosts);
	select_free(&dump.selection);
	return result;
}

const struct evtlog_command command_dump = {
	.name = "dump",
	.summary = "print a line per event",
	.run = run,
};
