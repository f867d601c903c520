// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * iotest ADDRESS PORT CLIENTS KIB BLOCK_KIB SYNC - CLIENTS processes write KIB each through iod, in
 * blocks, with an fsync after each SYNC blocks and at the end, and read the data back.
 *
 * All begin to write when all are connected, and to read when all have written. Prints a line for
 * each phase: total bytes, ns from its begin to the end of the last process, and of the first.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "iod.h"

#define CLIENTS_MAX	128

enum phase { WRITES, READS, PHASES };

/* Shared by all processes */
static struct {
	pthread_barrier_t barrier;
	uint64_t begin[PHASES][CLIENTS_MAX], end[PHASES][CLIENTS_MAX];
} *shared;
static size_t total, block;
static unsigned int sync_blocks;
static int iod = -1;

static void die(const char *what)
{
	fprintf(stderr, "iotest: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static void send_all(const void *from, size_t length)
{
	while (length) {
		ssize_t n = send(iod, from, length, MSG_NOSIGNAL);

		if (n < 0)
			die("send");
		from = (const char *)from + n;
		length -= n;
	}
}

static void receive(void *to, size_t length)
{
	errno = EPIPE;
	if (recv(iod, to, length, MSG_WAITALL) != (ssize_t)length)
		die("recv");
}

static int64_t ask(enum iod_operation operation, const void *data, size_t length, uint64_t offset)
{
	struct iod_request request = { operation, length, offset };
	struct iod_reply reply;

	send_all(&request, sizeof(request));
	if (data)
		send_all(data, length);
	receive(&reply, sizeof(reply));
	if (reply.result < 0) {
		errno = -reply.result;
		die("iod's operation");
	}
	return reply.result;
}

static void write_file(char *buffer)
{
	for (size_t at = 0; at < total; at += block) {
		memset(buffer, 'a' + at / block % 26, block);
		ask(IOD_WRITE, buffer, block, at);
		if ((at / block + 1) % sync_blocks == 0 || at + block == total)
			ask(IOD_FSYNC, NULL, 0, 0);
	}
	ask(IOD_FORGET, NULL, 0, 0);
}

static void read_file(char *buffer)
{
	errno = EIO;
	for (size_t at = 0; at < total; at += block) {
		if (ask(IOD_READ, NULL, block, at) != (int64_t)block)
			die("a file is too short");
		receive(buffer, block);
		for (size_t i = 0; i < block; i += 512)
			if (buffer[i] != (char)('a' + at / block % 26))
				die("a file is not what was written");
	}
}

static void run(int client, const struct sockaddr_in *at)
{
	static void (*const phases[])(char *buffer) = { write_file, read_file };
	char name[32], *buffer = malloc(block);
	int one = 1;

	iod = socket(AF_INET, SOCK_STREAM, 0);
	if (!buffer || iod < 0 || connect(iod, (const struct sockaddr *)at, sizeof(*at)))
		die("connect");
	setsockopt(iod, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	snprintf(name, sizeof(name), "client-%d", client);
	ask(IOD_OPEN, name, strlen(name), 0);
	for (int i = 0; i < PHASES; i++) {
		pthread_barrier_wait(&shared->barrier);
		shared->begin[i][client] = now_ns();
		phases[i](buffer);
		shared->end[i][client] = now_ns();
	}
	exit(0);
}

static void print_phase(const char *name, enum phase phase, int clients)
{
	uint64_t begin = UINT64_MAX, first = UINT64_MAX, last = 0;

	for (int i = 0; i < clients; i++) {
		if (shared->begin[phase][i] < begin)
			begin = shared->begin[phase][i];
		if (shared->end[phase][i] < first)
			first = shared->end[phase][i];
		if (shared->end[phase][i] > last)
			last = shared->end[phase][i];
	}
	printf("%s %zu %llu %llu\n", name, total * clients, (unsigned long long)(last - begin),
	       (unsigned long long)(first - begin));
}

int main(int argc, char **argv)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	pthread_barrierattr_t attributes;
	int clients, status, failed = 0;

	if (argc != 7 || inet_pton(AF_INET, argv[1], &at.sin_addr) != 1)
		return 2;
	at.sin_port = htons(atoi(argv[2]));
	clients = atoi(argv[3]);
	total = strtoul(argv[4], NULL, 10) << 10;
	block = strtoul(argv[5], NULL, 10) << 10;
	sync_blocks = atoi(argv[6]);
	if (clients < 1 || clients > CLIENTS_MAX || !block || block > IOD_BYTES_MAX ||
	    !total || total % block || !sync_blocks)
		return 2;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		die("mmap");
	pthread_barrierattr_init(&attributes);
	pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&shared->barrier, &attributes, clients);
	for (int i = 0; i < clients; i++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (!pid)
			run(i, &at);
	}
	/* If one process ends early, the others wait at the barrier. */
	while (!failed && wait(&status) > 0)
		failed = status != 0;
	if (failed)
		return 1;
	print_phase("write", WRITES, clients);
	print_phase("read", READS, clients);
	return 0;
}
