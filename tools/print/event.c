// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shows an event as a line of text or of JSON.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/json.h"
#include "common/number.h"
#include "common/options.h"
#include "input/open-log.h"
#include "event.h"

void show_host_init(struct show *show, struct show_host *host, const char *name,
		    enum evtlog_clock_method method)
{
	unsigned int width = strlen(name);

	host->name = name;
	host->clock = evtlog_clock_method_name(method);
	host->assumed = method == EVTLOG_CLOCK_NTP;
	width += host->assumed;
	if (width > show->host_width)
		show->host_width = width;
}

const char *const show_time_words[] = {
	[SHOW_START] = "start",
	[SHOW_RAW] = "raw",
	[SHOW_REAL] = "real",
	[SHOW_TICKS] = "ticks",
	NULL
};

int show_parse_time(enum show_time *time, const char *text)
{
	int word = options_word(show_time_words, text);

	if (word < 0)
		return word;
	*time = word;
	return 0;
}

int show_parse_limit(uint64_t *limit, const char *text)
{
	return number_parse(limit, text, 0, UINT64_MAX - 1);
}

static bool filter_has_pid_of(const struct filter *filter, const struct show_host *host,
			      uint32_t pid)
{
	const struct evtlog_task *task = NULL;

	if (filter->comm_count && host->tasks)
		task = evtlog_tasks_find(host->tasks, pid);
	return filter_has_task(filter, pid, task ? task->comm : NULL);
}

static bool names_task(const struct filter *filter, const struct show_host *host,
		       const struct evtlog_event *event)
{
	const struct evtlog_type_info *type;

	type = evtlog_type_info(host->file, event->number);
	for (unsigned int i = 0; i < type->field_count; i++)
		if (type->fields[i].kind == 'p' &&
		    filter_has_pid_of(filter, host, evtlog_field_u64(&type->fields[i],
								     event->file_words)))
			return true;
	return false;
}

bool show_selects(const struct filter *filter, const bool *types,
		  const struct show_host *host, const struct evtlog_event *event)
{
	/* Lost events of a global buffer can be of any CPU. */
	if (!filter_has_cpu(filter, event->cpu) &&
	    (event->kind == EVTLOG_EVENT_RECORD || !log_is_global(host->file)))
		return false;
	if (event->kind != EVTLOG_EVENT_RECORD)
		/* A filter must not hide losses: gaps of the CPU are always shown. */
		return event->kind == EVTLOG_EVENT_GAP || event->rest_missing ||
		       (event->kind != EVTLOG_EVENT_BUFFER &&
			!filter->some_types && !filter_has_some_tasks(filter));
	if (filter->some_types && !types[event->number] &&
	    !filter_has_registered(filter, host->file, event))
		return false;
	return !filter_has_some_tasks(filter) ||
	       filter_has_pid_of(filter, host, event->pid) ||
	       names_task(filter, host, event);
}

/* The first counter that a CPU records: CTXT before version 0.5.0, SWITCHES since */
static bool is_first_counter(const struct evtlog_event *event)
{
	unsigned int counter = evtlog_data(event->words, 1, 5);

	return counter == EVTLOG_COUNTER_CTXT || counter == EVTLOG_COUNTER_SWITCHES;
}

bool show_hides(const struct show *show, const struct evtlog_event *event)
{
	/* Each shown record contains its CPU. */
	if (event->known == EVTLOG_ON_CPU)
		return true;
	return event->known == EVTLOG_COUNTER && !show->json && !show->counters &&
	       !is_first_counter(event);
}

