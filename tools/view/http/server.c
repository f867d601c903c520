// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Serves HTTP: checks requests and calls the functions that answer them.
 *
 * Each connection has its own thread, so that long work for one client does not delay others.
 */
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "server.h"

/* The limit is much lower for connections without the cookie: see timeouts.c. */
#define CONNECTIONS_MAX		256
#define SILENCE_S		30
#define HEAD_BYTES_MAX		(32 * 1024)
/* Bytes of a too large body that are read and dropped */
#define DISCARDED_MAX		(4u << 20)
#define STACK_BYTES		(512 * 1024)

static const struct route routes[] = {
	{ .method = "GET", .path = "/", .answer = answer_page, .open = true },
	{ .method = "GET", .path = "/app.js", .answer = answer_script, .open = true },
	{ .method = "GET", .path = "/app.css", .answer = answer_style, .open = true },
	{ .method = "POST", .path = "/session", .answer = answer_session, .body_max = 1024, .open = true },
	{ .method = "GET", .path = "/log.json", .answer = answer_log },
	{ .method = "GET", .path = "/names", .answer = answer_names },
	{ .method = "GET", .path = "/tiles", .answer = answer_tiles },
	{ .method = "GET", .path = "/overview", .answer = answer_overview },
	{ .method = "GET", .path = "/at", .answer = answer_at },
	{ .method = "GET", .path = "/events", .answer = answer_events },
	{ .method = "GET", .path = "/next", .answer = answer_next },
	{ .method = "GET", .path = "/arrows", .answer = answer_arrows },
	{ .method = "GET", .path = "/counters", .answer = answer_counters },
	{ .method = "GET", .path = "/registered", .answer = answer_registered },
	{ .method = "GET", .path = "/paths", .answer = answer_paths },
	{ .method = "GET", .path = "/packets", .answer = answer_find_packets },
	{ .method = "GET", .path = "/summary", .answer = answer_summary },
	{ .method = "GET", .path = "/profile", .answer = answer_profile },
	{ .method = "GET", .path = "/search", .answer = answer_search },
	{ .method = "GET", .path = "/find", .answer = answer_find },
	{ .method = "GET", .path = "/jitter.json", .answer = answer_jitter },
	{ .method = "GET", .path = "/notes", .answer = answer_notes, .apart = true },
	{ .method = "PUT", .path = "/notes", .answer = answer_put_notes, .body_max = NOTES_BYTES_MAX,
	  .apart = true },
};

/* ---- Headers of all answers ---- */

static const char *const headers[][2] = {
	{ "Content-Security-Policy",
	  "default-src 'none'; script-src 'self'; style-src 'self'; "
	  "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; "
	  "form-action 'none'; frame-ancestors 'none'" },
	{ "X-Content-Type-Options", "nosniff" },
	{ "Referrer-Policy", "no-referrer" },
	{ "Cache-Control", "no-store" },
	{ "Cross-Origin-Opener-Policy", "same-origin" },
	{ "Cross-Origin-Resource-Policy", "same-origin" },
};

static enum MHD_Result send_answer(struct request *request, unsigned int status)
{
	struct MHD_Response *response;
	enum MHD_Result result;

	response = MHD_create_response_from_buffer(request->length, request->bytes,
						   request->owned ?
						   MHD_RESPMEM_MUST_FREE :
						   MHD_RESPMEM_PERSISTENT);
	if (!response)
		return MHD_NO;
	if (request->owned)
		request->bytes = NULL;
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		MHD_add_response_header(response, headers[i][0], headers[i][1]);
	if (request->type)
		MHD_add_response_header(response, "Content-Type", request->type);
	if (request->entity_tag[0])
		MHD_add_response_header(response, "ETag", request->entity_tag);
	if (request->cookie)
		MHD_add_response_header(response, "Set-Cookie", request->cookie);
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED && request->route)
		MHD_add_response_header(response, "Allow", request->route->method);
	/* Clients without the cookie keep no connection open. */
	if (!request->known)
		MHD_add_response_header(response, "Connection", "close");
	result = MHD_queue_response(request->connection, status, response);
	MHD_destroy_response(response);
	return result;
}

/* ---- Checking requests ---- */

/* Counts of headers, because the library returns only the first of several. */
struct senders {
	unsigned int hosts;
	unsigned int origins;
};

static enum MHD_Result count_senders(void *context, enum MHD_ValueKind kind, const char *key,
				     const char *value)
{
	struct senders *senders = context;

	senders->hosts += !strcasecmp(key, "Host");
	senders->origins += !strcasecmp(key, "Origin");
	return MHD_YES;
}

