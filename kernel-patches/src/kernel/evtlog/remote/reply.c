// SPDX-License-Identifier: GPL-2.0-only
/*
 * Answers control messages.
 *
 * remote/execute.c passes the outcome of a message.  Nothing is checked here: the sender has proved
 * that it has the key.
 */
#include <linux/evtlog.h>
#include <linux/in.h>
#include <linux/net.h>
#include <linux/rcupdate.h>
#include <linux/socket.h>
#include <linux/string.h>
#include <linux/uio.h>
#include <net/inet_common.h>
#include <net/ip.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "notify.h"
#include "remote/command.h"
#include "remote/remote.h"
#include "ring.h"
#include "run.h"

static struct sock *reply_sock;
static u64 replied;

/* Sends from a socket of the kernel, which receives nothing. */
static void send(struct evtlog_remote_signed *message, const struct evtlog_command *command)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = command->sender,
	};
	struct {
		struct cmsghdr head;
		struct in_pktinfo info;
	} from = {
		.head = {
			.cmsg_len = CMSG_LEN(sizeof(from.info)),
			.cmsg_level = SOL_IP,
			.cmsg_type = IP_PKTINFO,
		},
		.info.ipi_spec_dst.s_addr = command->to,
	};
	struct msghdr header = {
		.msg_name = &to,
		.msg_namelen = sizeof(to),
		.msg_control = &from,
		.msg_controllen = sizeof(from),
		.msg_flags = MSG_DONTWAIT,
	};
	struct kvec body = {
		.iov_base = &message->reply,
		.iov_len = sizeof(message->reply),
	};

	BUILD_BUG_ON(offsetof(typeof(from), info) != CMSG_LEN(0));
	if (kernel_sendmsg(reply_sock->sk_socket, &header, &body, 1,
			   body.iov_len) == body.iov_len)
		WRITE_ONCE(replied, replied + 1);
}

/**
 * evtlog_remote_reply_fill() - fill in an answer, except its checksum and tag
 * @reply:	every byte is written, so that the packet contains no data of the stack
 * @outcome:	outcome of the message
 *
 * Context: task context.
 */
void evtlog_remote_reply_fill(struct evtlog_remote_reply *reply,
			      const struct evtlog_command *command,
			      const struct evtlog_remote_outcome *outcome)
{
	memset(reply, 0, sizeof(*reply));
	reply->head.type = EVTLOG_REMOTE_ICMP_TYPE;
	reply->head.magic = cpu_to_be16(EVTLOG_REMOTE_MAGIC);
	reply->head.version = EVTLOG_REMOTE_VERSION;
	reply->head.operation = command->operation | EVTLOG_REMOTE_REPLY;
	reply->head.key_id = cpu_to_be32(command->key_id);
	reply->head.nonce = cpu_to_be64(command->nonce);
	reply->result = cpu_to_be32(-outcome->result);
	reply->cpus = cpu_to_be32(num_online_cpus());
	reply->arrival_real_ns = cpu_to_be64(command->rx_real_ns);
	reply->arrival_raw_ns = cpu_to_be64(command->rx_raw_ns);
	reply->tasks = cpu_to_be64(outcome->tasks);
	if (outcome->throttled)
		reply->notes |= EVTLOG_REMOTE_THROTTLED;
	if (evtlog_logger_pid())
		reply->state |= EVTLOG_REMOTE_LOGGER;
	memcpy(reply->boot_id, evtlog_boot_id, sizeof(reply->boot_id));

	rt_mutex_lock(&evtlog_run_lock);
	reply->run = cpu_to_be64(READ_ONCE(evtlog_run.run));
	reply->lost = cpu_to_be64(evtlog_run_lost());
	if (READ_ONCE(evtlog_run.recording))
		reply->state |= EVTLOG_REMOTE_RECORDING;
	if (evtlog_run_is_armed())
		reply->state |= EVTLOG_REMOTE_ARMED;
	memcpy(reply->run_name, evtlog_run_label.name, sizeof(reply->run_name));
	rt_mutex_unlock(&evtlog_run_lock);
}

/**
 * evtlog_remote_reply() - answer a message
 * @command:	the message, which asked for an answer
 * @outcome:	outcome of the message
 *
 * Whether the answer arrives is unknown.
 *
 * Context: task context, between evtlog_remote_reply_open() and _close(); one at a time.
 */
void evtlog_remote_reply(const struct evtlog_command *command,
			 const struct evtlog_remote_outcome *outcome)
{
	const struct evtlog_remote_key *key;
	struct evtlog_remote_signed message;
	u64 tag = 0;

	BUILD_BUG_ON(sizeof(message.reply) > sizeof(message.bytes));
	memset(&message, 0, sizeof(message));
	message.saddr = command->to;
	message.daddr = command->sender;
	evtlog_remote_reply_fill(&message.reply, command, outcome);
	rcu_read_lock();
	key = evtlog_remote_key_find(command->key_id);
	if (key)
		tag = evtlog_remote_tag(key, &message, sizeof(message.reply));
	rcu_read_unlock();
	/* The key was removed meanwhile: the answer could not be authenticated. */
	if (!key)
		return;
	message.head.tag = cpu_to_be64(tag);
	message.head.checksum = (__force __be16)
		ip_compute_csum(&message.reply, sizeof(message.reply));
	send(&message, command);
}

/**
 * evtlog_remote_replied() - number of answers that were sent
 *
 * Context: any.
 * Return: a count since boot.
 */
u64 evtlog_remote_replied(void)
{
	return READ_ONCE(replied);
}

/**
 * evtlog_remote_reply_open() - create the socket for answers
 *
 * Context: task context; not while open.
 * Return: 0 or a negative error.
 */
int evtlog_remote_reply_open(void)
{
	return inet_ctl_sock_create(&reply_sock, PF_INET, SOCK_RAW, IPPROTO_ICMP, &init_net);
}

/**
 * evtlog_remote_reply_close() - release the socket for answers
 *
 * Context: task context; no answer is being sent.
 */
void evtlog_remote_reply_close(void)
{
	inet_ctl_sock_destroy(reply_sock);
}
