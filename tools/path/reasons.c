// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * enum skb_drop_reason of Linux 6.1, which is what evtlog's patch is for.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "reasons.h"

/* SKB_DROP_REASON_... of include/net/dropreason.h, in its order, from 1 on */
static const char *const of_6_1[] = {
	"NOT_DROPPED_YET",
	"NOT_SPECIFIED", "NO_SOCKET", "PKT_TOO_SMALL", "TCP_CSUM", "SOCKET_FILTER", "UDP_CSUM",
	"NETFILTER_DROP", "OTHERHOST", "IP_CSUM", "IP_INHDR", "IP_RPFILTER",
	"UNICAST_IN_L2_MULTICAST", "XFRM_POLICY", "IP_NOPROTO", "SOCKET_RCVBUFF", "PROTO_MEM",
	"TCP_MD5NOTFOUND", "TCP_MD5UNEXPECTED", "TCP_MD5FAILURE", "SOCKET_BACKLOG",
	"TCP_FLAGS", "TCP_ZEROWINDOW", "TCP_OLD_DATA", "TCP_OVERWINDOW", "TCP_OFOMERGE",
	"TCP_RFC7323_PAWS", "TCP_INVALID_SEQUENCE", "TCP_RESET", "TCP_INVALID_SYN",
	"TCP_CLOSE", "TCP_FASTOPEN", "TCP_OLD_ACK", "TCP_TOO_OLD_ACK", "TCP_ACK_UNSENT_DATA",
	"TCP_OFO_QUEUE_PRUNE", "TCP_OFO_DROP", "IP_OUTNOROUTES", "BPF_CGROUP_EGRESS",
	"IPV6DISABLED", "NEIGH_CREATEFAIL", "NEIGH_FAILED", "NEIGH_QUEUEFULL", "NEIGH_DEAD",
	"TC_EGRESS", "QDISC_DROP", "CPU_BACKLOG", "XDP", "TC_INGRESS", "UNHANDLED_PROTO",
	"SKB_CSUM", "SKB_GSO_SEG", "SKB_UCOPY_FAULT", "DEV_HDR", "DEV_READY", "FULL_RING",
	"NOMEM", "HDR_TRUNC", "TAP_FILTER", "TAP_TXFILTER", "ICMP_CSUM", "INVALID_PROTO",
	"IP_INADDRERRORS", "IP_INNOROUTES", "PKT_TOO_BIG", "TC_CHAIN_NOTFOUND",
};

const char *path_reason(const char *release, unsigned int number, char text[PATH_REASON_TEXT])
{
	if (release && !strncmp(release, "6.1.", 4) && number < sizeof(of_6_1) / sizeof(*of_6_1))
		return of_6_1[number];
	snprintf(text, PATH_REASON_TEXT, "reason %u", number);
	return text;
}
