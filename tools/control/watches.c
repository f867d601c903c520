// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses the kernel's list of watches, and lines of matches.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	    words_take_count(&line, "untold", &watch->untold) ||
	    words_take_count(&line, "forgotten", &watch->forgotten) ||
	    words_take_count(&line, "missed", &watch->missed) ||
	    words_take_count(&line, "lost", &watch->lost) ||
	    words_take_count(&line, "records", &watch->records) || strncmp(line, "rule ", 5))
		return -EINVAL;
	watch->rule = line + 5;
	return 0;
}

int control_watches_parse(struct control_watches *watches, char *text)
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

	return error ? error : control_watches_parse(watches, text);
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
