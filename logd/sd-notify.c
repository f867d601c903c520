// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Implements the protocol of sd_notify(3): datagrams "KEY=value" to a unix socket.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "sd-notify.h"

static int notify_socket = -1;

void notify_open(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const char *path = getenv("NOTIFY_SOCKET");
	size_t length;

	if (!path || (*path != '/' && *path != '@'))
		return;
	length = strlen(path);
	if (length >= sizeof(address.sun_path))
		return;
	memcpy(address.sun_path, path, length);
	if (*path == '@')
		address.sun_path[0] = '\0';
	notify_socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (notify_socket < 0)
		return;
	/* Connect now: later the path may be inaccessible. */
	if (connect(notify_socket, (struct sockaddr *)&address,
		    offsetof(struct sockaddr_un, sun_path) + length) < 0)
		notify_close();
}

void notify_close(void)
{
	if (notify_socket >= 0)
		close(notify_socket);
	notify_socket = -1;
}

static void notify(const char *text)
{
	if (notify_socket >= 0)
		send(notify_socket, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void notify_ready(void)
{
	notify("READY=1");
}

void notify_reloading(void)
{
	struct timespec now;
	char text[64];

	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(text, sizeof(text), "RELOADING=1\nMONOTONIC_USEC=%lld",
		 now.tv_sec * 1000000LL + now.tv_nsec / 1000);
	notify(text);
}

void notify_stopping(void)
{
	notify("STOPPING=1");
}

void notify_status(const char *format, ...)
{
	char text[256] = "STATUS=";
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + 7, sizeof(text) - 7, format, arguments);
	va_end(arguments);
	notify(text);
}
