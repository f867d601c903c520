/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A permitted request, and its answer.
 *
 * Data from a client is untrusted: read it only with these functions.
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

/* Most lanes in one request */
#define REQUEST_LANES_MAX	4096

/*
 * @connection:	NULL: the program itself asks, without HTTP, by @query: keys and values in
 *		turn, ended by NULL
 * @socket:	for detecting that the client has gone; -1 if none
 * @sent_bytes:	received bytes of the body; @body keeps at most route->body_max
 * @known:	the client sent the cookie
 * @bytes:	the answer; freed with the request if @owned
 * @entity_tag:	with its quotes; "" if none
 * @cookie:	for Set-Cookie; NULL if none
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
 * An answer that can be requested.  @answer returns an HTTP status.
 * @body_max:	bytes; 0: requests have no body
 * @open:	needs no cookie
 * @apart:	the answer does not depend on the logs: no check whether they have changed
 */
struct route {
	const char *method;
	const char *path;
	unsigned int (*answer)(struct request *request);
	size_t body_max;
	bool open;
	bool apart;
};

/* A requested lane: a CPU, or a task of a host. */
struct wanted_lane {
	bool is_task;
	uint32_t lane;
	uint32_t host;
	uint32_t task;
};

/* Answers {"error": ...}.  Returns @status. */
unsigned int request_error(struct request *request, unsigned int status,
			   const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The same for -errno from a function of the session. */
unsigned int request_failed(struct request *request, int error);

/* Begins an answer in JSON with an object.  request_end() ends the object and returns 200. */
int request_begin(struct request *request, struct json *json);
unsigned int request_end(struct request *request, struct json *json);

/* NULL if not given. */
const char *request_text(struct request *request, const char *key);
const char *request_header(struct request *request, const char *key);

/* Reads a time; limits it to plus or minus 2^62 ns.  0; -ENOENT: not given; -EINVAL. */
int request_time(struct request *request, const char *key, int64_t *time_ns);
/* The same for a number from 0 to @max, else -EINVAL. */
int request_u64(struct request *request, const char *key, uint64_t max, uint64_t *value);

/*
 * The same for a list of lanes, "0-15,20,t0.17".  free() @lanes.
 * @tasks:	accept lanes of tasks
 */
int request_lanes(struct request *request, const char *key, bool tasks,
		  struct wanted_lane **lanes, size_t *count);
/* The same for lanes of CPUs: their numbers. */
int request_cpus(struct request *request, const char *key, uint32_t **lanes, size_t *count);
/* The same for a single lane. */
int request_lane(struct request *request, const char *key, struct wanted_lane *lane);

/* True if the answer is no longer wanted: the client has gone, or the server stops. */
bool request_given_up(struct request *request);

/* Writes a number that is not exact in a double as a string. */
void answer_u64(struct json *json, const char *key, uint64_t value);
void answer_s64(struct json *json, const char *key, int64_t value);
/* Writes ns since an epoch, always as a string. */
void answer_ns_text(struct json *json, const char *key, int64_t value);
/* Writes null for UINT64_MAX. */
void answer_bound(struct json *json, const char *key, uint64_t bound_ns);

#endif /* EVTLOG_VIEW_HTTP_REQUEST_H */
