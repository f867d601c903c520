/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A control message that was found right, and when and where it came in.
 *
 * Stage: between the receive path, which makes it, and what it asks for.
 */
#ifndef EVTLOG_RECEIPT_H
#define EVTLOG_RECEIPT_H

#include <linux/types.h>
#include <uapi/linux/evtlog_remote.h>

/*
 * struct evtlog_receipt - a control message
 * @sender, @to: the addresses in its IP header; @to is ours, or a broadcast's
 * @request:	counts the messages obeyed since boot
 * @key_id:	under which it was right
 * @cpu:	took it in
 * @operation, @group_kind, @group, @duration_ns, @nonce: as in remote.h
 * @is_broadcast: came to all
 * @wants_reply: asked for an answer, and may have one
 * @arrival:	ticks at which it was seen first
 * @arrival_real_ns, @arrival_raw_ns: the same in CLOCK_REALTIME and MONOTONIC_RAW
 * @name_bytes:	of @name, less the NUL behind it
 */
struct evtlog_receipt {
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
	u64 arrival;
	u64 arrival_real_ns;
	u64 arrival_raw_ns;
	u16 name_bytes;
	char name[EVTLOG_REMOTE_NAME_MAX + 1];
};

void evtlog_receipt_write(const struct evtlog_receipt *receipt);

#endif /* EVTLOG_RECEIPT_H */
