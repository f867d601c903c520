// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * portmap - accepts all requests of a kernel to rpcbind, over /var/run/rpcbind.sock.
 *
 * Linux's nfsd of version 3 does not start if it cannot register its ports. No client of the study
 * requests ports. Prints "ready" once it listens.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define LAST_FRAGMENT	0x80000000U
#define CALL_BYTES_MAX	4096

static int receive(int peer, void *to, size_t length)
{
	return recv(peer, to, length, MSG_WAITALL) == (ssize_t)length;
}

/* Each call is a record of one fragment: its length, then xid, CALL, ..., procedure. */
static void answer(int peer)
{
	uint32_t head, call[CALL_BYTES_MAX / 4];

	while (receive(peer, &head, sizeof(head))) {
		size_t length = ntohl(head) & ~LAST_FRAGMENT;
		/* xid, REPLY, accepted, no verifier (2 words), success, true */
		uint32_t reply[8] = { 0, 0, htonl(1), 0, 0, 0, 0, htonl(1) };

		if (length < 24 || length > sizeof(call) || !receive(peer, call, length))
			return;
		reply[1] = call[0];
		/* The procedure NULL has no result. */
		length = sizeof(reply) - (call[5] ? 0 : 4);
		reply[0] = htonl(LAST_FRAGMENT | (length - 4));
		if (send(peer, reply, length, MSG_NOSIGNAL) < 0)
			return;
	}
}

int main(void)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX, .sun_path = "/var/run/rpcbind.sock" };
	int listener = socket(AF_UNIX, SOCK_STREAM, 0);

	unlink(at.sun_path);
	if (listener < 0 || bind(listener, (struct sockaddr *)&at, sizeof(at)) || listen(listener, 8)) {
		fprintf(stderr, "portmap: %s: %s\n", at.sun_path, strerror(errno));
		return 1;
	}
	printf("ready\n");
	fflush(stdout);
	for (;;) {
		int peer = accept(listener, NULL, NULL);

		/* A connection stays open while its kernel has calls. */
		if (peer >= 0 && !fork()) {
			answer(peer);
			return 0;
		}
		close(peer);
	}
}
