// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog info: what a file is, and how much of what is in it.
 *
 * It counts; what the counts mean is for cmd-stat.c, whether they are right for
 * cmd-check.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/check/cpu-clocks-print.h"
#include "analysis/info/info.h"
#include "common/command.h"
#include "common/error.h"
#include "common/options.h"
#include "input/open-log.h"
#include "lib/file/file.h"
#include "merge/merge.h"

static void note_begin(struct info *info, const struct evtlog_event *event)
{
	if (info->has_begin && event->time_ns >= info->begin_ns)
		return;
	info->has_begin = true;
	info->begin_ns = event->time_ns;
	info->begin_ticks = event->ticks;
}

static int count_cpu(struct info *info, unsigned int slot,
		     struct progress *progress)
{
	const struct evtlog_event *event;
	struct evtlog_stream *stream;
	struct usage usage = { 0 };
	uint16_t events = 0;
	int result;

	result = evtlog_stream_new(info->file, slot, &stream);
	if (result)
		return result;
	while ((result = evtlog_stream_next(stream, &event)) > 0) {
		usage_update(&usage, event, info->logger_pid);
		if (event->kind == EVTLOG_EVENT_BEGIN && !evtlog_cpu_is_absent(info->file, slot))
			note_begin(info, event);
		if (event->kind == EVTLOG_EVENT_RECORD)
			info->counts[event->number]++;
		pass_counts_take(&info->passes, info->file, event);
		if (!++events)
			progress_update(progress, info->bytes_done +
					evtlog_stream_position(stream));
	}
	usage_finish(&usage, evtlog_begin_ns(info->file),
		     evtlog_end_ns(info->file));
	if (evtlog_tree_pid(info->file))
		usage_set_outside(&usage);
	usage_add(&info->usage, &usage);
	info->events += evtlog_stream_counts(stream)->records;
	info->bytes_done += evtlog_stream_position(stream);
	evtlog_stream_free(stream);
	return result;
}

static int count(struct info *info)
{
	unsigned int cpus = evtlog_cpu_count(info->file);
	struct progress progress;
	int result = 0;

	evtlog_summarize(info->file, &info->summary);
	progress_begin(&progress, info->path, info->summary.raw_bytes);
	for (unsigned int slot = 0; !result && slot < cpus; slot++)
		result = count_cpu(info, slot, &progress);
	progress_end(&progress);
	evtlog_summarize(info->file, &info->summary);
	return result;
}

static int inform(const char *path, void *context)
{
	const bool *json = context;
	struct info info = { .path = path };
	int result;

	if (evtlog_is_merged(path))
		return merged_info(path, *json);
	info.file = log_open(path);
	if (!info.file)
		return EXIT_FAILED;
	info.logger_pid = file_meta_pid(info.file, "logger_pid");
	result = count(&info);
	if (result) {
		pr_err("%s: %s", path, strerror(-result));
		result = EXIT_FAILED;
	} else {
		if (*json)
			info_json(&info);
		else
			info_show(&info);
		cpu_clocks_warn(info.file, path, CPU_CLOCKS_EVENTS);
		result = log_verdict(info.file, path);
	}
	evtlog_close(info.file);
	return result;
}

static bool any_packets(const struct report *report)
{
	for (size_t i = 0; i < report->count; i++)
		if (report->hosts[i].clock.method == EVTLOG_CLOCK_PACKETS)
			return true;
	return false;
}

/* Shows how the hosts' clocks are related, if the files are of one run and packets relate them. */
static void show_hosts(char **paths, size_t count)
{
	struct log_set_options opts = { .quiet = true };
	struct logs logs;
	struct report report;

	if (log_set_open(&logs, paths, count, &opts) != EXIT_OK)
		return;
	if (log_set_relate(&logs, &opts, false) == EXIT_OK &&
	    !report_of_log_set(&report, &logs, &opts)) {
		if (any_packets(&report)) {
			putchar('\n');
			report_show(&report, stdout);
		}
		report_free(&report);
	}
	log_set_close(&logs);
}

static bool any_merged(char **paths, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (evtlog_is_merged(paths[i]))
			return true;
	return false;
}

static int inform_all(char **args, int count, bool json)
{
	size_t paths_count;
	char **paths;
	int status = paths_expand(args, count, &paths, &paths_count);

	if (status != EXIT_OK)
		return status;
	status = log_each(paths, paths_count, !json, inform, &json);
	if (paths_count > 1 && status != EXIT_FAILED && !json &&
	    !any_merged(paths, paths_count))
		show_hosts(paths, paths_count);
	paths_free(paths, paths_count);
	return status;
}

static int take_option(void *context, int option, char *value)
{
	bool *json = context;

	*json = true;
	return 0;
}

static const struct option_desc table[] = {
	{ 'j', "json", .help = "print a JSON object per file" },
	{ }
};

static const struct options options = {
	.command = "info",
	.usage = "[OPTION...] FILE|DIRECTORY...",
	.about = "Print the host, the kernel and the run of a file, its time span, its CPUs, "
		 "the recorded types of events with the number of events of each, the lost "
		 "events, and the logger's share of CPU time.",
	.table = table,
	.notes =
	"Examples:\n"
	"  evtlog info node1-1.evl\n"
	"  evtlog info --json node1-1.evl | jq .events.sched_switch\n",
	.operands = VALUE_LOG,
	.take = take_option,
};

static int run(int argc, char **argv)
{
	bool json = false;
	int result = options_take(&options, argc, argv, &json);

	if (result != OPTIONS_TAKEN)
		return result;
	if (optind == argc)
		return misuse("info", "name a file");
	return finish(inform_all(argv + optind, argc - optind, json));
}

const struct evtlog_command command_info = {
	.name = "info",
	.summary = "show what a file contains",
	.run = run,
};
