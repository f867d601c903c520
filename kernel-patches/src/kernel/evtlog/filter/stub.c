// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stubs: a filter's code before the hook of a static event.
 *
 * The hook's sites call the stub instead of the hook (events.c), with the same arguments:
 *
 *		sub  $BYTES, %rsp
 *		slots that the filter needs: from a register, or from memory it points to
 *		the filter's code; rejected: to 1
 *		add  $BYTES, %rsp
 *		jmp  the hook
 *	1:	add  $BYTES, %rsp
 *		cmpq $0, %gs:evtlog_ring.end	is it recorded, without anything else to do?
 *		je   2
 *		incq %gs:evtlog_rejected.records[TYPE]
 *		ret
 *	2:	mov  %edi, %esi
 *		mov  $TYPE, %edi
 *		jmp  filter_rejected_slowly
 *
 * If a hook has a function that loads its fields, the stub calls it, and keeps its arguments:
 *
 *		push %rdi; push %rsi
 *		sub  $BYTES, %rsp
 *		mov  %rsp, %rdx
 *		call the hook's load; if it returns false: the hook, with the arguments
 *		mov  8+BYTES(%rsp), %rdi; mov BYTES(%rsp), %rsi
 *
 * If the hook changes no register, the stub also saves the registers that it changes itself.
 *
 * Where interrupts may be on, they are off from the comparison until after the count.  A count then
 * belongs to the run in which the CPU was, like the record that it replaces.
 *
 * For a named buffer (routed.c), a rejected record is counted there, independent of runs.
 */
#include <linux/build_bug.h>
#include <linux/evtlog.h>
#include <linux/string.h>

#include "code/emit.h"
#include "code/text.h"
#include "counters.h"
#include "filter/hook.h"
#include "filter/tree.h"
#include "ring.h"

int filter_rejected_slowly(unsigned int type, unsigned int data);

/*
 * The CPU follows a start or a stop here, as with a record.  @data is the hook's first argument:
 * for softirqs and interrupts, which the kernel counts by it, the data of the record.
 *
 * Context: as for the hook; called by the stub.
 */
int filter_rejected_slowly(unsigned int type, unsigned int data)
{
	unsigned long flags;

	/* An exception in an NMI's handler, or evtlog_put(): runs are not followed there. */
	if (in_nmi())
		return -ECANCELED;
	raw_local_irq_save(flags);
	if (!evtlog_ring_is_idle() &&
	    evtlog_ring_pass_over(this_cpu_ptr(&evtlog_ring), EVTLOG_TAG(type, data)))
		this_cpu_inc(evtlog_rejected.records[type]);
	raw_local_irq_restore(flags);
	return -ECANCELED;
}

/* The same for a system call, where no register may change. */
static noinline __cold __evtlog_saves_all void syscall_rejected_slowly(void)
{
	filter_rejected_slowly(EVTLOG_USER_EXIT, 0);
}

/* Size of all slots in bytes; 0: none is needed. */
static u8 slots_bytes(const struct filter_hook *hook, u32 used)
{
	return used || hook->load ? 8 * hook->nr_fields : 0;
}

/* Loads to %rax, or returns the register that contains the value. */
static u8 emit_value(struct evtlog_code *c, const struct filter_hook *hook, unsigned int i)
{
	const struct filter_source *source = &hook->sources[i];
	struct evtlog_operand member = { source->reg, source->member };

	switch (source->member) {
	case FILTER_IN_REGISTER:
		return source->reg;
	case FILTER_IN_TAG:
		BUILD_BUG_ON(EVTLOG_TYPE_BITS != 6);
		evtlog_emit(c, 0x89, 0xf8, 0xc1, 0xe8, 0x06); /* mov %edi,%eax; shr $6,%eax */
		break;
	case FILTER_CONSTANT:
		evtlog_emit_constant(c, EVTLOG_RAX, (s8)source->reg);
		break;
	default:
		evtlog_emit_load(c, EVTLOG_RAX, member, hook->fields[i].width, false);
	}
	return EVTLOG_RAX;
}

static void emit_slots(struct evtlog_code *c, const struct filter_hook *hook, u32 used)
{
	unsigned int i;

	for (i = 0; i < hook->nr_fields; i++) {
		struct evtlog_operand slot = { EVTLOG_RSP, 8 * i };

		if (used >> i & 1)
			evtlog_emit_store(c, emit_value(c, hook, i), slot);
	}
}

static void emit_add_rsp(struct evtlog_code *c, u8 bytes)
{
	if (bytes) {
		evtlog_emit(c, 0x48, 0x83, 0xc4);
		evtlog_emit_bytes(c, &bytes, 1);
	}
}

static void emit_begin(struct evtlog_code *c, const struct filter_hook *hook, u32 used,
		       struct evtlog_label *accept)
{
	u8 bytes = slots_bytes(hook, used);
	struct evtlog_operand first = { EVTLOG_RSP, bytes + 8 }, second = { EVTLOG_RSP, bytes };

