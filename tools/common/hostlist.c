// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Expands lists of hosts, in the syntax of ClusterShell and Slurm.
 *
 * The results are safe on a command line: no name begins with '-' or contains blanks or quotes.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "hostlist.h"
#include "lib/base/array.h"

#define NAME_BYTES	256
#define BRACKETS_MAX	8
#define DIGITS_MAX	18
#define LINE_BYTES_MAX	(1 << 20)

/* State of an expansion: @name so far, with @brackets brackets. */
struct expansion {
	struct hostlist *list;
	char name[NAME_BYTES];
	unsigned int brackets;
	char *why;
};

static int refuse(char *why, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int refuse(char *why, int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, HOSTLIST_WHY_BYTES, format, args);
	va_end(args);
	return error;
}

static int add_name(struct expansion *at)
{
	struct hostlist *list = at->list;
	const char *name = at->name;

	if (!isalnum((unsigned char)*name))
		return refuse(at->why, -EINVAL, "'%.100s' is not a host", name);
	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._-", *c))
			return refuse(at->why, -EINVAL, "'%.100s' is not a host", name);
	if (list->count == HOSTLIST_MAX)
		return refuse(at->why, -E2BIG, "more than %d hosts", HOSTLIST_MAX);
	if (array_reserve(&list->hosts, &list->capacity, list->count, sizeof(*list->hosts)))
		return refuse(at->why, -ENOMEM, "out of memory");
	list->hosts[list->count] = strdup(name);
	if (!list->hosts[list->count])
		return refuse(at->why, -ENOMEM, "out of memory");
	list->count++;
	return 0;
}

static int expand(struct expansion *at, const char *word, size_t length);

static bool parse_number(const char **text, const char *end, uint64_t *number, int *digits)
{
	*number = 0;
	for (*digits = 0; *text < end && isdigit((unsigned char)**text); (*text)++) {
		*number = *number * 10 + (**text - '0');
		if (++*digits > DIGITS_MAX)
			return false;
	}
	return *digits;
}

/* Expands an item of a bracket, "5", "1-3" or "0-20/5", and then the rest of the word. */
static int expand_range(struct expansion *at, const char *item, const char *end,
			const char *rest, size_t rest_length)
{
	const char *begin = item;
	size_t used = strlen(at->name);
	uint64_t first, last, step = 1;
	int digits, last_digits, error = 0;

	if (!parse_number(&item, end, &first, &digits))
		goto bad;
	last = first;
	if (item < end && *item == '-') {
		item++;
		if (!parse_number(&item, end, &last, &last_digits) || last_digits < digits)
			goto bad;
		if (item < end && *item == '/') {
			item++;
			if (!parse_number(&item, end, &step, &last_digits) || !step)
				goto bad;
		}
	}
	if (item != end || last < first)
		goto bad;
	if ((last - first) / step >= HOSTLIST_MAX)
		return refuse(at->why, -E2BIG, "more than %d hosts", HOSTLIST_MAX);
	for (uint64_t number = first; number <= last && !error; number += step) {
		if (used + DIGITS_MAX + 1 >= sizeof(at->name))
			goto bad;
		sprintf(at->name + used, "%0*" PRIu64, digits, number);
		error = expand(at, rest, rest_length);
	}
	at->name[used] = '\0';
	return error;
bad:
	return refuse(at->why, -EINVAL, "'%.*s' is not a range such as 1-3 or 001-128",
		      (int)(end - begin), begin);
}

static int expand_bracket(struct expansion *at, const char *inside, size_t length,
			  const char *rest, size_t rest_length)
{
	const char *end = inside + length;
	int error;

	if (++at->brackets > BRACKETS_MAX)
		return refuse(at->why, -EINVAL, "more than %d brackets in a word", BRACKETS_MAX);
	for (;;) {
		const char *comma = memchr(inside, ',', end - inside);

		error = expand_range(at, inside, comma ? comma : end, rest, rest_length);
		if (error || !comma)
			break;
		inside = comma + 1;
	}
	at->brackets--;
	return error;
}

/* Adds all names that @at->name and @word give together.  @at->name is the same afterwards. */
static int expand(struct expansion *at, const char *word, size_t length)
{
	const char *open = memchr(word, '[', length), *close;
	size_t plain = open ? (size_t)(open - word) : length;
	size_t used = strlen(at->name);
	int error;

	if (used + plain >= sizeof(at->name))
		return refuse(at->why, -EINVAL, "'%.60s...' is too long for a host", word);
	memcpy(at->name + used, word, plain);
	at->name[used + plain] = '\0';
	if (!open) {
		error = add_name(at);
	} else {
		close = memchr(open, ']', length - plain);
		if (!close)
			return refuse(at->why, -EINVAL, "'%.*s' has no ']'", (int)length, word);
		error = expand_bracket(at, open + 1, close - open - 1, close + 1,
				       word + length - close - 1);
	}
	at->name[used] = '\0';
	return error;
}

