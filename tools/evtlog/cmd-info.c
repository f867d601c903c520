// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog info: what a file is, and how much of what is in it.
 *
 * Stage: a reading command.  It counts; what the counts mean is for
 * cmd-stat.c, whether they are right for cmd-check.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "cpu-clocks-show.h"
#include "json.h"
#include "line.h"
#include "log.h"
#include "merging.h"
#include "options.h"
#include "paths.h"
#include "progress.h"
#include "say.h"
#include "types.h"
#include "usage.h"

/* What the kernel always tells of itself. */
#define TYPES_OWN	(types_bit(EVTLOG_TIME) | types_bit(EVTLOG_LOST) | \
			 types_bit(EVTLOG_COUNTER) | types_bit(EVTLOG_TASK))

#define LABEL_WIDTH	12
#define LINE_WIDTH	100

struct info {
	struct evtlog_file *file;
	const char *path;
	struct evtlog_summary summary;
	uint64_t counts[EVTLOG_TYPE_MAX + 1];
	uint64_t events;
	uint64_t bytes_done;
	struct usage usage;
	uint32_t logger_pid;
	bool has_begin;
	uint64_t begin_ns;	/* the same instant as @begin_ticks: the first known */
	uint64_t begin_ticks;
};

static const char help_text[] =
	"Usage: evtlog info [OPTION...] FILE...\n\n"
	"Tells which host, kernel and run a file is of, its span, its CPUs, which types\n"
	"of events were recorded and how many of each it holds, how many were lost, and\n"
	"the logger's own share of CPU time.\n\n"
	"  -j, --json   as JSON, an object per file\n"
	"  -h, --help   this text\n\n"
	"Examples:\n"
	"  evtlog info node1-1.evl\n"
	"  evtlog info --json node1-1.evl | jq .events.sched_switch\n";

static void note_begin(struct info *info, const struct evtlog_event *event)
{
	if (info->has_begin && event->time_ns >= info->begin_ns)
		return;
	info->has_begin = true;
	info->begin_ns = event->time_ns;
	info->begin_ticks = event->ticks;
}

/*
 * How long before the run's begin it was ordered, where the file tells.  Nobody
 * orders a run a day ahead: more is damage.
 */
static bool ordered_before_ns(const struct info *info, uint64_t *ns)
{
	const char *text = evtlog_meta(info->file, "reference_ticks");
	uint64_t hz = evtlog_ticks_hz(info->file), ticks;
	char *end;

	if (!text || !hz || !info->has_begin)
		return false;
	ticks = strtoull(text, &end, 10);
	if (end == text || *end || ticks > info->begin_ticks ||
	    info->begin_ticks - ticks > hz * 86400)
		return false;
	*ns = (unsigned __int128)(info->begin_ticks - ticks) * 1000000000 / hz;
	return true;
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
		if (!++events)
			progress_update(progress, info->bytes_done +
					evtlog_stream_position(stream));
	}
	usage_finish(&usage, evtlog_begin_ns(info->file),
		     evtlog_end_ns(info->file));
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

static void boot_id_text(const struct evtlog_file *file, char text[37])
{
	const uint8_t *id = evtlog_boot_id(file);

	for (int i = 0; i < 16; i++)
		text += sprintf(text, "%s%02x",
				i == 4 || i == 6 || i == 8 || i == 10 ? "-" :
				"", id[i]);
}

static void real_text(const struct evtlog_file *file, uint64_t ns, char *text,
		      size_t room)
{
	int64_t real_ns = evtlog_real_ns(file, ns);
	time_t seconds = real_ns / 1000000000;
	size_t length;
	struct tm tm;

	text[0] = '\0';
	if (real_ns < 0 || !gmtime_r(&seconds, &tm))
		return;
	length = strftime(text, room, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text + length, room - length, ".%09dZ",
		 (int)(real_ns % 1000000000));
}

/* Whether there is a buffer that tells the time. */
static bool has_time(const struct info *info)
{
	return info->has_begin;
}

static bool knows_logger_time(const struct info *info)
{
	return has_time(info) &&
	       evtlog_recorded(info->file, EVTLOG_SCHED_SWITCH) != EVTLOG_RECORDED_OFF;
}

