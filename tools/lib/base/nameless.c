// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Makes files without a name.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "nameless.h"

/* Not every file system knows O_TMPFILE. */
static int make_named(const char *directory)
{
	char path[4096];
	int fd, length;

	length = snprintf(path, sizeof(path), "%s/evtlog-XXXXXX", directory);
	if (length >= (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	unlink(path);
	return fd;
}

static int make_in(const char *directory)
{
	int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return fd >= 0 ? fd : make_named(directory);
}

int nameless_file(void)
{
	const char *directory = getenv("TMPDIR");
	int fd;

	if (directory && *directory)
		return make_in(directory);
	fd = make_in("/var/tmp");
	return fd >= 0 ? fd : make_in("/tmp");
}
