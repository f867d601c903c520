// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * attack - sends control messages that must be refused, from many addresses, and prints how many of
 * each kind, by the cause for which the host must refuse them.
 *
 * Usage: attack TARGET BROADCAST COUNT SEED
 *	  attack flood FROM TARGET BROADCAST COUNT
 *	  attack cost TARGET COUNT
 *	  attack nobody
 *
 * The program has the key: most messages are wrong in only one place. "flood" sends forged messages
 * with the address FROM. "nobody" does what an unprivileged user of the target can do. "cost"
 * prints the time of sending a message to its own host: an echo reply that nothing waits for, a
 * message with an unknown key, a message with a wrong tag, and the longest of the last two.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <grp.h>
#include <net/if.h>
#include <netinet/ip_icmp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../support/xorshift.h"
#include "message.h"
#include "program.h"

#define KEY		"000102030405060708090a0b0c0d0e0f"
#define KEY_ID		1
#define WINDOW_NS	EVTLOG_REMOTE_WINDOW_NS
#define LONGEST		(sizeof(struct evtlog_remote_request) + EVTLOG_REMOTE_NAME_MAX + 1)
#define SENDERS		50
#define REPLAYS		12
#define NOBODY		65534

enum cause {
	NONE, NAMESPACE, FRAGMENT, BROADCAST, LENGTH, VERSION, REPLY, FORMAT, KEY_UNKNOWN,
	STALE, FUTURE, TAG, REPLAY, CAUSES
};

static const char *const names[CAUSES] = {
	"checksum", "namespace", "fragment", "broadcast", "length", "version", "reply",
	"format", "key", "stale", "future", "tag", "replay"
};

static unsigned long expected[CAUSES], packets;
static uint8_t key[EVTLOG_REMOTE_KEY_BYTES];
static const char *target, *broadcast;
static uint64_t state;
static int fd;

/* The same seed gives the same attack. */
static uint32_t below(uint32_t n)
{
	return (uint32_t)(xorshift(&state) >> 32) % n;
}

static void post(const struct message *m)
{
	if (message_send(fd, m))
		die("sendto");
	packets++;
}

/* Makes a correct message from one of a million addresses. */
static void make_right(struct message *m)
{
	static const char *const run_names[] = { "a", "attacked", "run-1.b_c", "" };
	char from[32], name[EVTLOG_REMOTE_NAME_MAX + 1] = "";
	uint8_t operation = EVTLOG_REMOTE_STATUS + below(7);

	snprintf(from, sizeof(from), "172.%u.%u.%u", 16 + below(16), below(256),
		 1 + below(254));
	if (operation == EVTLOG_REMOTE_START) {
		strcpy(name, run_names[below(4)]);
	} else if (operation == EVTLOG_REMOTE_SCHED) {
		memset(name, 'x', below(sizeof(name)));
	}
	message_make(m, from, target, KEY_ID, operation, name);
	m->head.flags = htobe32(below(2));
	if (operation == EVTLOG_REMOTE_SCHED) {
		m->request.group_kind = 1 + below(3);
		m->request.group = htobe64(1 + below(300));
		m->request.duration_ns = htobe64(50000000);
	}
}

static enum cause spoil_length(struct message *m)
{
	switch (below(5)) {
	case 0:
		m->bytes = 8 + below(sizeof(m->request) - 8);
		break;
	case 1:
		m->bytes = LONGEST + 1 + below(1000);
		break;
	case 2:
		m->bytes += 8;
		break;
	case 3:
		m->request.name_bytes = htobe16(EVTLOG_REMOTE_NAME_MAX + 1 + below(60000));
		break;
	case 4:
		m->bytes = sizeof(m->request) + 8 * below(20) + 1 + below(7);
		break;
	}
	return LENGTH;
}

static enum cause spoil_version(struct message *m)
{
	if (below(2))
		m->head.magic ^= htobe16(1 << below(16));
	else
		m->head.version += 1 + below(255);
	return VERSION;
}

static enum cause spoil_format(struct message *m)
{
	static const uint8_t operations[] = { 0, 8, 9, 64, 127 };

