// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory for generated machine code: never writable where it can be executed.
 *
 * Allocated in chunks next to the kernel's text, which are never freed.  Written through a separate
 * mapping, as the kernel patches itself.
 */
#include <linux/bitmap.h>
#include <linux/bpf.h>
#include <linux/err.h>
#include <linux/filter.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/moduleloader.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/random.h>
#include <linux/set_memory.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/cpufeature.h>
#include <asm/nospec-branch.h>
#include <asm/text-patching.h>

#include "code/emit.h"
#include "code/text.h"

#define CHUNK_BYTES	EVTLOG_TEXT_MAX
#define UNIT_BYTES	64
#define CHUNK_UNITS	(CHUNK_BYTES / UNIT_BYTES)

/*
 * @used:	units that are allocated
 * @last:	the last unit of each piece of code
 */
struct chunk {
	struct list_head list;
	void *text;
	DECLARE_BITMAP(used, CHUNK_UNITS);
	DECLARE_BITMAP(last, CHUNK_UNITS);
};

/* Guards the chunks and their bits. */
static DEFINE_MUTEX(lock);
static LIST_HEAD(chunks);

#define INT3	0xcc

static struct chunk *chunk_new(void)
{
	struct chunk *chunk = kzalloc(sizeof(*chunk), GFP_KERNEL);

	if (!chunk)
		return NULL;
	chunk->text = module_alloc(CHUNK_BYTES);
	if (!chunk->text) {
		kfree(chunk);
		return NULL;
	}
	memset(chunk->text, INT3, CHUNK_BYTES);
	if (set_memory_ro((unsigned long)chunk->text, CHUNK_BYTES / PAGE_SIZE) ||
	    set_memory_x((unsigned long)chunk->text, CHUNK_BYTES / PAGE_SIZE)) {
		module_memfree(chunk->text);
		kfree(chunk);
		return NULL;
	}
	list_add(&chunk->list, &chunks);
	return chunk;
}

static void *chunk_take(struct chunk *chunk, unsigned int units)
{
	unsigned long at = bitmap_find_next_zero_area(chunk->used, CHUNK_UNITS, 0, units, 0);

	if (at >= CHUNK_UNITS)
		return NULL;
	bitmap_set(chunk->used, at, units);
	set_bit(at + units - 1, chunk->last);
	return chunk->text + at * UNIT_BYTES;
}

static void *take(unsigned int units)
{
	struct chunk *chunk;

	list_for_each_entry(chunk, &chunks, list) {
		void *at = chunk_take(chunk, units);

		if (at)
			return at;
	}
	chunk = chunk_new();
	return chunk ? chunk_take(chunk, units) : NULL;
}

/**
 * evtlog_text_alloc() - allocate memory for machine code
 * @bytes:	1 to EVTLOG_TEXT_MAX
 *
 * Context: task context, may sleep.
 * Return: the memory, filled with INT3; NULL: no memory.
 */
void *evtlog_text_alloc(unsigned int bytes)
{
	void *at;

	mutex_lock(&lock);
	at = take(DIV_ROUND_UP(bytes, UNIT_BYTES));
	mutex_unlock(&lock);
	return at;
}

/**
 * evtlog_text_write() - store machine code that does not run yet
 * @at:		from evtlog_text_alloc()
 * @code:	copied
 *
 * Context: task context, may sleep.
 */
void evtlog_text_write(void *at, const void *code, unsigned int bytes)
{
	text_poke_copy(at, code, bytes);
}

static void chunk_free(struct chunk *chunk, void *at)
{
	unsigned long first = (at - chunk->text) / UNIT_BYTES;
	unsigned long last = find_next_bit(chunk->last, CHUNK_UNITS, first);

	text_poke_set(at, INT3, (last + 1 - first) * UNIT_BYTES);
	clear_bit(last, chunk->last);
	bitmap_clear(chunk->used, first, last + 1 - first);
}

/**
 * evtlog_text_free() - free code that no task can execute any more
 * @at:		from evtlog_text_alloc(), or NULL
 *
 * Context: task context, may sleep.
 */
void evtlog_text_free(void *at)
{
	struct chunk *chunk;

	if (!at)
		return;
	mutex_lock(&lock);
	list_for_each_entry(chunk, &chunks, list) {
		if (at >= chunk->text && at < chunk->text + CHUNK_BYTES)
			chunk_free(chunk, at);
	}
	mutex_unlock(&lock);
}

/**
 * evtlog_text_key() - return a key that hides numbers chosen by a user in new machine code
 *
 * Called once for each piece of code: the size of the code depends on whether there is a key.
 *
 * Context: task context of the user who chose the numbers.
 * Return: a random number of 31 bits; 0: none is required for a user with these rights, by
 * net.core.bpf_jit_harden, which is for all generated code.
 */
