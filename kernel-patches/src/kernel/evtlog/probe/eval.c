// SPDX-License-Identifier: GPL-2.0-only
/*
 * Evaluates arguments of a probe in C: in a kprobe, and where bytes are copied.
 *
 * For values, stubs do the same in machine code.
 */
#include <linux/bits.h>
#include <linux/math.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/uaccess.h>
#include <asm/byteorder.h>

#include "filter/filter.h"
#include "probe/probe.h"
#include "ring.h"

/**
 * evtlog_probe_extend() - extend a loaded value to 64 bits
 * @arg:	argument with the size, sign, byte order and bit field of the value
 * @value:	value as loaded; bits above its size are arbitrary
 */
u64 evtlog_probe_extend(const struct evtlog_probe_arg *arg, u64 value)
{
	unsigned int bits = arg->bits ? arg->bits : arg->size * BITS_PER_BYTE;

	value >>= arg->shift;
	if (arg->is_big_endian)
		return be64_to_cpu((__force __be64)value) >> (64 - arg->size * BITS_PER_BYTE);
	if (bits >= 64)
		return value;
	if (arg->is_signed)
		return (u64)((s64)(value << (64 - bits)) >> (64 - bits));
	return value & GENMASK_ULL(bits - 1, 0);
}

static u64 source_value(const struct evtlog_probe_arg *arg, const struct pt_regs *regs)
{
	switch (arg->source) {
	case EVTLOG_PROBE_RETVAL: return regs->ax;
	case EVTLOG_PROBE_PID: return (u32)current->pid;
	case EVTLOG_PROBE_TGID: return (u32)current->tgid;
	case EVTLOG_PROBE_CPU: return raw_smp_processor_id();
	case EVTLOG_PROBE_STACK: return regs->sp + sizeof(u64);
	case EVTLOG_PROBE_PT_REGS:
		return *(const unsigned long *)((const char *)regs + arg->regs_offset);
	case 0: return regs->di;
	case 1: return regs->si;
	case 2: return regs->dx;
	case 3: return regs->cx;
	case 4: return regs->r8;
	default: return regs->r9;
	}
}

/**
 * evtlog_probe_eval() - find an argument's value, or the address of its bytes
 * @arg:	the argument
 * @value:	result; 0 if memory could not be read
 *
 * Context: any; interrupts off.
 * Return: 0 or -EFAULT.
 */
int evtlog_probe_eval(const struct evtlog_probe_arg *arg, const struct pt_regs *regs, u64 *value)
{
	u64 at = source_value(arg, regs);
	unsigned int i;

	*value = 0;
	for (i = 0; i < arg->loads; i++) {
		bool is_last = i + 1 == arg->loads && !arg->bytes;
		u64 loaded = 0;

		if (copy_from_kernel_nofault(&loaded, (void *)(at + arg->load[i]),
					     is_last ? arg->size : sizeof(u64)))
			return -EFAULT;
		at = loaded;
	}
	*value = arg->bytes ? at + arg->add : evtlog_probe_extend(arg, at);
	return 0;
}

/* Marks a text as unreadable: NUL, then bytes that never follow a NUL in a text; see abi.h. */
static void mark_fault(char *to, unsigned int bytes)
{
	memset(to, 0xff, bytes);
	*to = '\0';
}

/* Zeros follow the end of a string, so that records of equal strings are equal. */
static int copy_string(char *to, u64 from, unsigned int bytes)
{
	long copied = (s64)from < 0 ?
		strncpy_from_kernel_nofault(to, (void *)from, bytes) :
		strncpy_from_user_nofault(to, (void __user *)from, bytes);

	if (copied < 0) {
		mark_fault(to, bytes);
		return copied;
	}
	memset(to + copied, 0, bytes - copied);
	return 0;
}

/* Copies from the kernel's memory or from the task's. */
static int copy_memory(void *to, u64 from, unsigned int bytes)
{
	unsigned long error = (s64)from < 0 ?
		evtlog_probe_copy(to, (const void *)from, bytes) :
		copy_from_user_nofault(to, (void __user *)from, bytes);

	if (error)
		memset(to, 0, bytes);
	return error ? -EFAULT : 0;
}

