// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chooses between events and samples as the source of a command's data.
 */
#include <errno.h>

#include "input/types.h"
#include "lib/merge/iterator.h"
#include "samples.h"

const char *const samples_source_names[] = {
	[SOURCE_AUTO] = "auto",
	[SOURCE_EVENTS] = "events",
	[SOURCE_SAMPLES] = "samples",
	NULL
};

static int find_pass(struct samples *samples, struct iterator *iterator)
{
	const struct iterator_event *at;
	int result;

	while ((result = iterator_next(iterator, &at)) > 0) {
		result = samples_take(samples, at->event);
		if (result < 0)
			return result;
		if (result == SAMPLES_COMPLETE)
			return 1;
	}
	return result;
}

int samples_are_there(struct evtlog_file *file)
{
	struct iterator iterator = { 0 };
	struct samples samples = { 0 };
	struct replay replay = { 0 };
	int result = replay_init(&replay, file);

	if (!result)
		result = samples_init(&samples, file, &replay);
	if (!result)
		result = iterator_of_log(&iterator, file, 0, NULL);
	if (!result)
		result = find_pass(&samples, &iterator);
	iterator_end(&iterator);
	samples_free(&samples);
	replay_free(&replay);
	return result;
}

int samples_choose(struct evtlog_file *file, enum samples_source source)
{
	int found;

	if (source == SOURCE_EVENTS ||
	    (source == SOURCE_AUTO &&
	     !types_that_are(file, types_bit(EVTLOG_SCHED_SWITCH), EVTLOG_RECORDED_OFF)))
		return 0;
	found = samples_are_there(file);
	return !found && source == SOURCE_SAMPLES ? -ENODATA : found;
}
