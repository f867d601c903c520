// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog index: builds the indexes that `evtlog view` draws lanes by, ahead of time.
 *
 * It prints the paths of indexes; their contents are for programs.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include <evtlog/index.h>

#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "common/number.h"
#include "common/options.h"
#include "input/open-log.h"

struct manner {
	bool json;
	struct evtlog_index_options options;
};

static void report_progress(void *arg, uint64_t done_bytes, uint64_t all_bytes)
{
	struct progress *progress = arg;

	progress->total = all_bytes;
	progress_update(progress, done_bytes);
}

static uint64_t count_events(const struct evtlog_index *index)
{
	const struct evtlog_index_cpu *cpu;
	uint64_t events = 0;

	for (unsigned int slot = 0; (cpu = evtlog_index_cpu(index, slot)); slot++)
		events += cpu->events;
	return events;
}

static void show(const char *path, const struct evtlog_index *index, double seconds)
{
	const struct evtlog_index_origin *origin = evtlog_index_origin(index);
	uint64_t events = count_events(index);

	printf("%s: ", path);
	if (!origin->path)
		printf("can't be saved, it would be ");
	else if (origin->built)
		printf("built %s, ", origin->path);
	else
		printf("%s is good, ", origin->path);
	printf("%" PRIu64 " bytes for %" PRIu64 " events", origin->bytes, events);
	if (origin->built && seconds > 0)
		printf(", in %.1f s", seconds);
	putchar('\n');
	if (*origin->reason)
		pr_err("%s: %s", path, origin->reason);
}

static void cpu_json(const struct evtlog_index_cpu *cpu, struct json *json)
{
	json_object(json, NULL);
	json_u64(json, "cpu", cpu->cpu);
	json_u64(json, "start_ns", cpu->begin_ns);
	json_u64(json, "end_ns", cpu->end_ns);
	json_u64(json, "events", cpu->events);
	json_u64(json, "lost", cpu->lost);
	json_u64(json, "gaps", cpu->gaps);
	json_u64(json, "gap_ns", cpu->gap_ns);
	json_u64(json, "idle_ns", cpu->idle_ns);
	json_u64(json, "busy_ns", cpu->busy_ns);
	json_u64(json, "irq_ns", cpu->irq_ns);
	json_u64(json, "softirq_ns", cpu->softirq_ns);
	json_u64(json, "unknown_ns", cpu->unknown_ns);
	json_object(json, "counts");
	for (int kind = 0; kind < EVTLOG_KINDS; kind++)
		json_u64(json, evtlog_kind_name(kind), cpu->counts[kind]);
	json_end(json);
	json_end(json);
}

static void show_json(const char *path, const struct evtlog_index *index, double seconds)
{
	const struct evtlog_index_origin *origin = evtlog_index_origin(index);
	const struct evtlog_index_lacks *lacks = evtlog_index_lacks(index);
	const struct evtlog_index_cpu *cpu;
	struct json json;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	json_string(&json, "file", path);
	json_string(&json, "path", origin->path);
	json_bool(&json, "built", origin->built);
	json_string(&json, "reason", origin->reason);
	json_u64(&json, "bytes", origin->bytes);
	json_double(&json, "seconds", seconds, 3);
	json_u64(&json, "events", count_events(index));
	json_u64(&json, "tasks", evtlog_index_task_count(index));
	json_u64(&json, "lost", lacks->lost);
	json_u64(&json, "damages", lacks->damages);
	json_bool(&json, "cut", lacks->cut);
	json_array(&json, "cpus");
	for (unsigned int slot = 0; (cpu = evtlog_index_cpu(index, slot)); slot++)
		cpu_json(cpu, &json);
	json_end(&json);
	json_end(&json);
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static int index_file(const char *path, void *context)
{
	const struct manner *manner = context;
	struct evtlog_index_options options = manner->options;
	struct evtlog_error error = { 0 };
	struct evtlog_index *index;
	struct progress progress;
	struct log_lacks lacks;
	double began = now_s();
	bool kept;
	int result;

	progress_begin(&progress, path, 0);
	options.checkpoints = true;
	options.progress = report_progress;
	options.progress_arg = &progress;
	result = evtlog_index_open(path, &options, &index, &error);
	progress_end(&progress);
	if (result) {
		pr_err("%s: %s", path, error.reason);
		return EXIT_FAILED;
	}
	if (!count_events(index)) {
		result = log_refuse(evtlog_index_file(index), path);
		evtlog_index_close(index);
		return result;
	}
	if (manner->json)
		show_json(path, index, now_s() - began);
	else
		show(path, index, now_s() - began);
	kept = evtlog_index_origin(index)->path;
	lacks = log_lacks_of_index(index);
	result = log_report_lacks(&lacks, path);
	evtlog_index_close(index);
	return kept ? result : EXIT_FAILED;
}

enum { THREADS = 256 };

static int take_option(void *context, int option, char *value)
{
	struct manner *manner = context;

	switch (option) {
	case 'o':
		manner->options.directory = value;
		return *value ? 0 : -EINVAL;
	case 'f':
		manner->options.anew = true;
		return 0;
	case THREADS:
		return number_parse_u32(&manner->options.threads, value, 1, 1024);
	case 'j':
		manner->json = true;
		return 0;
	}
	return -EINVAL;
}

static const struct option_desc table[] = {
	{ 'o', "output", "DIR", "write indexes to DIR",
	  .kind = VALUE_DIRECTORY, .valid = "a directory" },
	{ 'f', "force", .help = "build the index again even if it is valid" },
	{ THREADS, "threads", "N", "read with N threads (default the number of CPUs)",
	  .kind = VALUE_TEXT, .valid = "a number from 1 to 1024" },
	{ 'j', "json", .help = "print a JSON object per file" },
	{ }
};

static const struct options options = {
	.command = "index",
	.usage = "[OPTION...] FILE|DIRECTORY...",
	.about = "Build the index of each file, unless it has a valid index. With the index, evtlog "
		 "view shows any part of the file at once, and evtlog query reads a window of time "
		 "without the events before it. evtlog view builds a missing index itself. The "
		 "index of LOG is LOG.evx, or a file in $XDG_CACHE_HOME/evtlog or ~/.cache/evtlog "
		 "if LOG.evx can't be written.",
	.table = table,
	.notes =
	"Examples:\n"
	"  evtlog index *.evl\n"
	"  evtlog index -o /scratch/indexes --json big.evl | jq .path\n",
	.operands = VALUE_LOG,
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct manner manner = { 0 };
	int result = options_take(&options, argc, argv, &manner);

	if (result != OPTIONS_TAKEN)
		return result;
	if (optind == argc)
		return misuse("index", "name a file");
	return finish(log_each(argv + optind, argc - optind, false, index_file, &manner));
}

const struct evtlog_command command_index = {
	.name = "index",
	.is_hidden = true,
	.summary = "build the index that evtlog view uses",
	.run = run,
};
