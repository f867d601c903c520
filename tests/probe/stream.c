// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stream tcp BYTES | stream udp COUNT BYTES - sends 64-bit numbers in network order to a task of
 * its own on 127.0.0.1, port 6001: from 0 on; a datagram's numbers start at its own number << 32.
 *
 * All data is received. Each datagram is sent after the one before was received.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST	(1 << 20)

static union {
	uint64_t words[MOST / 8];
	char bytes[MOST];
} data;
static struct sockaddr_in here = { .sin_family = AF_INET };

static void check(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(1);
}

static void fill(uint64_t from, size_t bytes)
{
	for (size_t i = 0; i < bytes / 8; i++)
		data.words[i] = htobe64(from + i);
}

static int bound(int type)
{
	int s = socket(AF_INET, type, 0), on = 1;

	check(s >= 0, "socket");
	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	check(!bind(s, (struct sockaddr *)&here, sizeof(here)), "bind");
	return s;
}

static void send_stream(size_t bytes)
{
	int s = socket(AF_INET, SOCK_STREAM, 0);
	size_t sent = 0;

	fill(0, bytes);
	check(s >= 0 && !connect(s, (struct sockaddr *)&here, sizeof(here)), "connect");
	while (sent < bytes) {
		ssize_t n = write(s, data.bytes + sent, bytes - sent);

		check(n > 0, "write");
		sent += (size_t)n;
	}
	close(s);
}

static void tcp(size_t bytes)
{
	static char into[65536];
	int s = bound(SOCK_STREAM), from;
	size_t came = 0;
	ssize_t n;

	check(!listen(s, 1), "listen");
	if (!fork()) {
		send_stream(bytes);
		exit(0);
	}
	from = accept(s, NULL, NULL);
	check(from >= 0, "accept");
	while ((n = read(from, into, sizeof(into))) > 0)
		came += (size_t)n;
	check(came == bytes, "read");
}

static void udp(unsigned int count, size_t bytes)
{
	static char into[65536];
	int s = bound(SOCK_DGRAM), from = socket(AF_INET, SOCK_DGRAM, 0);

	check(from >= 0, "socket");
	for (unsigned int i = 0; i < count; i++) {
		fill((uint64_t)i << 32, bytes);
		check(sendto(from, data.bytes, bytes, 0, (struct sockaddr *)&here, sizeof(here)) ==
		      (ssize_t)bytes, "sendto");
		check(read(s, into, sizeof(into)) == (ssize_t)bytes, "read");
	}
}

int main(int argc, char **argv)
{
	size_t bytes = argc > 2 ? strtoul(argv[argc - 1], NULL, 0) : 0;
	int status = 0;

	here.sin_port = htons(6001);
	here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (!bytes || bytes % 8 || bytes > MOST)
		return 2;
	if (argc == 3 && !strcmp(argv[1], "tcp"))
		tcp(bytes);
	else if (argc == 4 && !strcmp(argv[1], "udp"))
		udp((unsigned int)atoi(argv[2]), bytes);
	else
		return 2;
	while (wait(&status) > 0)
		check(!status, "the sender");
	return 0;
}
