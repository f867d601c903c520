// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Asks the kernel whose a connection is.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

#include "peer.h"

/* Of the kernel's states of TCP: others are of ends that nobody holds. */
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
	const struct inet_diag_msg *told;

	if (got < 0)
		return -errno;
	if (!NLMSG_OK(&answer.head, (size_t)got))
		return -EBADMSG;
	if (answer.head.nlmsg_type == NLMSG_ERROR) {
		const struct nlmsgerr *error = NLMSG_DATA(&answer.head);

		return error->error ? error->error : -EBADMSG;
	}
	if (answer.head.nlmsg_type != SOCK_DIAG_BY_FAMILY ||
	    answer.head.nlmsg_len < NLMSG_LENGTH(sizeof(*told)))
		return -EBADMSG;
	told = NLMSG_DATA(&answer.head);
	*user = told->idiag_uid;
	return told->idiag_state == STATE_ESTABLISHED ? 0 : -ENOTCONN;
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

bool peer_can_tell(int socket_fd, unsigned int port)
{
	struct sockaddr_storage address;
	socklen_t length = sizeof(address);
	uid_t user;
	bool tells = false;
	int fd;

	if (getsockname(socket_fd, (struct sockaddr *)&address, &length))
		return false;
	fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return false;
	length = sizeof(address);
	if (!connect(fd, (struct sockaddr *)&address, length) &&
	    !getsockname(fd, (struct sockaddr *)&address, &length))
		tells = !peer_user((struct sockaddr *)&address, port, &user) &&
			user == geteuid();
	close(fd);
	return tells;
}