struct place {
	char *host;
	size_t index;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = strcmp(x->host, y->host);

	return order ? order : x->index < y->index ? -1 : x->index > y->index;
}

static struct place *sorted_places(const struct hostlist *list)
{
	struct place *places = calloc(list->count + 1, sizeof(*places));

	if (!places)
		return NULL;
	for (size_t i = 0; i < list->count; i++)
		places[i] = (struct place){ list->hosts[i], i };
	qsort(places, list->count, sizeof(*places), compare_places);
	return places;
}

/* Removes NULL elements. */
static void close_up(struct hostlist *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++)
		if (list->hosts[i])
			list->hosts[kept++] = list->hosts[i];
	list->count = kept;
}

static int drop_repeated(struct hostlist *list)
{
	struct place *places = sorted_places(list);
	size_t kept = 0;

	if (!places)
		return -ENOMEM;
	for (size_t i = 1; i < list->count; i++) {
		if (strcmp(places[i].host, places[kept].host)) {
			kept = i;
			continue;
		}
		list->hosts[places[i].index] = NULL;
		free(places[i].host);
	}
	free(places);
	close_up(list);
	return 0;
}

/* Length of the word at @text: a comma in brackets does not end it. */
static size_t word_length(const char *text)
{
	bool inside = false;
	size_t length;

	for (length = 0; text[length]; length++) {
		if (text[length] == '[')
			inside = true;
		else if (text[length] == ']')
			inside = false;
		else if (isspace((unsigned char)text[length]) || (text[length] == ',' && !inside))
			break;
	}
	return length;
}

int hostlist_add(struct hostlist *list, const char *text, char *why)
{
	struct expansion at = { .list = list, .why = why };
	int error;

	for (;;) {
		size_t length;

		while (*text == ',' || isspace((unsigned char)*text))
			text++;
		if (!*text)
			break;
		length = word_length(text);
		error = expand(&at, text, length);
		if (error)
			return error;
		text += length;
	}
	if (drop_repeated(list))
		return refuse(why, -ENOMEM, "out of memory");
	return 0;
}

/* Reads a line.  Returns its length, 0 at the end, or -errno; -EFBIG if it is too long. */
static ssize_t read_line(char **line, size_t *capacity, FILE *file)
{
	size_t length = 0;
	int c;

	while ((c = getc(file)) != EOF) {
		if (length >= LINE_BYTES_MAX)
			return -EFBIG;
		if (array_reserve_more(line, capacity, length, 2, 1))
			return -ENOMEM;
		(*line)[length++] = c;
		(*line)[length] = '\0';
		if (c == '\n')
			break;
	}
	return c == EOF && ferror(file) ? -EIO : (ssize_t)length;
}

int hostlist_add_file(struct hostlist *list, const char *path, char *why)
{
	unsigned int number = 0;
	size_t capacity = 0;
	char *line = NULL;
	FILE *file;
	int error = 0;

	file = fopen(path, "re");
	if (!file)
		return refuse(why, -errno, "%.150s: %s", path, strerror(errno));
	/* Not getline(): its result is the same for the end and for lack of memory. */
	while (!error && !feof(file)) {
		char cause[HOSTLIST_WHY_BYTES];
		ssize_t length = read_line(&line, &capacity, file);

		number++;
		if (length == -EFBIG)
			error = refuse(why, -EINVAL, "%.100s:%u: a line of more than %d bytes", path,
				       number, LINE_BYTES_MAX);
		else if (length < 0)
			error = refuse(why, length, "%.150s: %s", path, strerror(-length));
		if (error || !length)
			break;
		line[strcspn(line, "#")] = '\0';
		error = hostlist_add(list, line, cause);
		if (error)
			refuse(why, error, "%.100s:%u: %.130s", path, number, cause);
	}
	free(line);
	fclose(file);
	return error;
}

int hostlist_remove(struct hostlist *list, const struct hostlist *others)
{
	struct place *places = sorted_places(list), *gone = sorted_places(others);
	size_t j = 0;

	if (!places || !gone) {
		free(places);
		free(gone);
		return -ENOMEM;
	}
	for (size_t i = 0; i < list->count; i++) {
		while (j < others->count && strcmp(gone[j].host, places[i].host) < 0)
			j++;
		if (j == others->count)
			break;
		if (strcmp(gone[j].host, places[i].host))
			continue;
		list->hosts[places[i].index] = NULL;
		free(places[i].host);
	}
	free(places);
	free(gone);
	close_up(list);
	return 0;
}

void hostlist_free(struct hostlist *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->hosts[i]);
	free(list->hosts);
	memset(list, 0, sizeof(*list));
}
