// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: probe/packet.c and the functions that stubs call copy the same bytes of packets as
 * skb_copy_bits().
 *
 * Packets have random pages and lists.  Some have pointers to unmapped or arbitrary memory; some
 * are freed.  "packet_kunit.seed=N" on the kernel's command line repeats a run.
 */
#include <asm/asm.h>
#include <asm/vsyscall.h>
#include <kunit/test.h>
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/prandom.h>
#include <linux/random.h>
#include <linux/skbuff.h>
#include <linux/string.h>

#include "probe/probe.h"

#define TRIALS		4000
#define BYTES_MAX	4000
#define PART_MAX	900
#define GUARD		0xa5

static unsigned int seed;
module_param(seed, uint, 0);
MODULE_PARM_DESC(seed, "what random trials start from; 0: a random number");

/* @room: destination of a copy, with a guard at both ends */
struct trial {
	struct rnd_state random;
	u8 expected[BYTES_MAX];
	u8 room[8 + BYTES_MAX + 8];
};

static u32 below(struct trial *t, u32 n)
{
	return prandom_u32_state(&t->random) % n;
}

/* The copy functions for each kind of argument */
enum { WHOLE, WHOLE_C, LINEAR, LINEAR_C, NR_WAYS };

/* Calls a function of thunk.S in the same way as bytes_code.c. */
#define call_thunk(name, to, skb, start, bytes) ({					\
	unsigned long to_ = (unsigned long)(to), from_ = (skb) + offsetof(struct sk_buff, len);	\
	unsigned long start_ = (start), bytes_ = (bytes), ok_;				\
	register unsigned long data_ asm("r11") =					\
		offsetof(struct sk_buff, data) - offsetof(struct sk_buff, len);		\
											\
	asm volatile("call " name CC_SET(c)						\
		     : CC_OUT(c) (ok_), "+D" (to_), "+S" (from_), "+c" (bytes_), "+a" (start_),	\
		       "+r" (data_), ASM_CALL_CONSTRAINT : : "memory");			\
	!!ok_; })

static bool copy(int way, void *to, u64 skb, u32 start, u32 bytes)
{
	unsigned long flags;
	bool is_copied;

	local_irq_save(flags);
	switch (way) {
	case WHOLE:
		is_copied = call_thunk("evtlog_probe_copy_whole", to, skb, start, bytes);
		break;
	case LINEAR:
		is_copied = call_thunk("evtlog_probe_copy_linear", to, skb, start, bytes);
		break;
	default:
		is_copied = !evtlog_probe_copy_packet(to, skb, start, bytes, way == LINEAR_C);
	}
	local_irq_restore(flags);
	return is_copied;
}

static void fill(struct trial *t, void *to, u32 bytes)
{
	prandom_bytes_state(&t->random, to, bytes);
}

static struct sk_buff *make_linear(struct kunit *test, struct trial *t, u32 bytes)
{
	struct sk_buff *skb = alloc_skb(PART_MAX + 64, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_reserve(skb, below(t, 64));
	fill(t, skb_put(skb, bytes), bytes);
	return skb;
}

static void add_fragment(struct kunit *test, struct trial *t, struct sk_buff *skb)
{
	struct page *page = alloc_pages(GFP_KERNEL | __GFP_COMP, 1);
	u32 bytes = below(t, PART_MAX) + 1, at = below(t, 2 * PAGE_SIZE - bytes);

	KUNIT_ASSERT_NOT_NULL(test, page);
	fill(t, page_address(page) + at, bytes);
	skb_add_rx_frag(skb, skb_shinfo(skb)->nr_frags, page, at, bytes, bytes);
}

static struct sk_buff *make_packet(struct kunit *test, struct trial *t)
{
	struct sk_buff *skb = make_linear(test, t, below(t, 3) ? below(t, PART_MAX) : 0), **next;
	u32 n;

