// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shows the events that match and the events around them.
 *
 * Events that may precede a match are kept as text, so that task names are those at the time of
 * the event.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "around.h"
#include "common/error.h"
#include "common/number.h"

/* Limit of kept events, because any number of events can be within a time. */
#define KEPT_MAX	100000
#define EVENTS_MAX	KEPT_MAX

struct around_kept {
	char *text;
	size_t bytes;
	int64_t time_ns;
};

#define REACH_VALID	"a number of events such as 5, or a time with its unit such as 20us"

const struct option_desc around_options[] = {
	{ AROUND_BEFORE, "before", "N", "also print the N events before each match, or the "
	  "events in this time before it: 5, 20us", .kind = VALUE_TEXT, .valid = REACH_VALID },
	{ AROUND_AFTER, "after", "N", "also print the N events after each match, or the events in "
	  "this time after it; > marks the matches", .kind = VALUE_TEXT, .valid = REACH_VALID },
	{ }
};

void around_init(struct around *around)
{
	memset(around, 0, sizeof(*around));
	around->limit = UINT64_MAX;
}

void around_free(struct around *around)
{
	for (size_t i = 0; i < around->capacity; i++)
		free(around->kept[i].text);
	free(around->kept);
	if (around->memory)
		fclose(around->memory);
	free(around->text);
}

/* "5" is a number of events, "5us" is a time. */
static int parse_reach(struct around_reach *reach, const char *text)
{
	reach->is_time = text[strspn(text, "0123456789")];
	if (!reach->is_time)
		return number_parse(&reach->number, text, 0, EVENTS_MAX);
	/* A time needs its unit: "1" is a number of events, so refuse "1.5". */
	if (strspn(text, "0123456789.") == strlen(text))
		return -EINVAL;
	return filter_time(&reach->number, text);
}

int around_option(struct around *around, int option, const char *text)
{
	switch (option) {
	case AROUND_BEFORE:
		return parse_reach(&around->before, text);
	case AROUND_AFTER:
		return parse_reach(&around->after, text);
	default:
		return -EINVAL;
	}
}

/* Returns true if no later event can be shown. */
static bool is_done(const struct around *around)
{
	if (around->limit)
		return false;
	return !around->matched || !(around->more || (around->after.is_time &&
						      around->until_ns != INT64_MIN));
}

/* ---- Events that may precede a match ---- */

static struct around_kept *kept_at(const struct around *around, size_t i)
{
	return &around->kept[(around->first + i) % around->capacity];
}

static int grow(struct around *around, size_t most)
{
	size_t capacity = around->capacity ? 2 * around->capacity : 64;
	struct around_kept *kept;

	if (capacity > most)
		capacity = most;
	kept = calloc(capacity, sizeof(*kept));
	if (!kept)
		return -ENOMEM;
	for (size_t i = 0; i < around->capacity; i++)
		kept[i] = *kept_at(around, i);
	free(around->kept);
	around->kept = kept;
	around->capacity = capacity;
	around->first = 0;
	return 0;
}

static void drop_oldest(struct around *around)
{
	around->first = (around->first + 1) % around->capacity;
	around->count--;
	around->skipped = true;
}

static void drop_early(struct around *around, int64_t time_ns)
{
	if (!around->before.is_time)
		return;
	while (around->count &&
	       (uint64_t)(time_ns - kept_at(around, 0)->time_ns) > around->before.number)
		drop_oldest(around);
}

/* Writes the event as text to @around->text.  Returns 0 or -ENOMEM. */
static int write_event(struct around *around, struct show *show, const struct show_host *host,
		       const struct evtlog_event *event, const struct show_moment *moment)
{
	if (!around->memory)
		around->memory = open_memstream(&around->text, &around->bytes);
	if (!around->memory)
		return -ENOMEM;
	rewind(around->memory);
	show->out = around->memory;
	show_event(show, host, event, moment);
	show->out = stdout;
	return fflush(around->memory) ? -ENOMEM : 0;
}

static int keep(struct around *around, struct show *show, const struct show_host *host,
		const struct evtlog_event *event, const struct show_moment *moment)
{
	size_t most = around->before.is_time ? KEPT_MAX : around->before.number;
	struct around_kept *kept;
	char *text;
	int error;

	if (!around->before.number) {
		around->skipped = true;
		return 0;
	}
	error = write_event(around, show, host, event, moment);
	if (error)
		return error;
	drop_early(around, moment->start_ns);
	if (around->count == around->capacity && around->capacity < most)
		error = grow(around, most);
	if (error)
		return error;
	if (around->count == around->capacity) {
		around->is_full |= around->before.is_time;
		drop_oldest(around);
	}
	kept = kept_at(around, around->count);
	text = realloc(kept->text, around->bytes);
	if (!text)
		return -ENOMEM;
	memcpy(text, around->text, around->bytes);
	*kept = (struct around_kept) { text, around->bytes, moment->start_ns };
	around->count++;
	return 0;
}

static void show_kept(struct around *around, const struct show *show, int64_t time_ns)
{
	drop_early(around, time_ns);
	if (around->printed && around->skipped && !show->json)
		puts("--");
	if (around->is_full)
		pr_warn("--before: more than %u events in that time: the earliest are omitted",
		       KEPT_MAX);
	around->is_full = false;
	around->skipped = false;
	for (size_t i = 0; i < around->count; i++)
		fwrite(kept_at(around, i)->text, 1, kept_at(around, i)->bytes, stdout);
	around->count = 0;
}

static bool is_after(const struct around *around, int64_t time_ns)
{
	if (!around->matched)
		return false;
	return around->after.is_time ? time_ns <= around->until_ns : around->more;
}

int around_show(struct around *around, struct show *show, const struct show_host *host,
		const struct evtlog_event *event, const struct show_moment *moment,
		bool matches)
{
	matches &= around->limit != 0;
	around->limit -= matches && around->limit != UINT64_MAX;
	if (!around_is_wanted(around)) {
		if (matches)
			show_event(show, host, event, moment);
		return 0;
	}
	show->match = matches ? SHOW_MATCH : SHOW_NEAR;
	if (matches) {
		show_kept(around, show, moment->start_ns);
		around->matched = true;
		around->more = around->after.is_time ? 0 : around->after.number;
		around->until_ns = moment->start_ns;
		if (around->after.is_time)
			around->until_ns += around->after.number;
	} else if (is_after(around, moment->start_ns)) {
		around->more -= around->more != 0;
	} else {
		around->until_ns = INT64_MIN;
		return keep(around, show, host, event, moment);
	}
	show_event(show, host, event, moment);
	around->printed = true;
	return 0;
}

/* ---- Reading the events ---- */

/* Update the progress rarely: iterator_position() is slow with a thousand hosts. */
#define PROGRESS_EVENTS	(1u << 18)

int events_show_all(struct iterator *iterator, const struct around *around, const char *label,
		    events_take *take, void *context)
{
	const struct iterator_event *at;
	struct progress progress;
	uint32_t events = 0;
	int result = 0;

	/* If stdout is a terminal, its lines already show the progress. */
	progress_begin(&progress, label, isatty(STDOUT_FILENO) ? 0 : iterator->all_bytes);
	while (!is_done(around) && !ferror_unlocked(stdout) &&
	       (result = iterator_next(iterator, &at)) > 0) {
		result = take(context, at);
		if (result < 0)
			break;
		if (!(++events % PROGRESS_EVENTS))
			progress_update(&progress, iterator_position(iterator));
	}
	progress_end(&progress);
	return result < 0 ? result : 0;
}
