// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes requests and reads replies, with the tag that authenticates them.
 *
 * Replies come from the network: first the length is checked, then the tag, then the content.
 */
#include <endian.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/remote.h>

#include <sodium.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "exchange.h"
#include "lib/base/io.h"

_Static_assert(crypto_shorthash_siphash24_KEYBYTES == EVTLOG_REMOTE_KEY_BYTES, "key");
_Static_assert(crypto_shorthash_siphash24_BYTES == sizeof(__be64), "tag");

/* RFC 1071, independent of the machine's byte order. */
static uint16_t checksum(const void *bytes, size_t length)
{
	const unsigned char *at = bytes;
	uint32_t sum = 0;

	for (size_t i = 0; i + 1 < length; i += 2)
		sum += at[i] << 8 | at[i + 1];
	if (length % 2)
		sum += at[length - 1] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

/* Returns the tag in network order.  Checksum and tag in @bytes are 0. */
static __be64 make_tag(const void *bytes, size_t length, const struct remote_key *key,
		       struct in_addr from, struct in_addr to)
{
	unsigned char text[sizeof(from) + sizeof(to) + MESSAGE_BYTES_MAX];
	uint64_t tag;

	memcpy(text, &from, sizeof(from));
	memcpy(text + sizeof(from), &to, sizeof(to));
	memcpy(text + sizeof(from) + sizeof(to), bytes, length);
	crypto_shorthash_siphash24((unsigned char *)&tag, text,
				   sizeof(from) + sizeof(to) + length, key->bytes);
	return htobe64(le64toh(tag));
}

size_t message_write(void *bytes, const struct message *message, const struct remote_key *key,
		     struct in_addr from, struct in_addr to, uint64_t nonce)
{
	struct evtlog_remote_request *request = bytes;
	size_t name_bytes = strlen(message->name);
	size_t length = sizeof(*request) + (name_bytes + 7) / 8 * 8;
	struct evtlog_remote_head *head = &request->head;

	memset(bytes, 0, length);
	head->type = EVTLOG_REMOTE_ICMP_TYPE;
	head->magic = htobe16(EVTLOG_REMOTE_MAGIC);
	head->version = EVTLOG_REMOTE_VERSION;
	head->operation = message->operation;
	head->key_id = htobe32(key->id);
	head->flags = htobe32(message->wants_reply ? EVTLOG_REMOTE_WANTS_REPLY : 0);
	head->nonce = htobe64(nonce);
	request->group = htobe64(message->group);
	request->duration_ns = htobe64(message->duration_ns);
	request->group_kind = message->group_kind;
	request->name_bytes = htobe16(name_bytes);
	memcpy(request + 1, message->name, name_bytes);
	head->tag = make_tag(bytes, length, key, from, to);
	head->checksum = htobe16(checksum(bytes, length));
	return length;
}

bool message_read(struct message_reply *reply, const void *bytes, size_t length,
		  const struct remote_key *key, struct in_addr from, struct in_addr to)
{
	struct evtlog_remote_reply wire;
	struct evtlog_remote_head *head = &wire.head;
	__be64 tag, got;

	if (length != sizeof(wire))
		return false;
	memcpy(&wire, bytes, sizeof(wire));
	if (head->type != EVTLOG_REMOTE_ICMP_TYPE || head->code ||
	    be16toh(head->magic) != EVTLOG_REMOTE_MAGIC ||
	    head->version != EVTLOG_REMOTE_VERSION || !(head->operation & EVTLOG_REMOTE_REPLY) ||
	    be32toh(head->key_id) != key->id)
		return false;
	got = head->tag;
	head->checksum = 0;
	head->tag = 0;
	tag = make_tag(&wire, sizeof(wire), key, from, to);
	if (sodium_memcmp(&tag, &got, sizeof(tag)))
		return false;
	*reply = (struct message_reply){
		.nonce = be64toh(head->nonce),
		.result = be32toh(wire.result),
		.cpus = be32toh(wire.cpus),
		.run = be64toh(wire.run),
		.arrival_real_ns = be64toh(wire.arrival_real_ns),
		.arrival_raw_ns = be64toh(wire.arrival_raw_ns),
		.tasks = be64toh(wire.tasks),
		.lost = be64toh(wire.lost),
		.state = wire.state,
		.notes = wire.notes,
	};
	memcpy(reply->boot_id, wire.boot_id, sizeof(reply->boot_id));
	memcpy(reply->run_name, wire.run_name, sizeof(reply->run_name));
	reply->run_name[sizeof(reply->run_name) - 1] = '\0';
	return true;
}

/* ---- Nonces ---- */

static uint64_t real_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

void nonce_open(struct nonce *nonce, const char *key_path)
{
	char path[PATH_MAX];

	nonce->fd = -1;
	nonce->last = 0;
	if (snprintf(path, sizeof(path), "%s.nonce", key_path) >= (int)sizeof(path))
		return;
	nonce->fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	/* With the key file as lock, processes still take turns. */
	if (nonce->fd < 0)
		nonce->fd = open(key_path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

void nonce_close(struct nonce *nonce)
{
	if (nonce->fd >= 0)
		close(nonce->fd);
	nonce->fd = -1;
}

static bool is_writable(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && (flags & O_ACCMODE) == O_RDWR;
}

void nonce_begin(struct nonce *nonce)
{
	uint64_t last, now = real_ns();
	char text[24] = "";

	if (nonce->fd < 0)
		return;
	flock(nonce->fd, LOCK_EX);
	if (!is_writable(nonce->fd) || io_read_at(nonce->fd, text, sizeof(text) - 1, 0) <= 0)
		return;
	last = strtoull(text, NULL, 10);
	/* Skip a nonce from a clock that was far ahead: hosts refuse it anyway. */
	if (last > nonce->last && last < now + EVTLOG_REMOTE_WINDOW_NS)
		nonce->last = last;
}

uint64_t nonce_next(struct nonce *nonce)
{
	uint64_t now = real_ns();

	nonce->last = now > nonce->last ? now : nonce->last + 1;
	return nonce->last;
}

void nonce_end(struct nonce *nonce)
{
	char text[24];
	int length;

	if (nonce->fd < 0)
		return;
	length = snprintf(text, sizeof(text), "%020llu\n", (unsigned long long)nonce->last);
	/* If writing fails, only the clock makes nonces rise. */
	if (is_writable(nonce->fd) && io_write_at(nonce->fd, text, length, 0))
		nonce->last++;
	flock(nonce->fd, LOCK_UN);
}