/* "0-3,6": all of them, or those that have no buffer */
static void cpus_text(const struct evtlog_file *file, bool absent, struct line *line)
{
	unsigned int cpus = evtlog_cpu_count(file);

	for (unsigned int i = 0; i < cpus; i++) {
		unsigned int first = evtlog_cpu_number(file, i);

		if (absent && !evtlog_cpu_is_absent(file, i))
			continue;
		while (i + 1 < cpus && evtlog_cpu_number(file, i + 1) ==
				       evtlog_cpu_number(file, i) + 1 &&
		       (!absent || evtlog_cpu_is_absent(file, i + 1)))
			i++;
		if (line->length)
			line_char(line, ',');
		line_u64(line, first, 0, ' ');
		if (evtlog_cpu_number(file, i) == first)
			continue;
		line_char(line, '-');
		line_u64(line, evtlog_cpu_number(file, i), 0, ' ');
	}
	line_char(line, '\0');
}

static void show_text(const struct info *info, const char *label,
		      const char *text)
{
	struct line line;

	line.length = 0;
	line_text(&line, label);
	line_column(&line, 12);
	if (text)
		line_escaped(&line, text, strlen(text));
	else
		line_text(&line, "unknown");
	line_print(&line, stdout);
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * part / whole : 0;
}

/* Names divided by commas, in lines that fit a terminal. */
static void show_types(const char *label, const struct evtlog_file *file, uint64_t types)
{
	char *text = types_text(file, types), *rest = text, *name;
	size_t column = LABEL_WIDTH;

	if (!text)
		return;
	printf("%-*s", LABEL_WIDTH, label);
	while ((name = strsep(&rest, ","))) {
		name += strspn(name, " ");
		if (column > LABEL_WIDTH)
			column += printf(",");
		if (column > LABEL_WIDTH && column + strlen(name) + 2 > LINE_WIDTH) {
			printf("\n%*s", LABEL_WIDTH, "");
			column = LABEL_WIDTH;
		}
		column += printf("%s%s", column > LABEL_WIDTH ? " " : "", name);
	}
	putchar('\n');
	free(text);
}

static void show_recorded(const struct info *info)
{
	uint64_t on = types_that_are(info->file, ~TYPES_OWN, EVTLOG_RECORDED_ON);
	uint64_t off = types_that_are(info->file, TYPES_ALL, EVTLOG_RECORDED_OFF);

	/* Of older logs less is known. */
	if (evtlog_meta(info->file, "events"))
		show_types("recorded", info->file, on);
	show_types("not", info->file, off);
}

static void show_events(const struct info *info)
{
	printf("events      %" PRIu64 "\n", info->events);
	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++)
		if (info->counts[i])
			printf("  %-28s %12" PRIu64 "\n",
			       evtlog_type_info(info->file, i)->name,
			       info->counts[i]);
}

static void show_state(const struct info *info)
{
	const struct evtlog_summary *s = &info->summary;
	uint64_t lost = log_lost(info->file);

	printf("lost        %" PRIu64, lost);
	log_print_causes(info->file);
	printf("\nfile        %" PRIu64 " bytes, %" PRIu64
	       " buffer%s of %" PRIu64 " bytes%s%s\n",
	       evtlog_size_bytes(info->file), s->buffers, s->buffers == 1 ? "" : "s", s->raw_bytes,
	       s->stored_bytes < s->raw_bytes ? ", compressed" : "",
	       s->closed ? ", closed in order" : ", not closed");
	if (!s->complete)
		printf("            the end of the run is not in the file\n");
	if (evtlog_damage_count(info->file))
		printf("damage      %" PRIu64 " place%s; 'evtlog check' tells which\n",
		       evtlog_damage_count(info->file),
		       evtlog_damage_count(info->file) == 1 ? "" : "s");
}