	switch (below(6)) {
	case 0:
		m->head.code = 1 + below(255);
		break;
	case 1:
		m->head.operation = operations[below(sizeof(operations))];
		break;
	case 2:
		m->head.flags ^= htobe32(2u << below(31));
		break;
	case 3:
		m->request.reserved[below(sizeof(m->request.reserved))] = 1 << below(8);
		break;
	case 4:
		m->head.operation = EVTLOG_REMOTE_STOP;
		m->request.group = htobe64(1);
		break;
	case 5:
		/* Three bytes of name, and a nonzero byte in the padding */
		m->head.operation = EVTLOG_REMOTE_START;
		m->request.group = m->request.duration_ns = 0;
		m->request.group_kind = 0;
		m->request.name_bytes = htobe16(3);
		m->bytes = sizeof(m->request) + 8;
		memset(m->data + sizeof(m->request), 0, 8);
		memcpy(m->data + sizeof(m->request), "abc", 3);
		m->data[m->bytes - 1 - below(5)] = 1 + below(255);
		break;
	}
	return FORMAT;
}

/* The clocks of two guests can differ by a second. */
static enum cause spoil_time(struct message *m)
{
	uint64_t off = WINDOW_NS + 2000000000 + below(1000000000);
	bool future = below(2);

	switch (below(8)) {
	case 0:
		m->head.nonce = htobe64(future ? UINT64_MAX - below(5) : below(5));
		break;
	default:
		m->head.nonce = htobe64(future ? message_now() + off :
						 message_now() - off);
	}
	return future ? FUTURE : STALE;
}

/* Errors that only the tag can reveal */
static enum cause spoil_tag(struct message *m)
{
	uint8_t other[EVTLOG_REMOTE_KEY_BYTES];
	size_t at;

	message_sign(m, key);
	switch (below(5)) {
	case 0:
		m->head.tag ^= 1ULL << below(64);
		break;
	case 1:
		m->from.s_addr ^= htonl(1 + below(200));
		break;
	case 2:
		inet_pton(AF_INET, broadcast, &m->to);
		break;
	case 3:
		memcpy(other, key, sizeof(other));
		other[below(sizeof(other))] ^= 1 << below(8);
		message_sign(m, other);
		break;
	case 4:
		/* A slightly later nonce, or another name of the same length */
		at = m->request.name_bytes && m->head.operation == EVTLOG_REMOTE_SCHED ?
		     sizeof(m->request) : offsetof(struct evtlog_remote_head, nonce) + 7;
		m->data[at] ^= 1 + below(3);
		break;
	}
	return TAG;
}

static void send_multicast(struct message *m)
{
	inet_pton(AF_INET, "224.0.0.1", &m->to);
	message_sign(m, key);
	post(m);
	expected[BROADCAST]++;
}

static void send_fragments(struct message *m)
{
	static uint16_t ip_id = 1;

	message_sign(m, key);
	if (message_send_pieces(fd, m, ip_id++))
		die("sendto");
	packets += 2;
	expected[FRAGMENT]++;
}

static void send_hostile(void)
{
	struct message m;
	enum cause cause;

	make_right(&m);
	switch (below(40)) {
	case 0 ... 9:
		cause = spoil_length(&m);
		break;
	case 10 ... 14:
		cause = spoil_version(&m);
		break;
	case 15 ... 24:
		cause = spoil_format(&m);
		break;
	case 25 ... 27:
		m.head.operation |= EVTLOG_REMOTE_REPLY;
		cause = REPLY;
		break;
	case 28 ... 29:
		m.head.key_id = htobe32(KEY_ID + 1 + below(1000));
		cause = KEY_UNKNOWN;
		break;
	case 30 ... 33:
		cause = spoil_time(&m);
		break;
	case 34 ... 36:
		cause = spoil_tag(&m);
		break;
	case 37:
		send_multicast(&m);
		return;
	default:
		send_fragments(&m);
		return;
	}
	if (cause != TAG)
		message_sign(&m, key);
	post(&m);
	expected[cause]++;
}

/* Sends messages that were obeyed again, and messages of the same sender with an earlier time. */
static void send_replays(void)
{
	struct message m;
	char from[32];

	for (int i = 0; i < SENDERS; i++) {
		snprintf(from, sizeof(from), "10.99.1.%d", 1 + i);
		message_make(&m, from, target, KEY_ID, EVTLOG_REMOTE_STATUS, "");
		message_sign(&m, key);
		post(&m);
		for (int k = 0; k < REPLAYS; k++) {
			if (k % 3 == 2) {
				m.head.nonce = htobe64(be64toh(m.head.nonce) - 1);
				message_sign(&m, key);
			}
			post(&m);
			expected[REPLAY]++;
		}
	}
}

/* Sends from one address as fast as possible, to one host and to all. */
static uint64_t send_flood(const char *from, unsigned long count)
{
	uint64_t begin = message_now();
	struct message m;

	for (unsigned long i = 0; i < count; i++) {
		message_make(&m, from, i % 2 ? target : broadcast, KEY_ID,
			     EVTLOG_REMOTE_STOP, "");
		m.head.tag = below(1000000);
		post(&m);
	}
	return message_now() - begin;
}

