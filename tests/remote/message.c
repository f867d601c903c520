// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Control messages that may be wrong in any place, for the tests.
 *
 * Stage: in a guest, replaces `evtlog remote`. Sends its own IP header: the source can be any
 * address. Reads no answers.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <netinet/ip.h>
#include <sodium/crypto_shorthash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "message.h"
#include "program.h"

#define PIECE	40	/* bytes in a first fragment; a multiple of 8 */

uint64_t message_now(void)
{
	return ns_of(CLOCK_REALTIME);
}

void message_key(uint8_t *key, const char *hex)
{
	for (int i = 0; i < EVTLOG_REMOTE_KEY_BYTES; i++)
		if (sscanf(hex + 2 * i, "%2hhx", &key[i]) != 1)
			die("a key has 32 digits");
}

void message_make(struct message *m, const char *from, const char *to, uint32_t key_id,
		  uint8_t operation, const char *name)
{
	memset(m, 0, sizeof(*m));
	if (inet_pton(AF_INET, from, &m->from) != 1 || inet_pton(AF_INET, to, &m->to) != 1)
		die("not an address");
	m->head.type = EVTLOG_REMOTE_ICMP_TYPE;
	m->head.magic = htobe16(EVTLOG_REMOTE_MAGIC);
	m->head.version = EVTLOG_REMOTE_VERSION;
	m->head.operation = operation;
	m->head.key_id = htobe32(key_id);
	m->head.nonce = htobe64(message_now());
	m->request.name_bytes = htobe16(strlen(name));
	strcpy((char *)(&m->request + 1), name);
	m->bytes = sizeof(m->request) + (strlen(name) + 7) / 8 * 8;
}

uint64_t message_tag(const struct message *m, const uint8_t *key)
{
	uint8_t text[sizeof(m->data) + 8];
	uint8_t out[8];
	uint64_t tag;
	struct evtlog_remote_head head = m->head;

	head.checksum = 0;
	head.tag = 0;
	memcpy(text, &m->from, 4);
	memcpy(text + 4, &m->to, 4);
	memcpy(text + 8, m->data, m->bytes);
	memcpy(text + 8, &head, sizeof(head));
	crypto_shorthash(out, text, m->bytes + 8, key);
	memcpy(&tag, out, 8);
	return htobe64(le64toh(tag));
}

static uint16_t checksum(const void *data, size_t bytes)
{
	uint16_t half[1024] = { 0 };
	uint32_t sum = 0;

	memcpy(half, data, bytes);
	for (size_t i = 0; i < (bytes + 1) / 2; i++)
		sum += half[i];
	sum = (sum & 0xffff) + (sum >> 16);
	return ~(sum + (sum >> 16));
}

/* Signs the present contents; the checksum is computed when the message is sent. */
void message_sign(struct message *m, const uint8_t *key)
{
	m->head.tag = message_tag(m, key);
}

int message_socket(void)
{
	int fd = socket(AF_INET, SOCK_RAW, IPPROTO_RAW), on = 1;

	if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &on, sizeof(on)))
		die("SO_BROADCAST");
	/* Without this, a full queue drops packets without an error, see send_ip(). */
	if (fd >= 0 && setsockopt(fd, SOL_IP, IP_RECVERR, &on, sizeof(on)))
		die("IP_RECVERR");
	return fd;
}

static int send_ip(int fd, const struct message *m, const uint8_t *data, size_t bytes,
		   uint16_t ip_id, uint16_t fragment)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr = m->to };
	struct {
		struct iphdr ip;
		uint8_t data[2048];
	} packet = {
		.ip = {
			.version = 4, .ihl = 5, .ttl = 64, .protocol = IPPROTO_ICMP,
			.id = htons(ip_id), .frag_off = htons(fragment),
			.saddr = m->from.s_addr, .daddr = m->to.s_addr,
		},
	};

	memcpy(packet.data, data, bytes);
	while (sendto(fd, &packet, sizeof(packet.ip) + bytes, 0,
		      (struct sockaddr *)&to, sizeof(to)) < 0) {
		const struct timespec a_while = { .tv_nsec = 1000000 };

		if (errno != ENOBUFS)
			return -errno;
		nanosleep(&a_while, NULL);
	}
	return 0;
}

static struct message with_checksum(const struct message *m)
{
	struct message sent = *m;

	sent.head.checksum = 0;
	sent.head.checksum = checksum(sent.data, sent.bytes);
	return sent;
}

int message_send(int fd, const struct message *m)
{
	struct message sent = with_checksum(m);

	return send_ip(fd, &sent, sent.data, sent.bytes, 0, 0);
}

/* Sends the message in two fragments, which the receiver reassembles. */
int message_send_pieces(int fd, const struct message *m, uint16_t ip_id)
{
	struct message sent = with_checksum(m);
	int error = send_ip(fd, &sent, sent.data, PIECE, ip_id, IP_MF);

	return error ? error : send_ip(fd, &sent, sent.data + PIECE,
				       sent.bytes - PIECE, ip_id, PIECE / 8);
}
