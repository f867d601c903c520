// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stubs: a filter's code before the hook of a static event.
 *
 * The hook's sites call the stub instead of the hook (events.c), with the same arguments:
 *
 *		sub  $BYTES, %rsp
 *		slots that the filter asks for: from a register, or from what it points to
 *		the filter's code; rejected: to 1
 *		add  $BYTES, %rsp
 *		jmp  the hook
 *	1:	add  $BYTES, %rsp
 *		cmpq $0, %gs:evtlog_ring.end	is it recorded, and nothing else to be done?
 *		je   2
 *		incq %gs:evtlog_rejected.records[TYPE]
 *		ret
 *	2:	mov  %edi, %esi
 *		mov  $TYPE, %edi
 *		jmp  filter_rejected_slowly
 *
 * Where interrupts may be on, they are off from the comparison to behind the count, so that
 * a count is of the run in which the CPU was: it is a record's place that it takes.
 */
#include <linux/evtlog.h>
#include <linux/mm.h>
#include <linux/moduleloader.h>
#include <linux/set_memory.h>
#include <linux/string.h>
#include <asm/alternative.h>
#include <asm/nospec-branch.h>

#include "counters.h"
#include "filter/asm.h"
#include "filter/hook.h"
#include "filter/tree.h"
#include "ring.h"

#define STUB_PAGES_MAX	16

void filter_rejected_slowly(unsigned int type, unsigned int data);

/*
 * Here a CPU follows a start or a stop, as with a record.  @data is the hook's first argument: of
 * softirqs and interrupts, which the kernel counts by it, what a record would hold.
 *
 * Context: any but NMI, as the hook; called by the stub.
 */
void filter_rejected_slowly(unsigned int type, unsigned int data)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	if (!evtlog_ring_is_idle() &&
	    evtlog_ring_pass_over(this_cpu_ptr(&evtlog_ring), EVTLOG_TAG(type, data)))
		this_cpu_inc(evtlog_rejected.records[type]);
	raw_local_irq_restore(flags);
}

static void put(struct asm_buffer *b, const char *code, size_t size)
{
	while (size--)
		asm_byte(b, *code++);
}
#define PUT(b, text)	put(b, text, sizeof(text) - 1)

static void put_s32(struct asm_buffer *b, s32 value)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		asm_byte(b, (u32)value >> 8 * i);
}

static void put_jump(struct asm_buffer *b, unsigned long image, const void *to)
{
	asm_byte(b, 0xe9);
	put_s32(b, (unsigned long)to - (image + b->pos + 4));
}

static void put_return(struct asm_buffer *b, unsigned long image)
{
#ifdef CONFIG_RETHUNK
	if (cpu_wants_rethunk()) {
		put_jump(b, image, x86_return_thunk);
		return;
	}
#endif
	PUT(b, "\xc3\xcc");
}

static void put_gs(struct asm_buffer *b, const void *variable)
{
	asm_byte(b, 0x25);
	put_s32(b, (s32)(unsigned long)variable);
}

static u32 slots_used(const struct evtlog_filter *filter)
{
	u32 used = 0;
	unsigned int i;

	for (i = 0; i < filter->nr_nodes; i++) {
		const struct filter_node *node = &filter->nodes[i];

		if ((node->kind == FILTER_COMPARE || node->kind == FILTER_SET) &&
		    node->special == FILTER_SLOT)
			used |= 1U << node->slot;
	}
	return used;
}

static void put_slots(struct asm_buffer *b, const struct filter_hook *hook, u32 used)
{
	unsigned int i;

	for (i = 0; i < hook->nr_fields; i++) {
		const struct filter_source *source = &hook->sources[i];
		struct asm_memory slot = { ASM_RSP, 8 * i };

		if (!(used >> i & 1))
			continue;
		if (source->member == FILTER_IN_REGISTER) {
			asm_store(b, source->reg, slot);
		} else {
			asm_load(b, ASM_RAX,
				 (struct asm_memory){ source->reg, source->member }, 4, false);
			asm_store(b, ASM_RAX, slot);
		}
	}
}

