// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * udp - sends datagrams with their number and a length of its own each, or receives them.
 *
 *	udp send ADDRESS PORT COUNT BYTES [MICROSECONDS]	number i has BYTES + i % 100 bytes
 *	udp receive PORT COUNT [ROOM]	begins when COUNT are there or nothing comes for 3 s
 *	udp full PORT ROOM		a socket with ROOM bytes that reads only after SIGUSR1
 */
#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int send_all(char **argv, int argc)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(atoi(argv[3])) };
	long count = atol(argv[4]), bytes = atol(argv[5]);
	static char data[65536];
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	if (inet_pton(AF_INET, argv[2], &to.sin_addr) != 1 || s < 0)
		return 2;
	for (long i = 0; i < count; i++) {
		ssize_t length = bytes + i % 100;

		snprintf(data, sizeof(data), "number %08ld", i);
		/* An answer of ICMP to the one before is told here. */
		if (sendto(s, data, length, 0, (struct sockaddr *)&to, sizeof(to)) != length)
			i--;
		if (argc > 6)
			usleep(atoi(argv[6]));
	}
	return 0;
}

static int bound(const char *port, int room)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(atoi(port)) };
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	if (room)
		setsockopt(s, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
	if (s < 0 || bind(s, (struct sockaddr *)&at, sizeof(at)))
		return -1;
	return s;
}

static long receive_all(int s, long most)
{
	static char data[65536];
	struct pollfd ready = { .fd = s, .events = POLLIN };
	long count = 0;

	while (count < most && poll(&ready, 1, 3000) > 0 && recv(s, data, sizeof(data), 0) >= 0)
		count++;
	return count;
}

int main(int argc, char **argv)
{
	sigset_t wake;
	int s, which;

	if (argc > 5 && !strcmp(argv[1], "send"))
		return send_all(argv, argc);
	if (argc < 4)
		return 2;
	s = bound(argv[2], !strcmp(argv[1], "full") ? atoi(argv[3]) : argc > 4 ? atoi(argv[4]) : 0);
	if (s < 0) {
		perror("udp");
		return 1;
	}
	puts("ready");
	fflush(stdout);
	if (!strcmp(argv[1], "receive")) {
		printf("received %ld\n", receive_all(s, atol(argv[3])));
		return 0;
	}
	sigemptyset(&wake);
	sigaddset(&wake, SIGUSR1);
	sigprocmask(SIG_BLOCK, &wake, NULL);
	sigwait(&wake, &which);
	/* Whatever there is now; nothing more comes. */
	printf("received %ld\n", receive_all(s, 1 << 30));
	return 0;
}