	if (hook->saves_all)
		evtlog_emit(c, 0x50, 0x41, 0x53);	/* push %rax; push %r11 */
	if (hook->load)
		evtlog_emit(c, 0x57, 0x56);		/* push %rdi; push %rsi */
	if (bytes) {
		evtlog_emit(c, 0x48, 0x83, 0xec);
		evtlog_emit_bytes(c, &bytes, 1);
	}
	if (!hook->load) {
		emit_slots(c, hook, used);
		return;
	}
	evtlog_emit(c, 0x48, 0x89, 0xe2);		/* mov %rsp,%rdx */
	evtlog_emit_call(c, hook->load);
	evtlog_emit_load(c, EVTLOG_RDI, first, 8, false);
	evtlog_emit_load(c, EVTLOG_RSI, second, 8, false);
	evtlog_emit(c, 0x84, 0xc0);			/* test %al,%al */
	evtlog_emit_jump(c, EVTLOG_JE, accept);
}

/* Restores everything but the flags, as at the stub's first instruction. */
static void emit_end(struct evtlog_code *c, const struct filter_hook *hook, u32 used)
{
	emit_add_rsp(c, slots_bytes(hook, used) + (hook->load ? 16 : 0));
	if (hook->saves_all)
		evtlog_emit(c, 0x41, 0x5b, 0x58);	/* pop %r11; pop %rax */
}

static void emit_rejected_return(struct evtlog_code *c, const struct filter_hook *hook)
{
	if (hook->returns)
		evtlog_emit_constant(c, EVTLOG_RAX, (u32)-ECANCELED);
	evtlog_emit_return(c);
}

static void emit_rejected(struct evtlog_code *c, const struct filter_hook *hook, u32 used,
			  const u64 __percpu *rejected)
{
	struct evtlog_label slow = {};

	if (rejected)
		evtlog_emit_count(c, EVTLOG_RAX, (__force unsigned long)rejected);
	emit_end(c, hook, used);
	if (rejected) {
		emit_rejected_return(c, hook);
		return;
	}
	if (hook->irqs_on)
		evtlog_emit(c, 0x9c, 0xfa);	/* pushfq; cli */
	evtlog_emit_on_cpu(c, &evtlog_ring.end, 0x48, 0x83, 0x3c);	/* cmpq $0,%gs:end */
	evtlog_emit(c, 0x00);
	evtlog_emit_jump(c, EVTLOG_JE, &slow);
	evtlog_emit_on_cpu(c, &evtlog_rejected.records[hook->type], 0x48, 0xff, 0x04); /* incq */
	if (hook->irqs_on)
		evtlog_emit(c, 0x9d);		/* popfq */
	emit_rejected_return(c, hook);
	evtlog_emit_label(c, &slow);
	if (hook->irqs_on)
		evtlog_emit(c, 0x9d);
	if (hook->saves_all) {
		evtlog_emit_goto(c, syscall_rejected_slowly);
		return;
	}
	evtlog_emit(c, 0x89, 0xfe);		/* mov %edi, %esi */
	evtlog_emit_constant(c, EVTLOG_RDI, hook->type);
	evtlog_emit_goto(c, filter_rejected_slowly);
}

struct order {
	const struct filter_hook *hook;
	void *function;
	const struct evtlog_filter *filter;
	u64 __percpu *rejected;
};

static int emit_stub(struct evtlog_code *c, const void *what)
{
	const struct order *order = what;
	const struct filter_hook *hook = order->hook;
	struct evtlog_filter_stub stub = {
		.base = EVTLOG_RSP,
		.scratch = { EVTLOG_RAX, EVTLOG_R11 },
		.key = c->key,
		.task = &evtlog_filter_current,
	};
	u32 used = filter_slots_used(order->filter);
	struct evtlog_label accept = {};
	struct evtlog_code after = {};
	int error;

	emit_begin(c, hook, used, &accept);
	/* The code between the filter's end and label 1 */
	emit_end(&after, hook, used);
	evtlog_emit_goto(&after, NULL);
	error = filter_emit_within(c, order->filter, &stub, after.length);
	if (error)
		return error;
	evtlog_emit_label(c, &accept);
	emit_end(c, hook, used);
	evtlog_emit_goto(c, order->function);
	emit_rejected(c, hook, used, order->rejected);
	return 0;
}

/**
 * filter_stub_new() - make a stub
 * @hook:	hook with the filter
 * @function:	called if the filter accepts
 * @filter:	compiled for the hook's fields; not kept
 * @rejected:	per-CPU: counts rejected records; NULL: use the count of the type in the run
 *
 * Context: task context, may sleep.
 * Return: code that is called like the hook, for evtlog_text_free(); or an error pointer.
 */
void *filter_stub_new(const struct filter_hook *hook, void *function,
		      const struct evtlog_filter *filter, u64 __percpu *rejected)
{
	const struct order order = { hook, function, filter, rejected };

	return evtlog_text_make(emit_stub, &order);
}
