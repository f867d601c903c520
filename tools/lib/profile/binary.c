// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Writes binary profiles.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "lib/base/key-table.h"
#include "lib/codec/crc32.h"

/* Distinct strings, in the order of their numbers */
struct names {
	const char **at;
	size_t count;
	struct key_table table;
};

static bool is_name(const void *things, uint32_t number, const void *wanted)
{
	const struct names *names = things;

	return !strcmp(names->at[number], wanted);
}

static uint32_t find_name(const struct names *names, const char *text)
{
	return key_table_find_same(&names->table, key_table_hash(text, strlen(text)), is_name,
				   names, text);
}

static int add_name(struct names *names, const char *name)
{
	if (find_name(names, name) != KEY_NONE)
		return 0;
	if (key_table_add(&names->table, key_table_hash(name, strlen(name)), names->count))
		return -ENOMEM;
	names->at[names->count++] = name;
	return 0;
}

static int collect(const struct evtlog_profile *profile, struct names *names)
{
	size_t most = 1;
	int error = 0;

	for (size_t i = 0; i < profile->about.entries; i++)
		most += profile->slots[i].entry.paths + profile->slots[i].entry.values;
	names->at = calloc(most, sizeof(*names->at));
	if (!names->at || most > UINT32_MAX)
		return -ENOMEM;
	for (size_t i = 0; i < profile->about.entries && !error; i++) {
		const struct profile_slot *slot = &profile->slots[i];

		for (size_t k = 0; k < slot->entry.paths && !error; k++)
			error = add_name(names, slot->paths[k].path);
		for (size_t k = 0; k < slot->entry.values && !error; k++)
			error = add_name(names, slot->values[k].name);
	}
	return error;
}

static void put_number(uint64_t number, FILE *out)
{
	for (; number > 0x7f; number >>= 7)
		putc(0x80 | (number & 0x7f), out);
	putc(number, out);
}

static void put_bytes(const char *text, FILE *out)
{
	put_number(strlen(text), out);
	profile_put_chars(out, text);
}

static void put_about(const struct evtlog_profile_about *about, FILE *out)
{
	put_number((about->is_on ? PROFILE_IS_ON : 0) | (about->is_diff ? PROFILE_IS_DIFF : 0) |
		   (about->is_compensated ? PROFILE_IS_COMPENSATED : 0), out);
	put_number((uint64_t)about->rank + 1, out);
	put_number(about->ticks_hz, out);
	put_number(about->tasks_without, out);
	put_number(about->members, out);
	put_number(about->listed, out);
	put_number(about->removed, out);
	put_number(about->clamped, out);
	put_number(EVTLOG_PROFILE_COSTS, out);
	for (int i = 0; i < EVTLOG_PROFILE_COSTS; i++) {
		put_number(about->costs[i].inside, out);
		put_number(about->costs[i].outside, out);
	}
}

static void put_entry(const struct profile_slot *slot, const struct names *names, FILE *out)
{
	const struct evtlog_profile_entry *entry = &slot->entry;

	if (entry->cpu >= 0) {
		put_number(PROFILE_OF_CPU, out);
		put_number(entry->cpu, out);
	} else if (profile_is_sum(entry)) {
		put_number(entry->tgid ? PROFILE_OF_THREADS : PROFILE_OF_ENDED, out);
		if (entry->tgid) {
			put_number(entry->tgid, out);
			put_bytes(entry->comm, out);
		}
		put_number(entry->ended, out);
		put_number(entry->lifetime, out);
	} else {
		put_number(PROFILE_OF_TASK, out);
		put_number(entry->pid, out);
		put_number(entry->tgid, out);
		put_bytes(entry->comm, out);
	}
	put_number(entry->begin, out);
	/* Usually a small number; modulo 2^64 */
	put_number(entry->end - entry->begin, out);
	put_number(entry->unmatched, out);
	put_number(entry->ahead, out);
	put_number(entry->paths, out);
	for (size_t i = 0; i < entry->paths; i++) {
		const struct evtlog_profile_path *path = &slot->paths[i];

		put_number(find_name(names, path->path), out);
		put_number(path->count, out);
		put_number(path->inclusive, out);
		put_number(path->exclusive, out);
		put_number(path->largest, out);
	}
	put_number(entry->values, out);
	for (size_t i = 0; i < entry->values; i++) {
		const struct evtlog_profile_value *value = &slot->values[i];

		put_number(find_name(names, value->name), out);
		put_number(value->count, out);
		put_number(value->sum, out);
		put_number(value->least, out);
		put_number(value->largest, out);
		put_number(value->squares, out);
	}
}

static int put_body(const struct evtlog_profile *profile, FILE *out)
{
	struct names names = { 0 };
	int error = collect(profile, &names);

	if (!error) {
		put_about(&profile->about, out);
		put_number(names.count, out);
		for (size_t i = 0; i < names.count; i++)
			put_bytes(names.at[i], out);
		put_number(profile->about.entries, out);
		for (size_t i = 0; i < profile->about.entries; i++)
			put_entry(&profile->slots[i], &names, out);
	}
	key_table_free(&names.table);
	free(names.at);
	return error;
}

static bool has_threads(const struct evtlog_profile *profile)
{
	for (size_t i = 0; i < profile->about.entries; i++) {
		if (profile_is_of_ended_threads(&profile->slots[i].entry))
			return true;
	}
	return false;
}

int profile_put_binary(const struct evtlog_profile *profile, FILE *out)
{
	struct profile_head head = {
		.magic = PROFILE_MAGIC, .head_bytes = sizeof(head),
		.version = has_threads(profile) ? PROFILE_VERSION_THREADS : PROFILE_VERSION,
	};
	size_t bytes;
	char *text;
	FILE *body = open_memstream(&text, &bytes);
	int error;

	if (!body)
		return -ENOMEM;
	error = put_body(profile, body);
	if (fclose(body) && !error)
		error = -ENOMEM;
	if (!error) {
		head.crc = crc_of(0, text, bytes);
		head.body_bytes = bytes;
		fwrite(&head, sizeof(head), 1, out);
		fwrite(text, 1, bytes, out);
	}
	free(text);
	return error;
}
