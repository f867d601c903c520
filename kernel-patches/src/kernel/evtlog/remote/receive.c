// SPDX-License-Identifier: GPL-2.0-only
/*
 * Receives control messages: accepts correct ones, and counts why others were refused.
 *
 * Called from icmp_rcv(); passes correct messages to remote/execute.c.  Everything in a packet is
 * treated as hostile until its tag is verified.  A refused message is dropped, as without evtlog.
 * It is answered only if it is correct, but its key does not permit it.
 *
 * Checks are ordered by cost: the packet's fields, then its age, then the tag.  Only a message with
 * a correct tag changes the memory of nonces.  Nothing is counted against a sender: only the tag
 * proves who sent a message, and forged messages under a sender's name must not block the sender's
 * own.  The tag of a forged message costs less than the packet on its way to this point.
 */
#define __evtlog_hook	/* hot here, cold to callers: see linux/evtlog.h */

#include <crypto/algapi.h>
#include <linux/cache.h>
#include <linux/evtlog.h>
#include <linux/icmp.h>
#include <linux/ip.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/skbuff.h>
#include <linux/timekeeping.h>
#include <net/ip.h>
#include <net/net_namespace.h>
#include <net/route.h>

#include "clock.h"
#include "feature.h"
#include "hooks/icmp.h"
#include "proc.h"
#include "remote/admit.h"
#include "remote/command.h"
#include "remote/remote.h"

/*
 * Why a message was refused, in the order of the checks:
 * namespace: not the initial one; fragment: came in pieces;
 * broadcast: to a multicast group, or in a broadcast frame to an address of this host;
 * length: differs from the length that the message gives, or is out of range;
 * version: another magic or version; reply: an answer, which is for a socket;
 * format: an unknown code, operation or flag, or a reserved field that is not zero;
 * key: unknown id; stale, future: the nonce is not of this time, or older than the key;
 * tag: wrong; replay: not newer than the sender's last message under this key;
 * rights: correct, but not permitted to its key, which is answered; busy: correct, but no room.
 */
#define CAUSES(X) \
	X(NAMESPACE, namespace) X(FRAGMENT, fragment) X(BROADCAST, broadcast) \
	X(LENGTH, length) X(VERSION, version) X(REPLY, reply) X(FORMAT, format) \
	X(KEY, key) X(STALE, stale) X(FUTURE, future) \
	X(TAG, tag) X(REPLAY, replay) X(RIGHTS, rights) X(BUSY, busy)

enum cause {
	CAUSE_NONE,
#define X(NAME, name) CAUSE_##NAME,
	CAUSES(X)
#undef X
	CAUSE_COUNT
};

static const char *const cause_names[CAUSE_COUNT] = {
#define X(NAME, name) [CAUSE_##NAME] = #name,
	CAUSES(X)
#undef X
};

static DEFINE_PER_CPU(u64 [CAUSE_COUNT], refused);

#define MESSAGE_MIN	sizeof(struct evtlog_remote_request)
#define MESSAGE_MAX	sizeof_field(struct evtlog_remote_signed, bytes)

/* Checks the packet's origin; the message itself is not read. */
static enum cause judge_packet(const struct sk_buff *skb)
{
	const struct rtable *rt = skb_rtable(skb);

	if (!net_eq(dev_net(skb->dev), &init_net))
		return CAUSE_NAMESPACE;
	/* Reassembled: IP stores the size of the largest fragment. */
	if (IPCB(skb)->frag_max_size)
		return CAUSE_FRAGMENT;
	if (rt->rt_flags & RTCF_MULTICAST ||
	    (skb->pkt_type != PACKET_HOST && skb->pkt_type != PACKET_LOOPBACK &&
	     !(rt->rt_flags & RTCF_BROADCAST)))
		return CAUSE_BROADCAST;
	return CAUSE_NONE;
}

/* Checks that the message is complete, and that its fields are possible. */
static enum cause judge_message(const struct evtlog_remote_signed *message, size_t bytes)
{
	const struct evtlog_remote_request *request = &message->request;
	size_t name_bytes = be16_to_cpu(request->name_bytes);

