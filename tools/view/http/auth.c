// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks who may send requests.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "server.h"

#define WAITING_MAX	4

static int make_secret(char *digits)
{
	unsigned char bytes[AUTH_SECRET_DIGITS / 2];

	/* getentropy() returns so few bytes completely, even if signals arrive. */
	if (getentropy(bytes, sizeof(bytes)))
		return -errno;
	sodium_bin2hex(digits, AUTH_SECRET_DIGITS + 1, bytes, sizeof(bytes));
	sodium_memzero(bytes, sizeof(bytes));
	return 0;
}

int auth_init(struct auth *auth, unsigned int port, bool any_port)
{
	int error;

	memset(auth, 0, sizeof(*auth));
	pthread_mutex_init(&auth->lock, NULL);
	auth->port = port;
	auth->any_port = any_port;
	/* Browsers send cookies to all ports of a host, so each server has its own cookie name. */
	snprintf(auth->cookie_name, sizeof(auth->cookie_name), "evtlog_%u", port);
	error = make_secret(auth->token);
	return error ? error : make_secret(auth->cookie);
}

void auth_free(struct auth *auth)
{
	sodium_memzero(auth->token, sizeof(auth->token));
	sodium_memzero(auth->cookie, sizeof(auth->cookie));
	pthread_mutex_destroy(&auth->lock);
}

/* Accepts ":8080", or nothing if the port is the default of HTTP. */
static bool is_port(const char *text, bool any_port, unsigned int port)
{
	char wanted[16];
	size_t digits;

	if (!any_port) {
		snprintf(wanted, sizeof(wanted), ":%u", port);
		return !strcmp(text, wanted) || (port == 80 && !*text);
	}
	if (!*text)
		return true;
	digits = strspn(text + 1, "0123456789");
	return *text == ':' && digits && digits <= 5 && !text[1 + digits];
}

bool auth_host(const struct auth *auth, const char *host)
{
	static const char *const names[] = { "localhost", "127.0.0.1", "[::1]" };

	/* With a unix socket only localhost: the browser is at the forwarding end. */
	for (size_t i = 0; host && i < (auth->any_port ? 1 : 3); i++) {
		size_t length = strlen(names[i]);

		if (!strncmp(host, names[i], length))
			return is_port(host + length, auth->any_port, auth->port);
	}
	return false;
}

bool auth_origin(const char *host, const char *origin, const char *fetch_site,
		 const char *fetch_mode, bool is_page)
{
	static const char scheme[] = "http://";

	if (is_page && fetch_mode && !strcmp(fetch_mode, "navigate"))
		return true;
	if (origin && (strncmp(origin, scheme, strlen(scheme)) ||
		       strcmp(origin + strlen(scheme), host)))
		return false;
	return !fetch_site || !strcmp(fetch_site, "same-origin") ||
	       !strcmp(fetch_site, "none");
}

static bool is_secret(const char *secret, const char *text, size_t length)
{
	return length == AUTH_SECRET_DIGITS &&
	       !sodium_memcmp(secret, text, AUTH_SECRET_DIGITS);
}

bool auth_token(const struct auth *auth, const char *text, size_t length)
{
	return is_secret(auth->token, text, length);
}

bool auth_cookie(const struct auth *auth, const char *cookies)
{
	size_t name_length = strlen(auth->cookie_name);

	while (cookies && *cookies) {
		size_t length;

		cookies += strspn(cookies, " \t;");
		length = strcspn(cookies, ";");
		if (length > name_length && cookies[name_length] == '=' &&
		    !memcmp(cookies, auth->cookie_name, name_length) &&
		    is_secret(auth->cookie, cookies + name_length + 1,
			      length - name_length - 1))
			return true;
		cookies += length;
	}
	return false;
}

