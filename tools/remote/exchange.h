/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A request to many hosts, and their answers.
 */
#ifndef EVTLOG_REMOTE_EXCHANGE_H
#define EVTLOG_REMOTE_EXCHANGE_H

#include "common/hostlist.h"
#include "message.h"

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
