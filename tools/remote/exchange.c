// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sends a request to all hosts and collects their answers.
 *
 * It does not interpret requests.  The tag of a message covers both addresses, so each message
 * is sent from the address for which it was made.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/ip.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "common/error.h"
#include "exchange.h"
#include "lib/base/array.h"

/* From linux/icmp.h, which conflicts with the C library's header. */
#define RAW_ICMP_FILTER	1

/* A thousand hosts answer within a millisecond. */
#define RECEIVE_BYTES	(4 << 20)

/* Messages sent before answers are read. */
#define SENT_AT_ONCE	32

/* Messages received before the clock is read. */
#define RECEIVED_AT_ONCE 1024

/* Sent messages, sorted by nonce, to find the host of an answer. */
struct exchange_sent {
	uint64_t nonce;
	uint64_t sent_ns;
	size_t host;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

/* Finds the address from which a packet to @to is sent; -errno if there is no route. */
static int find_source(struct in_addr to, const char *interface, struct in_addr *source)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_port = htons(9),
				       .sin_addr = to };
	socklen_t bytes = sizeof(address);
	int on = 1, error = 0;
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	if ((interface && setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, interface,
				     strlen(interface)) < 0) ||
	    setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &on, sizeof(on)) < 0 ||
	    connect(fd, (void *)&address, sizeof(address)) < 0 ||
	    getsockname(fd, (void *)&address, &bytes) < 0)
		error = -errno;
	*source = address.sin_addr;
	close(fd);
	return error;
}

static const char *look_up(struct exchange_host *host)
{
	const struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_RAW };
	struct addrinfo *found;
	int error = getaddrinfo(host->name, NULL, &hints, &found);

	if (error == EAI_NONAME || error == EAI_NODATA || error == EAI_ADDRFAMILY)
		return "unknown host";
	if (error)
		return error == EAI_SYSTEM ? strerror(errno) : gai_strerror(error);
	host->address = ((struct sockaddr_in *)found->ai_addr)->sin_addr;
	freeaddrinfo(found);
	error = find_source(host->address, NULL, &host->source);
	return error ? strerror(-error) : NULL;
}

static int open_socket(void)
{
	uint32_t block_all = ~0u;
	int receive_bytes = RECEIVE_BYTES, on = 1, dont_fragment = IP_PMTUDISC_DO;
	int fd = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_ICMP);

	if (fd < 0) {
		int error = -errno;

		if (error == -EPERM || error == -EACCES)
			pr_err("raw socket: %s: sending control messages needs CAP_NET_RAW: run it as root",
			       strerror(-error));
		else
			pr_err("raw socket: %s", strerror(-error));
		return error;
	}
	/* The filter has 32 bits.  Types above 31 have no bit and pass. */
	setsockopt(fd, SOL_RAW, RAW_ICMP_FILTER, &block_all, sizeof(block_all));
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &receive_bytes, sizeof(receive_bytes)) < 0)
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof(receive_bytes));
	setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &on, sizeof(on));
	setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, &dont_fragment, sizeof(dont_fragment));
	return fd;
}

int exchange_open(struct exchange *exchange, const struct hostlist *list,
		  const struct remote_key *key, const char *key_path)
{
	exchange->key = key;
	exchange->hosts = calloc(list->count + 1, sizeof(*exchange->hosts));
	if (!exchange->hosts) {
		pr_err("out of memory");
		return -ENOMEM;
	}
	exchange->socket = open_socket();
	if (exchange->socket < 0) {
		free(exchange->hosts);
		return exchange->socket;
	}
	exchange->count = list->count;
	for (size_t i = 0; i < list->count; i++) {
		struct exchange_host *host = &exchange->hosts[i];

		host->name = list->hosts[i];
		host->why = look_up(host);
		host->wanted = !host->why;
	}
	nonce_open(&exchange->nonce, key_path);
	return 0;
}

void exchange_close(struct exchange *exchange)
{
	nonce_close(&exchange->nonce);
	close(exchange->socket);
	free(exchange->sent);
	free(exchange->hosts);
}