	for (n = below(t, 4); n; n--)
		add_fragment(test, t, skb);
	next = &skb_shinfo(skb)->frag_list;
	for (n = below(t, 2) * below(t, 5); n; n--) {
		*next = make_linear(test, t, below(t, PART_MAX));
		if (below(t, 2))
			add_fragment(test, t, *next);
		skb->len += (*next)->len;
		skb->data_len += (*next)->len;
		next = &(*next)->next;
	}
	return skb;
}

static void compare(struct kunit *test, struct trial *t, const struct sk_buff *skb, int way)
{
	u32 length = way >= LINEAR ? skb_headlen(skb) : skb->len;
	u32 start = below(t, 4) ? below(t, length + 9) : 0, bytes = below(t, BYTES_MAX) + 1;
	u8 *to = t->room + 8;

	/* Often end where a part ends, or copy only few bytes. */
	if (!below(t, 4))
		bytes = skb_headlen(skb) > start ? skb_headlen(skb) - start : 1;
	else if (below(t, 2))
		bytes = below(t, 40) + 1;
	memset(t->expected, 0, sizeof(t->expected));
	if (start < length)
		KUNIT_ASSERT_EQ(test, skb_copy_bits(skb, start, t->expected,
						    min(bytes, length - start)), 0);
	memset(t->room, GUARD, sizeof(t->room));
	KUNIT_EXPECT_TRUE_MSG(test, copy(way, to, (u64)skb, start, bytes), "way %d", way);
	KUNIT_EXPECT_EQ_MSG(test, memcmp(to, t->expected, bytes), 0,
			    "way %d: %u bytes from %u on of %u, %u linear", way, bytes, start,
			    skb->len, skb_headlen(skb));
	KUNIT_EXPECT_TRUE(test, !memchr_inv(t->room, GUARD, 8));
	KUNIT_EXPECT_TRUE(test, !memchr_inv(to + bytes, GUARD, 8));
}

static struct trial *start_trials(struct kunit *test)
{
	struct trial *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	u32 from = seed ? seed : get_random_u32();

