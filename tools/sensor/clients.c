// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sends lines to the clients of a unix socket.
 *
 * A client may send lines "subscribe EVENTS" and nothing else.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "clients.h"
#include "common/error.h"
#include "table.h"

#define NAME_CHARACTERS	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_*?,"

/* Time to send the last lines. */
#define CLOSE_NS	UINT64_C(1000000000)
#define CLOSE_STEP_MS	20

/* Descriptors that are reserved for other purposes. */
#define DESCRIPTORS_KEPT	8

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

static void watch(struct clients *clients, struct client *client, int operation)
{
	struct epoll_event event = {
		.events = (client->has_ended ? 0 : EPOLLIN) | (client->out_bytes ? EPOLLOUT : 0),
		.data.u64 = clients->tag | (client - clients->at),
	};

	epoll_ctl(clients->epoll, operation, client->fd, &event);
}

/* Disabled while no client can be accepted: else epoll reports the same client again and again. */
static void listen_to(struct clients *clients, bool hears)
{
	struct epoll_event event = {
		.events = hears ? EPOLLIN : 0,
		.data.u64 = clients->tag | CLIENTS_LISTEN,
	};

	epoll_ctl(clients->epoll, EPOLL_CTL_MOD, clients->fd, &event);
	clients->is_full = !hears;
}

void clients_retry(struct clients *clients)
{
	if (clients->is_full)
		listen_to(clients, true);
}

static void drop(struct clients *clients, struct client *client)
{
	close(client->fd);
	free(client->out);
	if (client->subscription)
		clients->subscriptions++;
	free(client->subscription);
	*client = (struct client){ .fd = -1 };
	clients->count--;
	clients_retry(clients);
}

/* ---- Sending ---- */