static int note_sent(struct exchange *exchange, uint64_t nonce, size_t host)
{
	if (array_reserve(&exchange->sent, &exchange->sent_capacity, exchange->sent_count,
			  sizeof(*exchange->sent)))
		return -ENOMEM;
	exchange->sent[exchange->sent_count++] = (struct exchange_sent){
		.nonce = nonce, .sent_ns = now_ns(), .host = host,
	};
	return 0;
}

static int send_from(int fd, const void *bytes, size_t length, struct in_addr from,
		     struct in_addr to, unsigned int interface)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = to };
	struct iovec vector = { (void *)(uintptr_t)bytes, length };
	union {
		struct cmsghdr head;
		char capacity[CMSG_SPACE(sizeof(struct in_pktinfo))];
	} control = { .capacity = { 0 } };
	struct msghdr message = {
		.msg_name = &address,
		.msg_namelen = sizeof(address),
		.msg_iov = &vector,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	struct in_pktinfo info = { .ipi_ifindex = interface, .ipi_spec_dst = from };
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	unsigned int waits = 0;

	head->cmsg_level = IPPROTO_IP;
	head->cmsg_type = IP_PKTINFO;
	head->cmsg_len = CMSG_LEN(sizeof(info));
	memcpy(CMSG_DATA(head), &info, sizeof(info));
	while (sendmsg(fd, &message, 0) < 0) {
		struct pollfd capacity = { .fd = fd, .events = POLLOUT };

		/* The queue is full: wait. */
		if ((errno == EAGAIN || errno == ENOBUFS) && waits++ < 100)
			poll(&capacity, 1, 10);
		else if (errno != EINTR)
			return -errno;
	}
	return 0;
}

