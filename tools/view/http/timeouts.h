/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long a connection may take for what: whoever says little, slowly, is cut off.
 */
#ifndef EVTLOG_VIEW_HTTP_TIMEOUTS_H
#define EVTLOG_VIEW_HTTP_TIMEOUTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum connection_state {
	CONNECTION_HEAD,	/* a request's head is to come */
	CONNECTION_BODY,
	CONNECTION_WORK,	/* the server's own time */
	CONNECTION_SEND,
};

/*
 * @number:	of the socket, which no other has, ever
 * @until_ms:	by then the state must be another; of one that is not known, by then all
 *	is over
 * @known:	it had the cookie
 * @cut:	it is shut down, and soon gone
 */
struct connection {
	struct connection *next;
	struct connection **link;
	int socket;
	uint64_t number;
	uint64_t until_ms;
	bool known;
	bool cut;
};

struct connections {
	pthread_mutex_t lock;
	struct connection *first;
	pthread_t watch;
	pthread_cond_t changed;
	bool stopping;
};

/* Starts a thread that cuts off.  0 or -errno. */
int connections_start(struct connections *connections);
void connections_stop(struct connections *connections);

/*
 * Where there are too many that are not known, the oldest of them makes room.  NULL: no
 * memory, the connection is not watched.
 */
struct connection *connections_add(struct connections *connections, int socket);
void connections_remove(struct connections *connections, struct connection *connection);
/* It had the cookie: from now on each state has a time of its own. */
void connections_know(struct connections *connections, struct connection *connection);
void connections_set(struct connections *connections, struct connection *connection,
		     enum connection_state state);

#endif /* EVTLOG_VIEW_HTTP_TIMEOUTS_H */
