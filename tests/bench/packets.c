// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * packets - datagrams from one network namespace to another, each received before too many
 * are under way, so that only a tracer can lose any.
 *
 * packets NETNS-FILE ADDRESS BYTES NUMBER [PAUSE]
 *
 * Sends from the namespace it is started in to ADDRESS, which NETNS-FILE's has; sleeps for PAUSE us
 * behind each few, which a disk may need.  Prints
 * the datagrams received and the ns that all took.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../support/mark.h"
#include "load.h"

#define PORT		9000
#define BURST		8
#define BYTES_MAX	65000

static int make_socket(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0)
		die("socket");
	return fd;
}

static int bound_socket(const struct sockaddr_in *address)
{
	int fd = make_socket(), room = 1 << 20;

	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	if (bind(fd, (const struct sockaddr *)address, sizeof(*address)))
		die("bind");
	return fd;
}

static long exchange(int from, int to, long number, size_t bytes, unsigned int pause_us)
{
	static char data[BYTES_MAX];
	long received = 0, sent = 0;

	while (sent < number) {
		int burst;

		for (burst = 0; burst < BURST && sent < number; burst++, sent++) {
			if (send(from, data, bytes, 0) != (ssize_t)bytes)
				die("send");
		}
		while (burst--) {
			if (recv(to, data, sizeof(data), 0) != (ssize_t)bytes)
				die("recv");
			received++;
		}
		if (pause_us)
			usleep(pause_us);
	}
	return received;
}

int main(int argc, char **argv)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(PORT) };
	bool is_whole = argc == 5 || argc == 6;
	size_t bytes = is_whole ? strtoul(argv[3], NULL, 0) : 0;
	long number = is_whole ? atol(argv[4]) : 0, received;
	unsigned int pause_us = argc == 6 ? atoi(argv[5]) : 0;
	int here, from, to;
	double begin;

	if (number < 1 || !bytes || bytes > BYTES_MAX ||
	    inet_pton(AF_INET, argv[2], &address.sin_addr) != 1) {
		fprintf(stderr, "Usage: packets NETNS-FILE ADDRESS BYTES NUMBER [PAUSE]\n");
		return 2;
	}
	from = make_socket();
	here = open(argv[1], O_RDONLY);
	if (here < 0 || setns(here, CLONE_NEWNET))
		die(argv[1]);
	to = bound_socket(&address);
	if (connect(from, (struct sockaddr *)&address, sizeof(address)))
		die("connect");
	exchange(from, to, 64, bytes, 0);
	begin = now_ns(CLOCK_MONOTONIC_RAW);
	mark(1);
	received = exchange(from, to, number, bytes, pause_us);
	mark(2);
	printf("%ld %.0f\n", received, now_ns(CLOCK_MONOTONIC_RAW) - begin);
	return 0;
}
