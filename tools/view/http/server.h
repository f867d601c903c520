/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The server: its sockets, which requests it answers, to whom, and time limits.  Parameters of
 * requests are in request.h.
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

/* ---- Authentication ---- */

/*
 * Checks the token in the address, the cookie that the page gets for the token, and the hosts and
 * origins in requests.
 *
 * Both secrets are in memory only.
 */

/* 256 bits as hexadecimal digits */
#define AUTH_SECRET_DIGITS	64

/*
 * @port:	at which the page is served
 * @any_port:	requests come through a unix socket; the port at the forwarding end is unknown
 * @waiting:	wrong attempts that are being delayed
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

/* True if requests with this Host header may be answered. */
bool auth_host(const struct auth *auth, const char *host);

/*
 * True if a request comes from the page that @host served, or from no page.
 * @is_page:	the request is for the page itself, as after a click or typing
 * The other parameters are NULL if the header is missing.
 */
bool auth_origin(const char *host, const char *origin, const char *fetch_site,
		 const char *fetch_mode, bool is_page);

bool auth_token(const struct auth *auth, const char *text, size_t length);

/* True if the Cookie header contains this server's cookie. */
bool auth_cookie(const struct auth *auth, const char *cookies);

/*
 * Waits after a wrong token, to make guessing slow.  Returns false immediately if too
 * many requests are waiting.
 */
bool auth_slow_down(struct auth *auth);

/* ---- Sockets of the server, for this machine only ---- */

/*
 * @sockets:	127.0.0.1 and, if there is IPv6, [::1]; or the unix socket; -1: none
 * @port:	of both TCP sockets
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
 * Both functions return an exit status, after a message on failure.  listen_close() the result.
 * @port: 0: any free port
 */
int listen_local(struct listening *listening, unsigned int port);
int listen_unix(struct listening *listening, const char *path);

void listen_close(struct listening *listening);

/* ---- Time limits of connections ---- */

/* Slow clients are disconnected. */

enum connection_state {
	CONNECTION_HEAD,	/* waits for the head of a request */
	CONNECTION_BODY,
	CONNECTION_WORK,	/* the server works: no limit */
	CONNECTION_SEND,
};

/*
 * @number:	the kernel's number of the socket, never reused
 * @until_ms:	deadline of the current state; before the cookie was seen, of the whole
 *		connection
 * @known:	the client sent the cookie
 * @cut:	was shut down, and will be removed
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

/* Starts the thread that disconnects slow clients.  0 or -errno. */
int connections_start(struct connections *connections);
void connections_stop(struct connections *connections);

/*
 * Shuts down the oldest connection without the cookie if there are too many.  Returns NULL if there
 * is no memory: the connection has no time limits then.
 */
struct connection *connections_add(struct connections *connections, int socket);
void connections_remove(struct connections *connections, struct connection *connection);
/* The client sent the cookie: from now on each state has its own time limit. */
void connections_know(struct connections *connections, struct connection *connection);
void connections_set(struct connections *connections, struct connection *connection,
		     enum connection_state state);

/* ---- The server ---- */

struct MHD_Daemon;

/*
 * @notes_lock: protects the file of notes
 * @asks_user:	the kernel can report the user of a connection
 * @user_was_reported: a refused user was reported
 */
struct server {
	struct session *session;
	struct listening listening;
	struct auth auth;
	struct connections connections;
	struct MHD_Daemon *daemons[2];
	pthread_mutex_t notes_lock;
	bool asks_user;
	atomic_bool user_was_reported;
};

/*
 * Serves @session at @server->listening until server_stop().
 * @port:	in the address; for a unix socket, the port at the forwarding end
 * Returns an exit status, after a message on failure.
 */
int server_start(struct server *server, struct session *session, unsigned int port);
void server_stop(struct server *server);

/* ---- Answers ---- */

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
unsigned int answer_next(struct request *request);
unsigned int answer_arrows(struct request *request);
unsigned int answer_counters(struct request *request);
unsigned int answer_registered(struct request *request);
unsigned int answer_paths(struct request *request);
unsigned int answer_find_packets(struct request *request);
unsigned int answer_summary(struct request *request);
unsigned int answer_profile(struct request *request);
unsigned int answer_search(struct request *request);
unsigned int answer_find(struct request *request);
unsigned int answer_jitter(struct request *request);

/* ---- The user of a local connection ---- */

/* Any user can connect to 127.0.0.1.  The kernel reports the user of a connection. */

/*
 * Gets the user of the socket at @peer, which is connected to @port of the loopback address of the
 * same family.
 * 0; -ENOTCONN: no longer connected; -errno: the kernel does not report users.
 */
int peer_user(const struct sockaddr *peer, unsigned int port, uid_t *user);

/* True if the kernel reports the users of connections to the listening @socket. */
bool peer_is_knowable(int socket, unsigned int port);

/* ---- Opening the address in the desktop's browser: --open ---- */

/*
 * The address is secret, but the arguments of a program are not.  So the browser opens a file that
 * only the user can read, which redirects to the address.
 */

struct browser {
	char *path;
	pid_t pid;
};

/* Prints a message on failure; the address was printed before. */
void browser_open(struct browser *browser, const char *address);
void browser_close(struct browser *browser);

/* ---- Marks of the user, in a file next to the first log ---- */

/* The page defines their content; the server only checks that they are a JSON object. */

#define NOTES_BYTES_MAX	(1u << 20)

bool notes_writable(const struct session *session);

/* ---- The page's files, embedded in the program ---- */

/* NAME_end is the first byte after the file, a 0. */

extern const char embedded_page[], embedded_page_end[];
extern const char embedded_script[], embedded_script_end[];
extern const char embedded_style[], embedded_style_end[];

#endif /* EVTLOG_VIEW_HTTP_SERVER_H */
