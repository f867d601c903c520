// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Offsets of members of structures, from BTF or from a text file.
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"
#include "offsets.h"

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