/* All of it comes from buffers. */
static void show_time(const struct info *info)
{
	const struct evtlog_file *file = info->file;
	uint64_t span_ns = evtlog_end_ns(file) - evtlog_begin_ns(file);
	uint64_t ordered_ns;
	char begin[64];

	if (!has_time(info)) {
		printf("begin       unknown\nspan        unknown\n");
		if (evtlog_ticks_hz(file))
			printf("clock       ticks of %.6g MHz\n", evtlog_ticks_hz(file) / 1e6);
		else
			printf("clock       unknown\n");
		return;
	}
	real_text(file, evtlog_begin_ns(file), begin, sizeof(begin));
	printf("begin       %s\n", *begin ? begin : "unknown");
	if (ordered_before_ns(info, &ordered_ns))
		printf("ordered     %" PRIu64 ".%09" PRIu64 " s before the begin\n",
		       ordered_ns / 1000000000, ordered_ns % 1000000000);
	printf("span        %" PRIu64 ".%09" PRIu64 " s\n",
	       span_ns / 1000000000, span_ns % 1000000000);
	printf("clock       ");
	if (evtlog_ticks_hz(file))
		printf("ticks of %.6g MHz", evtlog_ticks_hz(file) / 1e6);
	else
		printf("ticks of unknown rate");
	printf(", right within %" PRIu64 " ns%s\n", evtlog_clock_error_ns(file),
	       info->summary.tsc_bad ? "; the kernel does not trust it" : "");
}

static void show_cpus(const struct info *info)
{
	const struct evtlog_file *file = info->file;
	unsigned int cpus = evtlog_cpu_count(file);
	struct line list = { .length = 0 }, absent = { .length = 0 };
	const char *told = evtlog_meta(file, "cpus");

	cpus_text(file, false, &list);
	cpus_text(file, true, &absent);
	if (!cpus)
		show_text(info, "CPUs", told);
	else if (!*absent.text)
		printf("CPUs        %u (%s)\n", cpus, list.text);
	else
		printf("CPUs        %u (%s); nothing is known of %s\n", cpus, list.text, absent.text);
}

static void show_logger(const struct info *info)
{
	uint64_t span_ns = usage_span_ns(&info->usage);

	printf("logger      ");
	if (info->logger_pid == EVTLOG_PID_UNKNOWN)
		printf("unknown\n");
	else if (!knows_logger_time(info))
		printf("pid %u, its CPU time is unknown\n", info->logger_pid);
	else
		printf("pid %u, %.3f %% of CPU time\n", info->logger_pid,
		       percent(info->usage.logger_ns, span_ns));
}

static void show(const struct info *info)
{
	const struct evtlog_file *file = info->file;
	char boot_id[37];

	boot_id_text(file, boot_id);

	show_text(info, "log", info->path);
	show_text(info, "host", evtlog_meta(file, "host"));
	show_text(info, "kernel", evtlog_meta(file, "kernel"));
	if (evtlog_meta(file, "version"))
		show_text(info, "", evtlog_meta(file, "version"));
	printf("run         %" PRIu64 " of boot %s\n", evtlog_run(file),
	       boot_id);
	if (evtlog_meta(file, "run_name"))
		show_text(info, "name", evtlog_meta(file, "run_name"));
	show_time(info);
	show_cpus(info);
	show_logger(info);
	show_recorded(info);
	show_state(info);
	show_events(info);
}

static void meta_json(const struct info *info, struct json *json)
{
	const char *key, *value;

	json_object(json, "header");
	for (size_t i = 0; evtlog_meta_at(info->file, i, &key, &value); i++)
		json_string(json, key, value);
	json_end(json);
}

static void events_json(const struct info *info, struct json *json)
{
	json_object(json, "events");
	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		const struct evtlog_type_info *type;

		type = evtlog_type_info(info->file, i);
		if (type)
			json_u64(json, type->name, info->counts[i]);
	}
	json_end(json);
}

static void recorded_json(const struct info *info, struct json *json)
{
	json_object(json, "recorded");
	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		const struct evtlog_type_info *type = evtlog_type_info(info->file, i);
		enum evtlog_recorded recorded;

		if (!type || !type->known)
			continue;
		recorded = evtlog_recorded(info->file, type->known);
		if (recorded == EVTLOG_RECORDED_UNKNOWN)
			json_null(json, type->name);
		else
			json_bool(json, type->name, recorded == EVTLOG_RECORDED_ON);
	}
	json_end(json);
}

