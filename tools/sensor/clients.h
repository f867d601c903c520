/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sensor's unix socket and its clients.
 *
 * Stage: after lines.c, whose lines are sent.  It never waits for a client: up to CLIENT_BYTES
 * are kept for a slow client, then lines are skipped, and their number is sent to the client.
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
/* A client that does not read waiting data for this time is disconnected. */
#define CLIENT_PATIENCE_NS	(60 * UINT64_C(1000000000))

/*
 * @fd:		-1 if the place is free
 * @out:	data to send, @out_bytes from @out_start on; NULL if none
 * @in, @in_bytes: an incomplete line
 * @has_ended:	True: the client sends no more, but may still read
 * @subscription: names of events that are sent at once, NULL if none
 * @skipped:	lines skipped after the last one sent
 * @read_ns:	when the client last took data, or when data began to wait
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

/* Identifies the socket: another one may get the same name. */
struct clients_socket {
	dev_t device;
	ino_t inode;
};

/*
 * @epoll:	sockets are added to it, with @tag | their number as data
 * @fd:		-1 if there is no socket
 * @path:	of the socket; NULL if there is none, or if it is no longer ours
 * @socket:	identifies it
 * @is_full:	True: descriptors or memory for a new client were missing; see clients_retry()
 * @was_reported:	True: this has been printed
 * @subscriptions: changes with each change of a subscription
 */
struct clients {
	int epoll;
	uint64_t tag;
	int fd;
	const char *path;
	struct clients_socket socket;
	bool is_full;
	bool was_reported;
	struct client at[CLIENTS_MAX];
	size_t count;
	uint64_t skipped, dropped;
	uint64_t subscriptions;
};

/* Number of the listening socket, in the data of epoll. */
#define CLIENTS_LISTEN	UINT32_MAX

/** clients_init() - initialize, without a socket */
void clients_init(struct clients *clients);

/**
 * clients_listen() - create the socket
 * @path:	a socket that no process serves is replaced
 * @group:	group that may connect; (gid_t)-1: only root
 *
 * Prints errors.  Returns 0 or -errno.
 */
int clients_listen(struct clients *clients, const char *path, gid_t group, int epoll, uint64_t tag);

/** clients_close() - send the lines that clients read within a second, remove the socket */
void clients_close(struct clients *clients);

/**
 * clients_ready() - a socket can be read or written
 * @number:	without the tag
 * @hello:	first line for a new client
 */
void clients_ready(struct clients *clients, uint32_t number, uint32_t events, const char *hello,
		   size_t hello_bytes);

/** clients_send() - send a line to all clients, or only to those that subscribed to @event */
void clients_send(struct clients *clients, const char *event, const char *line, size_t bytes);

/** clients_want() - returns true if a client has subscribed to @event */
bool clients_want(const struct clients *clients, const char *event);

/** clients_retry() - if a descriptor was missing, accept clients again; call it repeatedly */
void clients_retry(struct clients *clients);

/** clients_drop_idle() - disconnect clients that have not read for CLIENT_PATIENCE_NS */
void clients_drop_idle(struct clients *clients);

#endif /* EVTLOG_SENSOR_CLIENTS_H */
