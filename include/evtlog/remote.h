/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Control messages: what starts, stops and schedules on many nodes at once.
 *
 * Stage: between `evtlog remote` on one host and kernel/evtlog/remote/receive.c on the others.
 * The kernel installs this file as <linux/evtlog_remote.h>; there is one copy.
 *
 * A message is one unfragmented ICMP message of type 253 (RFC 4727, for
 * experiments), code 0, to a host or by broadcast; all numbers are in network order:
 *
 *	struct evtlog_remote_request, then @name_bytes of name, padded with NULs
 *	to a multiple of 8; nothing behind
 *
 * A host answers a request that was right, came to it alone, and asks for
 * it, by a struct evtlog_remote_reply; it is silent to everything else.
 *
 * Who may: who has the key.  The tag is SipHash-2-4 under the 128-bit key that
 * @key_id names, over
 *
 *	source address, destination address	4 bytes each, as in the IP header
 *	the whole message			with @checksum and @tag zero
 *
 * A host takes no message twice: @nonce is the sender's CLOCK_REALTIME in ns, rises
 * with each message of one sender (a source address) under one key, and is at most
 * EVTLOG_REMOTE_WINDOW_NS from the receiver's.  After it was given a key, a host takes
 * under that key only what is newer than then, by the window: what was sent before a
 * reboot can not be sent again after it.
 */
#ifndef EVTLOG_REMOTE_H
#define EVTLOG_REMOTE_H

#include <linux/types.h>

#define EVTLOG_REMOTE_ICMP_TYPE	253
#define EVTLOG_REMOTE_MAGIC	0x654c	/* "eL" */
#define EVTLOG_REMOTE_VERSION	1

#define EVTLOG_REMOTE_KEY_BYTES	16
#define EVTLOG_REMOTE_KEYS	2	/* live at once, so that keys can change */
#define EVTLOG_REMOTE_WINDOW_NS	5000000000LL
#define EVTLOG_REMOTE_NAME_MAX	255
#define EVTLOG_REMOTE_SCHED_MAX_NS 10000000000LL /* longest @duration_ns */

enum evtlog_remote_operation {
	EVTLOG_REMOTE_STATUS = 1,
	EVTLOG_REMOTE_START,	/* name: the run's */
	EVTLOG_REMOTE_STOP,
	EVTLOG_REMOTE_SCHED,	/* name: the cgroup's path, for that kind */
	EVTLOG_REMOTE_ARM,	/* get ready, so that a start is at once */
	EVTLOG_REMOTE_DISARM,
	EVTLOG_REMOTE_CANCEL,	/* the end of what SCHED began, now */
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
 * @key_id:	which of the receiver's keys
 * @flags:	EVTLOG_REMOTE_WANTS_REPLY
 * @nonce:	of a reply: the request's
 *
 * The fields id and sequence of an echo lie where @magic to @operation do.
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
 * struct evtlog_remote_request - what a host is told to do
 * @group:	SCHED: pid of the group's leader; 0 of a cgroup
 * @duration_ns: SCHED: for how long
 * @group_kind:	SCHED: enum evtlog_remote_group
 * @name_bytes:	of the name that follows, without padding; 0: no name
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
 * struct evtlog_remote_reply - what a host answers
 * @result:	0, or the errno that it failed with: EALREADY it is as wished already (a
 *		run of that name records; none records; no group is scheduled), EBUSY,
 *		ESRCH no such group, ...
 * @cpus:	online
 * @run:	number of the current or last run
 * @arrival_real_ns, @arrival_raw_ns: CLOCK_REALTIME and MONOTONIC_RAW when the
 *		request arrived; while nothing is recorded, when ICMP saw it
 * @tasks:	SCHED: tasks found; each is given back its policy
 * @lost:	events lost in the run
 * @state:	EVTLOG_REMOTE_RECORDING, EVTLOG_REMOTE_LOGGER, EVTLOG_REMOTE_ARMED
 * @notes:	EVTLOG_REMOTE_THROTTLED: real-time throttling takes CPUs away from
 *		the group before its time is over
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
#define EVTLOG_REMOTE_LOGGER	0x2	/* a logger is announced */
#define EVTLOG_REMOTE_ARMED	0x4	/* ready to start at once */

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
