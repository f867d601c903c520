// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe's packet test: a program of libpcap for the packet that the function gets.
 *
 *	pcap[(PARAMETER)] ["TEXT"] raw N,CODE JT JF K,CODE JT JF K,...
 *
 * PARAMETER is a struct sk_buff *; the default is "skb".  TEXT is for readers of the list.  The
 * program has N instructions as printed by `tcpdump -y RAW -ddd`, and tests the packet from its
 * network header on.  The kernel's own BPF checks and compiles it.
 *
 * make.c compiles the test; stub.c and kprobe.c run it for each hit.
 */
#include <linux/ctype.h>
#include <linux/evtlog.h>
#include <linux/filter.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/skbuff.h>
#include <linux/slab.h>

#include "probe/probe.h"
#include "ring.h"

/* Bytes that a program can read: all headers, and more */
#define EVTLOG_PROBE_PACKET_BYTES	512

static int take_number(const char **at, u64 max, u32 *number)
{
	u64 value = 0;

	if (!isdigit(**at))
		return -EINVAL;
	for (; isdigit(**at); ++*at) {
		value = value * 10 + (**at - '0');
		if (value > max)
			return -EINVAL;
	}
	*number = value;
	return 0;
}

static int take_after(const char **at, char before, u64 max, u32 *number)
{
	if (**at != before)
		return -EINVAL;
	++*at;
	return take_number(at, max, number);
}

static int take_instruction(const char **at, struct sock_filter *instruction)
{
	u32 code, jt, jf, k;

	if (take_after(at, ',', U16_MAX, &code) || take_after(at, ' ', U8_MAX, &jt) ||
	    take_after(at, ' ', U8_MAX, &jf) || take_after(at, ' ', U32_MAX, &k))
		return -EINVAL;
	*instruction = (struct sock_filter)BPF_JUMP(code, k, jt, jf);
	/* Negative offsets are extensions of the kernel, not bytes of the packet. */
	if ((s32)k < 0 && (code == (BPF_LDX | BPF_B | BPF_MSH) ||
			   (BPF_CLASS(code) == BPF_LD &&
			    (BPF_MODE(code) == BPF_ABS || BPF_MODE(code) == BPF_IND))))
		return -EINVAL;
	return 0;
}

static int refuse(struct evtlog_probe_error *error, const char *what, const char *at)
{
	return evtlog_probe_refuse(error, -EINVAL, "pcap: %s at \"%.32s\"", what, at);
}

/* Returns where the program begins, or NULL.  @name, @length: name of the parameter */
static const char *skip_head(const char *at, const char **name, size_t *length)
{
	*name = "skb";
	*length = 3;
	if (*at == '(') {
		*name = at + 1;
		*length = strcspn(*name, ") ");
		at = *name + *length;
		if (*at != ')')
			return NULL;
		at++;
	}
	at = skip_spaces(at);
	if (*at == '"') {
		at = strchr(at + 1, '"');
		if (!at)
			return NULL;
		at = skip_spaces(at + 1);
	}
	return strncmp(at, "raw ", 4) ? NULL : skip_spaces(at + 4);
}

static int create(struct evtlog_probe *p, struct sock_fprog_kern *program,
		  struct evtlog_probe_error *error)
{
#ifdef CONFIG_NET
	int status = bpf_prog_create(&p->packet, program);

	if (!status)
		return 0;
	p->packet = NULL;
	return evtlog_probe_refuse(error, status, "pcap: the kernel's BPF rejects the program; make it with tcpdump -y RAW -ddd");
#else
	return evtlog_probe_refuse(error, -EOPNOTSUPP, "pcap: this kernel has no network");
#endif
}

/* Programs run with interrupts off; reading the packet takes about 35 machine instructions each. */
#define INSTRUCTIONS_MAX	512

static int take_program(struct evtlog_probe *p, const char *at, struct evtlog_probe_error *error)
{
	struct sock_fprog_kern program = {};
	int status = 0;
	u32 i, nr;

	if (take_number(&at, INSTRUCTIONS_MAX, &nr) || !nr)
		return refuse(error, "expected a number of instructions from 1 to 512", at);
	program.len = nr;
	program.filter = kvcalloc(nr, sizeof(*program.filter), GFP_KERNEL);
	if (!program.filter)
		return evtlog_probe_refuse(error, -ENOMEM, "not enough memory");
	for (i = 0; i < nr; i++) {
		status = take_instruction(&at, &program.filter[i]);
		if (status) {
			refuse(error, "expected an instruction CODE JT JF K that reads the packet", at);
			break;
		}
	}
	if (!status && skip_spaces(at) < p->packet_text + p->packet_len)
		status = refuse(error, "unexpected text", at);
	if (!status)
		status = create(p, &program, error);
	kvfree(program.filter);
	return status;
}

