// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * values SEED [DEVICE [6|mapped]] - a thread reads, writes and sends pieces of random lengths, and
 * a naive model adds them up. Prints the thread's profile, then a line "told NAME COUNT SUM LEAST
 * LARGEST SQUARES" per value and "calls NAME COUNT" per span. DEVICE "": none. 6: IPv6 packets;
 * mapped: IPv4 packets by IPv6 sockets. If the kernel has /proc/PID/io: "io NAME NUMBER" with its
 * numbers for the thread.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "program.h"

#define PIECES	60
#define PIECE_MAX	9000
#define DATAGRAM_MAX	1400

static struct told {
	const char *name;
	uint64_t count, sum, least, largest, squares;
} tolds[] = {
	{ .name = "vfs_read" }, { .name = "vfs_written" }, { .name = "sock_sent" },
	{ .name = "sock_received" }, { .name = "udp_queue" }, { .name = "bio_written" },
};

static struct call {
	const char *name;
	uint64_t count;
} calls[] = {
	{ .name = "block:vfs_read" }, { .name = "block:vfs_write" }, { .name = "block:vfs_readv" },
	{ .name = "block:vfs_writev" }, { .name = "block:fsync" }, { .name = "net:sock_sendmsg" },
	{ .name = "net:sock_recvmsg" }, { .name = "net:udp_sendmsg" },
	{ .name = "net:udp_recvmsg" }, { .name = "net:tcp_sendmsg" }, { .name = "net:tcp_recvmsg" },
};

static char data[1 << 20];
static char text[1 << 20];
static size_t text_bytes;

static void tell(const char *name, uint64_t amount)
{
	struct told *told = tolds;

	while (strcmp(told->name, name))
		told++;
	if (!told->count++ || amount < told->least)
		told->least = amount;
	if (amount > told->largest)
		told->largest = amount;
	told->sum += amount;
	told->squares += amount * amount;
}

static void call(const char *name)
{
	struct call *at = calls;

	while (strcmp(at->name, name))
		at++;
	at->count++;
}

static void did_io(const char *span, const char *value, ssize_t bytes)
{
	must(bytes >= 0, span);
	call(span);
	/* As in rchar and wchar, zero bytes are not counted. */
	if (bytes)
		tell(value, bytes);
}

static size_t some(size_t most)
{
	return 1 + random() % most;
}

static void do_files(void)
{
	int file = open("/tmp/values.data", O_RDWR | O_CREAT | O_TRUNC, 0600);
	int copy = open("/tmp/values.copy", O_RDWR | O_CREAT | O_TRUNC, 0600), i;
	off_t from = 0;
	ssize_t sent;

	must(file >= 0 && copy >= 0, "/tmp/values.data");
	for (i = 0; i < PIECES; i++) {
		struct iovec two[] = { { data, some(PIECE_MAX) }, { data, some(PIECE_MAX) } };

		did_io("block:vfs_write", "vfs_written", write(file, data, some(PIECE_MAX)));
		did_io("block:vfs_writev", "vfs_written", writev(file, two, 2));
	}
	must(!lseek(file, 0, SEEK_SET), "lseek");
	for (i = 0; i < PIECES; i++) {
		struct iovec two[] = { { data, some(PIECE_MAX) }, { data, some(PIECE_MAX) } };

		did_io("block:vfs_read", "vfs_read", read(file, data, some(PIECE_MAX)));
		did_io("block:vfs_readv", "vfs_read", readv(file, two, 2));
	}
	/* At the end of a file, and when nothing can be read */
	must(lseek(file, 0, SEEK_END) > 0, "lseek");
	did_io("block:vfs_read", "vfs_read", read(file, data, 1));
	sent = sendfile(copy, file, &from, 10000);
	must(sent == 10000, "sendfile");
	tell("vfs_read", sent);
	tell("vfs_written", sent);
	/* All pages at once */
	call("block:vfs_writev");
	must(!fsync(file), "fsync");
	call("block:fsync");
	close(file);
	close(copy);
}

static void do_block(const char *device)
{
	int file = open(device, O_WRONLY), i;

	must(file >= 0, device);
	for (i = 0; i < 8; i++) {
		did_io("block:vfs_write", "vfs_written", pwrite(file, data, 4096, i * 16384));
		/* Each page separately: one bio */
		must(!fsync(file), "fsync");
		call("block:fsync");
		tell("bio_written", 4096);
	}
	close(file);
}

static int family = AF_INET;
/* IPv4, by IPv6 sockets */
static int is_mapped;

