// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * profile_spans - the kernel's spans, unmodified: two functions that are one span, such as
 * udpv6_sendmsg() and udp_sendmsg(). Whichever is called first, the span is counted once and lasts
 * as long as both; a call within it is another span; a profile without a free node balances. Aborts
 * if a claim is wrong.
 */
#include "profile_rows.h"

#include <linux/evtlog_span.h>

#include "profile/profile.h"
#include "profile/switch.h"
#include "profile_unread.h"

u64 machine_tick = 1000;
unsigned int machine_cpu;
bool machine_irqs_off;
DEFINE_STATIC_KEY_FALSE(evtlog_profile_slow_key);
DEFINE_STATIC_KEY_FALSE(evtlog_profile_trace_key);
struct task_struct *machine_current[CPUS];
struct evtlog_profile_cpu evtlog_profile_cpu;

static struct evtlog_profile profile, spare;

struct evtlog_profile_cpu *machine_profile_cpu(unsigned int cpu)
{
	return &evtlog_profile_cpu;
}

void *evtlog_profile_alloc(size_t bytes)
{
	return NULL;
}

void evtlog_profile_publish(struct evtlog_profile *p, const struct evtlog_profile_node *left,
			    u64 now) { }
void __evtlog_profile_trace(struct evtlog_profile *p, unsigned int kind, unsigned int event,
			    u64 now) { }

/* What the function calls */
enum way { ALONE, MAPPED, TUNNEL };

static int send(bool is_ipv6, enum way way);

static int udp_sendmsg(enum way way)
{
	evtlog_net_span_inner(UDP_SENDMSG);
	machine_tick += 5;
	if (way == TUNNEL)
		send(true, MAPPED);
	return 1;
}

static int udpv6_sendmsg(enum way way)
{
	evtlog_net_span_outer(UDP_SENDMSG);
	machine_tick += 20;
	if (way == MAPPED || way == TUNNEL)
		return udp_sendmsg(way);
	machine_tick += 100;
	return 2;
}

static int send(bool is_ipv6, enum way way)
{
	evtlog_net_span(SOCK_SENDMSG);
	machine_tick++;
	return is_ipv6 ? udpv6_sendmsg(way) : udp_sendmsg(way);
}

/* Checks count, inclusive and exclusive time over all paths that end with a span. */
static void told(unsigned int number, u64 count, u64 inclusive, u64 exclusive)
{
	struct evtlog_profile_sums sums = { 0 };
	unsigned int i;

	for (i = 0; i < profile.nr_nodes; i++) {
		const struct evtlog_profile_node *node = evtlog_profile_node(&profile, i);

		if ((node->key & 0xffff) != EVTLOG_PROFILE_EVENT(EVTLOG_PROFILE_NET, number))
			continue;
		sums.count += node->sums.count;
		sums.inclusive += node->sums.inclusive;
		sums.exclusive += node->sums.exclusive;
	}
	if (sums.count == count && sums.inclusive == inclusive && sums.exclusive == exclusive)
		return;
	fprintf(stderr, "profile_spans: span %u: count %lu inclusive %lu exclusive %lu, "
		"and it should be %lu %lu %lu\n", number, sums.count, sums.inclusive, sums.exclusive,
		count, inclusive, exclusive);
	abort();
}

static void begin(void)
{
	free(evtlog_profile_slots ? evtlog_profile_slots[0] : NULL);
	free(evtlog_profile_slots);
	evtlog_profile_slots = calloc(1, sizeof(*evtlog_profile_slots));
	evtlog_profile_slots[0] = calloc(EVTLOG_PROFILE_SLOTS, sizeof(**evtlog_profile_slots));
	evtlog_profile_epoch++;
	evtlog_profile_init(&profile, EVTLOG_PROFILE_KERNEL);
	evtlog_profile_begin(&profile, machine_tick);
	evtlog_profile_cpu.spare = &spare;
	evtlog_profile_cpu_begin(&evtlog_profile_cpu, &profile, 0, machine_tick);
	evtlog_profile_net_key.on = true;
}

static void balances(void)
{
	if (evtlog_profile_cpu.top == &profile.nodes[0] && !profile.unmatched && !profile.skipped)
		return;
	fprintf(stderr, "profile_spans: unmatched %u, skipped %u, or not back at the root\n",
		profile.unmatched, profile.skipped);
	abort();
}

static void each_is_one_span(void)
{
	int slow;

	for (slow = 0; slow < 2; slow++) {
		evtlog_profile_slow_key.on = slow;
		begin();
		send(false, ALONE);
		told(EVTLOG_NET_UDP_SENDMSG, 1, 5, 5);
		send(true, ALONE);
		told(EVTLOG_NET_UDP_SENDMSG, 2, 125, 125);
		send(true, MAPPED);
		told(EVTLOG_NET_UDP_SENDMSG, 3, 150, 150);
		told(EVTLOG_NET_SOCK_SENDMSG, 3, 153, 3);
		/* Another socket sends within the span. */
		send(true, TUNNEL);
		told(EVTLOG_NET_UDP_SENDMSG, 5, 226, 200);
		told(EVTLOG_NET_SOCK_SENDMSG, 5, 231, 5);
		balances();
	}
	evtlog_profile_slow_key.on = false;
}

/* Other events use up the nodes, so that a part of the path has none. */
static void without_nodes(void)
{
	unsigned int used, i;
	enum way way;

	for (used = 0; used < EVTLOG_PROFILE_NODES; used++) {
		begin();
		for (i = 0; i < used; i++) {
			evtlog_profile_enter(0x2000 + i, machine_tick);
			evtlog_profile_exit(0x2000 + i, machine_tick);
		}
		for (way = ALONE; way <= TUNNEL; way++) {
			send(true, way);
			send(false, way);
		}
		balances();
	}
}

/* The key can be switched at any moment; a span that began earlier is not counted. */
static void switched_within(void)
{
	begin();
	evtlog_profile_net_key.on = false;
	{
		evtlog_net_span_outer(UDP_SENDMSG);
		evtlog_profile_net_key.on = true;
		machine_tick += 7;
		udp_sendmsg(ALONE);
	}
	told(EVTLOG_NET_UDP_SENDMSG, 1, 5, 5);
	balances();
}

int main(void)
{
	each_is_one_span();
	without_nodes();
	switched_within();
	printf("two functions are one span\n");
	free(evtlog_profile_slots[0]);
	free(evtlog_profile_slots);
	return 0;
}
