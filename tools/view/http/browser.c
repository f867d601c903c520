// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Has the desktop open the address.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "browser.h"
#include "common/error.h"

extern char **environ;

/* The address has no character that HTML would want to be written otherwise. */
static int write_file(struct opener *opener, const char *address)
{
	const char *directory = getenv("XDG_RUNTIME_DIR");
	FILE *out;
	int fd, error = 0;

	if (asprintf(&opener->path, "%s/evtlog-XXXXXX.html",
		     directory && *directory ? directory : "/tmp") < 0) {
		opener->path = NULL;
		return -ENOMEM;
	}
	fd = mkostemps(opener->path, strlen(".html"), O_CLOEXEC);
	out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out) {
		error = -errno;
		free(opener->path);
		opener->path = NULL;
		return error;
	}
	fprintf(out, "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"referrer\" content=\"no-referrer\">\n"
		"<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n", address);
	if (ferror(out))
		error = -EIO;
	if (fclose(out))
		error = -errno;
	return error;
}

void opener_open(struct opener *opener, const char *address)
{
	posix_spawnattr_t attributes;
	posix_spawn_file_actions_t files;
	char *argv[] = { (char *)"xdg-open", NULL, NULL };
	sigset_t none;
	int error = write_file(opener, address);

	if (error) {
		pr_err("--open: %s: open the address above yourself", strerror(-error));
		return;
	}
	argv[1] = opener->path;
	sigemptyset(&none);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, &none);
	/* Nothing but the address belongs on standard output. */
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
	error = posix_spawnp(&opener->pid, argv[0], &files, &attributes, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	if (error) {
		opener->pid = 0;
		pr_warn("--open: xdg-open: %s: open the address above in a browser",
		       strerror(error));
	}
}

void opener_close(struct opener *opener)
{
	/* Some browsers are in the foreground of it: they stay. */
	if (opener->pid)
		waitpid(opener->pid, NULL, WNOHANG);
	if (opener->path)
		unlink(opener->path);
	free(opener->path);
	*opener = (struct opener) { 0 };
}
