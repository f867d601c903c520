// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Folds hosts that differ only in numbers, one number after the other, from the last number on.
 *
 * The inverse of hostlist.c.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hostlist.h"

/* Numbers of a name that can be folded; further numbers are treated as letters. */
#define AXES_MAX	4
/* The limit of hostlist.c. */
#define DIGITS_MAX	18

/* @parts: text, number, text, number, ..., text; a folded number becomes "[1-3,5]" */
struct pattern {
	char *parts[2 * AXES_MAX + 1];
	unsigned int axes;
};

static void free_pattern(struct pattern *pattern)
{
	for (unsigned int i = 0; i <= 2 * pattern->axes; i++)
		free(pattern->parts[i]);
}

static size_t digits_at(const char *text)
{
	return strspn(text, "0123456789");
}

/* Length of the text before the next number that can be folded. */
static size_t letters_at(const char *text)
{
	size_t length = 0, digits;

	while (text[length]) {
		digits = digits_at(text + length);
		if (digits && digits <= DIGITS_MAX)
			break;
		length += digits ? digits : 1;
	}
	return length;
}

static int split(struct pattern *pattern, const char *host)
{
	pattern->axes = 0;
	for (;;) {
		char **part = &pattern->parts[2 * pattern->axes];
		size_t letters = pattern->axes < AXES_MAX ? letters_at(host) : strlen(host);

		part[0] = strndup(host, letters);
		if (!part[0])
			break;
		host += letters;
		if (!*host)
			return 0;
		part[1] = strndup(host, digits_at(host));
		if (!part[1]) {
			free(part[0]);
			break;
		}
		host += digits_at(host);
		pattern->axes++;
	}
	for (unsigned int i = 0; i < 2 * pattern->axes; i++)
		free(pattern->parts[i]);
	return -ENOMEM;
}

static uint64_t number_of(const char *part)
{
	return strtoull(part + (*part == '['), NULL, 10);
}

static int compare_numbers(const char *a, const char *b)
{
	uint64_t x = number_of(a), y = number_of(b);

	if (x != y)
		return x < y ? -1 : 1;
	if (strlen(a) != strlen(b) && *a != '[' && *b != '[')
		return strlen(a) < strlen(b) ? -1 : 1;
	return strcmp(a, b);
}

/* Compares all but number @axis; if @axis is -1, compares all. */
static int compare_but(const struct pattern *a, const struct pattern *b, int axis)
{
	int order;

	for (unsigned int i = 0; i <= 2 * a->axes && i <= 2 * b->axes; i += 2) {
		order = strcmp(a->parts[i], b->parts[i]);
		if (order)
			return order;
	}
	if (a->axes != b->axes)
		return a->axes < b->axes ? -1 : 1;
	for (int i = 0; i < (int)a->axes; i++) {
		order = i == axis ? 0 : compare_numbers(a->parts[2 * i + 1], b->parts[2 * i + 1]);
		if (order)
			return order;
	}
	return 0;
}

static int compare_along(const void *a, const void *b, void *axis_pointer)
{
	const struct pattern *x = a, *y = b;
	int axis = *(const int *)axis_pointer;
	int order = compare_but(x, y, axis);

	if (order || axis < 0 || axis >= (int)x->axes)
		return order;
	return compare_numbers(x->parts[2 * axis + 1], y->parts[2 * axis + 1]);
}

static bool follows(const char *first, uint64_t number, const char *part)
{
	char expected[DIGITS_MAX + 2];

	snprintf(expected, sizeof(expected), "%0*" PRIu64, (int)strlen(first), number);
	return !strcmp(expected, part);
}

