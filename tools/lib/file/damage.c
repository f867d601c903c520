// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The list of damaged places.
 *
 * It does not search for damage.
 */
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "lib/base/array.h"

static void count_unlisted(struct damage_list *list, const struct evtlog_damage *damage)
{
	size_t cpus = list->cpus;

	if (!damage->has_cpu || damage->cpu >= EVTLOG_CPU_LIMIT)
		return;
	if (damage->cpu >= cpus) {
		if (array_reserve_more(&list->unlisted, &list->cpus, cpus, damage->cpu + 1 - cpus,
				       sizeof(*list->unlisted)))
			return;
		memset(list->unlisted + cpus, 0, (list->cpus - cpus) * sizeof(*list->unlisted));
	}
	list->unlisted[damage->cpu]++;
}

void damage_add(struct damage_list *list, const struct evtlog_damage *damage)
{
	list->count++;
	if (list->listed == DAMAGE_LISTED_MAX ||
	    array_reserve(&list->at, &list->capacity, list->listed, sizeof(*list->at))) {
		count_unlisted(list, damage);
		return;
	}
	list->at[list->listed++] = *damage;
}

uint64_t damage_count_of_cpu(const struct damage_list *list, size_t first, uint32_t cpu)
{
	uint64_t count = cpu < list->cpus ? list->unlisted[cpu] : 0;

	for (size_t i = first; i < list->listed; i++)
		count += list->at[i].has_cpu && list->at[i].cpu == cpu;
	return count;
}

void damage_forget_unlisted(struct damage_list *list)
{
	for (size_t i = 0; i < list->cpus; i++)
		list->unlisted[i] = 0;
}

void damage_free(struct damage_list *list)
{
	free(list->unlisted);
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
