// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads BTF: types by number and name, members of structures.
 *
 * Called by module-names.c and tools/path.  A module's types and names are numbered on behind the
 * kernel's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf.h"

#define DEPTH_MAX	8
/* Of typedefs and qualifiers in a row */
#define CHAIN_MAX	32

/* @types: by number, those of @base left out; @first: the number of the first one */
struct btf {
	const struct btf *base;
	const uint8_t *strings;
	uint32_t strings_length;
	uint32_t strings_first;
	const struct btf_type **types;
	uint32_t count;
	uint32_t capacity;
	uint32_t first;
};

/* Bytes behind a type's head; -1: no such kind. */
static int64_t more_bytes(const struct btf_type *type)
{
	uint32_t count = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return count * (int64_t)sizeof(struct btf_member);
	case BTF_KIND_ENUM:
	case BTF_KIND_FUNC_PROTO:
		return count * INT64_C(8);
	case BTF_KIND_DATASEC:
	case BTF_KIND_ENUM64:
		return count * INT64_C(12);
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	default:
		return -1;
	}
}

static int add_type(struct btf *btf, const struct btf_type *type)
{
	if (btf->count == btf->capacity) {
		uint32_t capacity = btf->capacity ? 2 * btf->capacity : 4096;
		const struct btf_type **types =
			reallocarray(btf->types, capacity, sizeof(*types));

		if (!types)
			return -ENOMEM;
		btf->types = types;
		btf->capacity = capacity;
	}
	btf->types[btf->count++] = type;
	return 0;
}

static int find_types(struct btf *btf, const uint8_t *at, size_t length)
{
	/* Of the kernel's, type 0 is void. */
	int error = btf->base ? 0 : add_type(btf, NULL);

	while (!error && length) {
		const struct btf_type *type = (const void *)at;
		int64_t more;

		if (length < sizeof(*type))
			return -EBADMSG;
		more = more_bytes(type);
		if (more < 0 || (uint64_t)more > length - sizeof(*type))
			return -EBADMSG;
		error = add_type(btf, type);
		at += sizeof(*type) + more;
		length -= sizeof(*type) + more;
	}
	return error;
}

int btf_read(const void *bytes, size_t length, const struct btf *base, struct btf **btfp)
{
	const struct btf_header *header = bytes;
	struct btf *btf;
	int error;

	if (length < sizeof(*header) || header->magic != BTF_MAGIC || header->version != 1 ||
	    header->hdr_len < sizeof(*header) || header->hdr_len > length)
		return -EBADMSG;
	length -= header->hdr_len;
	if (header->type_off > length || header->type_len > length - header->type_off ||
	    header->str_off > length || header->str_len > length - header->str_off ||
	    (header->hdr_len | header->type_off) % 4)
		return -EBADMSG;
	btf = calloc(1, sizeof(*btf));
	if (!btf)
		return -ENOMEM;
	btf->base = base;
	btf->first = base ? base->first + base->count : 0;
	btf->strings = (const uint8_t *)bytes + header->hdr_len + header->str_off;
	btf->strings_length = header->str_len;
	btf->strings_first = base ? base->strings_first + base->strings_length : 0;
	error = find_types(btf, (const uint8_t *)bytes + header->hdr_len + header->type_off,
			   header->type_len);
	if (error)
		btf_free(btf);
	else
		*btfp = btf;
	return error;
}

void btf_free(struct btf *btf)
{
	if (!btf)
		return;
	free(btf->types);
	free(btf);
}

const struct btf_type *btf_type(const struct btf *btf, uint32_t id)
{
	while (id < btf->first)
		btf = btf->base;
	return id - btf->first < btf->count ? btf->types[id - btf->first] : NULL;
}

uint32_t btf_plain(const struct btf *btf, uint32_t id)
{
	for (int i = 0; i < CHAIN_MAX; i++) {
		const struct btf_type *type = btf_type(btf, id);

		if (!type)
			return 0;
		switch (BTF_INFO_KIND(type->info)) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_CONST:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			id = type->type;
			break;
		default:
			return id;
		}
	}
	return 0;
}

bool btf_has_name(const struct btf *btf, uint32_t name, const char *is, size_t length)
{
	while (name < btf->strings_first)
		btf = btf->base;
	name -= btf->strings_first;
	return name < btf->strings_length && length < btf->strings_length - name &&
	       !memcmp(btf->strings + name, is, length) && !btf->strings[name + length];
}

uint32_t btf_find(const struct btf *btf, unsigned int kind, const char *name, size_t length,
		  uint32_t after)
{
	for (uint32_t i = after >= btf->first ? after - btf->first + 1 : 0; i < btf->count; i++) {
		const struct btf_type *type = btf->types[i];

		if (type && BTF_INFO_KIND(type->info) == kind &&
		    btf_has_name(btf, type->name_off, name, length))
			return btf->first + i;
	}
	return 0;
}

uint64_t btf_bytes(const struct btf *btf, uint32_t id)
{
	uint64_t count = 1;

	for (int i = 0; i < CHAIN_MAX; i++) {
		const struct btf_type *type = btf_type(btf, btf_plain(btf, id));
		const struct btf_array *array;

		if (!type)
			return 0;
		switch (BTF_INFO_KIND(type->info)) {
		case BTF_KIND_INT:
		case BTF_KIND_ENUM:
		case BTF_KIND_ENUM64:
		case BTF_KIND_FLOAT:
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
			return count * type->size;
		case BTF_KIND_PTR:
			return count * 8;
		case BTF_KIND_ARRAY:
			array = (const void *)(type + 1);
			if (__builtin_mul_overflow(count, array->nelems, &count) || count > UINT32_MAX)
				return 0;
			id = array->type;
			break;
		default:
			return 0;
		}
	}
	return 0;
}

static bool is_structure(const struct btf_type *type)
{
	return type && (BTF_INFO_KIND(type->info) == BTF_KIND_STRUCT ||
			BTF_INFO_KIND(type->info) == BTF_KIND_UNION);
}

static bool find_member(const struct btf *btf, const struct btf_type *type, const char *name,
			size_t length, int depth, struct btf_place *place)
{
	const struct btf_member *member = (const void *)(type + 1);
	bool has_fields = BTF_INFO_KFLAG(type->info);

	for (uint32_t i = 0; i < BTF_INFO_VLEN(type->info); i++, member++) {
		uint32_t at = has_fields ? BTF_MEMBER_BIT_OFFSET(member->offset) : member->offset;
		const struct btf_type *within;

		if (length && btf_has_name(btf, member->name_off, name, length)) {
			*place = (struct btf_place){
				.bits = at, .type = member->type,
				.bitfield = has_fields ? BTF_MEMBER_BITFIELD_SIZE(member->offset) : 0,
			};
			return true;
		}
		if (!btf_has_name(btf, member->name_off, "", 0) || depth == DEPTH_MAX)
			continue;
		within = btf_type(btf, btf_plain(btf, member->type));
		if (is_structure(within) &&
		    find_member(btf, within, name, length, depth + 1, place)) {
			place->bits += at;
			return true;
		}
	}
	return false;
}

bool btf_member(const struct btf *btf, const struct btf_type *type, const char *name,
		size_t length, struct btf_place *place)
{
	return is_structure(type) && find_member(btf, type, name, length, 0, place);
}
