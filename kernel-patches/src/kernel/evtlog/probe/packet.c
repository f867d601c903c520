// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copies bytes of a packet: of its linear part, of its page fragments, and of the packets in its
 * list.
 *
 * Called by eval.c, handler.c and, for bytes outside of the linear part, thunk.S.  The packet may
 * be freed already, or may be no packet: its pointers and lengths are read as carefully as its
 * bytes, and none of them is trusted.
 */
#include <linux/build_bug.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/skbuff.h>
#include <asm/asm.h>
#include <asm/extable_fixup_types.h>
#include <asm/vsyscall.h>

#include "probe/probe.h"

/* Packets in a list: a datagram of 64 KiB in fragments of 256 bytes.  Bytes after them: -EFAULT */
#define LIST_MAX	256

/*
 * struct cut - range of a packet's bytes to copy
 * @to:		destination of the first byte
 * @start, @end: the range, counted from the packet's data
 * @at:		where in the packet the next part begins
 * @done:	end of the bytes that are copied or zeroed
 */
struct cut {
	u8 *to;
	u64 start, end;
	u64 at, done;
};

/* A fault in load() changes error; otherwise error keeps its value. */
#define LOAD(insn) \
	asm volatile("1: " insn "\n2:\n"						\
		     _ASM_EXTABLE_TYPE_REG(1b, 2b, EX_TYPE_EFAULT_REG, %[error])	\
		     : [value] "=&r" (*value), [error] "+r" (error) : [from] "r" (from))

/* Loads one member, as evtlog_probe_copy() does.  False: not a kernel address, or not mapped. */
static __always_inline bool load(u64 *value, const void *from, size_t bytes)
{
	int error = 0;

	*value = 0;
	if ((long)from >= (long)VSYSCALL_ADDR)
		return false;
	switch (bytes) {
	case 1: LOAD("movzbl (%[from]), %k[value]"); break;
	case 4: LOAD("movl (%[from]), %k[value]"); break;
	case 8: LOAD("movq (%[from]), %[value]"); break;
	default: BUILD_BUG();
	}
	return !error;
}

static __always_inline void zero_up_to(struct cut *c, u64 end)
{
	if (end <= c->done)
		return;
	memset(c->to + (c->done - c->start), 0, end - c->done);
	c->done = end;
}

/* Copies the wanted bytes of a part.  Returns false if they cannot be read. */
static __always_inline bool take(struct cut *c, const u8 *part, u32 bytes)
{
	u64 first = max(c->at, c->start), last = min(c->at + bytes, c->end);
	const u8 *from = part + (first - c->at);

	c->at += bytes;
	if (first >= last)
		return true;
	zero_up_to(c, first);
	if (evtlog_probe_copy(c->to + (first - c->start), from, last - first))
		return false;
	c->done = max(c->done, last);
	return true;
}

/*
 * Finds the number of a page without a fault: the page pointer of a freed packet may be anything.
 * Returns false if there is no such page.
 */
static __always_inline bool find_page(const struct page *page, unsigned long *pfn)
{
#ifdef SECTION_IN_PAGE_FLAGS
	/* As page_to_pfn(), which assumes that the section has a memory map. */
	struct page copy = {};
	struct mem_section *section;
	u64 flags;

	if (!load(&flags, &page->flags, sizeof(page->flags)))
		return false;
	copy.flags = flags;
	section = page_to_section(&copy) < NR_MEM_SECTIONS ?
		  __nr_to_section(page_to_section(&copy)) : NULL;
	if (!valid_section(section))
		return false;
	*pfn = page - __section_mem_map_addr(section);
	return pfn_to_section_nr(*pfn) == page_to_section(&copy);
#else
	*pfn = page_to_pfn(page);
	return pfn_valid(*pfn);
#endif
}

static __always_inline bool take_fragment(struct cut *c, const skb_frag_t *place)
{
	union {
		skb_frag_t fragment;
		u64 words[2];
	} copy;
	unsigned long pfn;

	BUILD_BUG_ON(sizeof(copy.fragment) != sizeof(copy.words));
	return load(&copy.words[0], place, sizeof(u64)) &&
	       load(&copy.words[1], (const u8 *)place + sizeof(u64), sizeof(u64)) &&
	       find_page(skb_frag_page(&copy.fragment), &pfn) &&
	       take(c, (const u8 *)__va(PFN_PHYS(pfn)) + skb_frag_off(&copy.fragment),
		    skb_frag_size(&copy.fragment));
}