	if (request->head.magic != cpu_to_be16(EVTLOG_REMOTE_MAGIC) ||
	    request->head.version != EVTLOG_REMOTE_VERSION)
		return CAUSE_VERSION;
	if (request->head.operation & EVTLOG_REMOTE_REPLY)
		return CAUSE_REPLY;
	if (name_bytes > EVTLOG_REMOTE_NAME_MAX ||
	    bytes != sizeof(*request) + ALIGN(name_bytes, 8))
		return CAUSE_LENGTH;
	if (request->head.operation != EVTLOG_REMOTE_SCHED &&
	    (request->group || request->duration_ns || request->group_kind ||
	     (name_bytes && request->head.operation != EVTLOG_REMOTE_START)))
		return CAUSE_FORMAT;
	if (request->head.code ||
	    request->head.operation < EVTLOG_REMOTE_STATUS ||
	    request->head.operation > EVTLOG_REMOTE_CANCEL ||
	    request->head.flags & ~cpu_to_be32(EVTLOG_REMOTE_WANTS_REPLY) ||
	    memchr_inv(request->reserved, 0, sizeof(request->reserved)) ||
	    memchr_inv(message->bytes + sizeof(*request) + name_bytes, 0,
		       bytes - sizeof(*request) - name_bytes))
		return CAUSE_FORMAT;
	return CAUSE_NONE;
}

/* Checks that the sender has the key, and made the message just now. */
static enum cause judge_tag(const struct evtlog_remote_key *key,
			    struct evtlog_remote_signed *message, size_t bytes)
{
	/* A tick is small compared with the window, and these reads do not access the counter. */
	const struct evtlog_key_time now = {
		.boot_ns = ktime_get_coarse_boottime_ns(),
		.real_ns = ktime_get_coarse_real_ns(),
	};
	__be64 wanted, got = message->head.tag;
	bool is_wrong;

	switch (evtlog_nonce_age(be64_to_cpu(message->head.nonce), now.real_ns,
				 evtlog_remote_key_floor(key, &now))) {
	case EVTLOG_AGE_STALE:
		return CAUSE_STALE;
	case EVTLOG_AGE_FUTURE:
		return CAUSE_FUTURE;
	case EVTLOG_AGE_RIGHT:
		break;
	}
	wanted = cpu_to_be64(evtlog_remote_tag(key, message, bytes));
	is_wrong = crypto_memneq(&wanted, &got, sizeof(wanted));
	/* The correct tag of a forged message must not stay on the stack. */
	memzero_explicit(&wanted, sizeof(wanted));
	return is_wrong ? CAUSE_TAG : CAUSE_NONE;
}

/* Reads the clocks, and subtracts the time since the rx timestamp. */
static void fill_in_clocks(struct evtlog_command *command)
{
	u64 hz = evtlog_ticks_hz(), ago_ns = 0;
	struct evtlog_clock_set now;
	unsigned long flags;

	raw_local_irq_save(flags);
	evtlog_clock_set_read(&now);
	raw_local_irq_restore(flags);
	if (hz && now.ticks > command->rx_ticks)
		ago_ns = mul_u64_u64_div_u64(now.ticks - command->rx_ticks,
					     NSEC_PER_SEC, hz);
	command->rx_real_ns = now.real_ns - ago_ns;
	command->rx_raw_ns = now.raw_ns - ago_ns;
}

static enum cause obey(const struct sk_buff *skb, const struct evtlog_remote_key *key,
		       struct evtlog_remote_signed *message, u64 rx_ticks)
{
	const struct evtlog_remote_request *request = &message->request;
	size_t name_bytes = be16_to_cpu(request->name_bytes);
	char *name = message->bytes + sizeof(*request);
	bool is_allowed = evtlog_remote_key_may(key, request->head.operation);
	bool is_published = false;
	struct evtlog_command command;

	if (is_allowed && request->head.operation == EVTLOG_REMOTE_START) {
		/* There is room for the NUL: see struct evtlog_remote_signed. */
		name[name_bytes] = '\0';
		is_published = evtlog_remote_publish_start(name, name_bytes, rx_ticks);
	}

