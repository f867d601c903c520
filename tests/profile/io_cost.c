// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * io_cost CPU ROUNDS - ns of a read() at the end of a file, of a read() of a byte, and of a datagram
 * that is sent to nobody and a TCP message of a byte to itself: the least of so many rounds.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "pinned.h"

#define CALLS_A_ROUND	64

static int null_file, zero_file, udp, tcp[2];
static char byte[100];

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static void read_nothing(void)
{
	if (read(null_file, byte, 1))
		die("read");
}

static void read_byte(void)
{
	if (read(zero_file, byte, 1) != 1)
		die("read");
}

static void send_datagram(void)
{
	if (send(udp, byte, sizeof(byte), 0) != sizeof(byte))
		die("send");
	if (recv(udp, byte, sizeof(byte), 0) != sizeof(byte))
		die("recv");
}

static void send_tcp(void)
{
	if (send(tcp[0], byte, 1, 0) != 1 || recv(tcp[1], byte, 1, 0) != 1)
		die("send");
}

static void cost(const char *name, void (*work)(void), long rounds)
{
	double least = 1e18, begin, end;

	for (long round = 0; round < rounds; round++) {
		begin = now_ns();
		for (int i = 0; i < CALLS_A_ROUND; i++)
			work();
		end = now_ns();
		if (end - begin < least)
			least = end - begin;
	}
	printf("%s %.2f\n", name, least / CALLS_A_ROUND);
}

static void open_sockets(void)
{
	struct sockaddr_in name = { .sin_family = AF_INET };
	socklen_t bytes = sizeof(name);
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	udp = socket(AF_INET, SOCK_DGRAM, 0);
	if (bind(udp, (void *)&name, sizeof(name)) || getsockname(udp, (void *)&name, &bytes) ||
	    connect(udp, (void *)&name, sizeof(name)))
		die("a datagram socket");
	name.sin_port = 0;
	tcp[0] = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listener, (void *)&name, sizeof(name)) || listen(listener, 1) ||
	    getsockname(listener, (void *)&name, &bytes) ||
	    connect(tcp[0], (void *)&name, sizeof(name)))
		die("a stream socket");
	tcp[1] = accept(listener, NULL, NULL);
}

int main(int argc, char **argv)
{
	long rounds;

	if (argc != 3)
		return 2;
	pin(argv[1]);
	rounds = atol(argv[2]);
	null_file = open("/dev/null", O_RDONLY);
	zero_file = open("/dev/zero", O_RDONLY);
	open_sockets();
	cost("read_nothing", read_nothing, rounds);
	cost("read_byte", read_byte, rounds);
	cost("datagram", send_datagram, rounds);
	cost("tcp", send_tcp, rounds);
	return 0;
}
