// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of the functions that are regions in the process's trace.
 *
 * They are looked up when the process ends or saves, because this uses malloc() and reads files,
 * which the begin of a region must not do.
 */
#include <stdbool.h>
#include <string.h>

#include "lib/region/process.h"
#include "lib/region/symbols.h"
#include "lib/region/thread.h"
#include "lib/region/trace.h"

#define LARGEST_WORDS	(2 + (REGION_NAME_MAX + 7) / 8)

/* Hash of functions that are in the file.  After a collision, a name may be written again. */
#define KNOWN		4096

/*
 * @mark:	process of the other members.  @owner: process whose thread uses them; not a lock,
 *		because a child could find it taken
 * @place, @words, @chunk: last chunk, which has space
 */
static struct {
	uint32_t mark, owner;
	uint64_t place, words;
	struct region_trace_chunk *chunk;
	struct region_symbols symbols;
	const void *known[KNOWN];
} names;

static bool begin_chunk(void)
{
	if (!names.chunk)
		names.chunk = region_memory(REGION_TRACE_CHUNK_BYTES);
	if (!names.chunk)
		return false;
	*names.chunk = (struct region_trace_chunk) {
		.magic = REGION_TRACE_CHUNK_MAGIC, .thread = REGION_TRACE_NAMES,
	};
	names.place = region_trace_file_place();
	names.words = 0;
	return true;
}

static bool has_room(void)
{
	if (names.chunk && names.mark == region_process.mark &&
	    names.words + LARGEST_WORDS <= REGION_TRACE_WORDS)
		return true;
	if (names.chunk && names.mark == region_process.mark && names.words)
		region_trace_file_put(names.place, names.chunk, names.words);
	if (names.mark != region_process.mark)
		memset(names.known, 0, sizeof(names.known));
	names.mark = region_process.mark;
	return begin_chunk();
}

/* Returns true if the function is known, else adds it. */
static bool is_known(const void *function)
{
	const void **known = &names.known[((uintptr_t)function >> 2) * 2654435761u % KNOWN];
	bool is = *known == function;

	*known = function;
	return is;
}

static void put_symbol(struct region_node *node)
{
	char name[REGION_NAME_MAX + 1] = "";
	size_t length;
	uint64_t *at;

	if (!has_room())
		return;
	node->is_named = true;
	if (is_known(node->key))
		return;
	region_symbol(&names.symbols, node->key, name, sizeof(name));
	length = strlen(name);
	at = names.chunk->words + names.words;
	*at++ = region_trace_word(REGION_TRACE_SYMBOL, 0, length);
	*at++ = (uintptr_t)node->key;
	if (length)
		at[(length - 1) / 8] = 0;
	memcpy(at, name, length);
	names.words += 2 + (length + 7) / 8;
}

/* The thread may run and add nodes at the same time. */
static bool put_symbols(struct region_node *node)
{
	bool any = false;

	if (node->is_function && node->trace_number && !node->is_named) {
		put_symbol(node);
		any = true;
	}
	for (struct region_node *child = __atomic_load_n(&node->first, __ATOMIC_ACQUIRE); child;
	     child = child->next)
		any |= put_symbols(child);
	return any;
}

/* Returns true if no other thread of this process uses them. */
static bool take(void)
{
	uint32_t mark = region_process.mark, before = __atomic_load_n(&names.owner, __ATOMIC_RELAXED);

	return before != mark && __atomic_compare_exchange_n(&names.owner, &before, mark, false,
							     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void region_trace_save_names(void)
{
	bool is_mine = false, any = false;

	for (unsigned int i = 0; i < REGION_TRIES && !is_mine; i++) {
		is_mine = take();
		if (!is_mine)
			region_wait(i);
	}
	if (!is_mine)
		return;
	names.symbols = (struct region_symbols) { 0 };
	for (struct region_thread *thread = region_process_threads(); thread; thread = thread->next)
		if (thread->trace.is_on)
			any |= put_symbols(&thread->root);
	if (any && names.chunk && names.words)
		region_trace_file_put(names.place, names.chunk, names.words);
	region_symbols_close(&names.symbols);
	__atomic_store_n(&names.owner, 0, __ATOMIC_RELEASE);
}
