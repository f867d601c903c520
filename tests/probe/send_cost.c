// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * send_cost BYTES ROUNDS - prints the ns of a send() of a datagram of BYTES to a socket of its own
 * on 127.0.0.1, the minimum of ROUNDS.
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pinned.h"

static char bytes[65536];

int main(int argc, char **argv)
{
	struct sockaddr_in here = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(here);
	int to = socket(AF_INET, SOCK_DGRAM, 0), from = socket(AF_INET, SOCK_DGRAM, 0);
	double least = 1e18;
	ssize_t count;

	if (argc != 3)
		return 2;
	count = atoi(argv[1]);
	if (bind(to, (void *)&here, sizeof(here)) || getsockname(to, (void *)&here, &length) ||
	    connect(from, (void *)&here, sizeof(here)))
		die("sockets");
	memset(bytes, 'x', sizeof(bytes));
	pin("0");
	for (int round = atoi(argv[2]); round; round--) {
		double begin = now_ns(), took;

		if (send(from, bytes, count, 0) != count)
			die("send");
		took = now_ns() - begin;
		if (took < least)
			least = took;
		if (recv(to, bytes, sizeof(bytes), 0) != count)
			die("recv");
	}
	printf("%.0f\n", least);
	return 0;
}
