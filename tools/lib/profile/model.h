/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A profile in memory, for the library and the commands: see <evtlog/profiles.h>.
 *
 *	profile ── slots ── paths, values
 *	   └ strings: names and paths, in pieces that do not move
 */
#ifndef EVTLOG_LIB_PROFILE_MODEL_H
#define EVTLOG_LIB_PROFILE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/profiles.h>

struct profile_strings;

/*
 * struct profile_slot - an entry with its paths and values
 * @entry:	its @paths and @values are the lengths of the arrays
 * Only the commands use the following; a difference has those of the later profile:
 * @parent:	for an ended task with an entry of its own: the process that forked it
 * @missed:	number of readings since the task was last found
 * @is_wanted:	the entry is selected
 * @is_open:	@is_wanted is unknown until the task has ended
 */
struct profile_slot {
	struct evtlog_profile_entry entry;
	struct evtlog_profile_path *paths;
	size_t capacity;
	struct evtlog_profile_value *values;
	uint32_t parent, missed;
	bool is_wanted, is_open;
};

/* @about: its @entries is the length of @slots */
struct evtlog_profile {
	struct evtlog_profile_about about;
	struct profile_slot *slots;
	size_t capacity;
	struct profile_strings *strings;
};

/* Returns true for a sum of ended tasks: of a family, or, with a @tgid, threads of a process. */
static inline bool profile_is_sum(const struct evtlog_profile_entry *entry)
{
	return entry->cpu < 0 && !entry->pid && (entry->lifetime || entry->tgid);
}

/* Returns true for the sum of ended threads of a process that lives. */
static inline bool profile_is_of_ended_threads(const struct evtlog_profile_entry *entry)
{
	return entry->cpu < 0 && !entry->pid && entry->tgid;
}

/* Frees the arrays, and empties the slot; the strings are the profile's. */
void profile_slot_free(struct profile_slot *slot);

/**
 * profile_path_compare() - compare paths, so that the paths within a path follow it directly
 *
 * Return: less than 0, 0 or more than 0, as strcmp().
 */
int profile_path_compare(const char *one, const char *two);

/**
 * profile_match() - find the same tasks and CPUs in another reading
 * @found: for each entry of @profile, set to the same task or CPU of @other, or NULL
 *
 * Return: 0; -ENOMEM.
 */
int profile_match(const struct evtlog_profile *profile, const struct evtlog_profile *other,
		  const struct profile_slot **found);

/**
 * profile_comm_decode() - decode a name: a backslash and three octal digits are one byte
 * @text:	the name as the kernel writes it, @length bytes
 * @comm:	buffer of @room bytes for the name, which gets no NUL
 *
 * Return: the length of the name in bytes.
 */
size_t profile_comm_decode(const char *text, size_t length, char *comm, size_t room);

#endif /* EVTLOG_LIB_PROFILE_MODEL_H */
