// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads and writes files of /proc/evtlog.
 *
 * Stage: beside the data's way.  It opens none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "lib/base/io.h"

int control_file_read(int fd, char **text, size_t *bytes)
{
	size_t capacity = 16384, used = 0;
	char *to = malloc(capacity);
	ssize_t got;

	if (!to)
		return -ENOMEM;
	while ((got = io_read_at(fd, to + used, capacity - used - 1, used)) > 0) {
		used += got;
		if (used == capacity - 1) {
			char *grown = realloc(to, capacity *= 2);

			if (!grown) {
				free(to);
				return -ENOMEM;
			}
			to = grown;
		}
	}
	if (got < 0) {
		free(to);
		return got;
	}
	to[used] = '\0';
	*text = to;
	*bytes = used;
	return 0;
}

int control_file_write(int fd, const char *text)
{
	return io_write(fd, text, strlen(text));
}
