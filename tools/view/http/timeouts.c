// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Disconnects clients that take too long.
 *
 * The time-out of libmicrohttpd is not enough: it starts again at each byte, so a slow client could
 * hold a connection forever.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "common/clock.h"
#include "server.h"

/* Limits without the cookie: total time of a connection, and number of connections */
#define UNKNOWN_MS	15000
#define UNKNOWN_MAX	64
#define IDLE_MS		60000
#define BODY_MS		20000
#define SEND_MS		60000

/* Identifies a socket, because file descriptors are reused. */
static uint64_t socket_number(int socket)
{
	uint64_t number = 0;
	socklen_t length = sizeof(number);

	if (getsockopt(socket, SOL_SOCKET, SO_COOKIE, &number, &length))
		return 0;
	return number;
}

static void cut(struct connection *connection)
{
	connection->cut = true;
	if (connection->number && socket_number(connection->socket) == connection->number)
		shutdown(connection->socket, SHUT_RDWR);
}

/* The oldest is the last in the list. */
static void cut_oldest_unknown(struct connections *connections)
{
	struct connection *oldest = NULL;
	unsigned int count = 0;

	for (struct connection *c = connections->first; c; c = c->next) {
		if (c->known || c->cut)
			continue;
		oldest = c;
		count++;
	}
	if (count > UNKNOWN_MAX)
		cut(oldest);
}

static void *watch(void *arg)
{
	struct connections *connections = arg;

	pthread_mutex_lock(&connections->lock);
	while (!connections->stopping) {
		uint64_t now = now_ms();
		struct timespec wake;

		for (struct connection *c = connections->first; c; c = c->next)
			if (c->until_ms < now)
				cut(c);
		clock_gettime(CLOCK_MONOTONIC, &wake);
		wake.tv_sec++;
		pthread_cond_timedwait(&connections->changed, &connections->lock, &wake);
	}
	pthread_mutex_unlock(&connections->lock);
	return NULL;
}

int connections_start(struct connections *connections)
{
	pthread_condattr_t attributes;
	int error;

	*connections = (struct connections) { 0 };
	pthread_mutex_init(&connections->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&connections->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	error = pthread_create(&connections->watch, NULL, watch, connections);
	return -error;
}

void connections_stop(struct connections *connections)
{
	pthread_mutex_lock(&connections->lock);
	connections->stopping = true;
	pthread_cond_signal(&connections->changed);
	pthread_mutex_unlock(&connections->lock);
	pthread_join(connections->watch, NULL);
	pthread_cond_destroy(&connections->changed);
	pthread_mutex_destroy(&connections->lock);
}

struct connection *connections_add(struct connections *connections, int socket)
{
	struct connection *connection = calloc(1, sizeof(*connection));

	if (!connection)
		return NULL;
	connection->socket = socket;
	connection->number = socket_number(socket);
	connection->until_ms = now_ms() + UNKNOWN_MS;
	pthread_mutex_lock(&connections->lock);
	connection->next = connections->first;
	connection->link = &connections->first;
	if (connection->next)
		connection->next->link = &connection->next;
	connections->first = connection;
	cut_oldest_unknown(connections);
	pthread_mutex_unlock(&connections->lock);
	return connection;
}

void connections_remove(struct connections *connections, struct connection *connection)
{
	if (!connection)
		return;
	pthread_mutex_lock(&connections->lock);
	*connection->link = connection->next;
	if (connection->next)
		connection->next->link = connection->link;
	pthread_mutex_unlock(&connections->lock);
	free(connection);
}

void connections_know(struct connections *connections, struct connection *connection)
{
	if (!connection)
		return;
	pthread_mutex_lock(&connections->lock);
	connection->known = true;
	pthread_mutex_unlock(&connections->lock);
}

void connections_set(struct connections *connections, struct connection *connection,
		     enum connection_state state)
{
	uint64_t now = now_ms();

	/* Without the cookie the limit is for the whole connection. */
	if (!connection || !connection->known)
		return;
	pthread_mutex_lock(&connections->lock);
	switch (state) {
	case CONNECTION_HEAD:
		connection->until_ms = now + IDLE_MS;
		break;
	case CONNECTION_BODY:
		connection->until_ms = now + BODY_MS;
		break;
	case CONNECTION_WORK:
		connection->until_ms = UINT64_MAX;
		break;
	case CONNECTION_SEND:
		connection->until_ms = now + SEND_MS;
		break;
	}
	pthread_mutex_unlock(&connections->lock);
}
