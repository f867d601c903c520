// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens the server's sockets, and its address in the desktop's browser.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "server.h"

#define BACKLOG		64
/* Attempts to find a port that is free in IPv4 and IPv6 */
#define PORT_TRIES	20

static int open_socket(int family, const struct sockaddr *address, socklen_t length)
{
	int one = 1, error;
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	if (family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
	if (family != AF_UNIX)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (!bind(fd, address, length) && !listen(fd, BACKLOG))
		return fd;
	error = errno;
	close(fd);
	return -error;
}

static int open_v4(unsigned int port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};

	return open_socket(AF_INET, (struct sockaddr *)&address, sizeof(address));
}

static int open_v6(unsigned int port)
{
	struct sockaddr_in6 address = {
		.sin6_family = AF_INET6,
		.sin6_port = htons(port),
		.sin6_addr = IN6ADDR_LOOPBACK_INIT,
	};

	return open_socket(AF_INET6, (struct sockaddr *)&address, sizeof(address));
}

static unsigned int port_of(int fd)
{
	struct sockaddr_in address;
	socklen_t length = sizeof(address);

	if (getsockname(fd, (struct sockaddr *)&address, &length))
		return 0;
	return ntohs(address.sin_port);
}

/* Fails if another program has the port at [::1]: localhost could lead to that program. */
static int open_both(struct listening *listening, unsigned int port)
{
	listening->sockets[0] = open_v4(port);
	if (listening->sockets[0] < 0)
		return listening->sockets[0];
	listening->port = port_of(listening->sockets[0]);
	listening->sockets[1] = open_v6(listening->port);
	if (listening->sockets[1] != -EADDRINUSE)
		return 0;
	close(listening->sockets[0]);
	return -EADDRINUSE;
}

int listen_local(struct listening *listening, unsigned int port)
{
	int error = -EADDRINUSE;

	*listening = (struct listening) { .sockets = { -1, -1 } };
	for (int i = 0; error == -EADDRINUSE && i < (port ? 1 : PORT_TRIES); i++)
		error = open_both(listening, port);
	if (!error)
		return EXIT_OK;
	listening->sockets[0] = listening->sockets[1] = -1;
	if (error == -EADDRINUSE)
		pr_err("127.0.0.1:%u: is in use: choose another port, or leave out --listen", port);
	else
		pr_err("127.0.0.1:%u: %s", port, strerror(-error));
	return EXIT_FAILED;
}

/* A user with write permission for the directory could replace the socket. */
static int check_directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *directory = slash ? strndup(path, slash - path + (slash == path)) :
			  strdup(".");
	struct stat about;
	int status = EXIT_FAILED;

	if (!directory)
		pr_err("%s: %s", path, strerror(ENOMEM));
	else if (stat(directory, &about))
		pr_err("%s: %s", directory, strerror(errno));
	else if (!S_ISDIR(about.st_mode))
		pr_err("%s: is not a directory", directory);
	else if (about.st_uid != geteuid() && about.st_uid)
		pr_err("%s: belongs to another user, who could replace the socket: use a directory of your own, such as $XDG_RUNTIME_DIR",
		       directory);
	else if (about.st_mode & (S_IWGRP | S_IWOTH) && !(about.st_mode & S_ISVTX))
		pr_err("%s: other users may write to it and replace the socket: use a directory of your own, such as $XDG_RUNTIME_DIR",
		       directory);
	else
		status = EXIT_OK;
	free(directory);
	return status;
}

/* True if a killed server left the socket: no process listens at it. */
static bool is_left(const struct sockaddr_un *address)
{
	struct stat about;
	int fd;
	bool left;

	if (lstat(address->sun_path, &about) || !S_ISSOCK(about.st_mode) ||
	    about.st_uid != geteuid())
		return false;
	/* Do not block: a server that is stopped (SIGSTOP) still listens, but does not accept. */
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return false;
	left = connect(fd, (const struct sockaddr *)address, sizeof(*address)) &&
	       errno == ECONNREFUSED;
	close(fd);
	return left;
}

int listen_unix(struct listening *listening, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct stat about;
	mode_t mask;
	int fd;

	*listening = (struct listening) { .sockets = { -1, -1 } };
	if (strlen(path) >= sizeof(address.sun_path)) {
		pr_err("%s: too long for a socket: the limit is %zu bytes", path,
		       sizeof(address.sun_path) - 1);
		return EXIT_FAILED;
	}
	strcpy(address.sun_path, path);
	if (check_directory(path) != EXIT_OK)
		return EXIT_FAILED;
	if (is_left(&address))
		unlink(path);
	mask = umask(0177);
	fd = open_socket(AF_UNIX, (struct sockaddr *)&address, sizeof(address));
	umask(mask);
	if (fd < 0) {
		if (fd == -EADDRINUSE)
			pr_err("%s: already exists: stop the server that uses it, remove it, or choose another path",
			       path);
		else
			pr_err("%s: %s", path, strerror(-fd));
		return EXIT_FAILED;
	}
	listening->sockets[0] = fd;
	if (!lstat(path, &about)) {
		listening->path = path;
		listening->device = about.st_dev;
		listening->inode = about.st_ino;
	}
	return EXIT_OK;
}

void listen_close(struct listening *listening)
{
	struct stat about;

	for (int i = 0; i < 2; i++)
		if (listening->sockets[i] >= 0)
			close(listening->sockets[i]);
	/* Keep a file that another program has created there since. */
	if (listening->path && !lstat(listening->path, &about) &&
	    about.st_dev == listening->device && about.st_ino == listening->inode)
		unlink(listening->path);
	*listening = (struct listening) { .sockets = { -1, -1 } };
}

/* ---- The browser ---- */

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
		pr_err("--open: %s: open the address above in a browser", strerror(-error));
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
