/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A command: a control message that was found right, and when and where it came in.
 */
#ifndef EVTLOG_COMMAND_H
#define EVTLOG_COMMAND_H

#include <linux/types.h>
#include <uapi/linux/evtlog_remote.h>

/**
 * struct evtlog_command - a control message
 * @sender:	the source in its IP header
 * @to:		the destination there: ours, or a broadcast's
 * @request:	counts the messages obeyed since boot
 * @key_id:	under which it was right
 * @cpu:	took it in
 * @operation:	enum evtlog_remote_operation
 * @group_kind:	enum evtlog_remote_group
 * @is_broadcast: came to all
 * @wants_reply: asked for an answer, and may have one
 * @group:	as in struct evtlog_remote_request
 * @duration_ns: as there
 * @nonce:	as there
 * @rx_ticks:	its rx timestamp: ticks at which it was first seen
 * @rx_real_ns:	the same in CLOCK_REALTIME
 * @rx_raw_ns:	the same in CLOCK_MONOTONIC_RAW
 * @name_bytes:	of @name, less the NUL behind it
 * @name:	of the run, or the group's path
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