/* Sends what the socket takes.  Returns false if the client is gone. */
static bool flush(struct client *client)
{
	while (client->out_bytes) {
		ssize_t sent = send(client->fd, client->out + client->out_start, client->out_bytes,
				    MSG_DONTWAIT | MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return errno == EAGAIN;
		client->read_ns = now_ns();
		client->out_start += sent;
		client->out_bytes -= sent;
	}
	free(client->out);
	client->out = NULL;
	client->out_start = 0;
	return true;
}

static bool append(struct client *client, const char *bytes, size_t count)
{
	if (count > CLIENT_BYTES - client->out_bytes)
		return false;
	if (!client->out) {
		client->out = malloc(CLIENT_BYTES);
		client->read_ns = now_ns();
	}
	if (!client->out)
		return false;
	if (client->out_start + client->out_bytes + count > CLIENT_BYTES) {
		memmove(client->out, client->out + client->out_start, client->out_bytes);
		client->out_start = 0;
	}
	memcpy(client->out + client->out_start + client->out_bytes, bytes, count);
	client->out_bytes += count;
	return true;
}

/* After skipped lines, first appends their number.  If both do not fit, appends nothing. */
static bool append_line(struct client *client, const char *line, size_t bytes)
{
	char skipped_note[64];
	size_t note_bytes = 0;

	if (client->skipped)
		note_bytes = snprintf(skipped_note, sizeof(skipped_note),
				      "{\"type\": \"skipped\", \"lines\": %" PRIu64 "}\n",
				      client->skipped);
	if (note_bytes + bytes > CLIENT_BYTES - client->out_bytes)
		return false;
	if (note_bytes && !append(client, skipped_note, note_bytes))
		return false;
	client->skipped = 0;
	return append(client, line, bytes);
}

static void send_line(struct clients *clients, struct client *client, const char *line,
		      size_t bytes)
{
	bool waited = client->out_bytes;
	bool fits = append_line(client, line, bytes);

	/* During a burst of lines, the client may have read some. */
	if (!fits && !flush(client)) {
		drop(clients, client);
		return;
	}
	if (!fits && !append_line(client, line, bytes)) {
		client->skipped++;
		clients->skipped++;
		return;
	}
	/* If data was waiting, all is sent when the socket takes more. */
	if (waited)
		return;
	if (!flush(client))
		drop(clients, client);
	else if (client->out_bytes)
		watch(clients, client, EPOLL_CTL_MOD);
}

void clients_send(struct clients *clients, const char *event, const char *line, size_t bytes)
{
	for (size_t i = 0; i < CLIENTS_MAX && clients->count; i++) {
		struct client *client = &clients->at[i];

		if (client->fd < 0)
			continue;
		if (!event || (client->subscription && sensor_glob(client->subscription, event)))
			send_line(clients, client, line, bytes);
	}
}

bool clients_want(const struct clients *clients, const char *event)
{
	for (size_t i = 0; i < CLIENTS_MAX && clients->count; i++) {
		const struct client *client = &clients->at[i];

		if (client->fd >= 0 && client->subscription &&
		    sensor_glob(client->subscription, event))
			return true;
	}
	return false;
}

void clients_drop_idle(struct clients *clients)
{
	uint64_t now = now_ns();

	for (size_t i = 0; i < CLIENTS_MAX && clients->count; i++) {
		struct client *client = &clients->at[i];

		if (client->fd < 0 || !client->out_bytes ||
		    now - client->read_ns < CLIENT_PATIENCE_NS)
			continue;
		drop(clients, client);
		clients->dropped++;
	}
}

/* ---- Input from clients ---- */

/* Returns 0, or -errno if the client must be disconnected. */
static int take_line(struct clients *clients, struct client *client, char *line)
{
	char *names = line + strlen("subscribe ");
	size_t length = strlen(line);

	if (length && line[length - 1] == '\r')
		line[--length] = '\0';
	if (strncmp(line, "subscribe ", strlen("subscribe ")) || !*names ||
	    strspn(names, NAME_CHARACTERS) != strlen(names))
		return -EINVAL;
	names = strdup(names);
	if (!names)
		return -ENOMEM;
	free(client->subscription);
	client->subscription = names;
	clients->subscriptions++;
	return 0;
}

static int take_lines(struct clients *clients, struct client *client)
{
	char *newline;
	int error = 0;

	while (!error && (newline = memchr(client->in, '\n', client->in_bytes))) {
		size_t length = newline + 1 - client->in;

		*newline = '\0';
		/* A NUL would hide the text after it. */
		error = strlen(client->in) + 1 == length ?
			take_line(clients, client, client->in) : -EINVAL;
		client->in_bytes -= length;
		memmove(client->in, client->in + length, client->in_bytes);
	}
	return error ? error : client->in_bytes == sizeof(client->in) ? -EINVAL : 0;
}

static void refuse(struct clients *clients, struct client *client)
{
	static const char line[] =
		"{\"type\": \"error\", \"error\": \"expected a line 'subscribe EVENT,EVENT...'\"}\n";

	send(client->fd, line, sizeof(line) - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
	drop(clients, client);
}

/* One read per turn: a client that writes without end does not delay others. */
static void hear(struct clients *clients, struct client *client)
{
	ssize_t bytes = recv(client->fd, client->in + client->in_bytes,
			     sizeof(client->in) - client->in_bytes, MSG_DONTWAIT);

	if (bytes < 0) {
		if (errno != EAGAIN && errno != EINTR)
			drop(clients, client);
		return;
	}
	if (!bytes) {
		client->has_ended = true;
		watch(clients, client, EPOLL_CTL_MOD);
		return;
	}
	client->in_bytes += bytes;
	if (take_lines(clients, client))
		refuse(clients, client);
}

/* ---- Sockets ---- */

/* New clients wait in the kernel's queue.  Printed once, until one is accepted again. */
static void wait_for_room(struct clients *clients, int error)
{
	if (!clients->was_reported)
		pr_warn("--socket: %s: new clients must wait", strerror(error));
	clients->was_reported = true;
	listen_to(clients, false);
}

/* Returns true if enough descriptors remain for probes and files. */
static bool has_room(const struct clients *clients)
{
	int next = fcntl(clients->fd, F_DUPFD_CLOEXEC, 0);
	struct rlimit limit;

	if (next < 0)
		return false;
	close(next);
	return getrlimit(RLIMIT_NOFILE, &limit) || next + DESCRIPTORS_KEPT < (int64_t)limit.rlim_cur ||
	       limit.rlim_cur == RLIM_INFINITY;
}

static void take_client(struct clients *clients, const char *hello, size_t hello_bytes)
{
	static const char full[] =
		"{\"type\": \"error\", \"error\": \"there are 64 clients already; try again later\"}\n";
	struct client *client = clients->at;
	int fd;

	if (!has_room(clients)) {
		wait_for_room(clients, EMFILE);
		return;
	}
	fd = accept4(clients->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (fd < 0) {
		if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
			wait_for_room(clients, errno);
		return;
	}
	clients->was_reported = false;
	while (client < clients->at + CLIENTS_MAX && client->fd >= 0)
		client++;
	if (client == clients->at + CLIENTS_MAX) {
		send(fd, full, sizeof(full) - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
		close(fd);
		return;
	}
	*client = (struct client){ .fd = fd };
	clients->count++;
	watch(clients, client, EPOLL_CTL_ADD);
	send_line(clients, client, hello, hello_bytes);
}

void clients_ready(struct clients *clients, uint32_t number, uint32_t events, const char *hello,
		   size_t hello_bytes)
{
	struct client *client;

	if (number == CLIENTS_LISTEN) {
		take_client(clients, hello, hello_bytes);
		return;
	}
	client = &clients->at[number];
	if (client->fd >= 0 && (events & EPOLLOUT)) {
		if (!flush(client))
			drop(clients, client);
		else if (!client->out_bytes)
			watch(clients, client, EPOLL_CTL_MOD);
	}
	if (client->fd >= 0 && (events & EPOLLIN))
		hear(clients, client);
	if (client->fd >= 0 && (events & (EPOLLHUP | EPOLLERR)))
		drop(clients, client);
}

void clients_init(struct clients *clients)
{
	*clients = (struct clients){ .fd = -1 };
	for (size_t i = 0; i < CLIENTS_MAX; i++)
		clients->at[i].fd = -1;
}

/* Removes the socket of a killed sensor.  One that is served, or another user's, is kept. */
static int remove_stale(const struct sockaddr_un *address)
{
	struct stat there;
	int fd, error;

	if (lstat(address->sun_path, &there))
		return errno == ENOENT ? 0 : -errno;
	if (!S_ISSOCK(there.st_mode))
		return -EEXIST;
	if (there.st_uid != geteuid())
		return -EPERM;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	error = connect(fd, (const struct sockaddr *)address, sizeof(*address)) ? -errno :
		-EADDRINUSE;
	close(fd);
	if (error != -ECONNREFUSED)
		return error;
	return unlink(address->sun_path) ? -errno : 0;
}

/*
 * Clients can connect only after listen(), when the rights are set.  If another user owns the
 * directory, the name may be a link by then: lchown() does not follow it.
 */
static int bind_and_listen(int fd, const struct sockaddr_un *address, gid_t group)
{
	mode_t mask = umask(group == (gid_t)-1 ? 0177 : 0117);
	int error = bind(fd, (const struct sockaddr *)address, sizeof(*address)) ? -errno : 0;

	umask(mask);
	if (error)
		return error;
	if ((group != (gid_t)-1 && lchown(address->sun_path, -1, group)) ||
	    listen(fd, CLIENTS_MAX)) {
		error = -errno;
		unlink(address->sun_path);
	}
	return error;
}

/* In another user's directory, the name may already be another socket: do not remember that. */
static void remember(struct clients *clients, const char *path)
{
	struct stat there;

	if (lstat(path, &there) || !S_ISSOCK(there.st_mode) || there.st_uid != geteuid())
		return;
	clients->path = path;
	clients->socket = (struct clients_socket){ there.st_dev, there.st_ino };
}

/* Does not remove a different socket, such as one of a sensor that was started later. */
static void remove_socket(const char *path, const struct clients_socket *socket)
{
	struct stat there;

	if (!lstat(path, &there) && there.st_dev == socket->device && there.st_ino == socket->inode)
		unlink(path);
}

int clients_listen(struct clients *clients, const char *path, gid_t group, int epoll, uint64_t tag)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = tag | CLIENTS_LISTEN };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int error;

	clients->epoll = epoll;
	clients->tag = tag;
	if (strlen(path) >= sizeof(address.sun_path)) {
		pr_err("--socket: %s: a socket's name has at most %zu bytes", path,
		       sizeof(address.sun_path) - 1);
		return -ENAMETOOLONG;
	}
	strcpy(address.sun_path, path);
	error = remove_stale(&address);
	if (error == -EEXIST)
		pr_err("--socket: %s: is a file, and not a socket; give another name", path);
	else if (error == -EADDRINUSE)
		pr_err("--socket: %s: another process serves it; stop that process, or give another name",
		       path);
	else if (error == -EPERM)
		pr_err("--socket: %s: is a socket of another user; give another name", path);
	if (error == -EEXIST || error == -EADDRINUSE || error == -EPERM)
		return error;
	if (!error) {
		clients->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		error = clients->fd < 0 ? -errno : bind_and_listen(clients->fd, &address, group);
	}
	if (!error)
		remember(clients, path);
	if (!error && epoll_ctl(epoll, EPOLL_CTL_ADD, clients->fd, &event) < 0)
		error = -errno;
	if (error)
		pr_err("--socket: %s: %s", path, strerror(-error));
	return error;
}

/* Sends what clients read within CLOSE_NS: the last line may wait after others. */
static void send_rest(struct clients *clients)
{
	struct pollfd waiting[CLIENTS_MAX];
	struct client *of[CLIENTS_MAX];
	uint64_t end = now_ns() + CLOSE_NS;

	while (now_ns() < end) {
		nfds_t count = 0;

		for (size_t i = 0; i < CLIENTS_MAX; i++) {
			if (clients->at[i].fd < 0 || !clients->at[i].out_bytes)
				continue;
			of[count] = &clients->at[i];
			waiting[count++] = (struct pollfd){ .fd = clients->at[i].fd,
							    .events = POLLOUT };
		}
		if (!count || poll(waiting, count, CLOSE_STEP_MS) < 0)
			return;
		for (nfds_t i = 0; i < count; i++)
			if (waiting[i].revents && !flush(of[i]))
				drop(clients, of[i]);
	}
}

void clients_close(struct clients *clients)
{
	send_rest(clients);
	for (size_t i = 0; i < CLIENTS_MAX; i++)
		if (clients->at[i].fd >= 0)
			drop(clients, &clients->at[i]);
	if (clients->path)
		remove_socket(clients->path, &clients->socket);
	if (clients->fd >= 0)
		close(clients->fd);
	clients->path = NULL;
	clients->fd = -1;
}
