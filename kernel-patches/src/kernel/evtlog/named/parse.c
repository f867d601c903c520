// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses an order of /proc/evtlog/named/control, and stores why it is refused.
 *
 * Called by table.c, one order after the other.
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "event/builtin.h"
#include "event/table.h"
#include "events.h"
#include "filter/hook.h"
#include "named/named.h"
#include "run.h"

/* Error of the last order; guarded by @orders of table.c. */
char evtlog_named_error[EVTLOG_NAMED_ERROR_LEN];

static int take_number(const char *key, const char *value, unsigned int *number)
{
	if (kstrtouint(value, 10, number))
		return evtlog_named_refuse(-EINVAL, "%s=%.32s is not a number", key, value);
	return 0;
}

/* Refuses a key that is given twice, because it is unknown which value is meant. */
static int note_key(const char *word, unsigned int *seen)
{
	static const char *const keys[] = { "global", "buffers", "kb", "mode", "events", "urgent" };
	int key = match_string(keys, ARRAY_SIZE(keys), word);

	if (key >= 0 && *seen & BIT(key))
		return evtlog_named_refuse(-EINVAL, "%s is given twice; give it once", word);
	if (key >= 0)
		*seen |= BIT(key);
	return 0;
}

static int take_word(struct evtlog_named *n, char *word, unsigned int *seen)
{
	char *value = strchr(word, '=');

	if (value)
		*value++ = '\0';
	if (note_key(word, seen))
		return -EINVAL;
	if (!strcmp(word, "global") && !value) {
		n->route.is_one = true;
		return 0;
	}
	if (!value)
		return evtlog_named_refuse(-EINVAL, "\"%.32s\" is neither KEY=VALUE nor \"if FILTER\"", word);
	if (!strcmp(word, "buffers"))
		return take_number(word, value, &n->geometry.buffers);
	if (!strcmp(word, "kb"))
		return take_number(word, value, &n->geometry.buffer_kb);
	if (!strcmp(word, "mode")) {
		n->overwrites = !strcmp(value, "overwrite");
		if (!n->overwrites && strcmp(value, "keep"))
			return evtlog_named_refuse(-EINVAL, "mode=%.32s is unknown; write mode=keep or mode=overwrite", value);
		return 0;
	}
	if (!strcmp(word, "events"))
		n->route.events = value;
	else if (!strcmp(word, "urgent"))
		n->route.urgent = value;
	else
		return evtlog_named_refuse(-EINVAL, "key \"%.32s\" is unknown; the keys are buffers, kb, mode, events and urgent",
			      word);
	return 0;
}

/* Fields can be used if all events are built-in ones; else only the current task and CPU. */
static int take_filter(struct evtlog_named *n)
{
	char error[EVTLOG_FILTER_ERROR_MAX + EVTLOG_EVENT_NAME_MAX + 2];
	int asks = 0;

	if (!n->condition)
		return 0;
	if (n->types && evtlog_builtin_are_all(n->route.events))
		asks = evtlog_filter_routed_check(n->types, n->condition, error, sizeof(error));
	n->by_field = asks > 0;
	n->route.is_for_builtins = n->by_field;
	if (n->by_field)
		return 0;
	if (!asks)
		n->filter = evtlog_filter_compile(n->condition, NULL, 0, error, sizeof(error));
	return n->filter ? 0 : evtlog_named_refuse(-EINVAL, "filter: %.140s", error);
}

static int take_line(struct evtlog_named *n, char *text)
{
	char *name = strsep(&text, " "), *word;
	unsigned int seen = 0;
	int error = 0;

	if (!evtlog_run_name_is_valid(name) || !strcmp(name, "control"))
		return evtlog_named_refuse(-EINVAL, "\"%.32s\" is not a valid buffer name: use a letter, then letters, digits and ._-, at most 31 characters, and not \"control\"",
			      name);
	strscpy(n->ring_owner.name, name, sizeof(n->ring_owner.name));
	while (!error && text) {
		text = skip_spaces(text);
		if (!strncmp(text, "if ", 3)) {
			n->condition = skip_spaces(text + 3);
			return 0;
		}
		word = strsep(&text, " ");
		if (*word)
			error = take_word(n, word, &seen);
	}
	return error;
}

/* Finds the built-in events among its events. */
static int find_types(struct evtlog_named *n)
{
	const char *name = evtlog_builtin_find(n->route.events, &n->types);
	int length = name ? strcspn(name, ",") : 0;

	if (!name)
		return 0;
	if (!evtlog_builtin_is_possible(name))
		return evtlog_named_refuse(-EINVAL, "this kernel cannot record %.*s: see /proc/evtlog/events",
					   min(length, 32), name);
	if (!strcmp(name, evtlog_type_name(EVTLOG_USER_NMI)))
		return evtlog_named_refuse(-EINVAL, "user_nmi must go to the same buffer as user_exit; name both in events=");
	return evtlog_named_refuse(-EINVAL, "%.*s cannot go to a named buffer, because logs of runs need it; leave it out",
				   min(length, 32), name);
}

/**
 * evtlog_named_parse() - parse an order that adds a named buffer
 * @n:		set: its name, keys, filter and built-in events
 * @text:	after the sign; kept and changed
 *
 * Return: 0; or a negative error, and the sentence is stored.
 */
int evtlog_named_parse(struct evtlog_named *n, char *text)
{
	int error = take_line(n, text);

	if (!error)
		error = find_types(n);
	return error ? error : take_filter(n);
}
