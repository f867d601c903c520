// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog dump: a line per event, in the order of time.
 *
 * Stage: a reading command.  It shows what was recorded and concludes nothing;
 * cmd-stat.c does.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "fields.h"
#include "json.h"
#include "line.h"
#include "log.h"
#include "progress.h"
#include "say.h"
#include "select.h"

enum dump_time { TIME_START, TIME_RAW, TIME_REAL, TIME_TICKS };

/* @limit counts down; UINT64_MAX: no limit. */
struct dump {
	struct evtlog_file *file;
	struct evtlog_tasks *tasks;
	struct selection selection;
	struct fields fields;
	enum dump_time time;
	bool json;
	uint64_t limit;
	uint64_t begin_ns;
	struct line line;
};

static void print_help(void)
{
	fputs("Usage: evtlog dump [OPTION...] FILE\n\n"
	      "Prints a line per event, in the order of time: time, CPU, place (. task,\n"
	      "s softirq, h interrupt), task running before it, event, fields.\n\n"
	      "  -c, --cpu LIST     only these CPUs: 0,2-3\n"
	      "  -p, --pid LIST     only events while these tasks ran, or that name them\n"
	      "  -t, --type NAMES   only these events: sched_switch,softirq (entry and exit)\n"
	      "      --from TIME    from this time since the run's start: 1.5, 10ms, 200us\n"
	      "      --to TIME      up to this time\n"
	      "  -n, --limit N      at most N lines\n"
	      "      --time KIND    start (default): seconds since the run's start;\n"
	      "                     real: date and time, UTC; raw: CLOCK_MONOTONIC_RAW;\n"
	      "                     ticks: the CPU's counter\n"
	      "  -j, --json         a JSON object per line\n"
	      "  -h, --help         this text\n\n"
	      "Examples:\n"
	      "  evtlog dump node1-1.evl | less\n"
	      "  evtlog dump --type sched --cpu 0 --from 1s --to 1.01s node1-1.evl\n"
	      "  evtlog dump --json --type icmp node1-1.evl | jq .fields.seq\n",
	      stdout);
}

static bool names_pid(const struct dump *dump, const struct evtlog_event *event)
{
	const struct evtlog_type_info *type;

	type = evtlog_type_info(dump->file, event->number);
	for (unsigned int i = 0; i < type->field_count; i++)
		if (type->fields[i].kind == 'p' &&
		    selects_pid(&dump->selection,
				evtlog_field_u64(&type->fields[i],
						 event->file_words)))
			return true;
	return false;
}

static bool wanted(const struct dump *dump, const struct evtlog_event *event)
{
	const struct selection *s = &dump->selection;
	uint64_t since_ns = event->time_ns - dump->begin_ns;

	if (event->time_ns < dump->begin_ns || since_ns < s->from_ns ||
	    !selects_cpu(s, event->cpu))
		return false;
	if (event->kind != EVTLOG_EVENT_RECORD)
		/* Nobody filters to be deceived: gaps of the CPU are shown. */
		return event->kind == EVTLOG_EVENT_GAP ||
		       (event->kind != EVTLOG_EVENT_BUFFER &&
			!s->some_types && !s->pid_count);
	if (s->some_types && !s->types[event->number])
		return false;
	return !s->pid_count || selects_pid(s, event->pid) ||
	       names_pid(dump, event);
}

static void show_real(struct line *line, int64_t ns)
{
	time_t seconds = ns / 1000000000;
	int64_t part = ns % 1000000000;
	struct tm tm;
	char text[64];

	if (part < 0) {
		part += 1000000000;
		seconds--;
	}
	if (!gmtime_r(&seconds, &tm) ||
	    !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm))
		strcpy(text, "?");
	line_text(line, text);
	line_char(line, '.');
	line_u64(line, part, 9, '0');
}

static void show_time(struct dump *dump, const struct evtlog_event *event)
{
	switch (dump->time) {
	case TIME_START:
		line_seconds(&dump->line, event->time_ns - dump->begin_ns, 16);
		break;
	case TIME_RAW:
		line_seconds(&dump->line, event->time_ns, 18);
		break;
	case TIME_REAL:
		show_real(&dump->line,
			  evtlog_real_ns(dump->file, event->time_ns));
		break;
	case TIME_TICKS:
		line_u64(&dump->line, event->ticks, 18, ' ');
		break;
	}
}

static void show_missing(struct dump *dump, const struct evtlog_event *event)
{
	struct line *line = &dump->line;

	if (event->lost) {
		line_text(line, " lost=");
		line_u64(line, event->lost, 0, ' ');
	}
	if (event->lost_buffers) {
		line_text(line, " lost_buffers=");
		line_u64(line, event->lost_buffers, 0, ' ');
	}
}

static void show_event(struct dump *dump, const struct evtlog_event *event)
{
	static const char place_letters[] = { '.', 's', 'h', 'h' };
	struct line *line = &dump->line;
	size_t column;

	show_time(dump, event);
	line_text(line, "  ");
	line_u64(line, event->cpu, 3, '0');
	line_char(line, ' ');
	line_char(line, place_letters[event->place]);
	line_char(line, ' ');
	column = line->length;
	fields_task(&dump->fields, line, event->pid);
	line_column(line, column + 22);
	column = line->length;
	switch (event->kind) {
	case EVTLOG_EVENT_RECORD:
		line_text(line,
			  evtlog_type_info(dump->file, event->number)->name);
		line_column(line, column + 20);
		fields_show(&dump->fields, line, event);
		break;
	case EVTLOG_EVENT_BEGIN:
		line_text(line, "-- CPU begins");
		show_missing(dump, event);
		break;
	case EVTLOG_EVENT_GAP:
		line_text(line, "-- nothing known since ");
		line_seconds(line, event->from_ns - dump->begin_ns, 0);
		show_missing(dump, event);
		break;
	case EVTLOG_EVENT_END:
		line_text(line, "-- CPU ends");
		break;
	}
	line_print(line, stdout);
}

