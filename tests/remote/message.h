/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Control messages that may be wrong in any place, for the tests.
 *
 * Stage: in a guest, replaces `evtlog remote` and uses none of its code: the tag is libsodium's
 * SipHash-2-4.
 */
#ifndef TEST_REMOTE_MESSAGE_H
#define TEST_REMOTE_MESSAGE_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/remote.h>

struct message {
	struct in_addr from;
	struct in_addr to;
	size_t bytes;
	union {
		struct evtlog_remote_head head;
		struct evtlog_remote_request request;
		struct evtlog_remote_reply reply;
		uint8_t data[2048];
	};
};

uint64_t message_now(void);
void message_key(uint8_t *key, const char *hex);
void message_make(struct message *m, const char *from, const char *to, uint32_t key_id,
		  uint8_t operation, const char *name);
uint64_t message_tag(const struct message *m, const uint8_t *key);
void message_sign(struct message *m, const uint8_t *key);
int message_socket(void);
int message_send(int fd, const struct message *m);
int message_send_pieces(int fd, const struct message *m, uint16_t ip_id);

#endif /* TEST_REMOTE_MESSAGE_H */