static void record_text(struct show *show, const struct show_host *host,
			const struct evtlog_event *event)
{
	struct line *line = &show->line;
	size_t column = line->length;

	if (event->known == EVTLOG_COUNTER && !show->counters) {
		line_text(line, "-- kernel counters at the ");
		line_text(line, evtlog_data(event->words, 0, 1) ? "end" : "start");
		line_text(line, "; --counters shows all");
		return;
	}
	line_text(line, fields_own_name(&host->fields, event));
	line_column(line, column + 20);
	fields_show(&host->fields, line, event);
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

static void show_seconds(struct line *line, int64_t ns, unsigned int width)
{
	if (ns >= 0) {
		line_seconds(line, ns, width);
		return;
	}
	line_char(line, '-');
	line_seconds(line, -(uint64_t)ns, width ? width - 1 : 0);
}

static void show_time(struct show *show, const struct show_moment *moment)
{
	switch (show->time) {
	case SHOW_START:
		show_seconds(&show->line, moment->start_ns, 16);
		break;
	case SHOW_RAW:
		show_seconds(&show->line, moment->kind_ns, 18);
		break;
	case SHOW_REAL:
		show_real(&show->line, moment->kind_ns);
		break;
	case SHOW_TICKS:
		line_u64(&show->line, moment->kind_ns, 18, ' ');
		break;
	}
}

static void show_missing(struct line *line, const struct evtlog_event *event)
{
	if (event->lost) {
		line_text(line, " lost=");
		line_u64(line, event->lost, 0, ' ');
	}
	if (event->lost_buffers) {
		line_text(line, " lost_buffers=");
		line_u64(line, event->lost_buffers, 0, ' ');
	}
}

static void show_host(struct show *show, const struct show_host *host,
		      const struct show_moment *moment)
{
	struct line *line = &show->line;
	size_t column;

	line_char(line, moment->doubtful ? '~' : ' ');
	line_char(line, ' ');
	column = line->length;
	line_escaped(line, host->name, strlen(host->name));
	if (host->assumed)
		line_char(line, '?');
	line_column(line, column + show->host_width + 1);
}

static void event_text(struct show *show, const struct show_host *host,
		       const struct evtlog_event *event,
		       const struct show_moment *moment)
{
	static const char context_letters[] = { '.', 's', 'h', 'h' };
	struct line *line = &show->line;
	size_t column;

	if (show->match != SHOW_ALONE)
		line_text(line, show->match == SHOW_MATCH ? "> " : "  ");
	show_time(show, moment);
	line_text(line, show->hosts ? " " : "  ");
	if (show->hosts)
		show_host(show, host, moment);
	line_u64(line, event->cpu, 3, '0');
	line_char(line, ' ');
	line_char(line, context_letters[event->context]);
	line_char(line, ' ');
	column = line->length;
	fields_task(&host->fields, line, event->pid);
	line_column(line, column + 22);
	switch (event->kind) {
	case EVTLOG_EVENT_RECORD:
		record_text(show, host, event);
		break;
	case EVTLOG_EVENT_BEGIN:
		line_text(line, "-- CPU starts");
		show_missing(line, event);
		break;
	case EVTLOG_EVENT_GAP:
		line_text(line, "-- gap since ");
		show_seconds(line, moment->from_ns, 0);
		show_missing(line, event);
		break;
	case EVTLOG_EVENT_END:
		line_text(line, event->rest_missing ?
			  "-- log ends: the rest is missing" : "-- CPU ends");
		break;
	}
	line_print(line, show->out);
}

static void times_json(const struct show *show, struct json *json,
		       const struct show_moment *moment)
{
	static const struct json_key time = JSON_KEY("time");

	json_keyed(json, &time);
	json_fixed(json, NULL, moment->start_ns, 9);
	if (show->time == SHOW_RAW)
		json_fixed(json, "raw", moment->kind_ns, 9);
	if (show->time == SHOW_TICKS)
		json_u64(json, "ticks", moment->kind_ns);
	if (show->time == SHOW_REAL)
		json_s64(json, "real_ns", moment->kind_ns);
}

static void task_json(struct json *json, const struct show_host *host,
		      const struct evtlog_event *event)
{
	static const struct json_key pid = JSON_KEY("current_pid"), comm = JSON_KEY("current_comm");
	const struct evtlog_task *task = NULL;

	json_keyed(json, &pid);
	if (event->pid != EVTLOG_PID_UNKNOWN) {
		task = evtlog_tasks_find(host->tasks, event->pid);
		json_u64(json, NULL, event->pid);
	} else {
		json_null(json, NULL);
	}
	json_keyed(json, &comm);
	if (task)
		json_bytes(json, NULL, task->comm, strnlen(task->comm, sizeof(task->comm)));
	else
		json_null(json, NULL);
}

static void event_json(struct show *show, const struct show_host *host,
		       const struct evtlog_event *event,
		       const struct show_moment *moment)
{
	static const struct json_key cpu = JSON_KEY("cpu"), contexts[] = {
		JSON_PAIR("context", "\"task\""), JSON_PAIR("context", "\"softirq\""),
		JSON_PAIR("context", "\"irq\""), JSON_PAIR("context", "\"vector\""),
	};
	static const char *const kinds[] = { "", "start", "gap", "end" };
	struct json json;

	json_start_kept(&json, show->out, show->line.text, sizeof(show->line.text));
	json_object(&json, NULL);
	times_json(show, &json, moment);
	if (show->hosts) {
		json_string(&json, "host", host->name);
		json_string(&json, "clock", host->clock);
		json_bool(&json, "order_unknown", moment->doubtful);
	}
	if (show->match != SHOW_ALONE)
		json_bool(&json, "match", show->match == SHOW_MATCH);
	json_keyed(&json, &cpu);
	json_u64(&json, NULL, event->cpu);
	json_pair(&json, &contexts[event->context]);
	task_json(&json, host, event);
	if (event->kind == EVTLOG_EVENT_RECORD) {
		fields_event_json(&host->fields, &json, event);
	} else {
		json_string(&json, "event", kinds[event->kind]);
		if (event->kind == EVTLOG_EVENT_GAP)
			json_fixed(&json, "since", moment->from_ns, 9);
		json_u64(&json, "lost", event->lost);
		json_u64(&json, "lost_buffers", event->lost_buffers);
		if (event->kind == EVTLOG_EVENT_END)
			json_bool(&json, "rest_missing", event->rest_missing);
	}
	json_end(&json);
}

void show_event(struct show *show, const struct show_host *host,
		const struct evtlog_event *event,
		const struct show_moment *moment)
{
	if (show->json)
		event_json(show, host, event, moment);
	else
		event_text(show, host, event, moment);
}
