/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A request to many hosts, and their answers: as bytes, and over the network.
 */
#ifndef EVTLOG_REMOTE_EXCHANGE_H
#define EVTLOG_REMOTE_EXCHANGE_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/remote.h>

#include "common/hostlist.h"
#include "key.h"

/* ---- message.c: messages to and from bytes, see <evtlog/remote.h> ---- */

#define MESSAGE_BYTES_MAX \
	(sizeof(struct evtlog_remote_request) + EVTLOG_REMOTE_NAME_MAX + 1)

/*
 * A request to a host.
 * @name:	name of the run, or path of the cgroup; "" if none
 */
struct message {
	enum evtlog_remote_operation operation;
	bool wants_reply;
	uint8_t group_kind;
	uint64_t group;
	uint64_t duration_ns;
	char name[EVTLOG_REMOTE_NAME_MAX + 1];
};

/* An answer, in this machine's byte order. */
struct message_reply {
	uint64_t nonce;
	int result;
	unsigned int cpus;
	uint64_t run;
	uint64_t arrival_real_ns;
	uint64_t arrival_raw_ns;
	uint64_t tasks;
	uint64_t lost;
	uint8_t state;
	uint8_t notes;
	uint8_t boot_id[16];
	char run_name[32];
};

/**
 * message_write() - write a signed ICMP message
 * @bytes:	MESSAGE_BYTES_MAX bytes, aligned to 8
 *
 * Returns its length.
 */
size_t message_write(void *bytes, const struct message *message, const struct remote_key *key,
		     struct in_addr from, struct in_addr to, uint64_t nonce);

/**
 * message_read() - returns true if an ICMP message is an answer signed with this key
 * @reply:	set if true
 */
bool message_read(struct message_reply *reply, const void *bytes, size_t length,
		  const struct remote_key *key, struct in_addr from, struct in_addr to);

/* ---- Nonces that rise over all processes of a host ---- */

/* @fd: file that stores @last, -1 if there is none */
struct nonce {
	int fd;
	uint64_t last;
};

/**
 * nonce_open() - open or create the nonce file next to a key file
 *
 * If this is impossible (a read-only file system), nonces depend only on the clock.
 */
void nonce_open(struct nonce *nonce, const char *key_path);
void nonce_close(struct nonce *nonce);

/**
 * nonce_begin() - no other process gets a nonce until nonce_end()
 *
 * Messages must be sent in the order of their nonces, so send them before nonce_end().
 */
void nonce_begin(struct nonce *nonce);
uint64_t nonce_next(struct nonce *nonce);
void nonce_end(struct nonce *nonce);

/* ---- exchange.c: sends requests and waits for answers ---- */

/*
 * @why:	why no message can be sent to the host; NULL if possible
 * @source:	our address from which messages are sent
 * @wanted:	True: the host must (still) be asked
 * @answered:	True: @reply is its answer to the last request
 * @tries:	messages sent for this request
 * @round_trip_ns: time from sending to the answer
 */
struct exchange_host {
	const char *name;
	const char *why;
	struct in_addr address;
	struct in_addr source;
	bool wanted;
	bool answered;
	unsigned int tries;
	uint64_t round_trip_ns;
	struct message_reply reply;
};

/*
 * @timeout_ms:	how long to wait for answers after each message
 * @retries:	how often to send again to hosts that do not answer
 */
struct exchange {
	struct exchange_host *hosts;
	size_t count;
	int socket;
	struct nonce nonce;
	const struct remote_key *key;
	unsigned int timeout_ms;
	unsigned int retries;
	struct exchange_sent *sent;
	size_t sent_count;
	size_t sent_capacity;
};

/**
 * exchange_open() - look up the hosts and open a socket
 * @key_path:	file that contains @key; the last nonce is stored next to it
 *
 * Prints errors.  An unknown host is not an error.  Returns 0 or -errno.
 */
int exchange_open(struct exchange *exchange, const struct hostlist *list,
		  const struct remote_key *key, const char *key_path);
void exchange_close(struct exchange *exchange);

/** exchange_run() - ask all hosts that are wanted; prints errors; returns 0 or -errno */
int exchange_run(struct exchange *exchange, const struct message *message);

/**
 * exchange_broadcast() - send one broadcast
 * @where:	a broadcast address, or the name of a network interface
 *
 * Hosts do not answer a broadcast.  Prints errors.  Returns 0 or -errno.
 */
int exchange_broadcast(struct exchange *exchange, const struct message *message,
		       const char *where);

#endif /* EVTLOG_REMOTE_EXCHANGE_H */
