/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Control messages: start and stop runs, and set priorities, on many nodes at once.
 *
 * Stage: `evtlog remote` on one host sends them, kernel/evtlog/remote/receive.c on the other hosts
 * receives them.  The kernel installs this file as <linux/evtlog_remote.h>; there is one copy.
 *
 * A message is one unfragmented ICMP message of type 253 (RFC 4727, for experiments), code 0, to
 * one host or by broadcast.  All numbers are in network order:
 *
 *	struct evtlog_remote_request, then @name_bytes of name, padded with NULs
 *	to a multiple of 8; nothing follows
 *
 * A host answers a request with a struct evtlog_remote_reply if the request is valid, was sent to
 * this host alone, and has EVTLOG_REMOTE_WANTS_REPLY.  It does not answer any other message.
 *
 * A message is authenticated by a key.  The tag is SipHash-2-4 under the 128-bit key with the id
 * @key_id, over
 *
 *	source address, destination address	4 bytes each, as in the IP header
 *	the whole message			with @checksum and @tag zero
 *
 * A host accepts a message only once.  @nonce is the sender's CLOCK_REALTIME in ns.  It increases
 * with each message of a sender (a source address) under a key, and differs from the receiver's
 * clock by at most EVTLOG_REMOTE_WINDOW_NS.  After a key is set, the host accepts under this key
 * only messages that are newer than the setting by EVTLOG_REMOTE_WINDOW_NS.  A message from before
 * a reboot can therefore not be replayed after it.
 */
#ifndef EVTLOG_REMOTE_H
#define EVTLOG_REMOTE_H

#include <linux/types.h>

#define EVTLOG_REMOTE_ICMP_TYPE	253
#define EVTLOG_REMOTE_MAGIC	0x654c	/* "eL" */
#define EVTLOG_REMOTE_VERSION	1

#define EVTLOG_REMOTE_KEY_BYTES	16
#define EVTLOG_REMOTE_KEYS	2	/* active at the same time, so keys can be changed */
#define EVTLOG_REMOTE_WINDOW_NS	5000000000LL
#define EVTLOG_REMOTE_NAME_MAX	255
#define EVTLOG_REMOTE_SCHED_MAX_NS 10000000000LL /* maximum of @duration_ns */

enum evtlog_remote_operation {
	EVTLOG_REMOTE_STATUS = 1,
	EVTLOG_REMOTE_START,	/* name: of the run */
	EVTLOG_REMOTE_STOP,
	EVTLOG_REMOTE_SCHED,	/* name: path of the cgroup, for EVTLOG_REMOTE_CGROUP */
	EVTLOG_REMOTE_ARM,	/* prepare, so a later start is immediate */
	EVTLOG_REMOTE_DISARM,
	EVTLOG_REMOTE_CANCEL,	/* end the effect of SCHED now */
	EVTLOG_REMOTE_REPLY = 0x80,
};

enum evtlog_remote_group {
	EVTLOG_REMOTE_PGID = 1,	/* @group: process group */
	EVTLOG_REMOTE_SID,	/* @group: session */
	EVTLOG_REMOTE_CGROUP,	/* name: path in the unified hierarchy, from its root */
};

#define EVTLOG_REMOTE_WANTS_REPLY	0x1

/**
 * struct evtlog_remote_head - at the start of requests and replies
 * @key_id:	id of the key at the receiver
 * @flags:	EVTLOG_REMOTE_WANTS_REPLY
 * @nonce:	in a reply: nonce of the request
 *
 * The fields id and sequence of an echo have the offsets of @magic to @operation.
 */
struct evtlog_remote_head {
	__u8	type;
	__u8	code;
	__be16	checksum;
	__be16	magic;
	__u8	version;
	__u8	operation;
	__be32	key_id;
	__be32	flags;
	__be64	nonce;
	__be64	tag;
};

/**
 * struct evtlog_remote_request - a command for a host
 * @group:	SCHED: pid of the group's leader; 0 for a cgroup
 * @duration_ns: SCHED: duration
 * @group_kind:	SCHED: enum evtlog_remote_group
 * @name_bytes:	length of the name that follows, without padding; 0: no name
 */
struct evtlog_remote_request {
	struct evtlog_remote_head head;
	__be64	group;
	__be64	duration_ns;
	__u8	group_kind;
	__u8	reserved[5];
	__be16	name_bytes;	/* without padding; 0: no name */
};

/**
 * struct evtlog_remote_reply - the answer of a host
 * @result:	0, or errno: EALREADY nothing to do (a run of that name is recorded; no run is
 *		recorded; no group is scheduled), EBUSY, ESRCH no such group, ...
 * @cpus:	number of online CPUs
 * @run:	number of the current or last run
 * @arrival_real_ns, @arrival_raw_ns: CLOCK_REALTIME and MONOTONIC_RAW at the arrival of the
 *		request; if nothing is recorded, at its processing by ICMP
 * @tasks:	SCHED: number of tasks found; the policy of each is restored later
 * @lost:	events lost in the run
 * @state:	EVTLOG_REMOTE_RECORDING, EVTLOG_REMOTE_LOGGER, EVTLOG_REMOTE_ARMED
 * @notes:	EVTLOG_REMOTE_THROTTLED: real-time throttling takes CPUs from the group too early
 * @run_name:	of the current or last run
 */
struct evtlog_remote_reply {
	struct evtlog_remote_head head;
	__be32	result;
	__be32	cpus;
	__be64	run;
	__be64	arrival_real_ns;
	__be64	arrival_raw_ns;
	__be64	tasks;
	__be64	lost;
	__u8	state;
	__u8	notes;
	__u8	reserved[6];
	__u8	boot_id[16];
	char	run_name[32];
};

#define EVTLOG_REMOTE_RECORDING	0x1
#define EVTLOG_REMOTE_LOGGER	0x2	/* a logger is registered */
#define EVTLOG_REMOTE_ARMED	0x4	/* ready for an immediate start */

#define EVTLOG_REMOTE_THROTTLED	0x1

#if defined(__cplusplus)
#define EVTLOG_REMOTE_ASSERT(x)	static_assert(x, #x)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define EVTLOG_REMOTE_ASSERT(x)	_Static_assert(x, #x)
#else
#define EVTLOG_REMOTE_ASSERT(x)	extern char evtlog_assert[(x) ? 1 : -1]
#endif
EVTLOG_REMOTE_ASSERT(sizeof(struct evtlog_remote_head) == 32);
EVTLOG_REMOTE_ASSERT(sizeof(struct evtlog_remote_request) == 56);
EVTLOG_REMOTE_ASSERT(sizeof(struct evtlog_remote_reply) == 136);
#undef EVTLOG_REMOTE_ASSERT

#endif /* EVTLOG_REMOTE_H */
