// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * icmp - sends ICMP messages that ping does not send: a timestamp request, an unknown type, an echo
 * request with a wrong checksum, half a header, and a datagram to a closed port, which is answered
 * by an error.
 *
 * It does not read answers: see the kernel's counters and the log.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

#define ECHO		8
#define TIMESTAMP	13
#define UNKNOWN		200
#define SHORT		201

struct message {
	uint8_t type;
	uint8_t code;
	uint16_t checksum;
	uint16_t id;
	uint16_t seq;
	uint32_t data[3];
};

static uint16_t checksum(const struct message *m)
{
	uint16_t half[sizeof(*m) / 2];
	uint32_t sum = 0;

	memcpy(half, m, sizeof(half));
	for (size_t i = 0; i < sizeof(half) / 2; i++)
		sum += half[i];
	sum = (sum & 0xffff) + (sum >> 16);
	return ~(sum + (sum >> 16));
}

static void send_message(int fd, struct sockaddr_in *to, int type, int seq,
			 int spoil)
{
	struct message m = { .type = type, .id = htons(0x4556), .seq = htons(seq) };

	m.checksum = checksum(&m) ^ spoil;
	if (sendto(fd, &m, sizeof(m), 0, (struct sockaddr *)to, sizeof(*to)) !=
	    sizeof(m))
		die("sendto");
}

static void send_half_a_header(int fd, struct sockaddr_in *to)
{
	struct message m = { .type = SHORT };
	const size_t half = offsetof(struct message, id);

	m.checksum = checksum(&m);
	if (sendto(fd, &m, half, 0, (struct sockaddr *)to, sizeof(*to)) != (ssize_t)half)
		die("sendto");
}

int main(int argc, char **argv)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
	const struct timespec pause_time = { .tv_nsec = 20 * 1000 * 1000 };
	int count = argc == 3 ? atoi(argv[2]) : 0;
	int raw, udp;

	if (count < 1 || inet_pton(AF_INET, argv[1], &to.sin_addr) != 1) {
		fprintf(stderr, "Usage: icmp ADDRESS COUNT\n");
		return 2;
	}
	raw = socket(AF_INET, SOCK_RAW, IPPROTO_ICMP);
	udp = socket(AF_INET, SOCK_DGRAM, 0);
	if (raw < 0 || udp < 0)
		die("socket");
	for (int i = 0; i < count; i++) {
		send_message(raw, &to, TIMESTAMP, i, 0);
		send_message(raw, &to, UNKNOWN, i, 0);
		send_message(raw, &to, ECHO, i, 0x1111);
		send_half_a_header(raw, &to);
		/* Not connected, because no error is read. */
		if (sendto(udp, "?", 1, 0, (struct sockaddr *)&to, sizeof(to)) != 1)
			die("sendto");
		nanosleep(&pause_time, NULL);
	}
	return 0;
}
