// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Gives each control message a time of its own, later than all before it.
 *
 * A host refuses a nonce that does not rise, so two commands at once must not
 * overtake each other, nor a clock set back undo one.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <evtlog/remote.h>

#include "lib/base/io.h"
#include "nonce.h"

static uint64_t real_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

void nonce_open(struct nonce *nonce, const char *key_path)
{
	char path[PATH_MAX];

	nonce->fd = -1;
	nonce->last = 0;
	if (snprintf(path, sizeof(path), "%s.nonce", key_path) >= (int)sizeof(path))
		return;
	nonce->fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	/* Without it commands can still take turns. */
	if (nonce->fd < 0)
		nonce->fd = open(key_path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

void nonce_close(struct nonce *nonce)
{
	if (nonce->fd >= 0)
		close(nonce->fd);
	nonce->fd = -1;
}

static bool is_writable(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && (flags & O_ACCMODE) == O_RDWR;
}

void nonce_begin(struct nonce *nonce)
{
	uint64_t last, now = real_ns();
	char text[24] = "";

	if (nonce->fd < 0)
		return;
	flock(nonce->fd, LOCK_EX);
	if (!is_writable(nonce->fd) || io_read_at(nonce->fd, text, sizeof(text) - 1, 0) <= 0)
		return;
	last = strtoull(text, NULL, 10);
	/* One from a clock that was far ahead: hosts refuse what is so far off anyway. */
	if (last > nonce->last && last < now + EVTLOG_REMOTE_WINDOW_NS)
		nonce->last = last;
}

uint64_t nonce_next(struct nonce *nonce)
{
	uint64_t now = real_ns();

	nonce->last = now > nonce->last ? now : nonce->last + 1;
	return nonce->last;
}

void nonce_end(struct nonce *nonce)
{
	char text[24];
	int length;

	if (nonce->fd < 0)
		return;
	length = snprintf(text, sizeof(text), "%020llu\n", (unsigned long long)nonce->last);
	/* Failing that, the clock is what rises. */
	if (is_writable(nonce->fd) && io_write_at(nonce->fd, text, length, 0))
		nonce->last++;
	flock(nonce->fd, LOCK_UN);
}
