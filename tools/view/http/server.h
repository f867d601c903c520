/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The server: who listens, what it may answer, to whom, and for how long; request.h has what it is
 * asked.
 */
#ifndef EVTLOG_VIEW_HTTP_SERVER_H
#define EVTLOG_VIEW_HTTP_SERVER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "request.h"
#include "view/session/session.h"

/* ---- Who may ask ---- */

/*
 * The token of the address, the cookie it is exchanged for, and which hosts and pages a request
 * may name.
 *
 * Both secrets are in memory only.
 */

/* 256 bits as hexadecimal digits */
#define AUTH_SECRET_DIGITS	64

/*
 * @port:	that pages are served at
 * @any_port:	they come through a unix socket, and whoever forwards it chose a port
 * @waiting:	wrong attempts that are being slowed down
 */
struct auth {
	char token[AUTH_SECRET_DIGITS + 1];
	char cookie[AUTH_SECRET_DIGITS + 1];
	char cookie_name[32];
	unsigned int port;
	bool any_port;
	pthread_mutex_t lock;
	unsigned int waiting;
};

/* Makes both secrets.  0 or -errno. */
int auth_init(struct auth *auth, unsigned int port, bool any_port);
void auth_free(struct auth *auth);

/* The Host header of a request that may be answered. */
bool auth_host(const struct auth *auth, const char *host);

/*
 * Whether a request comes from the page that was served by @host, or from nobody's.
 * @is_page:	it asks for the page itself, as a click or typing does
 * Others are NULL if the header is not there.
 */
bool auth_origin(const char *host, const char *origin, const char *fetch_site,
		 const char *fetch_mode, bool is_page);

bool auth_token(const struct auth *auth, const char *text, size_t length);

/* Whether the Cookie header holds ours. */
bool auth_cookie(const struct auth *auth, const char *cookies);

/*
 * After a wrong token: waits, so that guessing is slow.  Returns false at once if too
 * many wait already.
 */
bool auth_slow_down(struct auth *auth);

/* ---- The sockets of the server: of this machine only ---- */

/*
 * @sockets:	127.0.0.1's and, where there is IPv6, [::1]'s; or the unix one; -1: none
 * @port:	of both
 * @path:	of the unix socket, which is removed at the end; NULL: none
 */
struct listening {
	int sockets[2];
	unsigned int port;
	const char *path;
	dev_t device;
	ino_t inode;
};

/*
 * Both say what is wrong, and return an exit status; listen_close() the result.
 * @port: 0: any that is free
 */
int listen_local(struct listening *listening, unsigned int port);
int listen_unix(struct listening *listening, const char *path);

void listen_close(struct listening *listening);

/* ---- How long a connection may take for what ---- */

/* Whoever says little, slowly, is cut off. */

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

/* ---- The server ---- */

struct MHD_Daemon;

/*
 * @notes_lock: of the file of notes
 * @asks_user:	whose a connection is: the kernel tells
 * @told_of_user: that one was refused
 */
struct server {
	struct session *session;
	struct listening listening;
	struct auth auth;
	struct connections connections;
	struct MHD_Daemon *daemons[2];
	pthread_mutex_t notes_lock;
	bool asks_user;
	atomic_bool told_of_user;
};

/*
 * Serves @session at @server->listening, until server_stop().
 * @port:	that people open; of a unix socket, the one they are told to forward
 * Returns an exit status, after saying what is wrong.
 */
int server_start(struct server *server, struct session *session, unsigned int port);
void server_stop(struct server *server);

/* ---- The answers, each in a file of its kind ---- */

unsigned int answer_page(struct request *request);
unsigned int answer_script(struct request *request);
unsigned int answer_style(struct request *request);
unsigned int answer_session(struct request *request);
unsigned int answer_log(struct request *request);
unsigned int answer_names(struct request *request);
unsigned int answer_tiles(struct request *request);
unsigned int answer_overview(struct request *request);
unsigned int answer_notes(struct request *request);
unsigned int answer_put_notes(struct request *request);
unsigned int answer_at(struct request *request);
unsigned int answer_events(struct request *request);
unsigned int answer_step(struct request *request);
unsigned int answer_arrows(struct request *request);
unsigned int answer_counters(struct request *request);
unsigned int answer_registered(struct request *request);
unsigned int answer_paths(struct request *request);
unsigned int answer_find_packets(struct request *request);
unsigned int answer_named(struct request *request);
unsigned int answer_summary(struct request *request);
unsigned int answer_profile(struct request *request);
unsigned int answer_search(struct request *request);
unsigned int answer_find(struct request *request);
unsigned int answer_jitter(struct request *request);

/* ---- Whose a connection from this machine is ---- */

/*
 * Ports of 127.0.0.1 are open to all users of a machine: the kernel is asked who holds the other
 * end.
 */

/*
 * The user at @peer, who is connected to @port of the same address family's loopback.
 * 0; -ENOTCONN: nobody is, any more; -errno: the kernel does not tell.
 */
int peer_user(const struct sockaddr *peer, unsigned int port, uid_t *user);

/* Whether the kernel tells at all, of who is connected to @socket, which listens. */
bool peer_can_tell(int socket, unsigned int port);

/* ---- Has the desktop open the address: --open ---- */

/*
 * The address is a secret, and what a program is started with is not: so a file
 * is opened that leads there, which nobody else may read.
 */

struct browser {
	char *path;
	pid_t pid;
};

/* Says what is wrong; the address was printed in any case. */
void browser_open(struct browser *browser, const char *address);
void browser_close(struct browser *browser);

/* ---- Marks that people set, in a file beside the first log ---- */

/* What is in the file is the page's: only that it is JSON is looked after. */

#define NOTES_BYTES_MAX	(1u << 20)

bool notes_writable(const struct session *session);

/* ---- The page's files, which are part of the program ---- */

/* Each ends before NAME_end, where a 0 stands. */

extern const char embedded_page[], embedded_page_end[];
extern const char embedded_script[], embedded_script_end[];
extern const char embedded_style[], embedded_style_end[];

#endif /* EVTLOG_VIEW_HTTP_SERVER_H */
