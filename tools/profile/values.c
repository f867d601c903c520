// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Values of profiles: sums and printing.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/json.h"
#include "profile/profile.h"

const struct evtlog_profile_value *profile_values_find(const struct profile_values *values,
						       const char *name)
{
	for (size_t i = 0; i < values->count; i++) {
		if (!strcmp(values->at[i].name, name))
			return &values->at[i];
	}
	return NULL;
}

void profile_values_add(struct profile_values *to, const struct profile_values *from)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct evtlog_profile_value *value = &from->at[i];
		struct evtlog_profile_value *sum =
			(struct evtlog_profile_value *)profile_values_find(to, value->name);

		if (!sum) {
			if (to->count < PROFILE_VALUES_MAX)
				to->at[to->count++] = *value;
			continue;
		}
		sum->count += value->count;
		sum->sum += value->sum;
		if (value->least < sum->least)
			sum->least = value->least;
		if (value->largest > sum->largest)
			sum->largest = value->largest;
		if (__builtin_add_overflow(sum->squares, value->squares, &sum->squares))
			sum->squares = UINT64_MAX;
	}
}

double profile_value_mean(const struct evtlog_profile_value *value)
{
	return value->count ? (double)value->sum / value->count : 0;
}

double profile_value_deviation(const struct evtlog_profile_value *value)
{
	double mean = profile_value_mean(value), variance;

	if (!value->count || value->squares == UINT64_MAX)
		return -1;
	variance = (double)value->squares / value->count - mean * mean;
	return variance > 0 ? sqrt(variance) : 0;
}

void profile_values_print(FILE *out, const struct profile_values *values)
{
	if (!values->count)
		return;
	fprintf(out, "%10s %16s %10s %12s %12s %10s  %s\n", "count", "sum", "least", "mean",
		"deviation", "largest", "value");
	for (size_t i = 0; i < values->count; i++) {
		const struct evtlog_profile_value *value = &values->at[i];
		double deviation = profile_value_deviation(value);

		fprintf(out, "%10" PRIu64 " %16" PRIu64 " %10" PRIu64 " %12.2f ", value->count,
			value->sum, value->least, profile_value_mean(value));
		if (deviation < 0)
			fprintf(out, "%12s", "-");
		else
			fprintf(out, "%12.2f", deviation);
		fprintf(out, " %10" PRIu64 "  %s\n", value->largest, value->name);
	}
}

void profile_values_print_json(struct json *json, const struct profile_values *values)
{
	if (!values->count)
		return;
	json_array(json, "values");
	for (size_t i = 0; i < values->count; i++) {
		const struct evtlog_profile_value *value = &values->at[i];

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
