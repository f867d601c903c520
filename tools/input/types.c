// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds sets of event types, and their names in a log.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "lib/codec/record-class.h"
#include "lib/file/file.h"
#include "types.h"

#define ENTRY	"_entry"

uint64_t types_pair(unsigned int type)
{
	unsigned int pair = record_class(type)->pair;

	return types_bit(type) | (pair ? types_bit(pair) : 0);
}

uint64_t types_of_kind(enum evtlog_kind kind)
{
	uint64_t result = 0;

	for (unsigned int type = 1; type <= EVTLOG_TYPE_MAX; type++)
		if (record_class(type)->step != RECORD_UNLISTED && record_kind(record_class(type)) == kind)
			result |= types_bit(type);
	return result;
}

uint64_t types_that_are(const struct evtlog_file *file, uint64_t types,
			enum evtlog_recorded which)
{
	uint64_t result = 0;

	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++)
		if (types & types_bit(i) && evtlog_recorded(file, i) == which)
			result |= types_bit(i);
	return result;
}

static const char *name_of(const struct evtlog_file *file, unsigned int type)
{
	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		const struct evtlog_type_info *info = evtlog_type_info(file, i);

		if (info && info->known == type)
			return info->name;
	}
	return NULL;
}

size_t types_stem_length(const char *name)
{
	size_t length = strlen(name), stem = length - strlen(ENTRY);

	return length > strlen(ENTRY) && !strcmp(name + stem, ENTRY) ? stem : length;
}

char *types_text(const struct evtlog_file *file, uint64_t types)
{
	const char *before = "";
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	for (unsigned int i = 1; i <= EVTLOG_TYPE_MAX; i++) {
		const char *name = types & types_bit(i) ? name_of(file, i) : NULL;
		unsigned int pair = record_class(i)->pair;
		int length;

		if (!name)
			continue;
		length = strlen(name);
		if (name[types_stem_length(name)] && pair && types & types_bit(pair)) {
			length = types_stem_length(name);
			types &= ~types_bit(pair);
		}
		fprintf(out, "%s%.*s", before, length, name);
		before = ", ";
	}
	if (fclose(out) || !*text) {
		free(text);
		return NULL;
	}
	return text;
}

uint64_t types_filtered(const struct evtlog_file *file, uint64_t types)
{
	return types & file->recorded_filtered;
}

void types_warn(const struct evtlog_file *file, const char *path, uint64_t types, const char *what)
{
	uint64_t off = types_that_are(file, types, EVTLOG_RECORDED_OFF);
	char *text = types_text(file, off);

	if (text)
		pr_warn("%s: not recorded: %s: their information is missing in the %s%s", path, text, what,
			types_filtered(file, off) ? TYPES_FILTERED_HINT : "");
	free(text);
}

uint32_t sched_unknown(const struct evtlog_file *file, bool has_samples)
{
	const uint64_t needed[SCHED_NUMBERS] = {
		[SCHED_RUNNABLE] = SCHED_RUNNABLE_TYPES,
		[SCHED_SWITCHES] = types_bit(EVTLOG_SCHED_SWITCH),
		[SCHED_FORKS] = types_bit(EVTLOG_SCHED_PROCESS_FORK),
		[SCHED_EXITS] = types_bit(EVTLOG_SCHED_PROCESS_EXIT),
		[SCHED_MIGRATIONS] = types_bit(EVTLOG_SCHED_MIGRATE_TASK),
	};
	uint64_t off = types_that_are(file, SCHED_TYPES, EVTLOG_RECORDED_OFF);
	uint32_t unknown = 0;

	if (has_samples)
		return 1u << SCHED_SWITCHES;
	for (unsigned int i = 0; i < SCHED_NUMBERS; i++)
		unknown |= (uint32_t)!!(off & needed[i]) << i;
	return unknown;
}