/**
 * evtlog_probe_packet_compile() - compile the packet test of a probe
 * @p:		resolved probe; @packet and @packet_source are set if its text contains a test
 * @error:	the reason, if the test is refused
 *
 * Return: 0 or a negative error.
 */
int evtlog_probe_packet_compile(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	const char *name, *at;
	size_t length;
	int status;

	if (!p->packet_text)
		return 0;
	if (p->kind != EVTLOG_PROBE_ENTRY)
		return evtlog_probe_refuse(error, -EOPNOTSUPP,
			"pcap can test a packet only at a function's entry");
	at = skip_head(p->packet_text, &name, &length);
	if (!at)
		return refuse(error, "expected [(PARAMETER)] [\"TEXT\"] raw PROGRAM", p->packet_text);
	status = evtlog_probe_find_packet(p, name, length, error);
	return status ? status : take_program(p, at, error);
}

/**
 * evtlog_probe_packet_free() - free the packet test of a probe
 * @p:		no CPU or task is in its stub
 */
void evtlog_probe_packet_free(struct evtlog_probe *p)
{
#ifdef CONFIG_NET
	if (p->packet)
		bpf_prog_destroy(p->packet);
#endif
}

/* Moves data to the network header, if there is one: some functions have data at another header. */
static void seek_network_header(struct sk_buff *skb)
{
	u8 *header = skb_network_header(skb);
	s64 behind = skb->data - header;

	if (!skb->network_header || skb->network_header == (typeof(skb->network_header))~0U)
		return;
	if (header > skb_tail_pointer(skb) || behind > U16_MAX || behind < -(s64)skb_headlen(skb))
		return;
	skb->data = header;
	skb->len += behind;
}

/*
 * struct head - copy of a packet's first bytes, without further parts
 * @bytes:	of the linear part
 * @none:	shared info without fragments and without a list
 */
struct head {
	u8 bytes[EVTLOG_PROBE_PACKET_BYTES] __aligned(SMP_CACHE_BYTES);
	struct skb_shared_info none;
};

static DEFINE_PER_CPU(struct head, heads);

/*
 * Copies the bytes that can be read.  A packet that is incomplete or freed may contain any
 * pointers.  Returns false if the bytes cannot be read.
 */
static bool copy_head(struct sk_buff *skb)
{
	struct head *head = this_cpu_ptr(&heads);
	unsigned int bytes = min3(skb->len, skb_headlen(skb), (unsigned int)sizeof(head->bytes));

	if (evtlog_probe_copy(head->bytes, skb->data, bytes))
		return false;
	skb->head = head->bytes;
	skb->data = head->bytes;
	skb->end = offsetof(struct head, none);
	/* The program may compute an offset of the kernel's own, from the network header on. */
	skb_set_tail_pointer(skb, bytes);
	skb_reset_network_header(skb);
	skb_unset_mac_header(skb);
	skb->data_len = skb->len - bytes;
	return true;
}

/**
 * evtlog_probe_packet_is_in() - check whether the program accepts a packet
 * @skb:	packet that the function got
 *
 * The program tests a copy of the struct and of the first bytes of the linear part.  Meanwhile the
 * ring is busy: BPF may call probed functions, and probes there that test packets record nothing.
 *
 * Context: interrupts off, not an NMI.
 */
bool evtlog_probe_packet_is_in(struct evtlog_probe *p, const struct sk_buff *skb)
{
	struct evtlog_ring *r = this_cpu_ptr(&evtlog_ring);
	struct sk_buff copy;
	bool is_in = false;

	r->busy++;
	barrier();
	if (!evtlog_probe_copy(&copy, skb, sizeof(copy))) {
		seek_network_header(&copy);
		if (copy_head(&copy))
			is_in = bpf_prog_run(p->packet, &copy);
		else
			this_cpu_inc(p->counts->faults);
	} else {
		this_cpu_inc(p->counts->faults);
	}
	barrier();
	r->busy--;
	return is_in;
}