	KUNIT_ASSERT_NOT_NULL(test, t);
	kunit_info(test, "packet_kunit.seed=%u\n", from);
	prandom_seed_state(&t->random, from);
	return t;
}

static void bytes_are_those_of_the_packet(struct kunit *test)
{
	struct trial *t = start_trials(test);
	unsigned int i;

	for (i = 0; i < TRIALS; i++) {
		struct sk_buff *skb = make_packet(test, t);
		int way;

		for (way = 0; way < NR_WAYS; way++)
			compare(test, t, skb, way);
		kfree_skb(skb);
	}
}

/* Addresses where nothing may be read */
static const u64 nowhere[] = {
	0, 8, 0x7fffffffe000, 0x0000800000000000, 0x6b6b6b6b6b6b6b6b, 0x8b6b6b6b6b6b6b6b,
	0xffff7fffffffffff, VSYSCALL_ADDR, 0xffffc88000000000, (u64)-4096, (u64)-8, (u64)-1,
};

/* After a failure, C code leaves zeros; a stub fills the record again. */
static void must_fail(struct kunit *test, struct trial *t, int way, u64 skb, const char *what,
		      u64 where)
{
	const u32 bytes = 1500;

	memset(t->room, GUARD, sizeof(t->room));
	KUNIT_EXPECT_FALSE_MSG(test, copy(way, t->room + 8, skb, 0, bytes), "way %d: %s %llx", way,
			       what, where);
	if (way == WHOLE_C || way == LINEAR_C)
		KUNIT_EXPECT_TRUE(test, !memchr_inv(t->room + 8, 0, bytes));
	KUNIT_EXPECT_TRUE(test, !memchr_inv(t->room + 8 + bytes, GUARD, 8));
}

static void what_is_not_there_is_zeros(struct kunit *test)
{
	struct trial *t = start_trials(test);
	struct sk_buff *skb = make_linear(test, t, 100), copied;
	struct skb_shared_info *shared = skb_shinfo(skb), kept;
	unsigned int i;
	int way;

	add_fragment(test, t, skb);
	memcpy(&copied, skb, sizeof(copied));
	memcpy(&kept, shared, sizeof(kept));
	for (i = 0; i < ARRAY_SIZE(nowhere); i++) {
		for (way = 0; way < NR_WAYS; way++) {
			must_fail(test, t, way, nowhere[i], "skb", nowhere[i]);
			copied.data = (u8 *)nowhere[i];
			must_fail(test, t, way, (u64)&copied, "data", nowhere[i]);
			copied.data = skb->data;
		}
		for (way = WHOLE; way <= WHOLE_C; way++) {
			copied.head = (u8 *)nowhere[i];
			must_fail(test, t, way, (u64)&copied, "head", nowhere[i]);
			copied.head = skb->head;
			shared->frags[0].bv_page = (struct page *)nowhere[i];
			must_fail(test, t, way, (u64)skb, "page", nowhere[i]);
			*shared = kept;
			if (!nowhere[i])
				continue;
			shared->frag_list = (struct sk_buff *)nowhere[i];
			skb->len += 1000;
			skb->data_len += 1000;
			must_fail(test, t, way, (u64)skb, "list", nowhere[i]);
			skb->len -= 1000;
			skb->data_len -= 1000;
			*shared = kept;
		}
	}
	kfree_skb(skb);
}

/* Impossible lengths and counts, a page that is other memory, and a list without an end */
static void what_cannot_be_is_zeros(struct kunit *test)
{
	struct trial *t = start_trials(test);
	struct sk_buff *skb = make_linear(test, t, 100), *other = make_linear(test, t, 0);
	struct skb_shared_info *shared = skb_shinfo(skb), kept;
	int way;

	add_fragment(test, t, skb);
	memcpy(&kept, shared, sizeof(kept));
	for (way = WHOLE; way <= WHOLE_C; way++) {
		u32 data_len = skb->data_len;

		skb->data_len = skb->len + 1;
		must_fail(test, t, way, (u64)skb, "data_len", skb->data_len);
		skb->data_len = data_len;
		shared->nr_frags = 200;
		must_fail(test, t, way, (u64)skb, "nr_frags", 200);
		*shared = kept;
		memset(t->expected, 0xff, sizeof(t->expected));
		shared->frags[0].bv_page = (struct page *)t->expected;
		must_fail(test, t, way, (u64)skb, "page", 1);
		*shared = kept;
		shared->frag_list = other;
		other->next = other;
		skb->len += 1000;
		skb->data_len += 1000;
		must_fail(test, t, way, (u64)skb, "list", 1);
		skb->len -= 1000;
		skb->data_len -= 1000;
		other->next = NULL;
		*shared = kept;
	}
	kfree_skb(other);
	kfree_skb(skb);
}

/* If a list is shorter than the packet's length, zeros replace the missing bytes. */
static void what_is_missing_is_zeros(struct kunit *test)
{
	struct trial *t = start_trials(test);
	struct sk_buff *skb = make_linear(test, t, 100);
	int way;

	skb->len += 1000;
	skb->data_len += 1000;
	for (way = WHOLE; way <= WHOLE_C; way++) {
		memset(t->room, GUARD, sizeof(t->room));
		KUNIT_EXPECT_TRUE(test, copy(way, t->room, (u64)skb, 0, 1500));
		KUNIT_EXPECT_EQ(test, memcmp(t->room, skb->data, 100), 0);
		KUNIT_EXPECT_TRUE(test, !memchr_inv(t->room + 100, 0, 1400));
	}
	skb->len -= 1000;
	skb->data_len -= 1000;
	kfree_skb(skb);
}

/* Freed memory is read on purpose, while KASAN checks accesses. */
static void a_freed_packet_is_read_without_harm(struct kunit *test)
{
	struct trial *t = start_trials(test);
	unsigned int i;

	for (i = 0; i < 200; i++) {
		struct sk_buff *skb = make_packet(test, t);
		u64 address = (u64)skb;
		int way;

		kfree_skb(skb);
		for (way = 0; way < NR_WAYS; way++) {
			memset(t->room, GUARD, sizeof(t->room));
			copy(way, t->room + 8, address, below(t, 1000), 1500);
			KUNIT_EXPECT_TRUE(test, !memchr_inv(t->room + 8 + 1500, GUARD, 8));
		}
	}
}

static struct kunit_case packet_cases[] = {
	KUNIT_CASE(bytes_are_those_of_the_packet),
	KUNIT_CASE(what_is_not_there_is_zeros),
	KUNIT_CASE(what_cannot_be_is_zeros),
	KUNIT_CASE(what_is_missing_is_zeros),
	KUNIT_CASE(a_freed_packet_is_read_without_harm),
	{}
};

static struct kunit_suite packet_suite = {
	.name = "evtlog_packet",
	.test_cases = packet_cases,
};
kunit_test_suite(packet_suite);
