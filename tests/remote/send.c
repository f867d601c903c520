// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * send - sends one control message and prints the answer.
 *
 * Usage: send [OPTION=VALUE]... FROM TO OPERATION, see usage() below.
 *
 * Prints the answer's fields as "key value" lines. Exits with 0 after an answer or if it requests
 * none, with 3 if no answer came in time.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "message.h"
#include "program.h"

#define NO_ANSWER	3

static const char *key_text = "000102030405060708090a0b0c0d0e0f";
static const char *name = "", *save, *load;
static unsigned int key_id = 1, kind;
static unsigned long long group, duration_ns;
static long long ahead_ns;
static unsigned long patience_ms = 2000;
static bool wants_reply = true;

static void usage(void)
{
	fprintf(stderr,
		"Usage: send [key=HEX] [id=N] [name=TEXT] [reply=0|1] [ahead=NS] [kind=N]\n"
		"            [group=N] [for=NS] [patience=MS] [save=FILE] FROM TO\n"
		"            status|start|stop|sched|arm|disarm|cancel\n"
		"       send load=FILE        sends again what was saved\n");
	exit(2);
}

static bool set_option(const char *text)
{
	const char *value = strchr(text, '=');

	if (!value++)
		return false;
#define IS(word)	(!strncmp(text, word "=", sizeof(word)))
	if (IS("key"))
		key_text = value;
	else if (IS("id"))
		key_id = strtoul(value, NULL, 0);
	else if (IS("name"))
		name = value;
	else if (IS("reply"))
		wants_reply = atoi(value);
	else if (IS("ahead"))
		ahead_ns = atoll(value);
	else if (IS("kind"))
		kind = atoi(value);
	else if (IS("group"))
		group = strtoull(value, NULL, 0);
	else if (IS("for"))
		duration_ns = strtoull(value, NULL, 0);
	else if (IS("patience"))
		patience_ms = strtoul(value, NULL, 0);
	else if (IS("save"))
		save = value;
	else if (IS("load"))
		load = value;
	else
		usage();
	return true;
}

static uint8_t operation_of(const char *word)
{
	static const char *const words[] = {
		[EVTLOG_REMOTE_STATUS] = "status", [EVTLOG_REMOTE_START] = "start",
		[EVTLOG_REMOTE_STOP] = "stop", [EVTLOG_REMOTE_SCHED] = "sched",
		[EVTLOG_REMOTE_ARM] = "arm", [EVTLOG_REMOTE_DISARM] = "disarm",
		[EVTLOG_REMOTE_CANCEL] = "cancel",
	};

	for (int i = EVTLOG_REMOTE_STATUS; i <= EVTLOG_REMOTE_CANCEL; i++)
		if (!strcmp(words[i], word))
			return i;
	usage();
	return 0;
}

static void tell(const struct message *m)
{
	const struct evtlog_remote_reply *r = &m->reply;

	printf("operation %u\n", r->head.operation & ~EVTLOG_REMOTE_REPLY);
	printf("result %d %s\n", (int)be32toh(r->result), strerror(be32toh(r->result)));
	printf("cpus %u\n", be32toh(r->cpus));
	printf("run %llu\n", (unsigned long long)be64toh(r->run));
	printf("run_name %.32s\n", r->run_name);
	printf("recording %d\n", !!(r->state & EVTLOG_REMOTE_RECORDING));
	printf("armed %d\n", !!(r->state & EVTLOG_REMOTE_ARMED));
	printf("logger %d\n", !!(r->state & EVTLOG_REMOTE_LOGGER));
	printf("tasks %llu\n", (unsigned long long)be64toh(r->tasks));
	printf("throttled %d\n", !!(r->notes & EVTLOG_REMOTE_THROTTLED));
	printf("lost %llu\n", (unsigned long long)be64toh(r->lost));
	printf("age_us %lld\n",
	       (long long)(be64toh(r->arrival_real_ns) - be64toh(r->head.nonce)) / 1000);
	printf("boot_id ");
	for (int i = 0; i < 16; i++)
		printf("%02x", r->boot_id[i]);
	printf("\n");
}

