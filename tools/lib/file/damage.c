// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Keeps the list of damaged places.
 *
 * It does not look for damage.
 */
#include <stdlib.h>

#include "damage.h"
#include "file.h"
#include "lib/base/array.h"

void damage_add(struct damage_list *list, const struct evtlog_damage *damage)
{
	list->count++;
	if (list->listed == DAMAGE_LISTED_MAX ||
	    array_reserve(&list->at, &list->capacity, list->listed, sizeof(*list->at)))
		return;
	list->at[list->listed++] = *damage;
}

void damage_free(struct damage_list *list)
{
	free(list->at);
}

const struct evtlog_damage *evtlog_damage(const struct evtlog_file *file,
					  size_t number)
{
	return number < file->damages.listed ? &file->damages.at[number] : NULL;
}

uint64_t evtlog_damage_count(const struct evtlog_file *file)
{
	return file->damages.count;
}

const char *evtlog_damage_name(enum evtlog_damage_kind kind)
{
	switch (kind) {
	case EVTLOG_DAMAGE_GARBAGE:
		return "garbage";
	case EVTLOG_DAMAGE_TORN:
		return "torn";
	case EVTLOG_DAMAGE_PAYLOAD:
		return "payload";
	case EVTLOG_DAMAGE_BUFFER:
		return "buffer";
	case EVTLOG_DAMAGE_RECORD:
		return "record";
	case EVTLOG_DAMAGE_MISSING:
		return "missing";
	case EVTLOG_DAMAGE_DROPPED:
		return "dropped";
	case EVTLOG_DAMAGE_INDEX:
		return "index";
	}
	return "unknown";
}
