// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hub.c - joins the network cards of three or more guests: it sends every Ethernet frame of one
 * guest to all others, like an old hub.
 *
 * Guest K's QEMU sends to the socket hubK and receives on netK, both in the given directory (two
 * guests need no hub: they send to each other). It stores no addresses and no frames: frames that
 * cannot be delivered at once are lost.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define MAX_GUESTS	64
#define MAX_FRAME	(68 * 1024)

static int set_address(struct sockaddr_un *address, const char *directory,
		       const char *kind, int guest)
{
	int n;

	address->sun_family = AF_UNIX;
	n = snprintf(address->sun_path, sizeof(address->sun_path), "%s/%s%d",
		     directory, kind, guest);
	return n < (int)sizeof(address->sun_path) ? 0 : -ENAMETOOLONG;
}

static void relay(struct pollfd *ports, struct sockaddr_un *guests, int count)
{
	static char frame[MAX_FRAME];
	int from, to;
	ssize_t len;

	for (from = 0; from < count; from++) {
		if (!ports[from].revents)
			continue;
		len = recv(ports[from].fd, frame, sizeof(frame), MSG_DONTWAIT);
		for (to = 0; len > 0 && to < count; to++) {
			if (to == from)
				continue;
			sendto(ports[from].fd, frame, len, MSG_DONTWAIT,
			       (struct sockaddr *)&guests[to],
			       sizeof(guests[to]));
		}
	}
}

int main(int argc, char **argv)
{
	struct sockaddr_un guests[MAX_GUESTS], own;
	struct pollfd ports[MAX_GUESTS];
	int count, guest;

	count = argc == 3 ? atoi(argv[2]) : 0;
	if (count < 2 || count > MAX_GUESTS) {
		fprintf(stderr, "Usage: hub DIRECTORY GUESTS\n");
		return 2;
	}
	for (guest = 0; guest < count; guest++) {
		if (set_address(&own, argv[1], "hub", guest + 1) ||
		    set_address(&guests[guest], argv[1], "net", guest + 1)) {
			fprintf(stderr, "hub: %s: path too long\n", argv[1]);
			return 1;
		}
		ports[guest].events = POLLIN;
		ports[guest].fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
		if (ports[guest].fd < 0 ||
		    bind(ports[guest].fd, (struct sockaddr *)&own, sizeof(own))) {
			fprintf(stderr, "hub: %s: %s\n", own.sun_path,
				strerror(errno));
			return 1;
		}
	}
	while (poll(ports, count, -1) >= 0 || errno == EINTR)
		relay(ports, guests, count);
	perror("hub: poll");
	return 1;
}