static struct exchange_sent *find_sent(const struct exchange *exchange, uint64_t nonce)
{
	size_t low = 0, high = exchange->sent_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (exchange->sent[middle].nonce == nonce)
			return &exchange->sent[middle];
		if (exchange->sent[middle].nonce < nonce)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* Any packet can come here: accept only signed answers to our messages, from the hosts asked. */
static void take(struct exchange *exchange, const unsigned char *packet, size_t length,
		 uint64_t received_ns)
{
	const struct iphdr *ip = (const void *)packet;
	struct exchange_host *host;
	struct exchange_sent *sent;
	struct message_reply reply;
	struct in_addr from, to;
	size_t head_bytes;

	if (length < sizeof(*ip))
		return;
	head_bytes = ip->ihl * 4;
	if (head_bytes < sizeof(*ip) || head_bytes > length)
		return;
	from.s_addr = ip->saddr;
	to.s_addr = ip->daddr;
	if (!message_read(&reply, packet + head_bytes, length - head_bytes, exchange->key, from,
			  to))
		return;
	sent = find_sent(exchange, reply.nonce);
	if (!sent)
		return;
	host = &exchange->hosts[sent->host];
	if (!host->wanted || from.s_addr != host->address.s_addr ||
	    to.s_addr != host->source.s_addr)
		return;
	host->reply = reply;
	host->round_trip_ns = received_ns - sent->sent_ns;
	host->answered = true;
	host->wanted = false;
}

static void take_all(struct exchange *exchange)
{
	_Alignas(8) unsigned char packet[2048];

	/*
	 * An error means that a host cannot be reached: it will be reported as silent.  The
	 * limit makes the caller check the time even if packets come without end.
	 */
	for (unsigned int i = 0; i < RECEIVED_AT_ONCE; i++) {
		ssize_t length = recv(exchange->socket, packet, sizeof(packet), 0);

		if (length >= 0)
			take(exchange, packet, length, now_ns());
		else if (errno == EAGAIN || errno == EWOULDBLOCK)
			return;
	}
}

static int send_to_wanted(struct exchange *exchange, const struct message *message)
{
	_Alignas(8) unsigned char bytes[MESSAGE_BYTES_MAX];
	unsigned int at_once = 0;
	int error = 0;

	nonce_begin(&exchange->nonce);
	for (size_t i = 0; i < exchange->count && !error; i++) {
		struct exchange_host *host = &exchange->hosts[i];
		uint64_t nonce;
		size_t length;
		int failed;

		if (!host->wanted)
			continue;
		nonce = nonce_next(&exchange->nonce);
		length = message_write(bytes, message, exchange->key, host->source,
				       host->address, nonce);
		error = note_sent(exchange, nonce, i);
		if (error)
			break;
		host->tries++;
		failed = send_from(exchange->socket, bytes, length, host->source, host->address, 0);
		if (failed) {
			host->why = strerror(-failed);
			host->wanted = false;
		}
		if (++at_once % SENT_AT_ONCE == 0)
			take_all(exchange);
	}
	nonce_end(&exchange->nonce);
	return error;
}

static bool some_wanted(const struct exchange *exchange)
{
	for (size_t i = 0; i < exchange->count; i++)
		if (exchange->hosts[i].wanted)
			return true;
	return false;
}

static void wait_for_answers(struct exchange *exchange)
{
	uint64_t end = now_ns() + exchange->timeout_ms * UINT64_C(1000000), now;

	while (some_wanted(exchange) && (now = now_ns()) < end) {
		struct pollfd readable = { .fd = exchange->socket, .events = POLLIN };

		poll(&readable, 1, (end - now + 999999) / 1000000);
		take_all(exchange);
	}
}

int exchange_run(struct exchange *exchange, const struct message *message)
{
	int error = 0;

	for (size_t i = 0; i < exchange->count; i++) {
		exchange->hosts[i].tries = 0;
		if (exchange->hosts[i].wanted)
			exchange->hosts[i].answered = false;
	}
	/* Ignore answers to earlier requests. */
	exchange->sent_count = 0;
	for (unsigned int try = 0; try <= exchange->retries && some_wanted(exchange); try++) {
		error = send_to_wanted(exchange, message);
		if (error) {
			pr_err("out of memory");
			break;
		}
		wait_for_answers(exchange);
	}
	return error;
}

static int find_broadcast(const char *where, struct in_addr *to, unsigned int *interface)
{
	struct ifaddrs *list, *at;
	int error = -ENODEV;
	in_addr_t own;

	*interface = 0;
	if (inet_pton(AF_INET, where, to) == 1)
		return 0;
	*interface = if_nametoindex(where);
	if (!*interface) {
		pr_err("--broadcast %s: neither an address nor a network interface", where);
		return -ENODEV;
	}
	if (getifaddrs(&list) < 0) {
		pr_err("%s: %s", where, strerror(errno));
		return -errno;
	}
	for (at = list; at && error; at = at->ifa_next) {
		if (strcmp(at->ifa_name, where) || !at->ifa_addr ||
		    at->ifa_addr->sa_family != AF_INET || !(at->ifa_flags & IFF_BROADCAST) ||
		    !at->ifa_broadaddr || !at->ifa_netmask)
			continue;
		*to = ((struct sockaddr_in *)at->ifa_broadaddr)->sin_addr;
		/* Without a broadcast address, as after "ip addr add", this is our address. */
		own = ((struct sockaddr_in *)at->ifa_addr)->sin_addr.s_addr;
		if (to->s_addr == own)
			to->s_addr |= ~((struct sockaddr_in *)at->ifa_netmask)->sin_addr.s_addr;
		error = 0;
	}
	freeifaddrs(list);
	if (error)
		pr_err("%s: has no IPv4 address to broadcast from", where);
	return error;
}

int exchange_broadcast(struct exchange *exchange, const struct message *message,
		       const char *where)
{
	_Alignas(8) unsigned char bytes[MESSAGE_BYTES_MAX];
	struct in_addr to, source;
	unsigned int interface;
	size_t length;
	int error;

	error = find_broadcast(where, &to, &interface);
	if (error)
		return error;
	error = find_source(to, interface ? where : NULL, &source);
	if (!error) {
		nonce_begin(&exchange->nonce);
		length = message_write(bytes, message, exchange->key, source, to,
				       nonce_next(&exchange->nonce));
		error = send_from(exchange->socket, bytes, length, source, to, interface);
		nonce_end(&exchange->nonce);
	}
	if (error)
		pr_err("--broadcast %s: %s", where, strerror(-error));
	return error;
}
