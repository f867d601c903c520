// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that stubs run in: never writable where it can be executed.
 *
 * Taken in chunks next to the kernel's text, which stay; written as the kernel patches itself,
 * through a mapping of its own.  All is called under the table's lock.
 */
#include <linux/bitmap.h>
#include <linux/list.h>
#include <linux/moduleloader.h>
#include <linux/set_memory.h>
#include <linux/slab.h>
#include <asm/text-patching.h>

#include "probe/probe.h"

#define CHUNK_BYTES	(64 * 1024)
#define UNIT_BYTES	64
#define CHUNK_UNITS	(CHUNK_BYTES / UNIT_BYTES)

struct chunk {
	struct list_head list;
	void *text;
	DECLARE_BITMAP(used, CHUNK_UNITS);
};

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
	set_memory_ro((unsigned long)chunk->text, CHUNK_BYTES / PAGE_SIZE);
	set_memory_x((unsigned long)chunk->text, CHUNK_BYTES / PAGE_SIZE);
	list_add(&chunk->list, &chunks);
	return chunk;
}

static void *chunk_take(struct chunk *chunk, unsigned int units)
{
	unsigned long at = bitmap_find_next_zero_area(chunk->used, CHUNK_UNITS, 0, units, 0);

	if (at >= CHUNK_UNITS)
		return NULL;
	bitmap_set(chunk->used, at, units);
	return chunk->text + at * UNIT_BYTES;
}

/**
 * evtlog_probe_text_alloc() - get room for machine code
 * @bytes:	at most EVTLOG_PROBE_STUB_MAX
 *
 * Return: the room, full of INT3; NULL: no memory.
 */
void *evtlog_probe_text_alloc(unsigned int bytes)
{
	unsigned int units = DIV_ROUND_UP(bytes, UNIT_BYTES);
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
 * evtlog_probe_text_write() - store machine code that nobody runs yet
 * @at:		of evtlog_probe_text_alloc()
 * @code:	copied
 * @bytes:	of it
 */
void evtlog_probe_text_write(void *at, const void *code, unsigned int bytes)
{
	text_poke_copy(at, code, bytes);
}

/**
 * evtlog_probe_text_free() - give room back that nobody can be in any more
 * @at:		of evtlog_probe_text_alloc()
 * @bytes:	as there
 */
void evtlog_probe_text_free(void *at, unsigned int bytes)
{
	unsigned int units = DIV_ROUND_UP(bytes, UNIT_BYTES);
	struct chunk *chunk;

	list_for_each_entry(chunk, &chunks, list) {
		if (at < chunk->text || at >= chunk->text + CHUNK_BYTES)
			continue;
		text_poke_set(at, INT3, units * UNIT_BYTES);
		bitmap_clear(chunk->used, (at - chunk->text) / UNIT_BYTES, units);
	}
}
