// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * far-packets - sends datagrams from one machine to another, so few at once that only a tracer can
 * lose any. Each burst is answered. Both programs mark begin and end of their work
 * (support/mark.h).
 *
 * far-packets receive PORT NUMBER
 * far-packets send ADDRESS PORT BYTES NUMBER
 */
#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "../support/mark.h"
#include "load.h"

#define BURST		8
#define BYTES_MAX	65000
#define TRIES		100

static char data[BYTES_MAX];
static struct sockaddr_in address = { .sin_family = AF_INET };

/* With a timeout: the program fails if a datagram is lost. */
static int make_socket(int seconds)
{
	const struct timeval patience = { .tv_sec = seconds };
	int fd = socket(AF_INET, SOCK_DGRAM, 0), room = 1 << 20;

	if (fd < 0)
		die("socket");
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	return fd;
}

static void receive(long number)
{
	struct sockaddr_in from;
	socklen_t length = sizeof(from);
	int fd = make_socket(60);

	if (bind(fd, (const struct sockaddr *)&address, sizeof(address)))
		die("bind");
	/* Wait for the sender's first byte. */
	if (recvfrom(fd, data, sizeof(data), 0, (struct sockaddr *)&from, &length) < 0 ||
	    connect(fd, (const struct sockaddr *)&from, length) || send(fd, data, 1, 0) != 1)
		die("hello");
	for (long i = 0; i < number; ) {
		ssize_t bytes = recv(fd, data, sizeof(data), 0);

		if (bytes < 0)
			die("recv");
		/* The sender repeated its first byte. */
		if (bytes == 1)
			continue;
		if (!i)
			mark(1);
		i++;
		if (!(i % BURST) && send(fd, data, 1, 0) != 1)
			die("send");
	}
	mark(2);
}

static void hello(int fd)
{
	for (int try = 0; try < TRIES; try++) {
		if (send(fd, data, 1, 0) == 1 && recv(fd, data, sizeof(data), 0) == 1)
			return;
		usleep(200000);
	}
	die("nobody answers");
}

static void send_all(size_t bytes, long number)
{
	int fd = make_socket(2);

	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)))
		die("connect");
	hello(fd);
	usleep(300000);
	/* Discard the answers to repeated first bytes. */
	while (recv(fd, data, sizeof(data), MSG_DONTWAIT) > 0)
		;
	mark(1);
	for (long i = 0; i < number; ) {
		for (int burst = 0; burst < BURST; burst++, i++)
			if (send(fd, data, bytes, 0) != (ssize_t)bytes)
				die("send");
		if (recv(fd, data, sizeof(data), 0) != 1)
			die("a burst is not answered");
	}
	mark(2);
}

int main(int argc, char **argv)
{
	const char *to = argc == 6 ? argv[2] : "0.0.0.0";
	long number = argc > 3 ? atol(argv[argc - 1]) / BURST * BURST : 0;
	size_t bytes = argc == 6 ? strtoul(argv[4], NULL, 0) : 2;

	if ((argc != 4 && argc != 6) || number < BURST || bytes < 2 || bytes > BYTES_MAX ||
	    inet_pton(AF_INET, to, &address.sin_addr) != 1) {
		fprintf(stderr, "Usage: far-packets receive PORT NUMBER\n"
			"       far-packets send ADDRESS PORT BYTES NUMBER\n");
		return 2;
	}
	address.sin_port = htons(atoi(argv[argc == 6 ? 3 : 2]));
	if (argc == 6)
		send_all(bytes, number);
	else
		receive(number);
	return 0;
}
