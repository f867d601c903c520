// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Offsets of members of struct sk_buff, from BTF or from a file of lines.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"
#include "offsets.h"

#define FILE_MAX	(64u << 20)

/* Files of sysfs do not tell their size before they are read. */
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

int path_offsets_of_btf(struct path_offsets *offsets, const char *path)
{
	size_t length;
	char *bytes;
	int error = read_whole(path, &bytes, &length);

	if (error)
		return error;
	error = path_btf_offset(bytes, length, "sk_buff", "len", &offsets->len);
	if (!error)
		error = path_btf_offset(bytes, length, "sk_buff", "data_len", &offsets->data_len);
	if (!error)
		error = path_btf_offset(bytes, length, "sk_buff", "data", &offsets->data);
	free(bytes);
	return error;
}

static int take_line(struct path_offsets *offsets, const char *line, unsigned int *seen)
{
	static const char *const names[] = { "sk_buff.len ", "sk_buff.data_len ", "sk_buff.data " };
	unsigned int *const members[] = { &offsets->len, &offsets->data_len, &offsets->data };

	for (unsigned int i = 0; i < 3; i++) {
		size_t length = strlen(names[i]);

		if (strncmp(line, names[i], length))
			continue;
		if (number_parse_u32(members[i], line + length, 0, 4096))
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
	if (!error && seen != 7)
		error = -ESRCH;
	return error;
}
