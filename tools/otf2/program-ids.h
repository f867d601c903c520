/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers that another archive's definitions get in ours.
 *
 * Stage: between what is read of a program's archive (program.h) and what is written of it.
 */
#ifndef EVTLOG_OTF2_PROGRAM_IDS_H
#define EVTLOG_OTF2_PROGRAM_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <otf2/otf2.h>

enum id_kind {
	ID_STRING,
	ID_ATTRIBUTE,
	ID_REGION,
	ID_GROUP,
	ID_COMM,
	ID_METRIC_MEMBER,
	ID_METRIC,
	ID_PARAMETER,
	ID_LOCATION_GROUP,
	ID_LOCATION,
	ID_NODE,
	ID_KINDS
};

/*
 * @refs:	of the other archive, ascending; the index of one, added to @base, is its number
 * @taken:	of each, whether ids_take() gave it; NULL: of none yet
 */
struct ids {
	uint64_t *refs;
	size_t count;
	size_t capacity;
	uint64_t base;
	bool *taken;
};

/* Takes note of a definition.  0, -EEXIST: it is there already, or -ENOMEM. */
int ids_add(struct ids *ids, uint64_t ref);

/* The index of a definition; false: there is none. */
bool ids_find(const struct ids *ids, uint64_t ref, size_t *index);

/* Forgets the one of that index. */
void ids_remove(struct ids *ids, size_t index);

/*
 * The number of a definition, once.  0, -EEXIST: it was given before, -ENOENT: it is not there,
 * or -ENOMEM.
 */
int ids_take(struct ids *ids, uint64_t ref, uint64_t *number);

void ids_free(struct ids *ids);

/* Of a value that refers to a definition, what it refers to; false: to what is not there. */
bool ids_map_value(const struct ids *all, OTF2_Type type, OTF2_AttributeValue *value);

/* What a definition is called in ours; false: it is not there. */
static inline bool ids_map(const struct ids *ids, uint64_t ref, uint64_t *number)
{
	size_t index = ref;

	if (__builtin_expect(index >= ids->count || ids->refs[index] != ref, 0) &&
	    !ids_find(ids, ref, &index))
		return false;
	*number = ids->base + index;
	return true;
}

#endif /* EVTLOG_OTF2_PROGRAM_IDS_H */