/**
 * evtlog_probe_copy_part() - copy a part of an argument's bytes
 * @arg:	the argument
 * @to:		destination; zeros if the bytes cannot be read
 * @slot:	slot of the argument
 * @from:	first byte to copy
 * @bytes:	number of bytes; those after the end of a packet are zeros
 *
 * Context: any but NMI; interrupts off.
 * Return: 0 or -EFAULT.
 */
int evtlog_probe_copy_part(const struct evtlog_probe_arg *arg, void *to, u64 slot,
			   unsigned int from, unsigned int bytes)
{
	if (arg->of == EVTLOG_PROBE_MEMORY)
		return copy_memory(to, slot + from, bytes);
	return evtlog_probe_copy_packet(to, slot, arg->start + from, bytes,
					arg->of == EVTLOG_PROBE_LINEAR);
}

/* A text in a packet ends at the packet's end, and always has a NUL. */
static int copy_packet_string(const struct evtlog_probe_arg *arg, char *to, u64 slot,
			      unsigned int bytes)
{
	int error = evtlog_probe_copy_part(arg, to, slot, 0, bytes);
	size_t length = strnlen(to, bytes - 1);

	if (error)
		mark_fault(to, bytes);
	else
		memset(to + length, 0, bytes - length);
	return error;
}

/* Copies the first @bytes of an argument that consists of bytes. */
static int copy_arg(const struct evtlog_probe_arg *arg, char *to, u64 slot, unsigned int bytes)
{
	if (arg->kind == 'c' && arg->of != EVTLOG_PROBE_MEMORY)
		return copy_packet_string(arg, to, slot, bytes);
	if (arg->kind == 'c')
		return copy_string(to, slot, bytes);
	return evtlog_probe_copy_part(arg, to, slot, 0, bytes);
}

/**
 * evtlog_probe_texts() - compare arguments with the texts of the filter
 * @slots:	a value or an address for each argument
 *
 * Until it returns, no buffer of this CPU is handed over.
 *
 * Context: any but NMI; interrupts off.
 * Return: bit N is set if the argument equals text N, and clear if the argument cannot be read.
 */
u32 evtlog_probe_texts(struct evtlog_probe *p, const u64 *slots)
{
	struct evtlog_ring *r = this_cpu_ptr(&evtlog_ring);
	/* A longer string differs from each text. */
	char found[EVTLOG_FILTER_TEXT_LEN + 1];
	unsigned int i;
	u32 equal = 0;

	r->busy++;
	barrier();
	for (i = 0; i < p->nr_texts; i++) {
		const struct evtlog_filter_text *text = &p->texts[i];
		const struct evtlog_probe_arg *arg = &p->args[text->slot];
		unsigned int bytes = min_t(unsigned int, arg->bytes, sizeof(found));

		if (text->bytes <= bytes && !copy_arg(arg, found, slots[text->slot], bytes) &&
		    !memcmp(found, text->text, text->bytes))
			equal |= BIT(i);
	}
	barrier();
	r->busy--;
	return equal;
}

/**
 * evtlog_probe_fill() - store all arguments in a record
 * @payload:	the record after its first word
 * @slots:	a value or an address for each argument
 *
 * Context: any but NMI; interrupts off.
 * Return: number of arguments that could not be read.
 */
u64 evtlog_probe_fill(const struct evtlog_probe *p, void *payload, const u64 *slots)
{
	unsigned int i;
	u64 faults = 0;

	for (i = 0; i < p->nr_args; i++) {
		const struct evtlog_probe_arg *arg = &p->args[i];
		char *to = (char *)payload + arg->offset;

		/* Zeros after the bytes, in their last word */
		if (arg->bytes % sizeof(u64))
			*(u64 *)(to + round_down(arg->bytes, sizeof(u64))) = 0;
		if (arg->bytes)
			faults += !!copy_arg(arg, to, slots[i], arg->bytes);
		else if (evtlog_probe_is_swapped(arg))
			*(u64 *)to = (__force u32)cpu_to_be32(slots[i]);
		else
			*(u64 *)to = slots[i];
	}
	return faults;
}
