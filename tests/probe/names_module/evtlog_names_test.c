// SPDX-License-Identifier: GPL-2.0-only
/*
 * Has functions with arguments of known values. A write to the parameter calls makes so many calls.
 */
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/module.h>
#include <linux/skbuff.h>

struct evtlog_names_part {
	u32 before;
	s16 number;
	char text[10];
};

struct evtlog_names {
	u64 id;
	struct evtlog_names *next;
	struct evtlog_names_part part;
	bool is_odd;
	u32 low : 5, high : 7;
};

/* noipa: callers may not use the function's body to omit arguments that it does not read. */
__attribute__((noipa)) int evtlog_names_hit(struct evtlog_names *it, u16 port, long last);

int evtlog_names_hit(struct evtlog_names *it, u16 port, long last)
{
	return it->part.number + port - last;
}

/* The name suggests any number of arguments; BTF shows that it has one. */
__attribute__((noipa)) int evtlog_names_printf(u16 port);

int evtlog_names_printf(u16 port)
{
	return port + 1;
}

/* The kernel has a function with this name and other arguments. */
static __attribute__((noipa)) int tcp_sendmsg_locked(u64 before, u16 port)
{
	return before + port;
}

__attribute__((noipa)) int evtlog_names_many(int a, int b, int c, int d, int e, int f, long seventh,
					     long eighth);

int evtlog_names_many(int a, int b, int c, int d, int e, int f, long seventh, long eighth)
{
	return a + b + c + d + e + f + seventh * eighth;
}

/* A result in memory: its address is in the first register, and one more argument is on the stack. */
struct evtlog_names_large {
	u64 words[3];
};

__attribute__((noipa)) struct evtlog_names_large
evtlog_names_large(int a, int b, int c, int d, int e, int f, long seventh, long eighth);

struct evtlog_names_large evtlog_names_large(int a, int b, int c, int d, int e, int f, long seventh,
					     long eighth)
{
	return (struct evtlog_names_large){ { a + b + c + d + e + f, seventh, eighth } };
}

/* More words than are passed on for unknown prototypes */
struct evtlog_names_wide {
	u64 words[20];
};

__attribute__((noipa)) u64 evtlog_names_wide(struct evtlog_names_wide it, u16 port);

u64 evtlog_names_wide(struct evtlog_names_wide it, u16 port)
{
	u64 sum = port;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(it.words); i++)
		sum = sum * 31 + it.words[i];
	return sum;
}

/* The prototype has any number of arguments, but the name does not suggest it. */
__attribute__((noipa)) u16 evtlog_names_any(u16 port, ...);

u16 evtlog_names_any(u16 port, ...)
{
	return port;
}

__attribute__((noipa)) int evtlog_names_send(struct sk_buff *skb);

int evtlog_names_send(struct sk_buff *skb)
{
	return skb->len;
}

/* Members in network order, arrays, pointers to pointers, and unreadable texts */
struct evtlog_names_net {
	__be16 port;
	__be32 address;
	struct in_addr v4;
	struct in6_addr v6;
	u8 mac[ETH_ALEN];
	u16 ports[4];
	struct evtlog_names_part parts[3];
	struct evtlog_names **table;
	const char *name;
};

__attribute__((noipa)) int evtlog_names_net(struct evtlog_names_net *net, size_t count, const char *gone,
					    __be16 port);

int evtlog_names_net(struct evtlog_names_net *net, size_t count, const char *gone, __be16 port)
{
	return net->port + count + port + !gone;
}

/* Two registers with several members each */
struct evtlog_names_pair {
	s32 first;
	u8 small;
	u32 bit : 3;
	__be16 port;
	struct evtlog_names *next;
};

__attribute__((noipa)) int evtlog_names_pair(int before, struct evtlog_names_pair it, long behind);

int evtlog_names_pair(int before, struct evtlog_names_pair it, long behind)
{
	return before + it.first + behind;
}

/* The compiler's names of functions that it has changed, instead of them and in addition to them */
__attribute__((noipa)) int evtlog_names_changed(long number) __asm__("evtlog_names_changed.isra.0");

int evtlog_names_changed(long number)
{
	return number + 1;
}

__attribute__((noipa)) int evtlog_names_split(long number);
__attribute__((noipa)) int evtlog_names_rest(long number) __asm__("evtlog_names_split.part.0");

int evtlog_names_split(long number)
{
	return number + 2;
}

int evtlog_names_rest(long number)
{
	return number + 3;
}

static void net(unsigned int i, struct evtlog_names *next)
{
	struct evtlog_names third = { .id = 3000 + i }, *table[] = { next, &third };
	char name[16];
	struct evtlog_names_net it = {
		.port = htons(5555 + i),
		.address = htonl(0x0a000000 + i),
		.v4.s_addr = htonl(0xc0a80000 + i),
		.v6.s6_addr = { 0x20, 0x01, 0x0d, 0xb8, [15] = i },
		.mac = { 2, 0, 0, 0, 0, i },
		.ports = { 1, 2, 300 + i, 4 },
		.parts[1].number = -1 - i,
		.table = table,
		.name = name,
	};

	snprintf(name, sizeof(name), i ? "name-%u" : "", i);
	evtlog_names_net(&it, (size_t)&third, (const char *)8, htons(443));
	evtlog_names_pair(1, (struct evtlog_names_pair){ .first = -(int)i, .small = 200 + i, .bit = i,
							 .port = htons(8000 + i), .next = &third }, i);
	evtlog_names_changed(i);
	evtlog_names_split(i);
	evtlog_names_rest(i);
}

static int send(unsigned int number)
{
	struct sk_buff *skb = alloc_skb(64, GFP_KERNEL);

	if (!skb)
		return -ENOMEM;
	memset(skb_put(skb, 10 + number), number, 10 + number);
	evtlog_names_send(skb);
	kfree_skb(skb);
	return 0;
}

/* The callee sees what its caller wrote to the stack, also with a probe of its return. */
static int wide(u16 port)
{
	struct evtlog_names_wide it;
	u64 sum = port;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(it.words); i++) {
		it.words[i] = port * 1000 + i;
		sum = sum * 31 + it.words[i];
	}
	return evtlog_names_wide(it, port) == sum ? 0 : -EIO;
}

static int set_calls(const char *text, const struct kernel_param *param)
{
	struct evtlog_names second = { .id = 77 };
	unsigned int count, i;
	int error = kstrtouint(text, 0, &count);

	for (i = 0; !error && i < count; i++) {
		struct evtlog_names_large large = evtlog_names_large(1, 2, 3, 4, 5, 6, i, 100);
		struct evtlog_names first = {
			.id = 1000 + i, .next = &second, .is_odd = i & 1, .low = 31, .high = i * 3,
			.part = { .number = -(int)i, .text = "a text" },
		};

		WARN_ON(large.words[0] != 21 || large.words[1] != i || large.words[2] != 100);
		second.part.number = i * 2;
		evtlog_names_hit(&first, 5000 + i, i * 1000000000L);
		evtlog_names_printf(6000 + i);
		tcp_sendmsg_locked(70000, 7000 + i);
		evtlog_names_many(1, 2, 3, 4, 5, 6, i, 100);
		evtlog_names_any(9000 + i, 1, 2);
		net(i, &second);
		error = send(i) ?: wide(8000 + i);
	}
	return error;
}

static const struct kernel_param_ops calls_ops = { .set = set_calls };

module_param_cb(calls, &calls_ops, NULL, 0200);

MODULE_DESCRIPTION("A function for a test of evtlog's names in modules");
MODULE_LICENSE("GPL");
