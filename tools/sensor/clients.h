/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sensor's unix socket and its clients.
 *
 * Stage: behind lines.c, whose lines it sends.  It waits for no client: what one does not read is
 * kept up to CLIENT_BYTES, then lines are skipped, and the client is told how many.
 */
#ifndef EVTLOG_SENSOR_CLIENTS_H
#define EVTLOG_SENSOR_CLIENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define CLIENTS_MAX		64
#define CLIENT_BYTES		(512 * 1024)
#define CLIENT_LINE_BYTES	256
/* A client that reads nothing for so long, though there is something to read, is dropped. */
#define CLIENT_PATIENCE_NS	(60 * UINT64_C(1000000000))

/*
 * @fd:		-1: the place is free
 * @out:	what is to be sent: @out_bytes from @out_start on; NULL: nothing
 * @in, @in_bytes: of a line that is not complete
 * @has_ended:	it says nothing more, and may read
 * @subscription: names of events that are told at once; NULL: none
 * @skipped:	lines since the last that it got
 * @read_ns:	when it last took something, or something began to wait
 */
struct client {
	int fd;
	char *out;
	size_t out_start, out_bytes;
	char in[CLIENT_LINE_BYTES];
	size_t in_bytes;
	bool has_ended;
	char *subscription;
	uint64_t skipped;
	uint64_t read_ns;
};

/* Which socket it is: another one may come by its name */
struct clients_socket {
	dev_t device;
	ino_t inode;
};

/*
 * @epoll:	to which sockets are added, with @tag | their number as data
 * @fd:		-1: there is no socket
 * @path:	of the socket; NULL: it is not there, or not this one's any more
 * @socket:	which one it is
 * @is_full:	no client can be taken for want of descriptors or memory; clients_retry() looks again
 * @is_told:	that was said
 * @subscriptions: changes when one does
 */
struct clients {
	int epoll;
	uint64_t tag;
	int fd;
	const char *path;
	struct clients_socket socket;
	bool is_full;
	bool is_told;
	struct client at[CLIENTS_MAX];
	size_t count;
	uint64_t skipped, dropped;
	uint64_t subscriptions;
};

/* As data of epoll: the listening socket, behind the tag */
#define CLIENTS_LISTEN	UINT32_MAX

/** clients_init() - there is no socket */
void clients_init(struct clients *clients);

/**
 * clients_listen() - make the socket
 * @path:	a socket there that no process serves is replaced
 * @group:	that may connect; (gid_t)-1: only root
 *
 * Returns 0 or -errno, after saying what is wrong.
 */
int clients_listen(struct clients *clients, const char *path, gid_t group, int epoll, uint64_t tag);

/** clients_close() - sends what clients read within a second, and takes the socket away */
void clients_close(struct clients *clients);

/**
 * clients_ready() - a socket can be read, or written
 * @number:	without the tag
 * @hello:	the first line for one that connects
 */
void clients_ready(struct clients *clients, uint32_t number, uint32_t events, const char *hello,
		   size_t hello_bytes);

/** clients_send() - a line to all; @event: only to those that subscribed to it; NULL: all */
void clients_send(struct clients *clients, const char *event, const char *line, size_t bytes);

/** clients_want() - whether any has subscribed to an event */
bool clients_want(const struct clients *clients, const char *event);

/** clients_retry() - take clients again, if there was no descriptor for one; at times */
void clients_retry(struct clients *clients);

/** clients_drop_idle() - those that have not read for CLIENT_PATIENCE_NS */
void clients_drop_idle(struct clients *clients);

#endif /* EVTLOG_SENSOR_CLIENTS_H */
