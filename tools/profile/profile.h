/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles of tasks and CPUs, as in /proc/evtlog/profile/all.
 *
 * Functions that return int return 0 or -errno and print nothing, if not noted otherwise.
 */
#ifndef EVTLOG_PROFILE_PROFILE_H
#define EVTLOG_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <evtlog/profiles.h>

/* ---- Values of a task or CPU ---- */

/* Numbers without a time, such as bytes read and lengths of queues. */

#define PROFILE_VALUES_MAX	12

/* Names are not owned: they belong to a profile of libevtlog, or are constants. */
struct profile_values {
	struct evtlog_profile_value at[PROFILE_VALUES_MAX];
	size_t count;
};

/** profile_values_find() - find a value by its name; NULL if there is none */
const struct evtlog_profile_value *profile_values_find(const struct profile_values *values,
						       const char *name);

/** profile_values_add() - add the values of @from to those of @to with the same names */
void profile_values_add(struct profile_values *to, const struct profile_values *from);

/** profile_value_mean(), profile_value_deviation() - the deviation is -1 if unknown */
double profile_value_mean(const struct evtlog_profile_value *value);
double profile_value_deviation(const struct evtlog_profile_value *value);

/** profile_values_print() - print a table; nothing if there are no values */
void profile_values_print(FILE *out, const struct profile_values *values);

struct json;

/** profile_values_print_json() - print an array as a member of an object; nothing if no values */
void profile_values_print_json(struct json *json, const struct profile_values *values);

/* ---- Profiles ---- */

#define PROFILE_FILE	"profile/all"
#define PROFILE_CONTROL	"profile/control"

/*
 * struct profile_entry - a task or a CPU
 * @head:	without its @paths and @values; @ended is 1 for an ended task with an entry of its
 *		own
 * @at:		its paths, @count of them
 * @own:	strings that the entry owns; NULL: the strings belong to the profile
 * @parent:	for an ended task: the process that forked it
 * @missed:	number of readings since the task was last found
 * @is_wanted:	set by users of the profile: see members.h
 * @is_open:	@is_wanted is unknown until the task has ended
 */
struct profile_entry {
	struct evtlog_profile_entry head;
	struct evtlog_profile_path *at;
	size_t count, capacity;
	struct profile_values values;
	char *own;
	uint32_t parent, missed;
	bool is_wanted, is_open;
};

/* Returns true if the entry is the sum of ended threads of a process that lives. */
static inline bool profile_is_of_ended_threads(const struct profile_entry *entry)
{
	return entry->head.cpu < 0 && !entry->head.pid && entry->head.tgid;
}

/* An empty entry of a task */
extern const struct profile_entry profile_no_entry;

/*
 * struct profile - a profile of libevtlog with entries that can be changed
 * @loaded:	owns the strings of entries without @own; NULL if all entries have @own
 * @about:	without its @entries
 * @skipped:	number of tasks that could not be read
 */
struct profile {
	struct evtlog_profile *loaded;
	struct evtlog_profile_about about;
	size_t skipped;
	struct profile_entry *at;
	size_t count, capacity;
};

/** profile_read() - read the kernel's profiles; free with profile_free() */
int profile_read(struct profile *profile);

/** profile_take() - make a profile from one of libevtlog, which profile_free() then frees */
int profile_take(struct profile *profile, struct evtlog_profile *loaded);

/** profile_give() - make a copy for libevtlog; 0 or -ENOMEM */
int profile_give(const struct profile *profile, struct evtlog_profile **givenp);

/**
 * profile_parse() - make a profile from a text, which is freed
 *
 * Tasks with bad lines are left out, with a warning. -EINVAL: no task is left, or other bad lines.
 */
int profile_parse(struct profile *profile, char *text);

/** profile_append() - add an entry, which the profile then owns; 0 or -ENOMEM */
int profile_append(struct profile *profile, const struct profile_entry *entry);

/** profile_choose() - keep entries of CPUs, or of tasks; if @pid is not 0, only of this process */
void profile_choose(struct profile *profile, bool cpus, uint64_t pid);

/** profile_drop_ended_threads() - drop sums of ended threads, which are not of one period */
void profile_drop_ended_threads(struct profile *profile);

/** profile_keep_wanted() - drop entries without @is_wanted */
void profile_keep_wanted(struct profile *profile);

/** profile_entry_finish() - raise inclusive times to at least the sum of exclusive times within */
void profile_entry_finish(struct profile_entry *entry);

/** profile_entry_copy() - copy an entry; the copy owns its strings; 0 or -ENOMEM */
int profile_entry_copy(const struct profile_entry *from, struct profile_entry *to);

void profile_free(struct profile *profile);

/**
 * profile_flatten() - make an entry with one sum for each event, over all paths
 *
 * The inclusive time of an event within itself is counted once. Free with profile_entry_free().
 */
int profile_flatten(const struct profile_entry *entry, struct profile_entry *flat);

/**
 * profile_sum() - make an entry with the sum of all entries, by path
 *
 * Free with profile_entry_free(), before @profile.
 */
int profile_sum(const struct profile *profile, struct profile_entry *sum);

void profile_entry_free(struct profile_entry *entry);

/**
 * profile_plain() - make a name printable on a terminal or in a line, in @room bytes at @to
 *
 * '_' replaces the characters of @bad, control characters and bytes that are not UTF-8.
 */
const char *profile_plain(const char *name, const char *bad, char *to, size_t room);

/** profile_event_name() - the name of an event: "write()" for "syscall:1"; @room bytes at @name */
const char *profile_event_name(const char *event, size_t length, char *name, size_t room);

enum profile_form { PROFILE_FLAT, PROFILE_TREE, PROFILE_FOLDED };

/** profile_print() - print an entry as a table, at @hz ticks per second */
int profile_print(FILE *out, const struct profile_entry *entry, enum profile_form form,
		  uint64_t hz);

struct json;

/** profile_print_json() - print an entry as an object */
void profile_print_json(struct json *json, const struct profile_entry *entry);

/** profile_print_json_paths() - print its paths as a member of an object */
void profile_print_json_paths(struct json *json, const struct profile_entry *entry);

#endif /* EVTLOG_PROFILE_PROFILE_H */
