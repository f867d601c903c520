// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compares two profiles, event by event.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "profile/report/report.h"

/* Sums of an event; all 0 if a profile does not contain the event */
struct sums {
	uint64_t count;
	double inclusive_us, exclusive_us;
};

struct pair {
	const char *name, *group;
	struct sums old, new;
};

static double exclusive_more(const struct pair *pair)
{
	return pair->new.exclusive_us - pair->old.exclusive_us;
}

static double inclusive_more(const struct pair *pair)
{
	return pair->new.inclusive_us - pair->old.inclusive_us;
}

static int64_t count_more(const struct pair *pair)
{
	return (int64_t)(pair->new.count - pair->old.count);
}

static int by_difference(const void *a, const void *b)
{
	double one = exclusive_more(a), two = exclusive_more(b);

	one = one < 0 ? -one : one;
	two = two < 0 ? -two : two;
	if (one != two)
		return one < two ? 1 : -1;
	return strcmp(((const struct pair *)a)->name, ((const struct pair *)b)->name);
}

static struct sums sums_of(const struct report *report, const struct report_node *node)
{
	return (struct sums){ node->count, report_us(report, node->inclusive),
			      report_us(report, node->exclusive) };
}

static struct pair *pair_of(struct pair *pairs, size_t *count, const struct report_node *node)
{
	size_t i;

	for (i = 0; i < *count; i++) {
		if (!strcmp(pairs[i].name, node->name) && !strcmp(pairs[i].group, node->group))
			return &pairs[i];
	}
	pairs[i] = (struct pair){ .name = node->name, .group = node->group };
	(*count)++;
	return &pairs[i];
}

static void print_text(FILE *out, const struct pair *pairs, size_t count)
{
	char name[512];

	fprintf(out, "%10s %15s %15s %10s  %s\n", "calls", "inclusive us", "exclusive us", "%",
		"event");
	for (size_t i = 0; i < count; i++) {
		const struct pair *pair = &pairs[i];

		fprintf(out, "%+10" PRId64 " %+15.3f %+15.3f ", count_more(pair),
			inclusive_more(pair), exclusive_more(pair));
		if (pair->old.exclusive_us > 0)
			fprintf(out, "%+10.2f",
				exclusive_more(pair) * 100 / pair->old.exclusive_us);
		else
			fprintf(out, "%10s", pair->new.count || pair->new.exclusive_us > 0 ?
				"new" : "");
		fprintf(out, "  %s\n", profile_plain(pair->name, "", name, sizeof(name)));
	}
}

static void print_sums(struct json *json, const char *key, const struct sums *sums)
{
	json_object(json, key);
	json_u64(json, "count", sums->count);
	json_double(json, "inclusive_us", sums->inclusive_us, 3);
	json_double(json, "exclusive_us", sums->exclusive_us, 3);
	json_end(json);
}

static void print_json(FILE *out, const struct pair *pairs, size_t count)
{
	struct json json;

	json_start(&json, out, false);
	json_object(&json, NULL);
	json_array(&json, "differences");
	for (size_t i = 0; i < count; i++) {
		json_object(&json, NULL);
		json_string(&json, "event", pairs[i].name);
		json_string(&json, "group", pairs[i].group);
		json_s64(&json, "count", count_more(&pairs[i]));
		json_double(&json, "inclusive_us", inclusive_more(&pairs[i]), 3);
		json_double(&json, "exclusive_us", exclusive_more(&pairs[i]), 3);
		print_sums(&json, "old", &pairs[i].old);
		print_sums(&json, "new", &pairs[i].new);
		json_end(&json);
	}
	json_end(&json);
	json_end(&json);
}

/* With a sum, @report has one tree or none. */
static int flat_of(const struct report *report, struct report_tree *flat)
{
	*flat = (struct report_tree){ 0 };
	return report->count ? report_flat(&report->at[0], flat) : 0;
}

int report_compare(FILE *out, const struct report *old, const struct report *new, bool as_json)
{
	struct report_tree before, after;
	struct pair *pairs = NULL;
	size_t count = 0;
	int error = flat_of(old, &before);

	if (error)
		return error;
	error = flat_of(new, &after);
	if (!error)
		pairs = calloc(before.count + after.count + 1, sizeof(*pairs));
	if (!error && !pairs)
		error = -ENOMEM;
	if (!error) {
		for (size_t i = 0; i < before.count; i++)
			pair_of(pairs, &count, &before.at[i])->old = sums_of(old, &before.at[i]);
		for (size_t i = 0; i < after.count; i++)
			pair_of(pairs, &count, &after.at[i])->new = sums_of(new, &after.at[i]);
		qsort(pairs, count, sizeof(*pairs), by_difference);
		if (as_json)
			print_json(out, pairs, count);
		else
			print_text(out, pairs, count);
	}
	free(pairs);
	report_tree_free(&before);
	report_tree_free(&after);
	return error;
}