/* Makes "[1-3,5]" from number @axis of @patterns, which are otherwise equal. */
static char *fold_axis(const struct pattern *patterns, size_t count, unsigned int axis)
{
	bool *used = calloc(count, sizeof(*used));
	const char *before = "[";
	size_t bytes;
	char *text;
	FILE *to = used ? open_memstream(&text, &bytes) : NULL;

	if (!to) {
		free(used);
		return NULL;
	}
	for (size_t i = 0; i < count; i++) {
		const char *first = patterns[i].parts[2 * axis + 1], *last = first;
		uint64_t number = number_of(first);

		if (used[i])
			continue;
		/* 01 may be between 1 and 2, in another range. */
		for (size_t j = i + 1; j < count; j++) {
			const char *part = patterns[j].parts[2 * axis + 1];

			if (number_of(part) > number + 1)
				break;
			if (used[j] || !follows(first, number + 1, part))
				continue;
			used[j] = true;
			last = part;
			number++;
		}
		fprintf(to, "%s%s", before, first);
		if (last != first)
			fprintf(to, "-%s", last);
		before = ",";
	}
	free(used);
	fputc(']', to);
	if (fclose(to)) {
		free(text);
		return NULL;
	}
	return text;
}

/* Folds number @axis in all names that have it, and reduces @count. */
static int fold_along(struct pattern *patterns, size_t *count, int axis)
{
	size_t kept = 0;

	qsort_r(patterns, *count, sizeof(*patterns), compare_along, &axis);
	for (size_t i = 0, next; i < *count; i = next) {
		next = i + 1;
		if (axis < (int)patterns[i].axes)
			while (next < *count &&
			       !compare_but(&patterns[i], &patterns[next], axis))
				next++;
		if (next > i + 1) {
			char *folded = fold_axis(patterns + i, next - i, axis);

			if (!folded) {
				/* Close the gap, as the caller frees the first @count patterns. */
				memmove(patterns + kept, patterns + i,
					(*count - i) * sizeof(*patterns));
				*count -= i - kept;
				return -ENOMEM;
			}
			free(patterns[i].parts[2 * axis + 1]);
			patterns[i].parts[2 * axis + 1] = folded;
			for (size_t j = i + 1; j < next; j++)
				free_pattern(&patterns[j]);
		}
		patterns[kept++] = patterns[i];
	}
	*count = kept;
	return 0;
}

static char *print(struct pattern *patterns, size_t count)
{
	size_t bytes;
	char *text;
	FILE *to = open_memstream(&text, &bytes);

	if (!to)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		if (i)
			fputc(',', to);
		for (unsigned int part = 0; part <= 2 * patterns[i].axes; part++)
			fputs(patterns[i].parts[part], to);
	}
	if (fclose(to)) {
		free(text);
		return NULL;
	}
	return text;
}

char *fold_hosts(const char *const *hosts, size_t count)
{
	struct pattern *patterns = calloc(count + 1, sizeof(*patterns));
	size_t used = 0;
	char *text = NULL;
	int none = -1;

	if (!patterns)
		return NULL;
	for (; used < count; used++)
		if (split(&patterns[used], hosts[used]))
			goto free_patterns;
	for (int axis = AXES_MAX - 1; axis >= 0; axis--)
		if (fold_along(patterns, &used, axis))
			goto free_patterns;
	qsort_r(patterns, used, sizeof(*patterns), compare_along, &none);
	text = print(patterns, used);
free_patterns:
	for (size_t i = 0; i < used; i++)
		free_pattern(&patterns[i]);
	free(patterns);
	return text;
}

int fold_print(FILE *to, const struct fold_line *lines, size_t count)
{
	const char **hosts = calloc(count + 1, sizeof(*hosts));
	bool *done = calloc(count + 1, sizeof(*done));
	int error = hosts && done ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && !error; i++) {
		size_t same = 0;
		char *folded;

		if (done[i])
			continue;
		for (size_t j = i; j < count; j++) {
			if (done[j] || strcmp(lines[i].text, lines[j].text))
				continue;
			done[j] = true;
			hosts[same++] = lines[j].host;
		}
		folded = fold_hosts(hosts, same);
		if (!folded) {
			error = -ENOMEM;
			break;
		}
		fprintf(to, "%s: %s", folded, lines[i].text);
		if (same > 1)
			fprintf(to, " (%zu hosts)", same);
		fputc('\n', to);
		free(folded);
	}
	free(done);
	free(hosts);
	return error;
}
