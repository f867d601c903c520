/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One request to many hosts, and their answers.
 */
#ifndef EVTLOG_REMOTE_EXCHANGE_H
#define EVTLOG_REMOTE_EXCHANGE_H

#include "common/hostlist.h"
#include "message.h"

/*
 * @why:	not NULL: it can't be sent to, and why
 * @source:	address of ours that it is sent from
 * @wanted:	it is to be asked (still)
 * @answered:	@reply is its answer to what it was asked last
 * @tries:	messages sent since it was wanted
 * @round_trip_ns: from sending to the answer
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
 * @timeout_ms:	how long to wait for answers after each sending
 * @retries:	how often it is sent again to those that did not answer
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
 * exchange_open() - look the hosts up and get a socket
 * @key_path:	of the file that @key is from; beside it the last nonce is kept
 *
 * Says what is wrong; a host that is not known is no error.  Returns 0 or -errno.
 */
int exchange_open(struct exchange *exchange, const struct hostlist *list,
		  const struct remote_key *key, const char *key_path);
void exchange_close(struct exchange *exchange);

/** exchange_run() - ask all hosts that are wanted; says what is wrong; 0 or -errno */
int exchange_run(struct exchange *exchange, const struct message *message);

/**
 * exchange_broadcast() - send it once, to all who hear
 * @where:	a broadcast address, or the name of a network interface
 *
 * Nobody answers to that.  Says what is wrong; returns 0 or -errno.
 */
int exchange_broadcast(struct exchange *exchange, const struct message *message,
		       const char *where);

#endif /* EVTLOG_REMOTE_EXCHANGE_H */
