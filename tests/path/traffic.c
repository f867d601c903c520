// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * traffic - sends or receives numbered datagrams, each with a length of its own, or a TCP stream
 *
 *	traffic send ADDRESS PORT COUNT BYTES [MICROSECONDS]	number i has BYTES + i % 100 bytes
 *	traffic receive PORT COUNT [ROOM]	until COUNT are there or none comes for 3 s
 *	traffic full PORT ROOM		a socket with ROOM bytes that reads only after SIGUSR1
 *	traffic stream ADDRESS PORT COUNT BYTES	writes BYTES, COUNT times, by TCP
 *	traffic sink PORT MICROSECONDS	reads a stream slowly and prints its length
 */
#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union address {
	struct sockaddr any;
	struct sockaddr_in ip4;
	struct sockaddr_in6 ip6;
};

/* Returns a socket of the address's family, or -1.  @to gets the address and the port. */
static int socket_to(const char *address, const char *port, int type, union address *to)
{
	memset(to, 0, sizeof(*to));
	/* Both families have the port at the same place. */
	to->ip4.sin_port = htons(atoi(port));
	to->any.sa_family = strchr(address, ':') ? AF_INET6 : AF_INET;
	if (inet_pton(to->any.sa_family, address, to->any.sa_family == AF_INET ?
		      (void *)&to->ip4.sin_addr : (void *)&to->ip6.sin6_addr) != 1)
		return -1;
	return socket(to->any.sa_family, type, 0);
}

static int send_all(char **argv, int argc)
{
	long count = atol(argv[4]), bytes = atol(argv[5]);
	static char data[65536];
	union address to;
	int s = socket_to(argv[2], argv[3], SOCK_DGRAM, &to);

	if (s < 0)
		return 2;
	for (long i = 0; i < count; i++) {
		ssize_t length = bytes + i % 100;

		snprintf(data, sizeof(data), "number %08ld", i);
		/* This reports an ICMP error for the previous datagram: send again. */
		if (sendto(s, data, length, 0, &to.any, sizeof(to)) != length)
			i--;
		if (argc > 6)
			usleep(atoi(argv[6]));
	}
	return 0;
}

static int stream(char **argv)
{
	long count = atol(argv[4]), bytes = atol(argv[5]);
	static char data[65536];
	union address to;
	int s = socket_to(argv[2], argv[3], SOCK_STREAM, &to);

	if (bytes > (long)sizeof(data) || connect(s, &to.any, sizeof(to)))
		return 1;
	for (long i = 0; i < count; i++)
		if (send(s, data, bytes, 0) != bytes)
			return 1;
	shutdown(s, SHUT_WR);
	return read(s, data, 1) != 0;
}

static int bound(const char *port, int type, int room)
{
	/* IPv6, if the kernel has it, and IPv4: both have the port at the same place. */
	union address at = { .ip6 = { .sin6_family = AF_INET6, .sin6_port = htons(atoi(port)) } };
	int s = socket(AF_INET6, type, 0);

	if (s < 0) {
		at.any.sa_family = AF_INET;
		s = socket(AF_INET, type, 0);
	}
	if (room)
		setsockopt(s, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
	if (s < 0 || bind(s, &at.any, sizeof(at)))
		return -1;
	return s;
}

static int sink(int s, int pause)
{
	static char data[65536];
	long bytes = 0;
	ssize_t got;

	listen(s, 1);
	s = accept(s, NULL, NULL);
	while ((got = read(s, data, sizeof(data))) > 0) {
		bytes += got;
		usleep(pause);
	}
	printf("%ld bytes\n", bytes);
	return got < 0;
}

static long receive_all(int s, long most)
{
	static char data[65536];
	struct pollfd ready = { .fd = s, .events = POLLIN };
	long count = 0;

	/* The first datagram may take longer: another machine sends it. */
	while (count < most && poll(&ready, 1, count ? 3000 : 60000) > 0 &&
	       recv(s, data, sizeof(data), 0) >= 0)
		count++;
	return count;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 3 ? argv[1] : "";
	bool is_sink = !strcmp(verb, "sink"), is_full = !strcmp(verb, "full");
	sigset_t wake;
	int s, which;

	if (argc > 5 && !strcmp(verb, "send"))
		return send_all(argv, argc);
	if (argc > 5 && !strcmp(verb, "stream"))
		return stream(argv);
	if (!*verb)
		return 2;
	s = bound(argv[2], is_sink ? SOCK_STREAM : SOCK_DGRAM,
		  is_full ? atoi(argv[3]) : argc > 4 ? atoi(argv[4]) : 0);
	if (s < 0) {
		perror("traffic");
		return 1;
	}
	puts("ready");
	fflush(stdout);
	if (is_sink)
		return sink(s, atoi(argv[3]));
	if (is_full) {
		sigemptyset(&wake);
		sigaddset(&wake, SIGUSR1);
		sigprocmask(SIG_BLOCK, &wake, NULL);
		sigwait(&wake, &which);
	}
	/* Read what is in a full socket: nothing more comes. */
	printf("received %ld\n", receive_all(s, is_full ? 1 << 30 : atol(argv[3])));
	return 0;
}
