// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes files under another name, and renames them when they are whole.
 *
 * Stage: between whatever makes pictures and pages, and the disk.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "output.h"
#include "say.h"

static bool is_stdout(const char *path)
{
	return !strcmp(path, "-");
}

int output_check(const char *command, const char *option, const char *path, char **logs,
		 size_t count)
{
	struct stat there, log;

	if (!*path)
		return misuse(command, "%s: the file's name is empty", option);
	if (is_stdout(path)) {
		if (!isatty(STDOUT_FILENO))
			return EXIT_OK;
		return misuse(command, "%s -: standard output is a terminal: give a file's name, or a pipe",
			      option);
	}
	if (stat(path, &there))
		return EXIT_OK;
	if (!S_ISREG(there.st_mode))
		return misuse(command, "%s: %s: is not a regular file", option, path);
	for (size_t i = 0; i < count; i++)
		if (!stat(logs[i], &log) && log.st_dev == there.st_dev &&
		    log.st_ino == there.st_ino)
			return misuse(command, "%s: %s: is to be read", option, path);
	return EXIT_OK;
}

int output_open(struct output *output, const char *path)
{
	mode_t mask;
	int fd;

	memset(output, 0, sizeof(*output));
	output->path = path;
	if (is_stdout(path)) {
		output->out = stdout;
		return EXIT_OK;
	}
	if (asprintf(&output->temporary, "%s.XXXXXX", path) < 0) {
		say("%s: %s", path, strerror(ENOMEM));
		return EXIT_FAILED;
	}
	fd = mkostemp(output->temporary, O_CLOEXEC);
	if (fd < 0)
		goto fail;
	/* As open() would have made it. */
	mask = umask(0);
	umask(mask);
	output->out = fchmod(fd, 0666 & ~mask) ? NULL : fdopen(fd, "w");
	if (output->out)
		return EXIT_OK;
	close(fd);
	unlink(output->temporary);
fail:
	say("%s: %s", path, strerror(errno));
	free(output->temporary);
	return EXIT_FAILED;
}

int output_close(struct output *output, int error)
{
	errno = 0;
	if (output->temporary) {
		if (!error && (fflush(output->out) || fsync(fileno(output->out))))
			error = errno ? -errno : -EIO;
		if (fclose(output->out) && !error)
			error = errno ? -errno : -EIO;
		if (!error && rename(output->temporary, output->path))
			error = -errno;
		if (error)
			unlink(output->temporary);
	} else if (!error && (fflush(stdout) || ferror(stdout))) {
		error = errno ? -errno : -EIO;
	}
	if (error)
		say("%s: %s", output->temporary ? output->path : "standard output",
		    strerror(-error));
	free(output->temporary);
	return error ? EXIT_FAILED : EXIT_OK;
}

void output_discard(struct output *output)
{
	if (!output->temporary)
		return;
	fclose(output->out);
	unlink(output->temporary);
	free(output->temporary);
}