static void put_add_rsp(struct asm_buffer *b, u32 bytes)
{
	if (bytes) {
		PUT(b, "\x48\x83\xc4");
		asm_byte(b, bytes);
	}
}

static void put_rejected(struct asm_buffer *b, const struct filter_hook *hook,
			 unsigned long image, u32 bytes)
{
	struct asm_label slow = { ASM_LABEL_NONE };

	put_add_rsp(b, bytes);
	if (hook->irqs_on)
		PUT(b, "\x9c\xfa");		/* pushfq; cli */
	PUT(b, "\x65\x48\x83\x3c");		/* cmpq $0, %gs: */
	put_gs(b, &evtlog_ring.end);
	asm_byte(b, 0);
	asm_jump_if(b, ASM_E, &slow);
	PUT(b, "\x65\x48\xff\x04");		/* incq %gs: */
	put_gs(b, &evtlog_rejected.records[hook->type]);
	if (hook->irqs_on)
		asm_byte(b, 0x9d);		/* popfq */
	put_return(b, image);
	asm_bind(b, &slow, b->pos);
	if (hook->irqs_on)
		asm_byte(b, 0x9d);
	PUT(b, "\x89\xfe");			/* mov %edi, %esi */
	asm_move_number(b, ASM_RDI, hook->type);
	put_jump(b, image, filter_rejected_slowly);
}

/* With @b->code NULL only its size is found. */
static int write_stub(struct asm_buffer *b, const struct filter_hook *hook,
		      const struct evtlog_filter *filter)
{
	unsigned long image = (unsigned long)b->code;
	struct evtlog_filter_stub stub = {
		.base = ASM_RSP,
		.scratch = { ASM_RAX, ASM_R11 },
		.task = &evtlog_filter_current,
	};
	u32 used = slots_used(filter), bytes = used ? 8 * hook->nr_fields : 0;
	u32 accept_bytes = bytes ? 9 : 5;
	int size = evtlog_filter_emit(filter, &stub, NULL, 0);

	if (size < 0)
		return size;
	if (bytes) {
		PUT(b, "\x48\x83\xec");
		asm_byte(b, bytes);
	}
	put_slots(b, hook, used);
	if (b->code) {
		stub.image = image + b->pos;
		stub.reject = stub.image + size + accept_bytes;
		size = evtlog_filter_emit(filter, &stub, b->code + b->pos, b->size - b->pos);
		if (size < 0)
			return size;
	}
	b->pos += size;
	put_add_rsp(b, bytes);
	put_jump(b, image, hook->function);
	put_rejected(b, hook, image, bytes);
	return 0;
}

/**
 * filter_stub_new() - make a stub
 * @hook:	before which it stands
 * @filter:	compiled for the hook's fields; not kept
 *
 * Context: task context, may sleep.
 * Return: code that can be called as the hook is, for filter_stub_free(); or an error's pointer.
 */
void *filter_stub_new(const struct filter_hook *hook, const struct evtlog_filter *filter)
{
	struct asm_buffer b = { };
	unsigned int pages;
	int error = write_stub(&b, hook, filter);

	if (error)
		return ERR_PTR(error);
	pages = DIV_ROUND_UP(b.pos, PAGE_SIZE);
	if (pages > STUB_PAGES_MAX)
		return ERR_PTR(-E2BIG);
	b = (struct asm_buffer){ .code = module_alloc(pages * PAGE_SIZE) };
	if (!b.code)
		return ERR_PTR(-ENOMEM);
	b.size = pages * PAGE_SIZE;
	memset(b.code, 0xcc, b.size);
	error = write_stub(&b, hook, filter);
	if (!error)
		error = set_memory_ro((unsigned long)b.code, pages);
	if (!error)
		error = set_memory_x((unsigned long)b.code, pages);
	if (!error)
		return b.code;
	module_memfree(b.code);
	return ERR_PTR(error);
}

/**
 * filter_stub_free() - give a stub's memory back
 * @stub:	no site calls it, and nobody is in it; NULL is none
 *
 * Context: task context, may sleep.
 */
void filter_stub_free(void *stub)
{
	if (stub)
		module_memfree(stub);
}
