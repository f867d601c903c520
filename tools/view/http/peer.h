/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose a connection from this machine is.
 *
 * Ports of 127.0.0.1 are open to all users of a machine: the kernel is asked who holds the other
 * end.
 */
#ifndef EVTLOG_VIEW_HTTP_PEER_H
#define EVTLOG_VIEW_HTTP_PEER_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/types.h>

/*
 * The user at @peer, who is connected to @port of the same address family's loopback.
 * 0; -ENOTCONN: nobody is, any more; -errno: the kernel does not tell.
 */
int peer_user(const struct sockaddr *peer, unsigned int port, uid_t *user);

/* Whether the kernel tells at all, of who is connected to @socket, which listens. */
bool peer_can_tell(int socket, unsigned int port);

#endif /* EVTLOG_VIEW_HTTP_PEER_H */
