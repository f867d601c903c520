// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * numbered - sends datagrams to a socket of its own on 127.0.0.1, and does not read them.
 *
 * The first eight bytes of each are its number, which is also its address in memory: BASE + 64 i,
 * with i from FIRST on.
 */
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>

#define BASE	0x100000000ULL
#define BYTES	64

int main(int argc, char **argv)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	uint64_t count = argc > 1 ? atol(argv[1]) : 1, first = argc > 2 ? atol(argv[2]) : 0, i;
	int in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0);
	char *data = mmap((void *)BASE, (first + count) * BYTES, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	socklen_t length = sizeof(to);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (data == MAP_FAILED || bind(in, (struct sockaddr *)&to, sizeof(to)) ||
	    getsockname(in, (struct sockaddr *)&to, &length)) {
		perror("numbered");
		return 1;
	}
	for (i = first; i < first + count; i++) {
		char *packet = data + i * BYTES;

		*(uint64_t *)packet = (uintptr_t)packet;
		if (sendto(out, packet, BYTES, 0, (struct sockaddr *)&to, sizeof(to)) < 0) {
			perror("numbered: sendto");
			return 1;
		}
	}
	return 0;
}
