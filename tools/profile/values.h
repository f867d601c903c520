/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of a task or CPU: numbers without a time, such as bytes read and lengths of queues.
 */
#ifndef EVTLOG_PROFILE_VALUES_H
#define EVTLOG_PROFILE_VALUES_H

#include <stddef.h>
#include <stdio.h>

#include <evtlog/profiles.h>

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

#endif /* EVTLOG_PROFILE_VALUES_H */
