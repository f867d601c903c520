// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A profile in memory: creates it, gives access to it, frees it.
 *
 * text.c, text-write.c, json.c, binary.c and binary-read.c read and write profiles.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "lib/base/array.h"

#define PIECE_BYTES	((size_t)16384)

/* Memory for strings */
struct profile_strings {
	struct profile_strings *next;
	size_t used, room;
	char text[];
};

struct evtlog_profile *profile_new(void)
{
	struct evtlog_profile *profile = calloc(1, sizeof(*profile));

	if (profile)
		profile->about.rank = -1;
	return profile;
}

void evtlog_profile_free(struct evtlog_profile *profile)
{
	if (!profile)
		return;
	for (size_t i = 0; i < profile->about.entries; i++)
		profile_slot_free(&profile->slots[i]);
	free(profile->slots);
	while (profile->strings) {
		struct profile_strings *next = profile->strings->next;

		free(profile->strings);
		profile->strings = next;
	}
	free(profile);
}

struct profile_slot *profile_add_entry(struct evtlog_profile *profile)
{
	struct profile_slot *slot;

	if (array_reserve(&profile->slots, &profile->capacity, profile->about.entries,
			  sizeof(*slot)))
		return NULL;
	slot = &profile->slots[profile->about.entries++];
	*slot = (struct profile_slot){ .entry = { .cpu = -1, .comm = "" } };
	return slot;
}

/* Not array.h, whose first size is larger: most tasks have few paths. */
int profile_reserve_paths(struct profile_slot *slot, size_t more)
{
	size_t wanted = slot->entry.paths + more;
	struct evtlog_profile_path *paths;

	if (wanted <= slot->capacity)
		return 0;
	if (wanted < 2 * slot->capacity)
		wanted = 2 * slot->capacity;
	paths = reallocarray(slot->paths, wanted, sizeof(*paths));
	if (!paths)
		return -ENOMEM;
	slot->paths = paths;
	slot->capacity = wanted;
	return 0;
}

struct evtlog_profile_path *profile_add_path(struct profile_slot *slot)
{
	struct evtlog_profile_path *path;

	if (profile_reserve_paths(slot, 1))
		return NULL;
	path = &slot->paths[slot->entry.paths++];
	*path = (struct evtlog_profile_path){ .path = "", .event = "" };
	return path;
}

/* Grows by 1: only few tasks have values, and these have few. */
struct evtlog_profile_value *profile_add_value(struct profile_slot *slot)
{
	struct evtlog_profile_value *values;

	values = reallocarray(slot->values, slot->entry.values + 1, sizeof(*values));
	if (!values)
		return NULL;
	slot->values = values;
	values += slot->entry.values++;
	*values = (struct evtlog_profile_value){ .name = "" };
	return values;
}

const char *profile_string(struct evtlog_profile *profile, const char *text, size_t length)
{
	struct profile_strings *piece = profile->strings;
	char *to;

	if (!piece || piece->room - piece->used <= length) {
		size_t room = length < PIECE_BYTES ? PIECE_BYTES : length + 1;

		piece = malloc(sizeof(*piece) + room);
		if (!piece)
			return NULL;
		*piece = (struct profile_strings){ .next = profile->strings, .room = room };
		profile->strings = piece;
	}
	to = piece->text + piece->used;
	memcpy(to, text, length);
	to[length] = '\0';
	piece->used += length + 1;
	return to;
}

const char *profile_event_of(const char *path)
{
	const char *last = strrchr(path, '>');

	return last ? last + 1 : path;
}

void profile_put(FILE *out, const char *format, ...)
{
	char text[512];
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fwrite(text, 1, length, out);
}

void profile_put_chars(FILE *out, const char *text)
{
	fwrite(text, 1, strlen(text), out);
}

int profile_refuse(struct evtlog_error *error, int status, size_t offset, const char *reason)
{
	if (error) {
		error->offset = offset;
		snprintf(error->reason, sizeof(error->reason), "%s", reason);
	}
	return status;
}

const struct evtlog_profile_about *evtlog_profile_about(const struct evtlog_profile *profile)
{
	return &profile->about;
}

const struct evtlog_profile_entry *evtlog_profile_entry_at(const struct evtlog_profile *profile,
							   size_t number)
{
	return number < profile->about.entries ? &profile->slots[number].entry : NULL;
}

const struct evtlog_profile_path *evtlog_profile_path_at(const struct evtlog_profile *profile,
							 size_t entry, size_t number)
{
	if (entry >= profile->about.entries || number >= profile->slots[entry].entry.paths)
		return NULL;
	return &profile->slots[entry].paths[number];
}

const struct evtlog_profile_value *evtlog_profile_value_at(const struct evtlog_profile *profile,
							   size_t entry, size_t number)
{
	if (entry >= profile->about.entries || number >= profile->slots[entry].entry.values)
		return NULL;
	return &profile->slots[entry].values[number];
}

/* ---- Profiles that a program builds, entry by entry ---- */

int evtlog_profile_new(const struct evtlog_profile_about *about, struct evtlog_profile **profilep)
{
	struct evtlog_profile *profile = profile_new();

	if (!profile)
		return -ENOMEM;
	profile->about = *about;
	profile->about.entries = 0;
	*profilep = profile;
	return 0;
}

static int add_path(struct evtlog_profile *profile, struct profile_slot *slot,
		    const struct evtlog_profile_path *from)
{
	const char *text = profile_string(profile, from->path, strlen(from->path));
	struct evtlog_profile_path *path = text ? profile_add_path(slot) : NULL;

	if (!path)
		return -ENOMEM;
	*path = *from;
	path->path = text;
	path->event = profile_event_of(text);
	return 0;
}

static int add_value(struct evtlog_profile *profile, struct profile_slot *slot,
		     const struct evtlog_profile_value *from)
{
	const char *name = profile_string(profile, from->name, strlen(from->name));
	struct evtlog_profile_value *value = name ? profile_add_value(slot) : NULL;

	if (!value)
		return -ENOMEM;
	*value = *from;
	value->name = name;
	return 0;
}

int evtlog_profile_add(struct evtlog_profile *profile, const struct evtlog_profile_entry *entry,
		       const struct evtlog_profile_path *paths,
		       const struct evtlog_profile_value *values)
{
	const char *comm = profile_string(profile, entry->comm, strlen(entry->comm));
	struct profile_slot *slot = comm ? profile_add_entry(profile) : NULL;
	int error = slot ? 0 : -ENOMEM;

	if (error)
		return error;
	slot->entry = *entry;
	slot->entry.comm = comm;
	slot->entry.paths = slot->entry.values = 0;
	error = profile_reserve_paths(slot, entry->paths);
	for (size_t i = 0; i < entry->paths && !error; i++)
		error = add_path(profile, slot, &paths[i]);
	for (size_t i = 0; i < entry->values && !error; i++)
		error = add_value(profile, slot, &values[i]);
	return error;
}
