// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads and writes files of /proc/evtlog.
 *
 * It opens none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "lib/base/array.h"
#include "lib/base/io.h"

/* Most files are shorter. */
#define TEXT_BYTES	16383

int control_file_read(int fd, char **text, size_t *bytes)
{
	size_t capacity = 0, used = 0;
	char *to = NULL;
	ssize_t got;

	do {
		got = array_reserve_more(&to, &capacity, used, TEXT_BYTES + 1, 1);
		if (!got)
			got = io_read_at(fd, to + used, TEXT_BYTES, used);
		used += got > 0 ? got : 0;
	} while (got > 0);
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
