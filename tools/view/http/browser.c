// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens the address in the desktop's browser.
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

#include "common/error.h"
#include "server.h"

extern char **environ;

/* The address has no characters that must be escaped in HTML. */
static int write_file(struct browser *browser, const char *address)
{
	const char *directory = getenv("XDG_RUNTIME_DIR");
	FILE *out;
	int fd, error = 0;

	if (asprintf(&browser->path, "%s/evtlog-XXXXXX.html",
		     directory && *directory ? directory : "/tmp") < 0) {
		browser->path = NULL;
		return -ENOMEM;
	}
	fd = mkostemps(browser->path, strlen(".html"), O_CLOEXEC);
	out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out) {
		error = -errno;
		free(browser->path);
		browser->path = NULL;
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

void browser_open(struct browser *browser, const char *address)
{
	posix_spawnattr_t attributes;
	posix_spawn_file_actions_t files;
	char *argv[] = { (char *)"xdg-open", NULL, NULL };
	sigset_t none;
	int error = write_file(browser, address);

	if (error) {
		pr_err("--open: %s: open the address above yourself", strerror(-error));
		return;
	}
	argv[1] = browser->path;
	sigemptyset(&none);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, &none);
	/* Standard output is only for the address. */
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
	error = posix_spawnp(&browser->pid, argv[0], &files, &attributes, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	if (error) {
		browser->pid = 0;
		pr_warn("--open: xdg-open: %s: open the address above in a browser",
		       strerror(error));
	}
}

void browser_close(struct browser *browser)
{
	/* Does not wait: xdg-open may run as long as the browser. */
	if (browser->pid)
		waitpid(browser->pid, NULL, WNOHANG);
	if (browser->path)
		unlink(browser->path);
	free(browser->path);
	*browser = (struct browser) { 0 };
}
