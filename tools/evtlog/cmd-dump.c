// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog dump: prints one line per event, in the order of time, of one log or of many hosts.
 *
 * It shows what was recorded and sums nothing up: that is cmd-stat.c. Logs of several hosts are
 * read by merge/merge.c.
 */
#include <stdio.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/options.h"
#include "input/open-log.h"
#include "input/selection.h"
#include "merge/merge.h"
#include "print/around.h"
#include "print/event.h"

/*
 * @opts:	the options as given; they are also those of one log on its own
 * @host:	the log, for lines
 */
struct dump {
	struct merge_options opts;
	struct show_host host;
	struct evtlog_file *file;
	struct evtlog_tasks *tasks;
	struct around around;
	struct matches matches;
	struct iterator iterator;
	uint64_t begin_ns;
};

static int64_t kind_time(const struct dump *dump, const struct evtlog_event *event)
{
	switch (dump->opts.show.time) {
	case SHOW_REAL:
		return evtlog_real_ns(dump->host.file, event->time_ns);
	case SHOW_TICKS:
		return event->ticks;
	default:
		return event->time_ns;
	}
}

static int show(struct dump *dump, const struct evtlog_event *event)
{
	bool matches = show_selects(&dump->opts.filter, dump->opts.filter.types, &dump->host, event);
	struct show_moment moment = {
		.start_ns = event->time_ns - dump->begin_ns,
		.kind_ns = kind_time(dump, event),
	};

	if (event->kind == EVTLOG_EVENT_GAP)
		moment.from_ns = event->from_ns - dump->begin_ns;
	matches_see(&dump->matches, 0, event, matches);
	return around_show(&dump->around, &dump->opts.show, &dump->host, event, &moment, matches);
}

static int take(void *context, const struct iterator_event *at)
{
	const struct evtlog_event *event = at->event;
	struct dump *dump = context;
	int error = 0;

	/* A child has its name from the event on that makes it. */
	if (event->known == EVTLOG_SCHED_PROCESS_FORK)
		error = evtlog_tasks_update(dump->tasks, event);
	if (error)
		return error;
	matches_see(&dump->matches, 0, event, false);
	/* What matches, and what may be near it */
	if (iterator_wants(&dump->iterator, at) && !show_hides(&dump->opts.show, event))
		error = show(dump, event);
	/* Else a name counts from the next event on. */
	return error ? error : evtlog_tasks_update(dump->tasks, event);
}

static int dump_events(struct dump *dump)
{
	const struct iterator_window window = {
		.begin_ns = dump->begin_ns,
		.from_ns = dump->opts.filter.from_ns,
		.to_ns = dump->opts.filter.to_ns,
		.cpus = dump->opts.filter.cpus,
	};
	int error = iterator_of_log(&dump->iterator, dump->file, 0, &window);

	if (!error)
		error = events_show_all(&dump->iterator, &dump->around, "dump", take, dump);
	iterator_end(&dump->iterator);
	return error;
}

/* EXIT_OK, or why this file has nothing of what is wanted. */
static int check_options(struct dump *dump, const char *path)
{
	const char *unknown = NULL;

	if (dump->opts.types)
		unknown = filter_types(&dump->opts.filter, dump->opts.types, dump->file);
	if (unknown)
		return matches_refuse_type("dump", unknown, path, dump->file);
	dump->matches.length_ns = evtlog_end_ns(dump->file) - evtlog_begin_ns(dump->file);
	matches_add(&dump->matches, 0, dump->file, dump->tasks, true);
	dump->opts.show.counters |= filter_has_type(&dump->opts.filter, dump->file, EVTLOG_COUNTER);
	return matches_check(&dump->matches, "dump");
}

/* Returns an exit status, after saying what is wrong. */
static int dump_opened(struct dump *dump, const char *path)
{
	int error, status;

	dump->begin_ns = evtlog_begin_ns(dump->file);
	error = matches_init(&dump->matches, path, &dump->opts.filter, 1);
	if (!error)
		error = evtlog_tasks_new(dump->file, &dump->tasks);
	if (!error) {
		dump->host.file = dump->file;
		dump->host.tasks = dump->tasks;
		error = fields_init(&dump->host.fields, dump->file, dump->tasks);
	}
	if (!error) {
		status = check_options(dump, path);
		if (status != EXIT_OK)
			return status;
		error = dump_events(dump);
	}
	if (error) {
		pr_err("%s: %s", path, strerror(-error));
		return EXIT_FAILED;
	}
	if (dump->around.limit)
		matches_report(&dump->matches);
	if (dump->opts.show.time == SHOW_REAL)
		log_warn_of_steps(dump->file, path);
	return finish(log_verdict(dump->file, path));
}

static int dump_file(struct dump *dump, const char *path)
{
	int status;

	dump->file = log_open_events(path);
	if (!dump->file)
		return EXIT_FAILED;
	status = dump_opened(dump, path);
	fields_free(&dump->host.fields);
	matches_free(&dump->matches);
	evtlog_tasks_free(dump->tasks);
	evtlog_close(dump->file);
	return status;
}

/* One log of one host is read without the merge. */
static bool is_alone(const struct dump *dump, char **paths, size_t count)
{
	return count == 1 && !dump->opts.hosts.text && !merge_is_asked_for(&dump->opts) &&
	       !evtlog_is_merged(paths[0]);
}

