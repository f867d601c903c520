// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Maps the definitions of another archive to numbers in our archive.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "program.h"

/* Returns the index of the first ref that is not less than @ref. */
static size_t place_of(const struct ids *ids, uint64_t ref)
{
	size_t low = 0, high = ids->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ids->refs[middle] < ref)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int ids_add(struct ids *ids, uint64_t ref)
{
	bool last = !ids->count || ids->refs[ids->count - 1] < ref;
	size_t place = last ? ids->count : place_of(ids, ref);

	if (!last && ids->refs[place] == ref)
		return -EEXIST;
	if (array_reserve(&ids->refs, &ids->capacity, ids->count, sizeof(*ids->refs)))
		return -ENOMEM;
	memmove(ids->refs + place + 1, ids->refs + place,
		(ids->count - place) * sizeof(*ids->refs));
	ids->refs[place] = ref;
	ids->count++;
	return 0;
}

bool ids_find(const struct ids *ids, uint64_t ref, size_t *index)
{
	*index = place_of(ids, ref);
	return *index < ids->count && ids->refs[*index] == ref;
}

void ids_remove(struct ids *ids, size_t index)
{
	ids->count--;
	memmove(ids->refs + index, ids->refs + index + 1,
		(ids->count - index) * sizeof(*ids->refs));
}

int ids_take(struct ids *ids, uint64_t ref, uint64_t *number)
{
	size_t index;

	if (!ids_find(ids, ref, &index))
		return -ENOENT;
	if (!ids->taken)
		ids->taken = calloc(ids->count, sizeof(*ids->taken));
	if (!ids->taken)
		return -ENOMEM;
	if (ids->taken[index])
		return -EEXIST;
	ids->taken[index] = true;
	*number = ids->base + index;
	return 0;
}

void ids_free(struct ids *ids)
{
	free(ids->taken);
	free(ids->refs);
	*ids = (struct ids) { 0 };
}

bool ids_map_value(const struct ids *all, OTF2_Type type, OTF2_AttributeValue *value)
{
	static const struct {
		OTF2_Type type;
		enum id_kind kind;
	} kinds[] = {
		{ OTF2_TYPE_STRING, ID_STRING },	{ OTF2_TYPE_ATTRIBUTE, ID_ATTRIBUTE },
		{ OTF2_TYPE_REGION, ID_REGION },	{ OTF2_TYPE_GROUP, ID_GROUP },
		{ OTF2_TYPE_COMM, ID_COMM },		{ OTF2_TYPE_METRIC, ID_METRIC },
		{ OTF2_TYPE_PARAMETER, ID_PARAMETER },
	};
	uint64_t number;

	/* Plain numbers */
	if (type <= OTF2_TYPE_DOUBLE)
		return true;
	if (type == OTF2_TYPE_LOCATION)
		return ids_map(&all[ID_LOCATION], value->locationRef, &value->locationRef);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (kinds[i].type != type)
			continue;
		/* All of these are 32 bits at the same place in the union. */
		if (!ids_map(&all[kinds[i].kind], value->stringRef, &number))
			return false;
		value->stringRef = number;
		return true;
	}
	return false;
}
