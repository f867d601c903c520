/* SPDX-License-Identifier: GPL-2.0-only */
/* A command: an accepted control message, with the time and the CPU of its reception. */
#ifndef EVTLOG_COMMAND_H
#define EVTLOG_COMMAND_H

#include <linux/types.h>
#include <uapi/linux/evtlog_remote.h>

/**
 * struct evtlog_command - a control message
 * @sender:	source address in its IP header
 * @to:		destination address there: this host's, or a broadcast address
 * @request:	number of the message among the messages executed since boot
 * @key_id:	key of its tag
 * @cpu:	CPU that received it
 * @operation:	enum evtlog_remote_operation
 * @group_kind: enum evtlog_remote_group
 * @is_broadcast: True: sent to a broadcast address
 * @wants_reply: True: the sender asked for an answer, and may get one
 * @group:	as in struct evtlog_remote_request
 * @duration_ns: as in struct evtlog_remote_request
 * @nonce:	as in struct evtlog_remote_request
 * @rx_ticks:	rx timestamp: ticks when the network stack first saw it
 * @rx_real_ns: the same in CLOCK_REALTIME
 * @rx_raw_ns:	the same in CLOCK_MONOTONIC_RAW
 * @name_bytes: length of @name without its NUL
 * @name:	name of the run, or path of the group
 */
struct evtlog_command {
	__be32 sender;
	__be32 to;
	u32 request;
	u32 key_id;
	unsigned int cpu;
	u8 operation;
	u8 group_kind;
	bool is_broadcast;
	bool wants_reply;
	u64 group;
	u64 duration_ns;
	u64 nonce;
	u64 rx_ticks;
	u64 rx_real_ns;
	u64 rx_raw_ns;
	u16 name_bytes;
	char name[EVTLOG_REMOTE_NAME_MAX + 1];
};

#endif /* EVTLOG_COMMAND_H */
