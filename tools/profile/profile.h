/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles of tasks and CPUs, as /proc/evtlog/profile/all has them.
 *
 * Functions that return int return 0 or -errno and say nothing.
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

/* Their names are another's: of a profile of libevtlog, or constant. */
struct profile_values {
	struct evtlog_profile_value at[PROFILE_VALUES_MAX];
	size_t count;
};

/** profile_values_find() - a value by its name; NULL: there is none */
const struct evtlog_profile_value *profile_values_find(const struct profile_values *values,
						       const char *name);

/** profile_values_add() - add @from to @to, name by name */
void profile_values_add(struct profile_values *to, const struct profile_values *from);

/** profile_value_mean(), profile_value_deviation() - of all; the deviation is -1 if not known */
double profile_value_mean(const struct evtlog_profile_value *value);
double profile_value_deviation(const struct evtlog_profile_value *value);

/** profile_values_print() - a table, and nothing if there are none */
void profile_values_print(FILE *out, const struct profile_values *values);

struct json;

/** profile_values_print_json() - an array as a member of an object; nothing if there are none */
void profile_values_print_json(struct json *json, const struct profile_values *values);

/* ---- Profiles ---- */

#define PROFILE_FILE	"profile/all"
#define PROFILE_CONTROL	"profile/control"

/*
 * struct profile_entry - of a task or a CPU
 * @head:	but for its @paths and @values; @ended is 1 of a task that has ended and is an entry
 *		of its own
 * @at:		its paths, of which there are @count
 * @own:	strings that are the entry's and not its profile's; NULL: none
 * @parent:	of one that has ended: the process that forked it
 * @missed:	in how many readings it was not
 * @is_wanted:	by what reads it: see members.h
 * @is_open:	@is_wanted is set only after it has ended
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

/* The sum of threads of a process that have ended, while it lives. */
static inline bool profile_is_of_ended_threads(const struct profile_entry *entry)
{
	return entry->head.cpu < 0 && !entry->head.pid && entry->head.tgid;
}

/* A task's, of nobody. */
extern const struct profile_entry profile_no_entry;

/*
 * struct profile - a profile of libevtlog, the entries of which change
 * @loaded:	has the strings of entries without @own; NULL: all have
 * @about:	but for its @entries
 * @skipped:	tasks that could not be read
 */
struct profile {
	struct evtlog_profile *loaded;
	struct evtlog_profile_about about;
	size_t skipped;
	struct profile_entry *at;
	size_t count, capacity;
};

/** profile_read() - what the kernel has now; free with profile_free() */
int profile_read(struct profile *profile);

/** profile_take() - the same of a profile of libevtlog, which is freed by profile_free() then */
int profile_take(struct profile *profile, struct evtlog_profile *loaded);

/** profile_give() - a copy for libevtlog; 0 or -ENOMEM */
int profile_give(const struct profile *profile, struct evtlog_profile **givenp);

/**
 * profile_parse() - the same of a text, which is freed
 *
 * Tasks that can't be read are left out with one warning; -EINVAL: all of them, or another line.
 */
int profile_parse(struct profile *profile, char *text);

/** profile_append() - one entry more, which is the profile's from now on; 0 or -ENOMEM */
int profile_append(struct profile *profile, const struct profile_entry *entry);

/** profile_choose() - keep CPUs' entries, or tasks', of process @pid alone if it is not 0 */
void profile_choose(struct profile *profile, bool cpus, uint64_t pid);

/** profile_drop_ended_threads() - drop sums of threads that have ended: what shows periods has these otherwise */
void profile_drop_ended_threads(struct profile *profile);

/** profile_keep_wanted() - drop entries without @is_wanted */
void profile_keep_wanted(struct profile *profile);

/** profile_entry_finish() - inclusive times of what has not ended: at least of all that is within */
void profile_entry_finish(struct profile_entry *entry);

/** profile_entry_copy() - the same with strings of its own; 0 or -ENOMEM */
int profile_entry_copy(const struct profile_entry *from, struct profile_entry *to);

void profile_free(struct profile *profile);

/**
 * profile_flatten() - one entry for each event, whatever it was within
 *
 * An event within itself is in its inclusive time once.  Free with profile_entry_free().
 */
int profile_flatten(const struct profile_entry *entry, struct profile_entry *flat);

/**
 * profile_sum() - one entry for all of some, by path
 *
 * Free with profile_entry_free(), before @profile.
 */
int profile_sum(const struct profile *profile, struct profile_entry *sum);

void profile_entry_free(struct profile_entry *entry);

/**
 * profile_plain() - a name for a terminal or a line, in @room bytes at @to
 *
 * '_' is for each of @bad, for control characters, and for what is not UTF-8.
 */
const char *profile_plain(const char *name, const char *bad, char *to, size_t room);

/** profile_event_name() - "write" of "syscall:1"; @room bytes at @name */
const char *profile_event_name(const char *event, size_t length, char *name, size_t room);

enum profile_form { PROFILE_FLAT, PROFILE_TREE, PROFILE_FOLDED };

/** profile_print() - an entry as a table, by ticks of @hz */
int profile_print(FILE *out, const struct profile_entry *entry, enum profile_form form,
		  uint64_t hz);

struct json;

/** profile_print_json() - an entry as an object */
void profile_print_json(struct json *json, const struct profile_entry *entry);

/** profile_print_json_paths() - its paths as a member of an object */
void profile_print_json_paths(struct json *json, const struct profile_entry *entry);

#endif /* EVTLOG_PROFILE_PROFILE_H */
