// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * udp COUNT BYTES [PORT] - sends datagrams to 127.0.0.1, port 9; no program listens there.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

int main(int argc, char **argv)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
	static char data[4096] = "evtlog's probe";
	long count = argc > 1 ? atol(argv[1]) : 1, bytes = argc > 2 ? atol(argv[2]) : 100;
	struct sockaddr_in from = { .sin_family = AF_INET };
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	long i;

	from.sin_port = htons(argc > 3 ? atoi(argv[3]) : 0);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (s < 0 || bytes < 0 || bytes > (long)sizeof(data))
		return 2;
	if (bind(s, (struct sockaddr *)&from, sizeof(from))) {
		perror("udp: bind");
		return 1;
	}
	for (i = 0; i < count; i++) {
		if (sendto(s, data, bytes, 0, (struct sockaddr *)&to, sizeof(to)) != bytes) {
			perror("udp");
			return 1;
		}
	}
	return 0;
}
