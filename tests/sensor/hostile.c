// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hostile SOCKET SEED ROUNDS - sends unexpected data to a unix socket: random bytes, lines without
 * an end, halves of lines, invalid names; reads some of the answers, and disconnects.
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "xorshift.h"

static const char *const texts[] = {
	"subscribe \n", "subscribe", "subscribe *", "subscribe *\nsubscribe *\nsubscribe ?\n",
	"subscribe a b\n", "subscribe \xff\n", "subscribe ,,,,,,,\n", "unsubscribe *\n", "\n", "\n\n\n",
	"subscribe *\r\n", "GET / HTTP/1.1\r\n\r\n", "subscribe ****************************a\n",
};

static int open_socket(const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int s = socket(AF_UNIX, SOCK_STREAM, 0);

	strncpy(to.sun_path, path, sizeof(to.sun_path) - 1);
	if (s < 0 || connect(s, (struct sockaddr *)&to, sizeof(to))) {
		perror("hostile");
		exit(1);
	}
	return s;
}

int main(int argc, char **argv)
{
	uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	long rounds = argc > 3 ? atol(argv[3]) : 100;
	char bytes[1024];

	signal(SIGPIPE, SIG_IGN);
	for (long i = 0; i < rounds; i++) {
		int s = open_socket(argv[1]);
		uint64_t how = xorshift(&state);
		size_t length = how % sizeof(bytes);

		if (how >> 20 & 1) {
			const char *text = texts[(how >> 24) % (sizeof(texts) / sizeof(*texts))];

			length = strlen(text);
			memcpy(bytes, text, length);
		} else {
			for (size_t k = 0; k < length; k++)
				bytes[k] = xorshift(&state);
		}
		for (size_t sent = 0; sent < length;) {
			size_t part = how >> 40 & 1 ? length : 1 + sent % 7;
			ssize_t n;

			part = part < length - sent ? part : length - sent;
			n = send(s, bytes + sent, part, 0);
			if (n < 0)
				break;
			sent += n;
		}
		if (how >> 41 & 1)
			shutdown(s, SHUT_WR);
		if (how >> 42 & 1)
			recv(s, bytes, sizeof(bytes), 0);
		close(s);
	}
	return 0;
}
