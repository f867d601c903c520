// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads and writes files of /proc/evtlog.
 *
 * It opens none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"

int control_file_read(int fd, char **text, size_t *bytes)
{
	size_t capacity = 16384, used = 0;
	char *to = malloc(capacity);
	ssize_t n;

	if (!to)
		return -ENOMEM;
	while ((n = pread(fd, to + used, capacity - used - 1, used)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			int error = -errno;

			free(to);
			return error;
		}
		used += n;
		if (used == capacity - 1) {
			char *grown = realloc(to, capacity *= 2);

			if (!grown) {
				free(to);
				return -ENOMEM;
			}
			to = grown;
		}
	}
	to[used] = '\0';
	*text = to;
	*bytes = used;
	return 0;
}

int control_file_write(int fd, const char *text)
{
	while (write(fd, text, strlen(text)) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}