bool auth_slow_down(struct auth *auth)
{
	const struct timespec pause = { .tv_sec = 1 };
	bool waits;

	pthread_mutex_lock(&auth->lock);
	waits = auth->waiting < WAITING_MAX;
	auth->waiting += waits;
	pthread_mutex_unlock(&auth->lock);
	if (!waits)
		return false;
	nanosleep(&pause, NULL);
	pthread_mutex_lock(&auth->lock);
	auth->waiting--;
	pthread_mutex_unlock(&auth->lock);
	return true;
}

/* ---- Asking the kernel for the user of a connection ---- */

/* The kernel's TCP_ESTABLISHED.  In other states a socket may have no owner. */
#define STATE_ESTABLISHED	1

static int fill_ends(struct inet_diag_req_v2 *ask, const struct sockaddr *peer,
		     unsigned int port)
{
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)peer;
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)peer;
	const struct in6_addr loopback = IN6ADDR_LOOPBACK_INIT;

	ask->sdiag_family = peer->sa_family;
	ask->sdiag_protocol = IPPROTO_TCP;
	ask->idiag_states = ~0u;
	ask->id.idiag_dport = htons(port);
	ask->id.idiag_cookie[0] = ask->id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
	switch (peer->sa_family) {
	case AF_INET:
		ask->id.idiag_sport = v4->sin_port;
		ask->id.idiag_src[0] = v4->sin_addr.s_addr;
		ask->id.idiag_dst[0] = htonl(INADDR_LOOPBACK);
		return 0;
	case AF_INET6:
		ask->id.idiag_sport = v6->sin6_port;
		memcpy(ask->id.idiag_src, &v6->sin6_addr, sizeof(v6->sin6_addr));
		memcpy(ask->id.idiag_dst, &loopback, sizeof(loopback));
		return 0;
	default:
		return -EAFNOSUPPORT;
	}
}

static int read_answer(int fd, uid_t *user)
{
	union {
		struct nlmsghdr head;
		char bytes[4096];
	} answer;
	ssize_t got = recv(fd, &answer, sizeof(answer), 0);
	const struct inet_diag_msg *found;

	if (got < 0)
		return -errno;
	if (!NLMSG_OK(&answer.head, (size_t)got))
		return -EBADMSG;
	if (answer.head.nlmsg_type == NLMSG_ERROR) {
		const struct nlmsgerr *error = NLMSG_DATA(&answer.head);

		return error->error ? error->error : -EBADMSG;
	}
	if (answer.head.nlmsg_type != SOCK_DIAG_BY_FAMILY ||
	    answer.head.nlmsg_len < NLMSG_LENGTH(sizeof(*found)))
		return -EBADMSG;
	found = NLMSG_DATA(&answer.head);
	*user = found->idiag_uid;
	return found->idiag_state == STATE_ESTABLISHED ? 0 : -ENOTCONN;
}

int peer_user(const struct sockaddr *peer, unsigned int port, uid_t *user)
{
	struct {
		struct nlmsghdr head;
		struct inet_diag_req_v2 ask;
	} message = {
		.head = {
			.nlmsg_len = sizeof(message),
			.nlmsg_type = SOCK_DIAG_BY_FAMILY,
			.nlmsg_flags = NLM_F_REQUEST,
		},
	};
	int error = fill_ends(&message.ask, peer, port), fd;

	if (error)
		return error;
	fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	if (fd < 0)
		return -errno;
	if (send(fd, &message, sizeof(message), 0) < 0)
		error = -errno;
	else
		error = read_answer(fd, user);
	close(fd);
	return error == -ENOENT ? -ENOTCONN : error;
}

bool peer_is_knowable(int socket_fd, unsigned int port)
{
	struct sockaddr_storage address;
	socklen_t length = sizeof(address);
	uid_t user;
	bool is_known = false;
	int fd;

	if (getsockname(socket_fd, (struct sockaddr *)&address, &length))
		return false;
	fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return false;
	length = sizeof(address);
	if (!connect(fd, (struct sockaddr *)&address, length) &&
	    !getsockname(fd, (struct sockaddr *)&address, &length))
		is_known = !peer_user((struct sockaddr *)&address, port, &user) &&
			   user == geteuid();
	close(fd);
	return is_known;
}
