// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * notified SOCKET SECONDS - prints the messages of services to the socket, like a service manager.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);

	if (argc != 3 || strlen(argv[1]) >= sizeof(address.sun_path))
		return 125;
	strcpy(address.sun_path, argv[1]);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address))) {
		perror("notified");
		return 125;
	}
	alarm(atoi(argv[2]));
	for (;;) {
		char text[512];
		ssize_t n = recv(fd, text, sizeof(text) - 1, 0);

		if (n < 0)
			return 1;
		text[n] = '\0';
		printf("%s\n", text);
		fflush(stdout);
	}
}
