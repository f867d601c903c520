// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Values of profiles: sums and printing.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "profile/profile.h"

const struct evtlog_profile_value *profile_value_find(const struct profile_slot *slot,
						      const char *name)
{
	for (size_t i = 0; i < slot->entry.values; i++) {
		if (!strcmp(slot->values[i].name, name))
			return &slot->values[i];
	}
	return NULL;
}

static int add_new(struct profile_slot *to, const struct evtlog_profile_value *value)
{
	struct evtlog_profile_value *values;

	values = reallocarray(to->values, to->entry.values + 1, sizeof(*values));
	if (!values)
		return -ENOMEM;
	to->values = values;
	values[to->entry.values++] = *value;
	return 0;
}

static void add(struct evtlog_profile_value *to, const struct evtlog_profile_value *value)
{
	to->count += value->count;
	to->sum += value->sum;
	if (value->least < to->least)
		to->least = value->least;
	if (value->largest > to->largest)
		to->largest = value->largest;
	if (__builtin_add_overflow(to->squares, value->squares, &to->squares))
		to->squares = UINT64_MAX;
}

int profile_values_add(struct profile_slot *to, const struct profile_slot *from)
{
	int error = 0;

	for (size_t i = 0; i < from->entry.values && !error; i++) {
		const struct evtlog_profile_value *value = &from->values[i];
		const struct evtlog_profile_value *sum = profile_value_find(to, value->name);

		if (sum)
			add(&to->values[sum - to->values], value);
		else
			error = add_new(to, value);
	}
	return error;
}

double profile_value_mean(const struct evtlog_profile_value *value)
{
	return value->count ? (double)value->sum / value->count : 0;
}

/* -1 if it is unknown */
static double deviation_of(const struct evtlog_profile_value *value)
{
	double mean = profile_value_mean(value), variance;

	if (!value->count || value->squares == UINT64_MAX)
		return -1;
	variance = (double)value->squares / value->count - mean * mean;
	return variance > 0 ? sqrt(variance) : 0;
}

void profile_values_print(FILE *out, const struct profile_slot *slot)
{
	if (!slot->entry.values)
		return;
	fprintf(out, "%10s %16s %10s %12s %12s %10s  %s\n", "count", "sum", "least", "mean",
		"deviation", "largest", "value");
	for (size_t i = 0; i < slot->entry.values; i++) {
		const struct evtlog_profile_value *value = &slot->values[i];
		double deviation = deviation_of(value);

		fprintf(out, "%10" PRIu64 " %16" PRIu64 " %10" PRIu64 " %12.2f ", value->count,
			value->sum, value->least, profile_value_mean(value));
		if (deviation < 0)
			fprintf(out, "%12s", "-");
		else
			fprintf(out, "%12.2f", deviation);
		fprintf(out, " %10" PRIu64 "  %s\n", value->largest, value->name);
	}
}

void profile_values_print_json(struct json *json, const struct profile_slot *slot)
{
	if (!slot->entry.values)
		return;
	json_array(json, "values");
	for (size_t i = 0; i < slot->entry.values; i++) {
		const struct evtlog_profile_value *value = &slot->values[i];

		json_object(json, NULL);
		json_string(json, "value", value->name);
		json_u64(json, "count", value->count);
		json_u64(json, "sum", value->sum);
		json_u64(json, "least", value->least);
		json_u64(json, "largest", value->largest);
		json_u64(json, "squares", value->squares);
		json_end(json);
	}
	json_end(json);
}
