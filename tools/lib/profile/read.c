// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads profiles from the kernel and from files, and writes them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "lib/base/array.h"
#include "lib/base/io.h"

#define FOLDER		"/proc/evtlog/profile/"
#define READ_BYTES	((size_t)65536)
#define MOST_BYTES	((size_t)1 << 30)
#define PIDS_MAX	1024

static int read_whole(int fd, char **textp, size_t *lengthp)
{
	size_t capacity = 0, length = 0;
	char *text = NULL;
	ssize_t got;

	do {
		got = array_reserve_more(&text, &capacity, length, READ_BYTES, 1);
		if (!got)
			got = read(fd, text + length, READ_BYTES);
		if (got < 0 && errno == EINTR) {
			got = 1;
			continue;
		}
		length += got > 0 ? got : 0;
	} while (got > 0 && length <= MOST_BYTES);
	if (got) {
		free(text);
		return got > 0 ? -EFBIG : got == -ENOMEM ? -ENOMEM : -errno;
	}
	*textp = text;
	*lengthp = length;
	return 0;
}

/* Parses a text of the kernel and closes @fd. */
static int parse_fd(int fd, struct evtlog_profile **profilep)
{
	size_t length;
	char *text;
	int error = read_whole(fd, &text, &length);

	close(fd);
	if (error)
		return error;
	error = profile_parse_text(text, length, profilep, NULL);
	free(text);
	return error == -EBADMSG || error == -ENODATA ? -EPROTO : error;
}

static int open_kernel(const char *name, int flags)
{
	int fd = open(name, flags | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int evtlog_profile_self(struct evtlog_profile **profilep)
{
	struct evtlog_profile *profile;
	int fd = open_kernel(FOLDER "self", O_RDONLY);
	int error = fd < 0 ? fd : parse_fd(fd, &profile);

	if (error)
		return error;
	if (!profile->about.is_on || !profile->about.entries) {
		evtlog_profile_free(profile);
		return -ENODATA;
	}
	*profilep = profile;
	return 0;
}

static int write_pids(int fd, const int *pids, size_t count)
{
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	int error = 0;

	if (!out)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		profile_put(out, "%d ", pids[i]);
	if (fclose(out))
		return -ENOMEM;
	/* The kernel takes the whole text or none of it. */
	if (write(fd, text, length) < 0)
		error = -errno;
	free(text);
	return error;
}

int evtlog_profile_others(const int *pids, size_t count, struct evtlog_profile **profilep)
{
	struct evtlog_profile *profile;
	int fd, error = 0;

	for (size_t i = 0; i < count && !error; i++)
		error = pids[i] < 1 ? -EINVAL : 0;
	if (error || !count || count > PIDS_MAX)
		return error || !count ? -EINVAL : -E2BIG;
	fd = open_kernel(FOLDER "others", O_RDWR);
	if (fd < 0)
		return fd;
	error = write_pids(fd, pids, count);
	if (error) {
		close(fd);
		return error;
	}
	error = parse_fd(fd, &profile);
	if (error)
		return error;
	if (!profile->about.is_on) {
		evtlog_profile_free(profile);
		return -ENODATA;
	}
	*profilep = profile;
	return 0;
}

int evtlog_profile_all(struct evtlog_profile **profilep)
{
	int fd = open_kernel(FOLDER "all", O_RDONLY);

	return fd < 0 ? fd : parse_fd(fd, profilep);
}

static bool begins(const char *bytes, size_t length, const char *with)
{
	return length >= strlen(with) && !memcmp(bytes, with, strlen(with));
}

int evtlog_profile_load_bytes(const void *bytes, size_t length, struct evtlog_profile **profilep,
			      struct evtlog_error *error)
{
	if (length >= sizeof(PROFILE_MAGIC) && !memcmp(bytes, PROFILE_MAGIC, sizeof(PROFILE_MAGIC)))
		return profile_parse_binary(bytes, length, profilep, error);
	if (!begins(bytes, length, "state ") && !begins(bytes, length, "ticks_hz "))
		return profile_refuse(error, -EMEDIUMTYPE, 0, "it is not a profile");
	if (memchr(bytes, '\0', length))
		return profile_refuse(error, -EBADMSG, 0, "its text has a NUL");
	return profile_parse_text(bytes, length, profilep, error);
}

int evtlog_profile_load(const char *path, struct evtlog_profile **profilep,
			struct evtlog_error *error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), status = fd < 0 ? -errno : 0;
	size_t length;
	char *bytes;

	if (!status) {
		status = read_whole(fd, &bytes, &length);
		close(fd);
	}
	if (status)
		return profile_refuse(error, status, 0, strerror(-status));
	status = evtlog_profile_load_bytes(bytes, length, profilep, error);
	free(bytes);
	return status;
}

int evtlog_profile_write(const struct evtlog_profile *profile, enum evtlog_profile_form form, int fd)
{
	size_t length;
	char *text;
	FILE *out;
	int error = 0;

	if (form != EVTLOG_PROFILE_TEXT && form != EVTLOG_PROFILE_JSON &&
	    form != EVTLOG_PROFILE_BINARY)
		return -EINVAL;
	out = open_memstream(&text, &length);
	if (!out)
		return -ENOMEM;
	if (form == EVTLOG_PROFILE_TEXT)
		profile_put_text(profile, out);
	else if (form == EVTLOG_PROFILE_JSON)
		profile_put_json(profile, out);
	else
		error = profile_put_binary(profile, out);
	if (fclose(out) && !error)
		error = -ENOMEM;
	if (!error)
		error = io_write(fd, text, length);
	free(text);
	return error;
}
