// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * numbered - sends so many datagrams to a socket of its own on 127.0.0.1, which nobody reads; the
 * first eight bytes of each are its number, from FIRST on.
 */
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int main(int argc, char **argv)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	uint64_t count = argc > 1 ? atol(argv[1]) : 1, first = argc > 2 ? atol(argv[2]) : 0, i;
	int in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0);
	socklen_t length = sizeof(to);
	char data[64] = "";

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(in, (struct sockaddr *)&to, sizeof(to)) ||
	    getsockname(in, (struct sockaddr *)&to, &length)) {
		perror("numbered: bind");
		return 1;
	}
	for (i = first; i < first + count; i++) {
		memcpy(data, &i, sizeof(i));
		if (sendto(out, data, sizeof(data), 0, (struct sockaddr *)&to, sizeof(to)) < 0) {
			perror("numbered: sendto");
			return 1;
		}
	}
	return 0;
}
