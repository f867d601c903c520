// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds run files that were left open, so that their runs can continue.
 *
 * The run is read from a file's header, and the file's name must match.  Files are not changed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/io.h"
#include "recover.h"
#include "scan.h"

static bool may_be_ours(const char *name, const char *host)
{
	size_t host_length = strlen(host), length = strlen(name);

	return length > strlen(RUN_ID_SUFFIX) &&
	       !strncmp(name, host, host_length) && name[host_length] == '-' &&
	       !strcmp(name + length - strlen(RUN_ID_SUFFIX), RUN_ID_SUFFIX);
}

/* Copies the value of a line in the header's text, which ends with an empty line. */
static void copy_value(const char *text, const char *key, char *value, size_t bytes)
{
	size_t key_length = strlen(key);

	value[0] = '\0';
	while (*text && *text != '\n') {
		size_t length = strcspn(text, "\n");

		if (length > key_length && !strncmp(text, key, key_length) &&
		    text[key_length] == '=') {
			length -= key_length + 1;
			if (length >= bytes)
				return;
			memcpy(value, text + key_length + 1, length);
			value[length] = '\0';
			return;
		}
		text += length;
		text += *text == '\n';
	}
}

static int read_run_id(int fd, struct run_id *run)
{
	struct evtlog_file_header header;
	char name[EVTLOG_RUN_NAME_LEN];
	char *text;
	int error = scan_file_header(fd, &header);

	if (error)
		return error;
	text = calloc(1, header.text_bytes + 1);
	if (!text)
		return -ENOMEM;
	if (io_read_at(fd, text, header.text_bytes, sizeof(header)) != (ssize_t)header.text_bytes) {
		free(text);
		return -EIO;
	}
	memset(run, 0, sizeof(*run));
	run->number = header.run;
	memcpy(run->boot_id, header.boot_id, sizeof(run->boot_id));
	copy_value(text, "run_name", name, sizeof(name));
	if (run_id_name_is_good(name))
		strcpy(run->name, name);
	copy_value(text, "reference_ticks", name, sizeof(name));
	run->reference_ticks = strtoull(name, NULL, 10);
	copy_value(text, "tree", name, sizeof(name));
	run->tree_pid = strtoul(name, NULL, 10);
	free(text);
	return 0;
}

static bool was_left_open(int directory, const char *name, struct run_id *run)
{
	struct evtlog_file_trailer trailer;
	bool left_open = false;
	struct stat st;
	int fd;

	fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && !read_run_id(fd, run))
		left_open = scan_trailer(fd, st.st_size, &trailer) == 0;
	close(fd);
	return left_open;
}

void recover_each(int directory, const char *path, const char *host, const uint8_t *boot_id,
		  void (*one)(void *context, const struct run_id *run), void *context)
{
	DIR *listing = opendir(path);
	struct dirent *entry;

	if (!listing)
		return;
	while ((entry = readdir(listing))) {
		struct run_id run;

		if (may_be_ours(entry->d_name, host) &&
		    was_left_open(directory, entry->d_name, &run) &&
		    !memcmp(run.boot_id, boot_id, sizeof(run.boot_id)) &&
		    run_id_owns_name(&run, host, entry->d_name))
			one(context, &run);
	}
	closedir(listing);
}