static struct sockaddr_in6 name_of(int s)
{
	struct sockaddr_in6 name = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct sockaddr_in old = { .sin_family = AF_INET };
	socklen_t bytes = sizeof(name);

	old.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (family == AF_INET)
		memcpy(&name, &old, sizeof(old));
	else if (is_mapped)
		inet_pton(AF_INET6, "::ffff:127.0.0.1", &name.sin6_addr);
	must(!bind(s, (void *)&name, sizeof(name)), "bind");
	must(!getsockname(s, (void *)&name, &bytes), "getsockname");
	return name;
}

static void sent(const char *protocol, ssize_t bytes)
{
	must(bytes >= 0, "send");
	call("net:sock_sendmsg");
	call(protocol);
	tell("sock_sent", bytes);
}

static void received(const char *protocol, ssize_t bytes)
{
	must(bytes >= 0, "recv");
	call("net:sock_recvmsg");
	call(protocol);
	tell("sock_received", bytes);
}

/* All datagrams are in the queue before the first is taken. */
static void do_udp(void)
{
	int in = socket(family, SOCK_DGRAM, 0), out = socket(family, SOCK_DGRAM, 0), i;
	struct sockaddr_in6 name = name_of(in);

	for (i = 0; i < PIECES; i++) {
		sent("net:udp_sendmsg", sendto(out, data, some(DATAGRAM_MAX), 0, (void *)&name,
					       sizeof(name)));
		tell("udp_queue", i + 1);
	}
	for (i = 0; i < PIECES; i++)
		received("net:udp_recvmsg", recv(in, data, sizeof(data), 0));
	/* The queue is empty: an error, without a length. */
	must(recv(in, data, sizeof(data), MSG_DONTWAIT) < 0, "recv");
	call("net:sock_recvmsg");
	call("net:udp_recvmsg");
	close(in);
	close(out);
}

static void do_tcp(void)
{
	int listener = socket(family, SOCK_STREAM, 0), out = socket(family, SOCK_STREAM, 0), in, i;
	struct sockaddr_in6 name = name_of(listener);

	must(!listen(listener, 1), "listen");
	must(!connect(out, (void *)&name, sizeof(name)), "connect");
	in = accept(listener, NULL, NULL);
	must(in >= 0, "accept");
	for (i = 0; i < PIECES; i++) {
		size_t bytes = some(DATAGRAM_MAX);

		sent("net:tcp_sendmsg", send(out, data, bytes, 0));
		while (bytes) {
			ssize_t got = recv(in, data, some(bytes), 0);

			must(got > 0, "recv");
			received("net:tcp_recvmsg", got);
			bytes -= got;
		}
	}
	close(out);
	close(in);
	close(listener);
}

/* Reading this file counts as any other read; its text does not contain this read yet. */
static void do_io(void)
{
	int file = open("/proc/thread-self/io", O_RDONLY);
	char *line, io[1024];
	ssize_t got;

	if (file < 0)
		return;
	got = read(file, io, sizeof(io) - 1);
	did_io("block:vfs_read", "vfs_read", got);
	close(file);
	io[got] = '\0';
	for (line = strtok(io, "\n"); line; line = strtok(NULL, "\n")) {
		*strchr(line, ':') = '\0';
		printf("io %s%s\n", line, line + strlen(line) + 1);
	}
	printf("io self %zd\n", got);
}

static void *work(void *device)
{
	int self;
	ssize_t got;

	do_files();
	if (device && *(char *)device)
		do_block(device);
	do_udp();
	do_tcp();
	do_io();
	self = open("/proc/evtlog/profile/self", O_RDONLY);
	/* This read is counted when it has ended. */
	while (self >= 0 && (got = read(self, text + text_bytes, sizeof(text) - text_bytes)) > 0)
		text_bytes += got;
	must(self >= 0, "/proc/evtlog/profile/self");
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	size_t i;

	srandom(atoi(argv[1]));
	if (argc > 3)
		family = AF_INET6;
	is_mapped = argc > 3 && !strcmp(argv[3], "mapped");
	must(!pthread_create(&thread, NULL, work, argv[2]), "pthread_create");
	pthread_join(thread, NULL);
	fwrite(text, 1, text_bytes, stdout);
	for (i = 0; i < sizeof(tolds) / sizeof(*tolds); i++) {
		const struct told *told = &tolds[i];

		printf("told %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		       told->name, told->count, told->sum, told->least, told->largest,
		       told->squares);
	}
	for (i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		printf("calls %s %" PRIu64 "\n", calls[i].name, calls[i].count);
	return 0;
}