/* Prints the shortest time in ns. The own host handles a message before the send returns. */
static void tell_cost(const char *what, uint32_t key_id, const char *name, unsigned long count)
{
	uint8_t operation = *name ? EVTLOG_REMOTE_SCHED : EVTLOG_REMOTE_STOP;
	uint64_t took, least = UINT64_MAX;
	struct message m;

	for (unsigned long i = 0; i < count; i++) {
		uint64_t begin;

		message_make(&m, target, target, key_id, operation, name);
		m.head.tag = below(1000000);
		if (!key_id)
			m.head.type = ICMP_ECHOREPLY;
		begin = message_now();
		post(&m);
		took = message_now() - begin;
		if (took < least)
			least = took;
	}
	printf("%s %llu\n", what, (unsigned long long)least);
}

static int tell_costs(unsigned long count)
{
	char longest[EVTLOG_REMOTE_NAME_MAX + 1];

	memset(longest, 'x', EVTLOG_REMOTE_NAME_MAX);
	longest[EVTLOG_REMOTE_NAME_MAX] = '\0';
	tell_cost("plain", 0, "", count);
	tell_cost("short_unknown", KEY_ID + 1, "", count);
	tell_cost("short_forged", KEY_ID, "", count);
	tell_cost("long_unknown", KEY_ID + 1, longest, count);
	tell_cost("long_forged", KEY_ID, longest, count);
	return 0;
}

static void refuse(const char *what, long result)
{
	printf("nobody: %s: %s\n", what, result < 0 ? strerror(errno) : "allowed");
	if (result >= 0)
		exit(1);
}

static void loopback_up(void)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int any = socket(AF_INET, SOCK_DGRAM, 0);

	if (any < 0 || ioctl(any, SIOCSIFFLAGS, &lo))
		die("lo");
	close(any);
}

/* An unprivileged user, even with the key, can send only in a network namespace of their own. */
static int as_nobody(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	struct message m;
	int ping;

	if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY))
		die("setresuid");
	message_make(&m, "127.0.0.1", "127.0.0.1", KEY_ID, EVTLOG_REMOTE_START, "nobody");
	message_sign(&m, key);
	to.sin_addr = m.to;
	refuse("a raw socket", message_socket());
	ping = socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP);
	if (ping < 0)
		die("a ping socket");
	refuse("type 253 by a ping socket",
	       sendto(ping, m.data, m.bytes, 0, (struct sockaddr *)&to, sizeof(to)));

	if (unshare(CLONE_NEWUSER | CLONE_NEWNET))
		die("unshare");
	loopback_up();
	fd = message_socket();
	if (fd < 0)
		die("socket");
	for (int i = 0; i < 100; i++) {
		message_make(&m, "127.0.0.1", "127.0.0.1", KEY_ID, EVTLOG_REMOTE_START,
			     "nobody");
		message_sign(&m, key);
		post(&m);
		expected[NAMESPACE]++;
	}
	return 0;
}

static void tell(void)
{
	printf("packets %lu\n", packets);
	for (int cause = NONE + 1; cause < CAUSES; cause++)
		printf("%s %lu\n", names[cause], expected[cause]);
}

int main(int argc, char **argv)
{
	unsigned long count, flood;

	message_key(key, KEY);
	if (argc == 2 && !strcmp(argv[1], "nobody")) {
		int status = as_nobody();

		tell();
		return status;
	}
	fd = message_socket();
	if (fd < 0)
		die("socket");
	if (argc == 6 && !strcmp(argv[1], "flood")) {
		target = argv[3];
		broadcast = argv[4];
		send_flood(argv[2], strtoul(argv[5], NULL, 10));
		return 0;
	}
	if (argc == 4 && !strcmp(argv[1], "cost")) {
		target = argv[2];
		return tell_costs(strtoul(argv[3], NULL, 10));
	}
	if (argc != 5) {
		fprintf(stderr, "Usage: see the top of attack.c\n");
		return 2;
	}
	target = argv[1];
	broadcast = argv[2];
	count = strtoul(argv[3], NULL, 10);
	state = strtoull(argv[4], NULL, 10) | 1;
	flood = count / 5;
	/* Each CPU queues its messages to the own host: from two CPUs, one could overtake another. */
	must(stay_on(0), "sched_setaffinity");
	while (packets < count - flood)
		send_hostile();
	send_replays();
	send_flood("10.99.2.1", flood);
	expected[TAG] += flood;
	tell();
	printf("obeyed %d\n", SENDERS);
	return 0;
}
