// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads and prints traces of tasks.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "control/control.h"
#include "lib/base/array.h"
#include "lib/profile/model.h"
#include "profile/profile.h"
#include "profile/trace.h"

/* "  TICKS CPU KIND [EVENT]" */
static bool parse_event(const char *line, struct trace_event *event)
{
	char words[128], text[64] = "";

	snprintf(words, sizeof(words), "%.*s", (int)strcspn(line, "\n"), line);
	if (sscanf(words, " %" SCNu64 " %u %15s %63s", &event->ticks, &event->cpu, event->kind,
		   text) < 3)
		return false;
	profile_event_name(text, strlen(text), event->name, sizeof(event->name));
	return true;
}

static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end ? end + 1 : line + strlen(line);
}

/* "trace PID TGID live|ended WRITTEN COMM" and its events; returns the text after them, or NULL */
static const char *parse_trace(const char *text, struct trace *trace)
{
	const char *line = text, *last = NULL;
	struct trace_event event;
	char state[16];
	int at = 0;

	if (sscanf(text, "trace %u %u %15s %" SCNu64 "%n", &trace->pid, &trace->tgid, state,
		   &trace->written, &at) != 4 || text[at] != ' ')
		return NULL;
	text += at + 1;
	trace->comm[profile_comm_decode(text, strcspn(text, "\n"), trace->comm,
					sizeof(trace->comm) - 1)] = '\0';
	trace->has_ended = !strcmp(state, "ended");
	trace->events = next_line(text);
	for (line = trace->events; *line == ' '; line = next_line(line)) {
		last = line;
		trace->count++;
	}
	if (trace->count > trace->written || (last && !parse_event(last, &event)))
		return NULL;
	if (last)
		trace->newest = event.ticks;
	return line;
}

int traces_parse(struct traces *traces, char *text)
{
	const char *line = next_line(text);
	size_t capacity = 0;

	*traces = (struct traces){ .text = text };
	if (sscanf(text, "keep %*u %" SCNu64 " %" SCNu64, &traces->missing, &traces->dropped) != 2)
		return -EINVAL;
	while (*line) {
		struct trace *trace;

		if (array_reserve(&traces->at, &capacity, traces->count, sizeof(*traces->at)))
			return -ENOMEM;
		trace = &traces->at[traces->count++];
		*trace = (struct trace){ 0 };
		line = parse_trace(line, trace);
		if (!line)
			return -EINVAL;
	}
	return 0;
}

int traces_read(struct traces *traces)
{
	char *text;
	int error;

	*traces = (struct traces){ 0 };
	error = control_read(TRACE_FILE, &text);
	return error ? error : traces_parse(traces, text);
}

void traces_free(struct traces *traces)
{
	free(traces->at);
	free(traces->text);
	*traces = (struct traces){ 0 };
}

int traces_say_failed(int error)
{
	if (error == -ENOENT)
		pr_err(CONTROL_DIRECTORY "/" TRACE_FILE ": this kernel has no profiles; boot one with this evtlog's patches and CONFIG_EVTLOG_PROFILE");
	else
		control_say_failed(TRACE_FILE, error);
	return EXIT_FAILED;
}

/* Line of the first of the last @events events */
static const char *first_line(const struct trace *trace, uint64_t events)
{
	const char *line = trace->events;

	for (uint64_t i = events; i < trace->count; i++)
		line = next_line(line);
	return line;
}

void trace_print(FILE *out, const struct trace *trace, uint64_t events, uint64_t hz)
{
	struct trace_event event;
	char plain[64];

	fprintf(out, "%s-%u, %s, %" PRIu64 " events so far\n",
		profile_plain(trace->comm, "", plain, sizeof(plain)), trace->pid,
		trace->has_ended ? "ended" : "live", trace->written);
	fprintf(out, "%14s  %4s  %-5s %s\n", "us before end", "CPU", "what", "event");
	for (const char *line = first_line(trace, events); *line == ' '; line = next_line(line)) {
		if (!parse_event(line, &event))
			continue;
		fprintf(out, "%14.3f  %4u  %-5s %s\n",
			(double)(int64_t)(event.ticks - trace->newest) * 1e6 / hz, event.cpu,
			event.kind, event.name);
	}
}

void trace_print_json(struct json *json, const struct trace *trace, uint64_t events)
{
	struct trace_event event;

	json_u64(json, "pid", trace->pid);
	json_u64(json, "tgid", trace->tgid);
	json_string(json, "comm", trace->comm);
	json_bool(json, "has_ended", trace->has_ended);
	json_u64(json, "written", trace->written);
	json_array(json, "events");
	for (const char *line = first_line(trace, events); *line == ' '; line = next_line(line)) {
		if (!parse_event(line, &event))
			continue;
		json_object(json, NULL);
		json_u64(json, "ticks", event.ticks);
		json_u64(json, "cpu", event.cpu);
		json_string(json, "kind", event.kind);
		if (*event.name)
			json_string(json, "event", event.name);
		else
			json_null(json, "event");
		json_end(json);
	}
	json_end(json);
}
