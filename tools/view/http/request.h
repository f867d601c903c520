/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A request that may be answered, and its answer.
 *
 * What a client says is hostile: the functions here are the way to it.
 */
#ifndef EVTLOG_VIEW_HTTP_REQUEST_H
#define EVTLOG_VIEW_HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/json.h"
#include "view/session/session.h"

struct MHD_Connection;
struct server;

/* More is not looked at in one answer. */
#define REQUEST_LANES_MAX	4096

/*
 * @connection:	NULL: nobody asks by HTTP, but the program itself, by @query: keys and
 *		values in turn, ended by NULL
 * @socket:	for telling whether the client has gone
 * @sent_bytes:	of the body, of which no more than may be is kept
 * @bytes:	of the answer; freed with the request if @owned
 * @known:	it came with the cookie
 * @entity_tag:	with its quotes; "" = none
 * @cookie:	for Set-Cookie; NULL: none
 */
struct request {
	struct server *server;
	struct session *session;
	struct MHD_Connection *connection;
	const char *const *query;
	const struct route *route;
	int socket;
	char *body;
	size_t body_length;
	size_t sent_bytes;
	bool too_large;
	bool known;

	char *bytes;
	size_t length;
	bool owned;
	const char *type;
	char entity_tag[40];
	char *cookie;
	FILE *out;
};

/*
 * What can be asked for.  @answer returns an HTTP status.
 * @body_max:	bytes; 0: it takes none
 * @open:	without cookie
 * @apart:	it says nothing of the logs, which may have changed
 */
struct route {
	const char *method;
	const char *path;
	unsigned int (*answer)(struct request *request);
	size_t body_max;
	bool open;
	bool apart;
};

/* A lane asked for: a CPU's, or a task's of a host. */
struct wanted_lane {
	bool is_task;
	uint32_t lane;
	uint32_t host;
	uint32_t task;
};

/* Answers {"error": ...}; returns @status. */
unsigned int request_error(struct request *request, unsigned int status,
			   const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The same for -errno of a function of the session. */
unsigned int request_failed(struct request *request, int error);

/* Begins an answer in JSON with an object; request_end() ends that, and returns 200. */
int request_begin(struct request *request, struct json *json);
unsigned int request_end(struct request *request, struct json *json);

/* NULL if it is not given. */
const char *request_text(struct request *request, const char *key);
const char *request_header(struct request *request, const char *key);

/* The same for a time, of which those beyond all logs are brought to a common end. */
int request_time(struct request *request, const char *key, int64_t *time_ns);
/* The same, from 0 to @max. */
int request_u64(struct request *request, const char *key, uint64_t max, uint64_t *value);

/*
 * "0-15,20,t0.17": as request_s64().  free() @lanes.
 * @tasks:	whether there may be any
 */
int request_lanes(struct request *request, const char *key, bool tasks,
		  struct wanted_lane **lanes, size_t *count);
/* The same for one. */
int request_lane(struct request *request, const char *key, struct wanted_lane *lane);

/* The client has gone, or the server ends: nobody wants the answer. */
bool request_given_up(struct request *request);

/* Numbers that a double does not hold are written as strings. */
void answer_u64(struct json *json, const char *key, uint64_t value);
void answer_s64(struct json *json, const char *key, int64_t value);
/* As a string in any case: ns since an epoch. */
void answer_ns_text(struct json *json, const char *key, int64_t value);
/* null for UINT64_MAX */
void answer_bound(struct json *json, const char *key, uint64_t bound_ns);

#endif /* EVTLOG_VIEW_HTTP_REQUEST_H */