static unsigned int check_sender(struct request *request, bool is_page)
{
	const struct auth *auth = &request->server->auth;
	const char *host = request_header(request, "Host");
	struct senders senders = { 0 };

	MHD_get_connection_values(request->connection, MHD_HEADER_KIND, count_senders,
				  &senders);
	if (senders.hosts != 1 || !auth_host(auth, host))
		return auth->any_port ?
		       request_error(request, MHD_HTTP_FORBIDDEN,
				     "open http://localhost with the port that is forwarded to this server") :
		       request_error(request, MHD_HTTP_FORBIDDEN,
				     "open http://127.0.0.1:%u, and forward this port under the same number",
				     auth->port);
	if (senders.origins > 1 ||
	    !auth_origin(host, request_header(request, "Origin"),
			 request_header(request, "Sec-Fetch-Site"),
			 request_header(request, "Sec-Fetch-Mode"), is_page))
		return request_error(request, MHD_HTTP_FORBIDDEN,
				     "only the page of this server may send requests");
	return 0;
}

/* Finds the route.  0, or the HTTP status of the refusal. */
static unsigned int find_route(struct request *request, const char *method, const char *path)
{
	bool found = false;

	for (size_t i = 0; i < sizeof(routes) / sizeof(routes[0]); i++) {
		if (strcmp(path, routes[i].path))
			continue;
		request->route = &routes[i];
		if (!strcmp(method, routes[i].method))
			return 0;
		found = true;
	}
	return found ? request_error(request, MHD_HTTP_METHOD_NOT_ALLOWED,
				     "%s is not allowed for this path", method) :
	       request_error(request, MHD_HTTP_NOT_FOUND, "there is no such path");
}

static unsigned int check(struct request *request, const char *method, const char *path)
{
	const char *length = request_header(request, "Content-Length");
	bool is_page = !strcmp(method, "GET") && !strcmp(path, "/");
	unsigned int status = check_sender(request, is_page);

	if (!status)
		status = find_route(request, method, path);
	if (status)
		return status;
	request->known = auth_cookie(&request->server->auth,
				     request_header(request, "Cookie"));
	if (!request->route->open && !request->known)
		return request_error(request, MHD_HTTP_UNAUTHORIZED,
				     "open the address that evtlog view printed");
	if (length && strtoull(length, NULL, 10) > DISCARDED_MAX)
		return request_error(request, MHD_HTTP_CONTENT_TOO_LARGE,
				     "at most %zu bytes", request->route->body_max);
	return 0;
}

/* ---- Requests ---- */

static struct connection *watched(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info;

	info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	return info ? info->socket_context : NULL;
}

static struct request *new_request(struct server *server, struct MHD_Connection *connection)
{
	struct request *request = calloc(1, sizeof(*request));
	const union MHD_ConnectionInfo *info;

	if (!request)
		return NULL;
	info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	request->server = server;
	request->session = server->session;
	request->connection = connection;
	request->socket = info ? info->connect_fd : -1;
	return request;
}

/* Drops a body that is too large, but reads on: closing at once could lose the answer. */
static int take_body(struct request *request, const char *bytes, size_t length)
{
	char *grown;

	request->sent_bytes += length;
	if (request->sent_bytes > request->route->body_max) {
		request->too_large = true;
		return request->sent_bytes > DISCARDED_MAX ? -EFBIG : 0;
	}
	grown = realloc(request->body, request->body_length + length + 1);
	if (!grown)
		return -ENOMEM;
	request->body = grown;
	memcpy(grown + request->body_length, bytes, length);
	request->body_length += length;
	grown[request->body_length] = '\0';
	return 0;
}

static unsigned int answer(struct request *request)
{
	const char *changed;
	unsigned int status;

	if (request->too_large)
		return request_error(request, MHD_HTTP_CONTENT_TOO_LARGE,
				     "at most %zu bytes", request->route->body_max);
	status = request->route->answer(request);
	if (request->route->open || request->route->apart)
		return status;
	/* Check after answering: the log must not have changed while it was read. */
	changed = session_changed(request->session);
	return changed ? request_error(request, MHD_HTTP_CONFLICT,
				       "%s: the log changed: start evtlog view again",
				       changed) : status;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection,
			      const char *path, const char *method, const char *version,
			      const char *upload, size_t *upload_bytes, void **requestp)
{
	struct server *server = context;
	struct request *request = *requestp;
	struct connection *watch = watched(connection);
	enum MHD_Result result;
	unsigned int status;

	if (!request) {
		request = new_request(server, connection);
		if (!request)
			return MHD_NO;
		*requestp = request;
		status = check(request, method, path);
		if (!status) {
			if (request->known)
				connections_know(&server->connections, watch);
			connections_set(&server->connections, watch, CONNECTION_BODY);
			return MHD_YES;
		}
	} else if (*upload_bytes) {
		size_t length = *upload_bytes;

		*upload_bytes = 0;
		return take_body(request, upload, length) ? MHD_NO : MHD_YES;
	} else {
		connections_set(&server->connections, watch, CONNECTION_WORK);
		status = answer(request);
	}
	connections_set(&server->connections, watch, CONNECTION_SEND);
	result = send_answer(request, status);
	return result;
}

