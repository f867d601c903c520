/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sockets of the server: of this machine only.
 */
#ifndef EVTLOG_VIEW_HTTP_LISTEN_H
#define EVTLOG_VIEW_HTTP_LISTEN_H

#include <sys/types.h>

/*
 * @sockets:	127.0.0.1's and, where there is IPv6, [::1]'s; or the unix one; -1: none
 * @port:	of both
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
 * Both say what is wrong, and return an exit status; listen_close() the result.
 * @port: 0: any that is free
 */
int listen_local(struct listening *listening, unsigned int port);
int listen_unix(struct listening *listening, const char *path);

void listen_close(struct listening *listening);

#endif /* EVTLOG_VIEW_HTTP_LISTEN_H */