u32 evtlog_text_key(void)
{
#ifdef CONFIG_BPF_JIT
	if (bpf_jit_harden && (bpf_jit_harden > 1 || !bpf_capable()))
		return get_random_u32() >> 1 | 1;
#endif
	return 0;
}

/* Emits a return as this kernel and this CPU do it. */
void evtlog_emit_return(struct evtlog_code *c)
{
#ifdef CONFIG_RETHUNK
	if (cpu_feature_enabled(X86_FEATURE_RETHUNK)) {
		evtlog_emit_goto(c, x86_return_thunk);
		return;
	}
#endif
	evtlog_emit(c, 0xc3);
#ifdef CONFIG_SLS
	evtlog_emit(c, 0xcc);
#endif
}

static int write_code(void *at, int (*emit)(struct evtlog_code *c, const void *what),
		      const void *what, u32 bytes, u32 key)
{
	struct evtlog_code c = {
		.buffer = kvmalloc(bytes, GFP_KERNEL),
		.size = bytes,
		.address = (unsigned long)at,
		.key = key,
	};
	int error = c.buffer ? emit(&c, what) : -ENOMEM;

	if (!error && !evtlog_code_is_whole(&c))
		error = -ERANGE;
	if (!error)
		evtlog_text_write(at, c.buffer, c.length);
	kvfree(c.buffer);
	return error;
}

/**
 * evtlog_text_make() - emit machine code where it runs
 * @emit:	emits the code; called twice: first without a buffer, for its size, then for its
 *		final address.  Returns 0 or a negative error
 * @what:	passed to @emit
 *
 * Context: task context, may sleep.
 * Return: the code, for evtlog_text_free(); or an error pointer.
 */
void *evtlog_text_make(int (*emit)(struct evtlog_code *c, const void *what), const void *what)
{
	struct evtlog_code size = { .key = evtlog_text_key() };
	int error = emit(&size, what);
	void *at;

	if (error)
		return ERR_PTR(error);
	if (size.length > EVTLOG_TEXT_MAX)
		return ERR_PTR(-E2BIG);
	at = evtlog_text_alloc(size.length);
	if (!at)
		return ERR_PTR(-ENOMEM);
	error = write_code(at, emit, what, size.length, size.key);
	if (!error)
		return at;
	evtlog_text_free(at);
	return ERR_PTR(error);
}

#ifdef CONFIG_BPF_JIT
/*
 * struct evtlog_text_symbol - the name of machine code
 * @ksym:	kallsyms, the unwinder and perf find it among the symbols of BPF
 * @rcu:	because they may still read @ksym
 */
struct evtlog_text_symbol {
	struct bpf_ksym ksym;
	struct rcu_head rcu;
};

/**
 * evtlog_text_name() - make machine code a part of the kernel's text, with a name
 * @at:		from evtlog_text_alloc()
 * @name:	copied; a long name is truncated
 *
 * The unwinder stops at unknown code.  It continues through code that has a name, if this code
 * begins with a frame: push %rbp; mov %rsp,%rbp (arch/x86/kernel/unwind_orc.c, orc_fp_entry).
 *
 * Context: task context, may sleep.
 * Return: for evtlog_text_unname(); NULL: no name, because there is no memory or no BPF_JIT.
 */
struct evtlog_text_symbol *evtlog_text_name(const void *at, unsigned int bytes, const char *name)
{
	struct evtlog_text_symbol *symbol = kzalloc(sizeof(*symbol), GFP_KERNEL);

	if (!symbol)
		return NULL;
	INIT_LIST_HEAD_RCU(&symbol->ksym.lnode);
	symbol->ksym.start = (unsigned long)at;
	symbol->ksym.end = (unsigned long)at + bytes;
	strscpy(symbol->ksym.name, name, sizeof(symbol->ksym.name));
	bpf_ksym_add(&symbol->ksym);
	perf_event_ksymbol(PERF_RECORD_KSYMBOL_TYPE_OOL, symbol->ksym.start, bytes, false,
			   symbol->ksym.name);
	return symbol;
}

/**
 * evtlog_text_unname() - remove a name
 * @symbol:	from evtlog_text_name(), or NULL; freed
 *
 * Context: task context.
 */
void evtlog_text_unname(struct evtlog_text_symbol *symbol)
{
	if (!symbol)
		return;
	bpf_ksym_del(&symbol->ksym);
	perf_event_ksymbol(PERF_RECORD_KSYMBOL_TYPE_OOL, symbol->ksym.start,
			   symbol->ksym.end - symbol->ksym.start, true, symbol->ksym.name);
	kfree_rcu(symbol, rcu);
}
#endif /* CONFIG_BPF_JIT */
