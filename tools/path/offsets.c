// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Offsets of members of structures, from BTF, the kernel's description of its types
 * (Documentation/bpf/btf.rst), or from a text file.
 *
 * The bytes are checked like those of any file.
 */
#include <errno.h>
#include <linux/btf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"
#include "stations.h"

/* ---- BTF ---- */

#define DEPTH_MAX	8

/* @types: by id; type 0 is NULL */
struct btf {
	const uint8_t *strings;
	uint32_t strings_length;
	const struct btf_type **types;
	uint32_t count;
	uint32_t capacity;
};

/* The number of bytes after the head of a type; -1 if the kind is unknown. */
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
	int error = add_type(btf, NULL);

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

static bool has_name(const struct btf *btf, uint32_t at, const char *name)
{
	size_t length = strlen(name) + 1;

	return at < btf->strings_length && length <= btf->strings_length - at &&
	       !memcmp(btf->strings + at, name, length);
}

static const struct btf_type *structure_of(const struct btf *btf, uint32_t id)
{
	for (int depth = 0; id && id < btf->count && depth < DEPTH_MAX; depth++) {
		const struct btf_type *type = btf->types[id];

		switch (BTF_INFO_KIND(type->info)) {
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
			return type;
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_CONST:
		case BTF_KIND_TYPE_TAG:
			id = type->type;
			break;
		default:
			return NULL;
		}
	}
	return NULL;
}

/* Also searches in members without a name. */
static bool find_member(const struct btf *btf, const struct btf_type *type, const char *name,
			int depth, uint32_t *bits)
{
	const struct btf_member *member = (const void *)(type + 1);

	for (uint32_t i = 0; i < BTF_INFO_VLEN(type->info); i++, member++) {
		uint32_t at = BTF_INFO_KFLAG(type->info) ? BTF_MEMBER_BIT_OFFSET(member->offset) :
							   member->offset;
		const struct btf_type *within;

		if (has_name(btf, member->name_off, name)) {
			*bits = at;
			return true;
		}
		if (!has_name(btf, member->name_off, "") || depth == DEPTH_MAX)
			continue;
		within = structure_of(btf, member->type);
		if (within && find_member(btf, within, name, depth + 1, bits)) {
			*bits += at;
			return true;
		}
	}
	return false;
}

static int find(const struct btf *btf, const char *structure, const char *member,
		unsigned int *offset)
{
	uint32_t bits;

	for (uint32_t i = 1; i < btf->count; i++) {
		const struct btf_type *type = btf->types[i];

		if (BTF_INFO_KIND(type->info) != BTF_KIND_STRUCT ||
		    !has_name(btf, type->name_off, structure))
			continue;
		if (!find_member(btf, type, member, 0, &bits) || bits % 8)
			continue;
		*offset = bits / 8;
		return 0;
	}
	return -ESRCH;
}

int path_btf_offset(const void *bytes, size_t length, const char *structure, const char *member,
		    unsigned int *offset)
{
	const struct btf_header *header = bytes;
	struct btf btf = { 0 };
	int error;

	if (length < sizeof(*header) || header->magic != BTF_MAGIC || header->version != 1 ||
	    header->hdr_len < sizeof(*header) || header->hdr_len > length)
		return -EBADMSG;
	length -= header->hdr_len;
	if (header->type_off > length || header->type_len > length - header->type_off ||
	    header->str_off > length || header->str_len > length - header->str_off ||
	    (header->hdr_len | header->type_off) % 4)
		return -EBADMSG;
	btf.strings = (const uint8_t *)bytes + header->hdr_len + header->str_off;
	btf.strings_length = header->str_len;
	error = find_types(&btf, (const uint8_t *)bytes + header->hdr_len + header->type_off,
			   header->type_len);
	if (!error)
		error = find(&btf, structure, member, offset);
	free(btf.types);
	return error;
}

/* ---- Files ---- */

#define FILE_MAX	(64u << 20)

/* The size of a file in sysfs is unknown before it is read. */
static int read_whole(const char *path, char **bytesp, size_t *lengthp)
{
	FILE *file = fopen(path, "re");
	size_t length = 0, capacity = 1 << 20, got;
	char *bytes = NULL, *more;
	int error = 0;

	if (!file)
		return -errno;
	for (;;) {
		more = realloc(bytes, capacity + 1);
		if (!more) {
			error = -ENOMEM;
			break;
		}
		bytes = more;
		got = fread(bytes + length, 1, capacity - length, file);
		length += got;
		if (ferror(file))
			error = -EIO;
		if (!got || error)
			break;
		if (length == capacity)
			capacity *= 2;
		if (capacity > FILE_MAX) {
			error = -EFBIG;
			break;
		}
	}
	fclose(file);
	if (error) {
		free(bytes);
		return error;
	}
	bytes[length] = '\0';
	*bytesp = bytes;
	*lengthp = length;
	return 0;
}

/* The members that probes need; optional ones can be missing in the kernel's BTF. */
static const struct {
	const char *structure;
	const char *member;
	size_t at;
	bool is_optional;
} wanted[] = {
	{ "sk_buff", "len", offsetof(struct path_offsets, len), false },
	{ "sk_buff", "data_len", offsetof(struct path_offsets, data_len), false },
	{ "sk_buff", "data", offsetof(struct path_offsets, data), false },
	{ "tcp_sock", "write_seq", offsetof(struct path_offsets, write_seq), true },
};

#define WANTED	(sizeof(wanted) / sizeof(*wanted))

static unsigned int *place(struct path_offsets *offsets, size_t number)
{
	return (unsigned int *)((char *)offsets + wanted[number].at);
}

int path_offsets_of_btf(struct path_offsets *offsets, const char *path)
{
	size_t length;
	char *bytes;
	int error = read_whole(path, &bytes, &length);

	if (error)
		return error;
	memset(offsets, 0, sizeof(*offsets));
	for (size_t i = 0; i < WANTED && !error; i++) {
		error = path_btf_offset(bytes, length, wanted[i].structure, wanted[i].member,
					place(offsets, i));
		if (error == -ESRCH && wanted[i].is_optional)
			error = 0;
	}
	free(bytes);
	return error;
}

/* Parses a line such as "sk_buff.data 192". */
static int take_line(struct path_offsets *offsets, const char *line, unsigned int *seen)
{
	for (size_t i = 0; i < WANTED; i++) {
		char name[64];
		size_t length = snprintf(name, sizeof(name), "%s.%s ", wanted[i].structure,
					 wanted[i].member);

		if (strncmp(line, name, length))
			continue;
		if (number_parse_u32(place(offsets, i), line + length, 0, 65535))
			return -ESRCH;
		*seen |= 1u << i;
	}
	return 0;
}

int path_offsets_of_file(struct path_offsets *offsets, const char *path)
{
	unsigned int seen = 0;
	char *text, *at, *line;
	size_t length;
	int error = read_whole(path, &text, &length);

	if (error)
		return error;
	at = text;
	while (!error && (line = strsep(&at, "\n")))
		error = take_line(offsets, line, &seen);
	free(text);
	if (!error && seen != (1u << WANTED) - 1)
		error = -ESRCH;
	return error;
}
