// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints a match: its time, its watch, its two events, and the result of the action.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/json.h"
#include "watches.h"

/* Decides by syntax whether a value is a JSON number: the types of fields are unknown here. */
static bool is_number(const char *text)
{
	text += *text == '-';
	return *text && !text[strspn(text, "0123456789")] && (*text != '0' || !text[1]);
}

static void print_fields(struct json *json, const char *fields)
{
	json_object(json, "fields");
	while (*fields) {
		size_t length = strcspn(fields, " "), name = strcspn(fields, "=");
		const char *value = fields + name + 1;
		size_t bytes = name < length ? length - name - 1 : 0;
		char key[64], text[256];

		snprintf(key, sizeof(key), "%.*s", (int)name, fields);
		snprintf(text, sizeof(text), "%.*s", (int)bytes, value);
		if (is_number(text))
			json_raw(json, key, text, strlen(text));
		else
			json_string(json, key, text);
		fields += length + (fields[length] == ' ');
	}
	json_end(json);
}

static void print_side_json(struct json *json, const char *name,
			    const struct control_match_side *side)
{
	if (!side->event) {
		json_null(json, name);
		return;
	}
	json_object(json, name);
	json_string(json, "event", side->event);
	json_u64(json, "cpu", side->cpu);
	json_u64(json, "ticks", side->ticks);
	print_fields(json, side->fields);
	json_end(json);
}

static void print_json(const struct control_match *match)
{
	struct json json;

	json_start(&json, stdout, true);
	json_object(&json, NULL);
	json_string(&json, "watch", match->watch);
	json_u64(&json, "time_ns", match->time_ns);
	json_u64(&json, "span_ns", match->span_ns);
	json_string(&json, "action", match->action);
	json_string(&json, "failed", match->result ? strerror(-match->result) : NULL);
	print_side_json(&json, "a", &match->a);
	print_side_json(&json, "b", &match->b);
	if (!strcmp(match->action, "keep")) {
		json_bool(&json, "whole", match->is_whole);
		if (match->kept_ns < 0)
			json_null(&json, "kept_ns");
		else
			json_s64(&json, "kept_ns", match->kept_ns);
	}
	json_end(&json);
}

static void print_side(const struct control_match_side *side)
{
	if (side->event)
		printf("    cpu %-3u %s %s\n", side->cpu, side->event, side->fields);
}

static void print_text(const struct control_match *match)
{
	time_t seconds = match->time_ns / 1000000000;
	char when[32];
	struct tm utc;

	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &utc));
	printf("%s.%09" PRIu64 "Z %s", when, match->time_ns % 1000000000, match->watch);
	if (match->b.event)
		printf(": %.6f ms from the first to the second", match->span_ns / 1e6);
	else if (match->span_ns)
		printf(": the second has not come for %.6f ms", match->span_ns / 1e6);
	printf("\n");
	print_side(&match->a);
	print_side(&match->b);
	if (match->result)
		printf("    %s: %s\n", match->action, strerror(-match->result));
	else if (!strcmp(match->action, "keep") && match->kept_ns < 0)
		printf("    kept: all since the buffer was added\n");
	else if (!strcmp(match->action, "keep"))
		printf("    kept: %.3f ms before it%s\n", match->kept_ns / 1e6,
		       match->is_whole ? "" : ", which is less than asked for: use larger buffers");
	else if (strcmp(match->action, "wake"))
		printf("    %s: done\n", match->action);
}

void match_print(const struct control_match *match, bool as_json)
{
	if (as_json)
		print_json(match);
	else
		print_text(match);
	fflush(stdout);
}
