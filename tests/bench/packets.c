// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * packets - sends datagrams from one network namespace to another, and receives each few before it
 * sends more, so that only a tracer can lose any.
 *
 * packets NETNS-FILE ADDRESS BYTES NUMBER [PAUSE [OTHER-BYTES]]
 *
 * Sends from its own namespace to ADDRESS in the namespace of NETNS-FILE. Sleeps for PAUSE us after
 * each few, for a slow disk. With OTHER-BYTES, a second stream of as many datagrams has its turn
 * after each few of the first; each turn begins with a mark. Prints the number of datagrams
 * received, of both streams, and the ns for all.
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

struct stream {
	int from, to;
	size_t bytes;
};

static int bound_socket(const struct sockaddr_in *address)
{
	int fd = make_socket(), room = 1 << 20;

	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	if (bind(fd, (const struct sockaddr *)address, sizeof(*address)))
		die("bind");
	return fd;
}

static long exchange_few(const struct stream *s, long number)
{
	static char data[BYTES_MAX];

	for (long i = 0; i < number; i++) {
		if (send(s->from, data, s->bytes, 0) != (ssize_t)s->bytes)
			die("send");
	}
	for (long i = 0; i < number; i++) {
		if (recv(s->to, data, sizeof(data), 0) != (ssize_t)s->bytes)
			die("recv");
	}
	return number;
}

/* @other may be NULL. */
static long exchange(const struct stream *s, const struct stream *other, long number,
		     unsigned int pause_us)
{
	long received = 0;

	for (long left = number, few; left; left -= few) {
		few = left < BURST ? left : BURST;
		if (other)
			mark(3);
		received += exchange_few(s, few);
		if (other) {
			mark(4);
			received += exchange_few(other, few);
			mark(5);
		}
		if (pause_us)
			usleep(pause_us);
	}
	return received;
}

/* Sends from this namespace and receives in the namespace of @netns. */
static struct stream open_stream(int netns, const char *address, unsigned int port, size_t bytes)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(port) };
	struct stream s = { .from = make_socket(), .bytes = bytes };
	int here = open("/proc/self/ns/net", O_RDONLY);

	if (inet_pton(AF_INET, address, &to.sin_addr) != 1)
		die(address);
	if (here < 0 || setns(netns, CLONE_NEWNET))
		die("setns");
	s.to = bound_socket(&to);
	if (setns(here, CLONE_NEWNET))
		die("setns");
	close(here);
	if (connect(s.from, (struct sockaddr *)&to, sizeof(to)))
		die("connect");
	return s;
}

int main(int argc, char **argv)
{
	bool is_whole = argc >= 5 && argc <= 7;
	size_t bytes = is_whole ? strtoul(argv[3], NULL, 0) : 0;
	size_t other_bytes = argc == 7 ? strtoul(argv[6], NULL, 0) : 0;
	long number = is_whole ? atol(argv[4]) : 0, received;
	unsigned int pause_us = argc > 5 ? atoi(argv[5]) : 0;
	struct stream s, other;
	int netns;
	double begin;

	if (number < 1 || !bytes || bytes > BYTES_MAX || other_bytes > BYTES_MAX) {
		fputs("Usage: packets NETNS-FILE ADDRESS BYTES NUMBER [PAUSE [OTHER-BYTES]]\n",
		      stderr);
		return 2;
	}
	netns = open(argv[1], O_RDONLY);
	if (netns < 0)
		die(argv[1]);
	s = open_stream(netns, argv[2], PORT, bytes);
	if (other_bytes)
		other = open_stream(netns, argv[2], PORT + 1, other_bytes);
	exchange(&s, other_bytes ? &other : NULL, 64, 0);
	begin = now_ns(CLOCK_MONOTONIC_RAW);
	mark(1);
	received = exchange(&s, other_bytes ? &other : NULL, number, pause_us);
	mark(2);
	printf("%ld %.0f\n", received, now_ns(CLOCK_MONOTONIC_RAW) - begin);
	return 0;
}