static void event_json(struct dump *dump, const struct evtlog_event *event)
{
	static const char *const places[] = {
		"task", "softirq", "irq", "vector"
	};
	static const char *const kinds[] = { "", "begin", "gap", "end" };
	const struct evtlog_task *task = NULL;
	struct json json;

	json_start(&json, stdout, true);
	json_object(&json, NULL);
	json_fixed(&json, "time", event->time_ns - dump->begin_ns, 9);
	if (dump->time == TIME_RAW)
		json_fixed(&json, "raw", event->time_ns, 9);
	if (dump->time == TIME_TICKS)
		json_u64(&json, "ticks", event->ticks);
	if (dump->time == TIME_REAL)
		json_s64(&json, "real_ns",
			 evtlog_real_ns(dump->file, event->time_ns));
	json_u64(&json, "cpu", event->cpu);
	json_string(&json, "place", places[event->place]);
	if (event->pid != EVTLOG_PID_UNKNOWN) {
		task = evtlog_tasks_find(dump->tasks, event->pid);
		json_u64(&json, "current_pid", event->pid);
	} else {
		json_null(&json, "current_pid");
	}
	if (task)
		json_bytes(&json, "current_comm", task->comm,
			   strnlen(task->comm, sizeof(task->comm)));
	else
		json_null(&json, "current_comm");
	if (event->kind == EVTLOG_EVENT_RECORD) {
		json_string(&json, "event",
			    evtlog_type_info(dump->file, event->number)->name);
		json_object(&json, "fields");
		fields_json(&dump->fields, &json, event);
		json_end(&json);
	} else {
		json_string(&json, "event", kinds[event->kind]);
		if (event->kind == EVTLOG_EVENT_GAP)
			json_fixed(&json, "since",
				   event->from_ns - dump->begin_ns, 9);
		json_u64(&json, "lost", event->lost);
		json_u64(&json, "lost_buffers", event->lost_buffers);
	}
	json_end(&json);
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
			if (dump->json)
				event_json(dump, event);
			else
				show_event(dump, event);
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

static int dump_file(struct dump *dump, const char *path, char *types)
{
	const char *unknown = NULL;
	int result = EXIT_FAILED, error;

	dump->file = log_open(path);
	if (!dump->file)
		return EXIT_FAILED;
	if (types)
		unknown = select_types(&dump->selection, types, dump->file);
	if (unknown) {
		result = misuse("dump", "--type: %s: %s has no such event",
				unknown, path);
		goto close;
	}
	dump->begin_ns = evtlog_begin_ns(dump->file);
	error = evtlog_tasks_new(dump->file, &dump->tasks);
	if (error)
		goto fail;
	error = fields_init(&dump->fields, dump->file, dump->tasks);
	if (!error)
		error = dump_events(dump);
	fields_free(&dump->fields);
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

static int parse_limit(uint64_t *limit, const char *text)
{
	char *end;

	errno = 0;
	*limit = strtoull(text, &end, 10);
	return *text < '0' || *text > '9' || errno || *end ||
	       *limit == UINT64_MAX ? -EINVAL : 0;
}

static int parse_time_kind(enum dump_time *time, const char *text)
{
	static const char *const names[] = { "start", "raw", "real", "ticks" };

	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(text, names[i])) {
			*time = i;
			return 0;
		}
	return -EINVAL;
}

static int run(int argc, char **argv)
{
	enum { FROM = 256, TO, TIME };
	static const struct option options[] = {
		{ "cpu", required_argument, NULL, 'c' },
		{ "pid", required_argument, NULL, 'p' },
		{ "type", required_argument, NULL, 't' },
		{ "from", required_argument, NULL, FROM },
		{ "to", required_argument, NULL, TO },
		{ "limit", required_argument, NULL, 'n' },
		{ "time", required_argument, NULL, TIME },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	struct dump dump = { .limit = UINT64_MAX };
	char *types = NULL;
	int option, error = 0, result;

	select_all(&dump.selection);
	while ((option = getopt_long(argc, argv, "c:p:t:n:jh", options, NULL)) !=
	       -1) {
		switch (option) {
		case 'c':
			error = select_cpus(&dump.selection, optarg);
			break;
		case 'p':
			error = select_pids(&dump.selection, optarg);
			break;
		case 't':
			types = optarg;
			break;
		case FROM:
			error = select_time(&dump.selection.from_ns, optarg);
			break;
		case TO:
			error = select_time(&dump.selection.to_ns, optarg);
			break;
		case 'n':
			error = parse_limit(&dump.limit, optarg);
			break;
		case TIME:
			error = parse_time_kind(&dump.time, optarg);
			break;
		case 'j':
			dump.json = true;
			break;
		case 'h':
			print_help();
			select_free(&dump.selection);
			return finish(EXIT_OK);
		default:
			result = misuse("dump", "wrong usage");
			goto out;
		}
		if (error) {
			result = misuse("dump", "%s: not a valid value", optarg);
			goto out;
		}
	}
	if (optind + 1 != argc)
		result = misuse("dump", "name one file; %d were given", argc - optind);
	else
		result = dump_file(&dump, argv[optind], types);
out:
	select_free(&dump.selection);
	return result;
}

const struct evtlog_command command_dump = {
	.name = "dump",
	.summary = "print a line per event",
	.run = run,
};
