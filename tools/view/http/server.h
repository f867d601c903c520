/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The server: who listens, what it may answer, and to whom.
 */
#ifndef EVTLOG_VIEW_HTTP_SERVER_H
#define EVTLOG_VIEW_HTTP_SERVER_H

#include "auth.h"
#include "listen.h"
#include "request.h"
#include "timeouts.h"
#include "view/session/session.h"

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

#endif /* EVTLOG_VIEW_HTTP_SERVER_H */
