// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Computes identities of rows from their values.
 */
#include <errno.h>
#include <stdlib.h>

#include "cursor.h"

#define HASH_FACTOR	UINT64_C(0x9e3779b97f4a7c15)

/* Bits for the position of a field in its event; no event has more fields. */
#define FIELD_BITS	12

#define CAPACITY_FIRST	1024

/* @times: rows with this hash so far; 0 if the slot is free */
struct identity_seen {
	uint64_t hash;
	uint64_t times;
};

void identities_free(struct identities *identities)
{
	free(identities->seen);
	*identities = (struct identities) { 0 };
}

int64_t identity_of_field(int64_t event, size_t field)
{
	return ((uint64_t)event << FIELD_BITS | field) & INT64_MAX;
}

static uint64_t hash_number(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * HASH_FACTOR;
	return hash ^ hash >> 32;
}

static uint64_t hash_text(uint64_t hash, struct dictionary_text text)
{
	hash = hash_number(hash, text.length);
	for (size_t i = 0; i < text.length; i++)
		hash = hash_number(hash, (unsigned char)text.bytes[i]);
	return hash;
}

static uint64_t hash_row(const struct table *table, size_t log, const struct dictionary *dictionary,
			 const int64_t *values, uint32_t nulls)
{
	uint64_t hash = hash_number(hash_number(HASH_FACTOR, log), nulls);

	for (unsigned int i = 0; i < table->column_count; i++) {
		if (nulls >> i & 1)
			continue;
		hash = table->columns[i].type == TABLE_STRING ?
		       hash_text(hash, dictionary_text(dictionary, values[i])) :
		       hash_number(hash, values[i]);
	}
	return hash;
}

static struct identity_seen *place_of(const struct identities *identities, uint64_t hash)
{
	size_t mask = identities->capacity - 1, at = hash & mask;

	while (identities->seen[at].times && identities->seen[at].hash != hash)
		at = (at + 1) & mask;
	return &identities->seen[at];
}

static int reserve(struct identities *identities)
{
	struct identities grown = *identities;

	if (2 * identities->count < identities->capacity)
		return 0;
	grown.capacity = identities->capacity ? 2 * identities->capacity : CAPACITY_FIRST;
	grown.seen = calloc(grown.capacity, sizeof(*grown.seen));
	if (!grown.seen)
		return -ENOMEM;
	for (size_t i = 0; i < identities->capacity; i++)
		if (identities->seen[i].times)
			*place_of(&grown, identities->seen[i].hash) = identities->seen[i];
	free(identities->seen);
	*identities = grown;
	return 0;
}

static int take_hash(struct identities *identities, uint64_t hash, int64_t *identity)
{
	struct identity_seen *seen;
	int error = reserve(identities);

	if (error)
		return error;
	seen = place_of(identities, hash);
	identities->count += !seen->times;
	seen->hash = hash;
	*identity = (seen->times ? hash_number(hash, seen->times) : hash) & INT64_MAX;
	seen->times++;
	return 0;
}

int identities_take(struct identities *identities, enum table_number table, size_t log,
		    const struct dictionary *dictionary, const int64_t *values, uint32_t nulls,
		    int64_t *identity)
{
	switch (table) {
	case TABLE_EVENT:
		*identity = values[0];
		return 0;
	case TABLE_ARGS:
		identities->field = values[0] == identities->event ? identities->field + 1 : 0;
		identities->event = values[0];
		*identity = identity_of_field(values[0], identities->field);
		return 0;
	default:
		return take_hash(identities, hash_row(&tables_list[table], log, dictionary, values,
						      nulls), identity);
	}
}