static void completed(void *context, struct MHD_Connection *connection, void **requestp,
		      enum MHD_RequestTerminationCode how)
{
	struct server *server = context;
	struct request *request = *requestp;

	connections_set(&server->connections, watched(connection), CONNECTION_HEAD);
	if (!request)
		return;
	*requestp = NULL;
	if (request->out)
		fclose(request->out);
	if (request->owned)
		free(request->bytes);
	free(request->cookie);
	free(request->body);
	free(request);
}

static void notify(void *context, struct MHD_Connection *connection, void **socket_context,
		   enum MHD_ConnectionNotificationCode what)
{
	struct server *server = context;
	const union MHD_ConnectionInfo *info;

	if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
		connections_remove(&server->connections, *socket_context);
		*socket_context = NULL;
		return;
	}
	info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	if (info)
		*socket_context = connections_add(&server->connections, info->connect_fd);
}

/* Refuses other users: ports are open to all users of the machine. */
static enum MHD_Result accept_peer(void *context, const struct sockaddr *peer,
				   socklen_t length)
{
	struct server *server = context;
	uid_t user;
	int error;

	if (!server->asks_user)
		return MHD_YES;
	error = peer_user(peer, server->auth.port, &user);
	if (!error && (user == geteuid() || !user))
		return MHD_YES;
	if (!error && !atomic_exchange(&server->user_was_reported, true))
		pr_warn("refused a connection of user %u: only %s may connect; reported once",
		       (unsigned int)user, geteuid() ? "yours and root's" : "root's");
	return MHD_NO;
}

/* Text with an escaped NUL stays as it is: the unescaped string would end there. */
static size_t unescape(void *context, struct MHD_Connection *connection, char *text)
{
	return strstr(text, "%00") ? strlen(text) : MHD_http_unescape(text);
}

/* ---- Starting and stopping ---- */

static struct MHD_Daemon *start_daemon(struct server *server, int socket)
{
	return MHD_start_daemon(MHD_USE_THREAD_PER_CONNECTION |
				MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL |
				MHD_USE_ITC,
				0, accept_peer, server, handle, server,
				MHD_OPTION_LISTEN_SOCKET, socket,
				MHD_OPTION_CONNECTION_LIMIT, (unsigned int)CONNECTIONS_MAX,
				MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)SILENCE_S,
				MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEAD_BYTES_MAX,
				MHD_OPTION_THREAD_STACK_SIZE, (size_t)STACK_BYTES,
				MHD_OPTION_NOTIFY_CONNECTION, notify, server,
				MHD_OPTION_NOTIFY_COMPLETED, completed, server,
				MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL,
				MHD_OPTION_STRICT_FOR_CLIENT, 1,
				MHD_OPTION_END);
}

int server_start(struct server *server, struct session *session, unsigned int port)
{
	int error;

	server->session = session;
	error = auth_init(&server->auth, port, server->listening.path != NULL);
	if (error) {
		pr_err("view: no random numbers: %s", strerror(-error));
		auth_free(&server->auth);
		return EXIT_FAILED;
	}
	error = connections_start(&server->connections);
	if (error) {
		pr_err("view: %s", strerror(-error));
		auth_free(&server->auth);
		return EXIT_FAILED;
	}
	pthread_mutex_init(&server->notes_lock, NULL);
	/* For a unix socket the mode of the file decides who may connect. */
	server->asks_user = !server->listening.path &&
			    peer_is_knowable(server->listening.sockets[0], port);
	for (int i = 0; i < 2; i++) {
		if (server->listening.sockets[i] < 0)
			continue;
		server->daemons[i] = start_daemon(server, server->listening.sockets[i]);
		if (!server->daemons[i]) {
			pr_err("view: can't serve: %s", strerror(errno));
			server_stop(server);
			return EXIT_FAILED;
		}
		/* The daemon owns the socket now. */
		server->listening.sockets[i] = -1;
	}
	return EXIT_OK;
}

void server_stop(struct server *server)
{
	atomic_store(&server->session->stopping, true);
	for (int i = 0; i < 2; i++)
		if (server->daemons[i])
			MHD_stop_daemon(server->daemons[i]);
	connections_stop(&server->connections);
	pthread_mutex_destroy(&server->notes_lock);
	auth_free(&server->auth);
}