static int dump_args(struct dump *dump, char **args, int count)
{
	struct merge_options *opts = &dump->opts;
	size_t paths_count;
	char **paths;
	int status;

	if (!count)
		return misuse("dump", "name files or directories");
	if (opts->output && around_is_wanted(opts->around))
		return misuse("dump", "--output writes no lines: leave out --before and --after");
	status = paths_expand(args, count, &paths, &paths_count);
	if (status != EXIT_OK)
		return status;
	opts->show.hosts = !is_alone(dump, paths, paths_count);
	if (!opts->show.hosts) {
		status = dump_file(dump, paths[0]);
	} else if (opts->show.time == SHOW_TICKS) {
		status = misuse("dump", "--time ticks: the counters of several hosts are not related; use another --time, or one host");
	} else {
		status = merge_check_outputs(opts, paths, paths_count);
		if (status == EXIT_OK)
			status = merge_files(opts, paths, paths_count);
	}
	paths_free(paths, paths_count);
	return status;
}

enum { TIME = 256, HOST, COUNTERS, TYPE };

static int take_option(void *context, int option, char *value)
{
	struct merge_options *opts = &((struct dump *)context)->opts;

	switch (option) {
	case TYPE:
		opts->types = value;
		return 0;
	case 'n':
		return show_parse_limit(&opts->around->limit, value);
	case AROUND_BEFORE:
	case AROUND_AFTER:
		return around_option(opts->around, option, value);
	case COUNTERS:
		opts->show.counters = true;
		return 0;
	case TIME:
		return show_parse_time(&opts->show.time, value);
	case HOST:
		return host_filter_option(&opts->hosts, "dump", value);
	case 'j':
		opts->show.json = true;
		return 0;
	case FILTER_CPU:
	case FILTER_PID:
	case FILTER_FROM:
	case FILTER_TO:
	case FILTER_COMM:
		return filter_option(&opts->filter, option, value);
	default:
		return merge_option(opts, option, value);
	}
}

static const struct option_desc table[] = {
	OPTION_GROUP(filter_options),
	{ TYPE, "type", "NAMES", "print only events of these types, and events of probes and "
	  "modules with these names: sched_switch,softirq (softirq means softirq_entry and "
	  "softirq_exit)",
	  .kind = VALUE_TYPES },
	OPTION_GROUP(around_options),
	{ 'n', "limit", "N", "print at most N lines; with --before or --after, N "
	  "matches",
	  .kind = VALUE_TEXT, .valid = SHOW_LIMIT_LIKE },
	{ TIME, "time", "KIND", "print times of this kind: start (default), seconds since the "
	  "start of the run or of the first host; real, date and time in UTC; raw, "
	  "CLOCK_MONOTONIC_RAW or the common timeline of several hosts; ticks, the CPU's counter, "
	  "for one host",
	  .kind = VALUE_WORD, .words = show_time_words },
	{ HOST, "host", "LIST", "print only events of these hosts: node[1-16],rack2-*",
	  .kind = VALUE_HOSTS },
	{ COUNTERS, "counters", .help = "print a line per counter of the kernel instead of a line "
	  "per CPU" },
	{ 'j', "json", .help = "print a JSON object per line" },
	OPTION_GROUP(merge_option_table),
	{ }
};

static const struct options options = {
	.command = "dump",
	.usage = "[OPTION...] FILE|DIRECTORY...",
	.about = "Print one line per event, sorted by time. A line contains the time, the CPU, the "
		 "context (. task, s softirq, h interrupt), the task that ran before the event, "
		 "the type and the fields. Events of probes and modules have their own names and "
		 "fields. Logs of several hosts are printed on one timeline: packets between "
		 "the hosts relate their clocks, and a report on stderr shows the error of each "
		 "clock. The mark ~ means: the order of this event and an event of another host "
		 "above it is unknown. A directory means all *.evl files in it.",
	.table = table,
	.notes =
	"Examples:\n"
	"  evtlog dump node1-1.evl | less\n"
	"  evtlog dump --type sched --cpu 0 --from 1s --to 1.01s node1-1.evl\n"
	"  evtlog dump --type sched_process_exec --before 20us node1-1.evl\n"
	"  evtlog dump --json --type icmp node1-1.evl | jq .fields.seq\n"
	"  evtlog dump --run lunch --report clocks.json logs/ >lunch.txt\n"
	"  evtlog dump -o lunch.evm logs/ && evtlog dump --host node7 lunch.evm\n",
	.operands = VALUE_LOG,
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct dump dump = {
		.opts = {
			.command = "dump",
			.around = &dump.around,
			.show.out = stdout,
			.level = 1,
			.clocks.chooses = true,
			.prints_report = true,
		},
	};
	int result;

	around_init(&dump.around);
	filter_all(&dump.opts.filter);
	result = options_take(&options, argc, argv, &dump);
	if (result == OPTIONS_TAKEN)
		result = dump_args(&dump, argv + optind, argc - optind);
	merge_options_free(&dump.opts);
	around_free(&dump.around);
	host_filter_free(&dump.opts.hosts);
	filter_free(&dump.opts.filter);
	return result;
}

const struct evtlog_command command_dump = {
	.name = "dump",
	.summary = "print one line per event, of one host or of many on one timeline",
	.run = run,
};
