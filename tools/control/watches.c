// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses the kernel's list of watches and the lines of matches, and prints a match.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/json.h"
#include "control.h"
#include "file.h"
#include "lib/base/array.h"
#include "watches.h"

/* Returns the word, NUL-terminated; @line then points to the text after it. */
static char *take_word(char **line)
{
	char *word = strsep(line, " ");

	if (!*line)
		*line = word + strlen(word);
	return word;
}

static int parse_watch(struct control_watch *watch, char *line)
{
	memset(watch, 0, sizeof(*watch));
	watch->name = words_take(&line, "watch");
	watch->state = watch->name ? words_take(&line, "state") : NULL;
	if (!watch->state || words_take_count(&line, "matches", &watch->matches) ||
	    words_take_count(&line, "untold", &watch->unreported) ||
	    words_take_count(&line, "forgotten", &watch->forgotten) ||
	    words_take_count(&line, "missed", &watch->missed) ||
	    words_take_count(&line, "lost", &watch->lost) ||
	    words_take_count(&line, "records", &watch->records) || strncmp(line, "rule ", 5))
		return -EINVAL;
	watch->rule = line + 5;
	return 0;
}

/* @watches takes ownership of @text. */
static int parse_watches(struct control_watches *watches, char *text)
{
	char *line, *rest;
	int error = 0;

	*watches = (struct control_watches){ .text = text, .error = "" };
	for (line = strtok_r(text, "\n", &rest); line && !error; line = strtok_r(NULL, "\n", &rest)) {
		if (!strncmp(line, "error ", 6)) {
			watches->error = line + 6;
		} else if (!strncmp(line, "watch ", 6)) {
			error = array_reserve(&watches->at, &watches->capacity, watches->count,
					      sizeof(*watches->at)) ? -ENOMEM : 0;
			if (!error)
				error = parse_watch(&watches->at[watches->count], line);
			watches->count += !error;
		}
	}
	if (error)
		control_watches_free(watches);
	return error;
}

int control_watches_read(struct control_watches *watches)
{
	char *text;
	int error = control_read(CONTROL_WATCHES, &text);

	return error ? error : parse_watches(watches, text);
}

void control_watches_free(struct control_watches *watches)
{
	free(watches->text);
	free(watches->at);
	watches->text = NULL;
	watches->at = NULL;
	watches->count = 0;
}

/* A rule may also use the CPU like a field, which is then the last field.  @cpu has it already. */
static void drop_cpu(struct control_match_side *side, char *fields)
{
	char *last = strrchr(fields, ' ');
	char again[24];

	snprintf(again, sizeof(again), "cpu=%u", side->cpu);
	last = last ? last + 1 : fields;
	if (!strcmp(last, again))
		*(last > fields ? last - 1 : last) = '\0';
}

/* "a ticks N cpu N EVENT NAME=VALUE ..." */
static int parse_side(struct control_match_side *side, char **line)
{
	uint64_t cpu;
	size_t length;
	char *fields;

	if (words_take_count(line, "ticks", &side->ticks) ||
	    words_take_count(line, "cpu", &cpu) || !**line)
		return -EINVAL;
	side->cpu = cpu;
	side->event = take_word(line);
	side->fields = fields = *line;
	/* Up to the first word without "=". */
	for (;;) {
		length = strcspn(*line, " ");
		if (!length || !memchr(*line, '=', length))
			break;
		*line += length + ((*line)[length] == ' ');
	}
	/* No fields: the next word is already the text that follows. */
	if (*line == fields) {
		side->fields = "";
		return 0;
	}
	if ((*line)[-1] == ' ')
		(*line)[-1] = '\0';
	drop_cpu(side, fields);
	return 0;
}

int control_match_parse(struct control_match *match, char *line)
{
	const char *word;
	uint64_t number;
	int error;

	memset(match, 0, sizeof(*match));
	line[strcspn(line, "\n")] = '\0';
	if (words_take_count(&line, "match", &number))
		return -EINVAL;
	match->watch = words_take(&line, "watch");
	match->action = match->watch ? words_take(&line, "do") : NULL;
	word = match->action ? words_take(&line, "result") : NULL;
	if (!word || words_take_count(&line, "time_ns", &match->time_ns) ||
	    words_take_count(&line, "span_ns", &match->span_ns))
		return -EINVAL;
	match->result = atoi(word);
	if (strcmp(take_word(&line), "a"))
		return -EINVAL;
	error = parse_side(&match->a, &line);
	if (!error && !strncmp(line, "b ", 2)) {
		take_word(&line);
		error = parse_side(&match->b, &line);
	}
	if (error || strncmp(line, "keep ", 5))
		return error;
	return sscanf(line, "keep buffer %*s whole %" SCNu64 " kept_ns %" SCNd64, &number,
		      &match->kept_ns) == 2 ? match->is_whole = number, 0 : -EINVAL;
}

/* ---- Printing a match: its time, its watch, its two events, and the result of the action ---- */

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
		printf(": %.6f ms from the first to the second event", match->span_ns / 1e6);
	else if (match->span_ns)
		printf(": no second event within %.6f ms", match->span_ns / 1e6);
	printf("\n");
	print_side(&match->a);
	print_side(&match->b);
	if (match->result)
		printf("    %s: %s\n", match->action, strerror(-match->result));
	else if (!strcmp(match->action, "keep") && match->kept_ns < 0)
		printf("    kept: all since the buffer was added\n");
	else if (!strcmp(match->action, "keep"))
		printf("    kept: %.3f ms before it%s\n", match->kept_ns / 1e6,
		       match->is_whole ? "" : ", less than requested: use larger buffers");
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
