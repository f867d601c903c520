// SPDX-License-Identifier: GPL-2.0-only
/*
 * A packet's bytes, as far as it has some: of its linear part, of its page fragments, and of the
 * further packets in its list.
 *
 * Called by eval.c and handler.c.  The packet may be freed already, or be none: what says where its
 * bytes are is copied like them, and nothing of it is believed.  bytes_code.c has machine code for the
 * linear part.
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/skbuff.h>
#include <linux/string.h>

#include "probe/probe.h"

/* Of a list: a datagram of 64 KiB in fragments of 256 bytes.  What is behind them is not read. */
#define LIST_MAX	256

/*
 * struct cut - which of a packet's bytes are copied
 * @to:		where the first one goes
 * @start, @end: counted from the packet's data on
 * @at:		where in the packet the next part begins
 */
struct cut {
	u8 *to;
	u64 start, end;
	u64 at;
};

/* What of it is wanted; false: it cannot be read. */
static bool take(struct cut *c, const void *part, u32 bytes)
{
	u64 first = max(c->at, c->start), last = min(c->at + bytes, c->end);
	const u8 *from = (const u8 *)part + (first - c->at);

	c->at += bytes;
	return first >= last || !evtlog_probe_copy(c->to + (first - c->start), from, last - first);
}

/* What a packet that is freed names as a page may be anything, and is looked at without a fault. */
static bool is_page(const struct page *page)
{
	struct page copy;

	if (evtlog_probe_copy(&copy, page, sizeof(copy)))
		return false;
#ifdef SECTION_IN_PAGE_FLAGS
	/* page_to_pfn() takes the section's memory map for there. */
	if (page_to_section(&copy) >= NR_MEM_SECTIONS ||
	    !valid_section(__nr_to_section(page_to_section(&copy))))
		return false;
#endif
	return pfn_valid(page_to_pfn(page));
}

static bool take_fragment(struct cut *c, const skb_frag_t *place)
{
	skb_frag_t fragment;
	struct page *page;

	if (evtlog_probe_copy(&fragment, place, sizeof(fragment)))
		return false;
	page = skb_frag_page(&fragment);
	if (!is_page(page))
		return false;
	return take(c, (u8 *)page_address(page) + skb_frag_off(&fragment),
		    skb_frag_size(&fragment));
}

/* Those behind the linear part; @list: the first of the packets in its list, or NULL */
static bool take_fragments(struct cut *c, const struct skb_shared_info *shared,
			   const struct sk_buff **list)
{
	u8 nr, i;

	if (evtlog_probe_copy(list, &shared->frag_list, sizeof(*list)) ||
	    evtlog_probe_copy(&nr, &shared->nr_frags, sizeof(nr)) || nr > MAX_SKB_FRAGS)
		return false;
	for (i = 0; i < nr && c->at < c->end; i++) {
		if (!take_fragment(c, &shared->frags[i]))
			return false;
	}
	return true;
}

/* @bytes, @next, @list: how many it has, the one behind it in a list, and its own list */
struct packet {
	u32 bytes;
	const struct sk_buff *next, *list;
};

static bool take_packet(struct cut *c, const struct sk_buff *skb, struct packet *packet)
{
	struct sk_buff copy;
	u32 linear;

	if (evtlog_probe_copy(&copy, skb, sizeof(copy)) || copy.data_len > copy.len)
		return false;
	packet->bytes = copy.len;
	packet->next = copy.next;
	packet->list = NULL;
	linear = copy.len - copy.data_len;
	if (linear > skb_end_pointer(&copy) - copy.data || !take(c, copy.data, linear))
		return false;
	return !copy.data_len || c->at >= c->end ||
	       take_fragments(c, skb_shinfo(&copy), &packet->list);
}

static bool take_all(struct cut *c, const struct sk_buff *skb)
{
	const struct sk_buff *next;
	struct packet packet;
	unsigned int i;

	if (!take_packet(c, skb, &packet))
		return false;
	next = packet.list;
	for (i = 0; next && c->at < c->end; i++) {
		u64 begin = c->at;

		if (i == LIST_MAX || !take_packet(c, next, &packet))
			return false;
		/* Of one that has a list itself that is left out. */
		c->at = begin + packet.bytes;
		next = packet.next;
	}
	return true;
}

/* How many bytes the packet has, or its linear part */
static bool find_length(const struct sk_buff *skb, bool is_linear, u32 *length)
{
	u32 data_len;

	if (evtlog_probe_copy(length, &skb->len, sizeof(*length)) ||
	    evtlog_probe_copy(&data_len, &skb->data_len, sizeof(data_len)))
		return false;
	if (is_linear)
		*length = *length < data_len ? 0 : *length - data_len;
	return true;
}

/**
 * evtlog_probe_copy_packet() - copy bytes of a packet
 * @to:		zeros behind the packet's end, or all of it if it cannot be read
 * @skb:	address of a struct sk_buff
 * @start:	from which byte of its data on
 * @bytes:	how many
 * @is_linear:	only those of its linear part
 *
 * Context: any but NMI; interrupts off, the ring is busy.
 * Return: 0 or -EFAULT.
 */
int evtlog_probe_copy_packet(void *to, u64 skb, u32 start, u32 bytes, bool is_linear)
{
	struct cut c = { .to = to, .start = start };
	u32 length;

	memset(to, 0, bytes);
	if (!find_length((const struct sk_buff *)skb, is_linear, &length))
		return -EFAULT;
	c.end = min_t(u64, (u64)start + bytes, length);
	if (c.start >= c.end || take_all(&c, (const struct sk_buff *)skb))
		return 0;
	memset(to, 0, bytes);
	return -EFAULT;
}

/**
 * evtlog_probe_packet_address() - where a packet's data are
 * @skb:	address of a struct sk_buff
 * @start:	from which byte on
 *
 * Context: as above.
 * Return: the address, which nobody has looked at; 0 it cannot be read.
 */
u64 evtlog_probe_packet_address(u64 skb, u32 start)
{
	const struct sk_buff *packet = (const struct sk_buff *)skb;
	u64 data;

	return evtlog_probe_copy(&data, &packet->data, sizeof(data)) ? 0 : data + start;
}
