/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles of tasks and CPUs, as in /proc/evtlog/profile/all: reads, selects, sums and prints them.
 *
 * A profile is that of libevtlog (lib/profile/model.h). Functions that return int return 0 or
 * -errno and print nothing, if not noted otherwise.
 */
#ifndef EVTLOG_PROFILE_PROFILE_H
#define EVTLOG_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <evtlog/profiles.h>

#include "lib/profile/model.h"

#define PROFILE_FILE	"profile/all"
#define PROFILE_CONTROL	"profile/control"

struct json;

/* ---- Reading ---- */

/** profile_read() - read the kernel's profiles; free with evtlog_profile_free() */
int profile_read(struct evtlog_profile **profilep);

/**
 * profile_parse() - make a profile from a text, which is freed
 *
 * Tasks with bad lines are left out, with a warning. -EINVAL: no task is left, or other bad lines.
 */
int profile_parse(struct evtlog_profile **profilep, char *text);

/** profile_finish() - raise inclusive times to at least the sum of exclusive times within */
void profile_finish(struct evtlog_profile *profile);

/* ---- Selection ---- */

/** profile_choose() - keep entries of CPUs, or of tasks; if @pid is not 0, only of this process */
void profile_choose(struct evtlog_profile *profile, bool cpus, uint64_t pid);

/** profile_drop_ended_threads() - drop sums of ended threads, which are not of one period */
void profile_drop_ended_threads(struct evtlog_profile *profile);

/** profile_keep_wanted() - drop entries without @is_wanted */
void profile_keep_wanted(struct evtlog_profile *profile);

/** profile_copy() - append a copy of an entry of another profile; 0 or -ENOMEM */
int profile_copy(struct evtlog_profile *profile, const struct profile_slot *from);

/* ---- Sums ---- */

/* Their strings belong to the profiles. Free them first, with profile_slot_free(). */

/**
 * profile_flatten() - make an entry with one sum for each event, over all paths, without values
 *
 * The inclusive time of an event within itself is counted once.
 */
int profile_flatten(const struct profile_slot *slot, struct profile_slot *flat);

/**
 * profile_sum() - make an entry with the sum of all entries of @count profiles, by path
 *
 * Its @cpu is that of the first entry.
 */
int profile_sum(struct evtlog_profile *const *profiles, size_t count, struct profile_slot *sum);

/* Kinds of time of tasks, and of CPUs */
enum profile_kind {
	PROFILE_USER,
	PROFILE_KERNEL,
	PROFILE_TASK,		/* user mode or the kernel, not distinguished */
	PROFILE_RUNQUEUE,
	PROFILE_PREEMPTED,
	PROFILE_INTERRUPTIBLE,
	PROFILE_UNINTERRUPTIBLE,
	PROFILE_IO,
	PROFILE_STOPPED,
	PROFILE_WAITING,
	PROFILE_IDLE,
	PROFILE_KINDS,
};

/** profile_kinds_of() - sum the exclusive ticks of an entry by kind */
void profile_kinds_of(const struct profile_slot *slot, uint64_t ticks[PROFILE_KINDS]);

/* ---- Values: numbers without a time, such as bytes read and lengths of queues ---- */

/** profile_value_find() - find a value by its name; NULL if there is none */
const struct evtlog_profile_value *profile_value_find(const struct profile_slot *slot,
						      const char *name);

/** profile_values_add() - add the values of @from to those of @to with the same names */
int profile_values_add(struct profile_slot *to, const struct profile_slot *from);

double profile_value_mean(const struct evtlog_profile_value *value);

/** profile_values_print() - print a table; nothing if there are no values */
void profile_values_print(FILE *out, const struct profile_slot *slot);

/** profile_values_print_json() - print an array as a member of an object; nothing if no values */
void profile_values_print_json(struct json *json, const struct profile_slot *slot);

/* ---- Printing ---- */

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
int profile_print(FILE *out, const struct profile_slot *slot, enum profile_form form, uint64_t hz);

/** profile_print_json() - print an entry as an object */
void profile_print_json(struct json *json, const struct profile_slot *slot);

/** profile_print_json_paths() - print its paths as a member of an object */
void profile_print_json_paths(struct json *json, const struct profile_slot *slot);

/** profile_print_compensated() - print what was subtracted, if compensated; @hz: rate of ticks */
void profile_print_compensated(FILE *out, const struct evtlog_profile_about *about, uint64_t hz);

/** profile_print_json_compensated() - print the same as a member of an object */
void profile_print_json_compensated(struct json *json, const struct evtlog_profile_about *about);

#endif /* EVTLOG_PROFILE_PROFILE_H */