/* Is this an answer to this message, with a correct tag? */
static bool is_answer(struct message *got, const struct message *sent, const uint8_t *key)
{
	uint64_t tag = got->head.tag;

	if (got->bytes != sizeof(got->reply) ||
	    got->head.type != EVTLOG_REMOTE_ICMP_TYPE ||
	    !(got->head.operation & EVTLOG_REMOTE_REPLY) ||
	    got->head.nonce != sent->head.nonce)
		return false;
	got->head.tag = 0;
	if (message_tag(got, key) != tag) {
		printf("an answer with a wrong tag\n");
		exit(1);
	}
	return true;
}

static int listen_for(int fd, const struct message *sent, const uint8_t *key)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	uint64_t until = message_now() + patience_ms * 1000000ULL;
	struct message got;
	uint8_t packet[4096];

	while (message_now() < until && poll(&poll_fd, 1, 100) >= 0) {
		ssize_t n = recv(fd, packet, sizeof(packet), MSG_DONTWAIT);
		size_t head = (packet[0] & 15) * 4;

		if (n < (ssize_t)(head + sizeof(got.head)) ||
		    n - head > sizeof(got.data))
			continue;
		memcpy(&got.from, packet + 12, 4);
		memcpy(&got.to, packet + 16, 4);
		got.bytes = n - head;
		memcpy(got.data, packet + head, got.bytes);
		if (is_answer(&got, sent, key)) {
			tell(&got);
			return 0;
		}
	}
	return NO_ANSWER;
}

/*
 * Receives only answers: a host receives its own broadcasts, and a flood would fill the socket,
 * which then drops the answer.
 */
static int open_listener(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, 0),
		BPF_STMT(BPF_LD | BPF_B | BPF_IND, offsetof(struct evtlog_remote_head, operation)),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, EVTLOG_REMOTE_REPLY, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	const struct sock_fprog filter = {
		.len = sizeof(code) / sizeof(code[0]),
		.filter = code,
	};
	int fd = socket(AF_INET, SOCK_RAW, IPPROTO_ICMP);

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter)))
		die("a socket for answers");
	return fd;
}

static void send_again(int fd)
{
	struct message m;
	int file = open(load, O_RDONLY);

	if (file < 0 || read(file, &m, sizeof(m)) != sizeof(m))
		die(load);
	if (message_send(fd, &m))
		die("sendto");
}

int main(int argc, char **argv)
{
	int fd = message_socket(), listener = -1, at = 1;
	uint8_t key[EVTLOG_REMOTE_KEY_BYTES];
	struct message m;

	while (at < argc && set_option(argv[at]))
		at++;
	if (fd < 0)
		die("socket");
	if (wants_reply)
		listener = open_listener();
	if (load) {
		send_again(fd);
		return 0;
	}
	if (argc - at != 3)
		usage();
	message_key(key, key_text);
	message_make(&m, argv[at], argv[at + 1], key_id, operation_of(argv[at + 2]), name);
	m.head.nonce = htobe64(be64toh(m.head.nonce) + ahead_ns);
	m.head.flags = htobe32(wants_reply ? EVTLOG_REMOTE_WANTS_REPLY : 0);
	m.request.group_kind = kind;
	m.request.group = htobe64(group);
	m.request.duration_ns = htobe64(duration_ns);
	message_sign(&m, key);
	if (message_send(fd, &m))
		die("sendto");
	if (save) {
		int file = open(save, O_WRONLY | O_CREAT | O_TRUNC, 0600);

		if (file < 0 || write(file, &m, sizeof(m)) != sizeof(m))
			die(save);
		close(file);
	}
	return wants_reply ? listen_for(listener, &m, key) : 0;
}