/* Copies from the fragments after the linear part.  @list: first packet in the list, or 0 */
static __always_inline bool take_fragments(struct cut *c, const struct skb_shared_info *shared,
					   u64 *list)
{
	const skb_frag_t *place = shared->frags;
	u64 nr;

	if (!load(list, &shared->frag_list, sizeof(shared->frag_list)) ||
	    !load(&nr, &shared->nr_frags, sizeof(shared->nr_frags)) || nr > MAX_SKB_FRAGS)
		return false;
	for (; nr && c->at < c->end; nr--) {
		if (!take_fragment(c, place++))
			return false;
	}
	return true;
}

/* Reads the packet's length, and how many of its bytes are outside of the linear part. */
static __always_inline bool find_lengths(const struct sk_buff *skb, u32 *len, u32 *data_len)
{
	u64 both;

	BUILD_BUG_ON(offsetof(struct sk_buff, data_len) != offsetof(struct sk_buff, len) + 4);
	if (!load(&both, &skb->len, sizeof(both)))
		return false;
	*len = both;
	*data_len = both >> 32;
	return true;
}

/* @list: first packet in the packet's own list, or 0 */
static __always_inline bool take_packet(struct cut *c, const struct sk_buff *skb, u32 len,
					u32 data_len, u64 *list)
{
	u64 head, end, data;

	*list = 0;
	if (data_len > len || !load(&head, &skb->head, sizeof(skb->head)) ||
	    !load(&end, &skb->end, sizeof(skb->end)) || !load(&data, &skb->data, sizeof(skb->data)))
		return false;
#ifdef NET_SKBUFF_DATA_USES_OFFSET
	end += head;
#endif
	if (len - data_len > end - data || !take(c, (const u8 *)data, len - data_len))
		return false;
	return !data_len || c->at >= c->end ||
	       take_fragments(c, (const struct skb_shared_info *)end, list);
}

/* False: a part cannot be read.  This is one function because each call would cost a tenth. */
static __always_inline bool take_all(struct cut *c, const struct sk_buff *skb, bool is_linear)
{
	u32 len, data_len, length;
	unsigned int i;
	u64 next;

	if (!find_lengths(skb, &len, &data_len))
		return false;
	length = !is_linear ? len : len < data_len ? 0 : len - data_len;
	c->end = min_t(u64, c->end, length);
	if (c->start >= c->end)
		return true;
	/* The packet itself, then the packets in its list. */
	for (i = 0; ; i++) {
		u64 begin = c->at, list;

		if (i > LIST_MAX || !take_packet(c, skb, len, data_len, &list))
			return false;
		if (!i)
			next = list;
		else if (!load(&next, &skb->next, sizeof(skb->next)))
			return false;
		/* The list of a packet that is in the list is left out. */
		if (i)
			c->at = begin + len;
		if (!next || c->at >= c->end)
			return true;
		skb = (const struct sk_buff *)next;
		if (!find_lengths(skb, &len, &data_len))
			return false;
	}
}

/**
 * evtlog_probe_copy_packet() - copy bytes of a packet
 * @to:		destination; zeros after the packet's end, or all zeros if it cannot be read
 * @skb:	address of a struct sk_buff
 * @start:	first byte, counted from the packet's data
 * @bytes:	number of bytes
 * @is_linear:	True: copy only bytes of the linear part
 *
 * Context: any but NMI; interrupts off, the ring is busy.
 * Return: 0 or -EFAULT.
 */
int evtlog_probe_copy_packet(void *to, u64 skb, u32 start, u32 bytes, bool is_linear)
{
	u64 end = (u64)start + bytes;
	struct cut c = { .to = to, .start = start, .end = end, .done = start };

	if (take_all(&c, (const struct sk_buff *)skb, is_linear)) {
		zero_up_to(&c, end);
		return 0;
	}
	memset(to, 0, bytes);
	return -EFAULT;
}

/**
 * evtlog_probe_copy_scattered() - evtlog_probe_copy_packet() for evtlog_probe_copy_whole
 * @to:		as above
 * @lengths:	address of @len in a struct sk_buff
 * @start:	as above
 * @bytes:	as above
 *
 * Context: as above.
 * Return: 0 or -EFAULT.
 */
int evtlog_probe_copy_scattered(void *to, u64 lengths, u32 start, u32 bytes)
{
	return evtlog_probe_copy_packet(to, lengths - offsetof(struct sk_buff, len), start, bytes,
					false);
}

/**
 * evtlog_probe_packet_address() - find the address of a packet's data
 * @skb:	address of a struct sk_buff
 * @start:	first byte, counted from the packet's data
 *
 * Context: as above.
 * Return: the address, unchecked; 0 if it cannot be read.
 */
u64 evtlog_probe_packet_address(u64 skb, u32 start)
{
	const struct sk_buff *packet = (const struct sk_buff *)skb;
	u64 data;

	return load(&data, &packet->data, sizeof(packet->data)) ? data + start : 0;
}