	command = (struct evtlog_command) {
		.sender = message->saddr,
		.to = message->daddr,
		.key_id = be32_to_cpu(request->head.key_id),
		.cpu = smp_processor_id(),
		.operation = request->head.operation,
		.group_kind = request->group_kind,
		.is_broadcast = skb_rtable(skb)->rt_flags & RTCF_BROADCAST,
		.group = be64_to_cpu(request->group),
		.duration_ns = be64_to_cpu(request->duration_ns),
		.nonce = be64_to_cpu(request->head.nonce),
		.rx_ticks = rx_ticks,
		.name_bytes = name_bytes,
	};
	command.wants_reply = !command.is_broadcast &&
		request->head.flags & cpu_to_be32(EVTLOG_REMOTE_WANTS_REPLY);
	fill_in_clocks(&command);
	memcpy(command.name, name, name_bytes);
	if (!is_allowed) {
		evtlog_remote_forbid(&command);
		return CAUSE_RIGHTS;
	}
	return evtlog_remote_execute(&command, is_published) ? CAUSE_BUSY : CAUSE_NONE;
}

static enum cause receive(const struct sk_buff *skb, u64 rx_ticks)
{
	const struct iphdr *ip = ip_hdr(skb);
	size_t bytes = skb->len + sizeof(struct icmphdr);
	struct evtlog_remote_signed message;
	enum cause cause = judge_packet(skb);
	struct evtlog_remote_key *key;

	if (cause)
		return cause;
	if (bytes < MESSAGE_MIN || bytes > MESSAGE_MAX)
		return CAUSE_LENGTH;
	/* The ICMP header was pulled, and so is in the linear part, in front of the data. */
	if (skb_copy_bits(skb, -(int)sizeof(struct icmphdr), message.bytes, bytes))
		return CAUSE_LENGTH;
	message.saddr = ip->saddr;
	message.daddr = ip->daddr;

	cause = judge_message(&message, bytes);
	if (cause)
		return cause;
	/* Only once: under RCU it is the same key until the message is executed. */
	key = evtlog_remote_key_find(be32_to_cpu(message.head.key_id));
	if (!key)
		return CAUSE_KEY;
	cause = judge_tag(key, &message, bytes);
	if (cause)
		return cause;
	if (!evtlog_remote_key_admit(key, message.saddr, be64_to_cpu(message.head.nonce)))
		return CAUSE_REPLAY;
	return obey(skb, key, &message, rx_ticks);
}

/**
 * __evtlog_remote_rx() - execute an ICMP message if it is a correct control message
 * @skb:	ICMP header pulled, network header set
 *
 * Context: icmp_rcv(): receive softirq, RCU.
 * Return: true if it was executed; otherwise it was only counted, and answered if its key does not
 * permit it.
 */
bool __evtlog_remote_rx(struct sk_buff *skb)
{
	enum cause cause;
	u64 rx_ticks;

	/* Other ICMP messages also come here, and cost only this test. */
	if (icmp_hdr(skb)->type != EVTLOG_REMOTE_ICMP_TYPE)
		return false;
	rx_ticks = evtlog_rx_ticks(skb);
	if (!rx_ticks)
		rx_ticks = evtlog_ticks64();
	cause = receive(skb, rx_ticks);
	if (!cause)
		return true;
	this_cpu_inc(refused[cause]);
	return false;
}

/* Keys and counts */
static void show_status(struct seq_file *m)
{
	unsigned int cause;
	int cpu;

	evtlog_remote_keys_show(m);
	seq_printf(m, "remote_obeyed %llu\n", evtlog_remote_obeyed());
	seq_printf(m, "remote_replied %llu\n", evtlog_remote_replied());
	for (cause = CAUSE_NONE + 1; cause < CAUSE_COUNT; cause++) {
		u64 count = 0;

		for_each_possible_cpu(cpu)
			count += READ_ONCE(per_cpu(refused, cpu)[cause]);
		seq_printf(m, "remote_refused_%s %llu\n", cause_names[cause], count);
	}
}

static const struct evtlog_proc_file files[] = {
	{ "remote_key", 0200, NULL, evtlog_remote_key_write },
	{ }
};

static struct evtlog_feature remote __ro_after_init = {
	.name = "remote",
	.files = files,
	.show_status = show_status,
};
evtlog_feature(remote);
