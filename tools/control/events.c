// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Selects which events the kernel records: the types that are on, in /proc/evtlog/events, and the
 * filters of types, in /proc/evtlog/filters.
 *
 * The kernel compiles the condition of a filter, and prints what is wrong with it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/abi.h>

#include "buffers.h"
#include "common/error.h"
#include "common/spelling.h"
#include "control.h"
#include "session.h"

#define SEPARATORS	", \t\n"
/* A message names at most this many of the types that are off. */
#define NAMED_MAX	4

bool control_events_is_choice(const char *text)
{
	return text[strspn(text, SEPARATORS)] != '\0';
}

/* Events that contain the names of tasks: without them, a pid is shown as "?". */
#define NAMING	"+sched_process_fork +sched_process_exec +sched_process_exit +task_rename"

static const struct {
	const char *name;
	const char *fields;
} types[] = {
#define X(number, NAME, name, words, fields) { #name, fields },
	EVTLOG_TYPES(X)
#undef X
};

#define TYPES	(sizeof(types) / sizeof(types[0]))

static bool is_word(const char *name, const char *word, size_t length)
{
	return !strncmp(name, word, length) && !name[length];
}

/* Match a word like the kernel does: exactly one type, else all types that begin with it. */
static bool names_a_pid(const char *word, size_t length)
{
	bool has_pid = false;

	for (size_t i = 0; i < TYPES; i++)
		if (is_word(types[i].name, word, length))
			return strstr(types[i].fields, ":p");
	for (size_t i = 0; i < TYPES; i++)
		if (!strncmp(types[i].name, word, length) && types[i].name[length] == '_')
			has_pid = has_pid || strstr(types[i].fields, ":p");
	return has_pid;
}

/*
 * Writes one word of a selection, with its sign.
 *
 * @has_naming:	True: the words before this one have switched on the types that name tasks
 */
static void put_word(FILE *to, char sign, const char *word, size_t length, bool *has_naming)
{
	if (is_word("all", word, length))
		*has_naming = sign == '+';
	if (sign == '+' && !*has_naming && names_a_pid(word, length)) {
		fputs(NAMING " ", to);
		*has_naming = true;
	}
	fprintf(to, "%c%.*s ", sign, (int)length, word);
}

char *control_events(const char *choice)
{
	const char *at = choice + strspn(choice, SEPARATORS);
	bool has_naming = false;
	char *result;
	size_t bytes;
	FILE *to = open_memstream(&result, &bytes);

	if (!to)
		return NULL;
	if (*at != '+' && *at != '-' && *at != '~')
		fputs("-all ", to);
	while (*at) {
		size_t length = strcspn(at, SEPARATORS);
		bool has_sign = *at == '+' || *at == '-';

		put_word(to, has_sign ? *at : '+', at + has_sign, length - has_sign, &has_naming);
		at += length;
		at += strspn(at, SEPARATORS);
	}
	if (!fclose(to))
		return result;
	free(result);
	return NULL;
}

char *control_events_now(void)
{
	char *text;

	if (control_read("events", &text))
		return NULL;
	for (char *c = text; *c; c++)
		if (*c == '\n')
			*c = ' ';
	return text;
}

/* These types are in each log, whatever is selected. */
static bool is_always_on(const char *name, size_t length)
{
	static const char *const names[] = { "time", "lost", "counter", "task", "event_format",
					     "on_cpu" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is_word(names[i], name, length))
			return true;
	return false;
}

/* Frequent types are off at boot. */
static bool is_usually_on(const char *name)
{
	return strncmp(name, "user_", 5) && strncmp(name, "exception_", 10);
}

bool control_events_next(const char **text, struct control_event *event)
{
	const char *at = *text;
	size_t length;

	do {
		at += strspn(at, SEPARATORS);
		length = strcspn(at, SEPARATORS);
		*event = (struct control_event) { at + 1, length - 1, *at && strchr("+~", *at) };
		at += length;
	} while (length && is_always_on(event->name, event->length));
	*text = at;
	return length;
}

/* Groups of types that a named buffer can record. */
static bool can_be_named(const char *name)
{
	return (!strncmp(name, "sched_", 6) && strncmp(name, "sched_process_", 14)) ||
	       !strncmp(name, "softirq_", 8) || !strncmp(name, "irq_handler_", 12);
}

/* @list: types and groups, separated by commas */
static bool is_listed(const char *list, const struct control_event *event)
{
	while (*list) {
		size_t length = strcspn(list, ",");

		if (length <= event->length && !strncmp(event->name, list, length) &&
		    (length == event->length || event->name[length] == '_'))
			return true;
		list += length;
		list += *list == ',';
	}
	return false;
}

bool control_event_is_named(const struct control_buffers *buffers,
			    const struct control_event *event)
{
	if (event->is_on || !can_be_named(event->name))
		return false;
	for (size_t i = 0; i < buffers->count; i++)
		if (is_listed(buffers->at[i].events, event))
			return true;
	return false;
}

void control_events_count(const char *text, const struct control_buffers *buffers,
			  struct control_events_counts *counts)
{
	struct control_event event;

	*counts = (struct control_events_counts) { 0 };
	while (control_events_next(&text, &event)) {
		bool is_usual = is_usually_on(event.name);
		bool is_named = control_event_is_named(buffers, &event);

		counts->known++;
		counts->on += event.is_on;
		counts->named += is_named;
		counts->missing += is_usual && !event.is_on && !is_named;
		counts->is_chosen = counts->is_chosen ||
				    (event.is_on != is_usual && !is_named);
	}
}

