// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * iod PORT DIRECTORY THREADS - does the file I/O of processes on other nodes, like CIOD and ZOID on
 * an I/O node: one thread and one file for each connection.
 *
 * Prints "serving PID" once it listens, and "served CALLS BYTES" for each operation when all
 * threads have served one connection. The threads then stay, because their profiles are read. It
 * trusts its clients: it is only for tests.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "iod.h"

static int listener, directory;
static atomic_ulong calls[IOD_FORGET + 1], bytes[IOD_FORGET + 1];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int served;	/* protected by lock */

static void die(const char *what)
{
	fprintf(stderr, "iod: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Returns whether all @length bytes came. */
static int receive(int peer, void *to, size_t length)
{
	return recv(peer, to, length, MSG_WAITALL) == (ssize_t)length;
}

static void send_all(int peer, const char *from, size_t length)
{
	while (length) {
		ssize_t n = send(peer, from, length, MSG_NOSIGNAL);

		if (n < 0)
			die("send");
		from += n;
		length -= n;
	}
}

/* Returns the length, or -errno. */
static int64_t write_all(int file, const char *from, size_t length, off_t offset)
{
	size_t done = 0;

	while (done < length) {
		ssize_t n = pwrite(file, from + done, length - done, offset + done);

		if (n < 0)
			return -errno;
		done += n;
	}
	return done;
}

/* @buffer: the data after the request, or the data to send after the reply */
static int64_t carry_out(const struct iod_request *request, int *file, char *buffer)
{
	int64_t n = 0;

	switch (request->operation) {
	case IOD_OPEN:
		buffer[request->length] = 0;
		n = *file = openat(directory, buffer, O_RDWR | O_CREAT | O_TRUNC, 0644);
		break;
	case IOD_WRITE:
		return write_all(*file, buffer, request->length, request->offset);
	case IOD_READ:
		n = pread(*file, buffer, request->length, request->offset);
		break;
	case IOD_FSYNC:
		n = fsync(*file);
		break;
	case IOD_FORGET:
		return -posix_fadvise(*file, 0, 0, POSIX_FADV_DONTNEED);
	default:
		return -EINVAL;
	}
	return n < 0 ? -errno : n;
}

static void serve(int peer, char *buffer)
{
	struct iod_request request;
	struct iod_reply reply;
	int file = -1;

	while (receive(peer, &request, sizeof(request))) {
		int has_data = request.operation == IOD_OPEN || request.operation == IOD_WRITE;

		if (request.length > IOD_BYTES_MAX || request.operation > IOD_FORGET ||
		    (has_data && !receive(peer, buffer, request.length)))
			break;
		reply.result = carry_out(&request, &file, buffer);
		calls[request.operation]++;
		if (reply.result > 0 && request.operation != IOD_OPEN)
			bytes[request.operation] += reply.result;
		send_all(peer, (char *)&reply, sizeof(reply));
		if (request.operation == IOD_READ && reply.result > 0)
			send_all(peer, buffer, reply.result);
	}
	if (file >= 0)
		close(file);
}

static void *work(void *number)
{
	char name[16], *buffer = malloc(IOD_BYTES_MAX + 1);
	int peer, one = 1;

	snprintf(name, sizeof(name), "iod-%d", (int)(intptr_t)number);
	prctl(PR_SET_NAME, name);
	if (!buffer)
		die("memory");
	peer = accept(listener, NULL, NULL);
	if (peer < 0)
		die("accept");
	setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	serve(peer, buffer);
	close(peer);
	pthread_mutex_lock(&lock);
	served++;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	while (pause())
		;
	return NULL;
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "open", "write", "read", "fsync", "forget" };
	struct sockaddr_in at = { .sin_family = AF_INET };
	int threads, one = 1;

	if (argc != 4 || (threads = atoi(argv[3])) < 1)
		return 2;
	at.sin_port = htons(atoi(argv[1]));
	directory = open(argv[2], O_DIRECTORY | O_PATH);
	if (directory < 0)
		die(argv[2]);
	listener = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (listener < 0 || bind(listener, (struct sockaddr *)&at, sizeof(at)) || listen(listener, 64))
		die("listen");
	for (int i = 0; i < threads; i++) {
		pthread_t thread;

		errno = pthread_create(&thread, NULL, work, (void *)(intptr_t)(i + 1));
		if (errno)
			die("thread");
	}
	printf("serving %d\n", getpid());
	fflush(stdout);
	pthread_mutex_lock(&lock);
	while (served < threads)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	printf("served");
	for (int i = 0; i <= IOD_FORGET; i++)
		printf(" %s %lu %lu", names[i], calls[i], bytes[i]);
	printf("\n");
	fflush(stdout);
	for (;;)
		pause();
}
