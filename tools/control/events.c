// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which types of events are on: a user's choice, and /proc/evtlog/events.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/spelling.h"
#include "control.h"
#include "input/event-filter.h"

#define SEPARATORS	", \t\n"

bool control_events_is_choice(const char *text)
{
	return text[strspn(text, SEPARATORS)] != '\0';
}

char *control_events(const char *choice)
{
	bool has_signs = strpbrk(choice, "+-");
	/* Every name at most doubles, by its sign and its blank. */
	char *result = malloc(2 * strlen(choice) + sizeof("-all "));
	const char *at = choice;
	char *to = result;

	if (!result)
		return NULL;
	if (!has_signs)
		to = stpcpy(to, "-all");
	else
		*to = '\0';
	while (*at) {
		size_t length = strcspn(at, ", \t\n");

		if (length) {
			if (to > result)
				*to++ = ' ';
			if (*at != '+' && *at != '-')
				*to++ = '+';
			to = mempcpy(to, at, length);
			*to = '\0';
		}
		at += length + !!at[length];
	}
	return result;
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

/*
 * @known:	words with signs, as the file events has them; changed
 * @groups:	the same; of these the first parts are compared
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
		if (select_type_begins(type, word))
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

/* Returns whether it is known, or nothing is. */
static bool take_word(const char *word)
{
	char *known = control_events_now(), *groups = control_events_now();
	struct spelling spelling;
	bool is_right = !known || !groups || !*word ||
			is_known(known, groups, word, &spelling);

	if (!is_right && spelling.nearest)
		say("--events: %s: no such type of event; did you mean '%s'?", word,
		    spelling.nearest);
	else if (!is_right)
		say("--events: %s: no such type of event; evtlog status lists them", word);
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
		say("--events: %s: not a list of types of events; evtlog status lists them", choice);
	free(words);
}
