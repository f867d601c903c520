/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who may ask: the token of the address, the cookie it is exchanged for, and which
 * hosts and pages a request may name.
 *
 * Both secrets are in memory only.
 */
#ifndef EVTLOG_VIEW_HTTP_AUTH_H
#define EVTLOG_VIEW_HTTP_AUTH_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

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

#endif /* EVTLOG_VIEW_HTTP_AUTH_H */
