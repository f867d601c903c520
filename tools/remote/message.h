/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts control messages to and from bytes: see <evtlog/remote.h>.
 *
 * It sends no messages.
 */
#ifndef EVTLOG_REMOTE_MESSAGE_H
#define EVTLOG_REMOTE_MESSAGE_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/remote.h>

#include "key.h"

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

#endif /* EVTLOG_REMOTE_MESSAGE_H */
