// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names the choices, as many as a message has room for.
 *
 * Stage: between what was read and messages about misuse.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "lib/base/array.h"
#include "offer.h"
#include "spelling.h"

#define NAMED_MAX	8

void offer_start(struct offer *offer, const char *wanted)
{
	*offer = (struct offer) { .wanted = wanted };
}

int offer_add(struct offer *offer, const char *name)
{
	char *copy;

	for (size_t i = 0; i < offer->count; i++)
		if (!strcmp(offer->names[i], name))
			return 0;
	if (array_reserve(&offer->names, &offer->capacity, offer->count, sizeof(*offer->names)))
		return -ENOMEM;
	copy = strdup(name);
	if (!copy)
		return -ENOMEM;
	offer->names[offer->count++] = copy;
	return 0;
}

static void put_choices(FILE *to, const struct offer *offer, const char *begin)
{
	size_t named = offer->count <= NAMED_MAX ? offer->count : NAMED_MAX;

	if (!offer->count) {
		fprintf(to, "%chere is none", *begin);
		return;
	}
	fprintf(to, "%s", begin);
	for (size_t i = 0; i < named; i++)
		fprintf(to, "%s%s", i ? ", " : "", offer->names[i]);
	if (named < offer->count)
		fprintf(to, " and %zu more", offer->count - named);
}

static char *text_of(const struct offer *offer)
{
	struct spelling spelling;
	size_t bytes;
	char *text;
	FILE *to = open_memstream(&text, &bytes);

	if (!to)
		return NULL;
	spelling_start(&spelling, offer->wanted);
	for (size_t i = 0; i < offer->count; i++)
		spelling_try(&spelling, offer->names[i]);
	if (spelling.nearest)
		fprintf(to, "did you mean '%s'? ", spelling.nearest);
	put_choices(to, offer, spelling.nearest ? "There are " : "there are ");
	if (!fclose(to))
		return text;
	free(text);
	return NULL;
}

void offer_free(struct offer *offer)
{
	for (size_t i = 0; i < offer->count; i++)
		free(offer->names[i]);
	free(offer->names);
	offer_start(offer, NULL);
}

int offer_misuse(struct offer *offer, const char *command, const char *option,
		 const char *why)
{
	char *text = text_of(offer);
	int status = misuse(command, "%s: %s: %s; %s", option, offer->wanted, why,
			    text ? text : strerror(ENOMEM));

	free(text);
	offer_free(offer);
	return status;
}