/* null where no buffer tells */
static void time_json(const struct info *info, struct json *json)
{
	static const char *const keys[] = {
		"begin", "begin_real_ns", "begin_raw_ns", "span_ns", "ticks_hz", "ticks_trusted",
		"clock_error_ns", "tai_offset_s"
	};
	const struct evtlog_file *file = info->file;
	char text[64];

	for (size_t i = 0; !has_time(info) && i < sizeof(keys) / sizeof(keys[0]); i++)
		json_null(json, keys[i]);
	if (!has_time(info))
		return;
	real_text(file, evtlog_begin_ns(file), text, sizeof(text));
	json_string(json, "begin", text);
	json_s64(json, "begin_real_ns", evtlog_real_ns(file, evtlog_begin_ns(file)));
	json_u64(json, "begin_raw_ns", evtlog_begin_ns(file));
	json_u64(json, "span_ns", evtlog_end_ns(file) - evtlog_begin_ns(file));
	json_u64(json, "ticks_hz", evtlog_ticks_hz(file));
	json_bool(json, "ticks_trusted", !info->summary.tsc_bad);
	json_u64(json, "clock_error_ns", evtlog_clock_error_ns(file));
	json_s64(json, "tai_offset_s", evtlog_tai_offset_s(file));
}

static void show_json(const struct info *info)
{
	const struct evtlog_file *file = info->file;
	const struct evtlog_summary *s = &info->summary;
	uint64_t ordered_ns;
	char text[64];
	struct json json;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	json_string(&json, "file", info->path);
	json_string(&json, "host", evtlog_meta(file, "host"));
	json_string(&json, "kernel", evtlog_meta(file, "kernel"));
	json_string(&json, "version", evtlog_meta(file, "version"));
	json_string(&json, "machine", evtlog_meta(file, "machine"));
	boot_id_text(file, text);
	json_string(&json, "boot_id", text);
	json_u64(&json, "run", evtlog_run(file));
	json_string(&json, "run_name", evtlog_meta(file, "run_name"));
	if (ordered_before_ns(info, &ordered_ns))
		json_u64(&json, "ordered_before_begin_ns", ordered_ns);
	else
		json_null(&json, "ordered_before_begin_ns");
	time_json(info, &json);
	json_u64(&json, "cpus", evtlog_cpu_count(file));
	json_array(&json, "cpu_list");
	for (unsigned int i = 0; i < evtlog_cpu_count(file); i++)
		json_u64(&json, NULL, evtlog_cpu_number(file, i));
	json_end(&json);
	json_object(&json, "logger");
	if (info->logger_pid == EVTLOG_PID_UNKNOWN)
		json_null(&json, "pid");
	else
		json_u64(&json, "pid", info->logger_pid);
	if (knows_logger_time(info)) {
		json_u64(&json, "cpu_time_ns", info->usage.logger_ns);
		json_double(&json, "share_of_cpu_time",
			    percent(info->usage.logger_ns,
				    usage_span_ns(&info->usage)) / 100, 9);
	} else {
		json_null(&json, "cpu_time_ns");
		json_null(&json, "share_of_cpu_time");
	}
	json_end(&json);
	recorded_json(info, &json);
	json_u64(&json, "lost", log_lost(file));
	log_causes_json(file, &json);
	json_u64(&json, "bytes", evtlog_size_bytes(file));
	json_u64(&json, "buffers", s->buffers);
	json_u64(&json, "duplicate_buffers", s->duplicates);
	json_u64(&json, "missing_buffers", s->missing_buffers);
	json_u64(&json, "buffer_bytes", s->raw_bytes);
	json_bool(&json, "closed", s->closed);
	json_bool(&json, "complete", s->complete);
	json_u64(&json, "damaged_places", evtlog_damage_count(file));
	json_u64(&json, "event_count", info->events);
	events_json(info, &json);
	meta_json(info, &json);
	json_end(&json);
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
	info.logger_pid = usage_logger_pid(info.file);
	result = count(&info);
	if (result) {
		say("%s: %s", path, strerror(-result));
		result = EXIT_FAILED;
	} else {
		if (*json)
			show_json(&info);
		else
			show(&info);
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

/* How the hosts' clocks are related, if the files are of one run and packets tell. */
static void show_hosts(char **paths, size_t count)
{
	struct cluster_wish wish = { .quiet = true };
	struct cluster cluster;
	struct report report;

	if (cluster_open(&cluster, paths, count, &wish) != EXIT_OK)
		return;
	if (cluster_relate(&cluster, &wish, false) == EXIT_OK &&
	    !report_of_cluster(&report, &cluster, &wish)) {
		if (any_packets(&report)) {
			putchar('\n');
			report_show(&report, stdout);
		}
		report_free(&report);
	}
	cluster_close(&cluster);
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

static int run(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	static const struct options options = { "info", help_text, "jh", longs, take_option, NULL };
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
	.summary = "tell what a file holds",
	.run = run,
};