/* Prints types that are off, because of named buffers or not; after NAMED_MAX "and N more". */
static void print_off(char *names, size_t size, const char *text,
		      const struct control_buffers *buffers, bool is_named, unsigned int count)
{
	unsigned int named = 0, length = 0;
	struct control_event event;

	*names = '\0';
	while (named < NAMED_MAX && control_events_next(&text, &event))
		if (!event.is_on && is_usually_on(event.name) &&
		    control_event_is_named(buffers, &event) == is_named &&
		    length + event.length + 3 < size) {
			length += sprintf(names + length, "%s%.*s", named ? ", " : "",
					  (int)event.length, event.name);
			named++;
		}
	if (count > named)
		snprintf(names + length, size - length, " and %u more", count - named);
}

void control_say_events_off(bool is_chosen)
{
	struct control_buffers buffers = { 0 };
	struct control_events_counts counts;
	char *now = control_events_now(), names[256];

	if (!now)
		return;
	if (control_buffers_read(&buffers))
		buffers = (struct control_buffers) { 0 };
	control_events_count(now, &buffers, &counts);
	if (counts.missing && !is_chosen) {
		print_off(names, sizeof(names), now, &buffers, false, counts.missing);
		pr_warn("events: %u of %u are on, from an earlier -e; off: %s; evtlog start -e all records all",
			counts.on, counts.known, names);
	}
	if (counts.named) {
		print_off(names, sizeof(names), now, &buffers, true, counts.named);
		pr_warn("events: %s: not in the run, because they go to a named buffer; see evtlog buffer list",
			names);
	}
	control_buffers_free(&buffers);
	free(now);
}

/*
 * @known:	words with signs, from the file events; modified
 * @groups:	a copy of @known, to compare only the groups; modified
 * @word:	without its sign
 */
static bool is_known(char *known, char *groups, const char *word, struct spelling *spelling)
{
	char *type;

	spelling_start(spelling, word);
	if (!strcmp(word, "all"))
		return true;
	while ((type = strsep(&known, " \n"))) {
		type += *type == '+' || *type == '-';
		if (!*type)
			continue;
		if (is_of_type_group(type, word))
			return true;
		spelling_try(spelling, type);
	}
	while ((type = strsep(&groups, " \n"))) {
		type += *type == '+' || *type == '-';
		type[strcspn(type, "_")] = '\0';
		if (*type)
			spelling_try(spelling, type);
	}
	return false;
}

/* Returns true if @word is known, or if the known types cannot be read. */
static bool take_word(const char *word)
{
	char *known = control_events_now(), *groups = control_events_now();
	struct spelling spelling;
	bool is_right = !known || !groups || !*word ||
			is_known(known, groups, word, &spelling);

	if (!is_right && spelling.nearest)
		pr_err("--events: %s: no such type of event; did you mean '%s'?", word,
		       spelling.nearest);
	else if (!is_right)
		pr_err("--events: %s: no such type of event; evtlog status lists them", word);
	free(known);
	free(groups);
	return is_right;
}

void control_say_events_unknown(const char *choice)
{
	char *words = strdup(choice), *rest = words, *word;
	bool is_right = true;

	while (is_right && rest && (word = strsep(&rest, SEPARATORS)))
		is_right = take_word(word + (*word == '+' || *word == '-'));
	if (is_right)
		pr_err("--events: %s: not a list of types of events; evtlog status lists them", choice);
	free(words);
}

/* ---- Filters ---- */

/* A line of the file: TYPE rejected N if CONDITION */
bool control_filter_parse(struct control_filter *filter, const char *line)
{
	int length = 0;

	if (sscanf(line, "%31s rejected %" SCNu64 " if %n", filter->type, &filter->rejected,
		   &length) != 2 || !length)
		return false;
	filter->text = line + length;
	return true;
}

static void say_refused(const char *type, int error)
{
	char *reason;

	if (error == -E2BIG) {
		pr_err("%s: its condition is too long: at most 1024 characters", type);
		return;
	}
	if ((error != -EINVAL && error != -EBUSY) || control_read("filters_error", &reason)) {
		control_say_failed(CONTROL_FILTERS, error);
		return;
	}
	if (strtok(reason, "\n"))
		pr_err("%s: %s", type, reason);
	else if (error == -EBUSY)
		pr_err("a run is being recorded; end it with evtlog stop");
	else
		pr_err("%s: %s", type, strerror(-error));
	free(reason);
}

/*
 * Has the session restore the filters of @type, or of the types of the group @type.  It undoes the
 * newest order first: the deletion of the new filter comes before these.
 */
static int keep_filters(struct control_session *session, const char *type)
{
	size_t length = strlen(type);
	struct control_filter filter;
	char *text, *at, *line, *undo;
	int error = control_read(CONTROL_FILTERS, &text);

	if (error)
		return error;
	for (at = text; !error && (line = strsep(&at, "\n"));) {
		if (!control_filter_parse(&filter, line) || strncmp(filter.type, type, length) ||
		    (filter.type[length] && filter.type[length] != '_'))
			continue;
		if (asprintf(&undo, "%s %s", filter.type, filter.text) < 0) {
			error = -ENOMEM;
			break;
		}
		error = control_session_order(session, CONTROL_FILTERS, NULL, undo, NULL);
		free(undo);
	}
	free(text);
	return error;
}

int control_filter_set(struct control_session *session, const char *type, const char *condition)
{
	int error = session ? keep_filters(session, type) : 0;
	char *order;

	if (!error && asprintf(&order, "%s %s", type, condition) < 0)
		error = -ENOMEM;
	if (!error) {
		error = session ? control_session_order(session, CONTROL_FILTERS, order, type, NULL) :
				  control_write(CONTROL_FILTERS, order);
		free(order);
	}
	if (error)
		say_refused(type, error);
	return error;
}
