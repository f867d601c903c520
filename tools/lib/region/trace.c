// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A thread's regions in time.
 *
 * Times are the ticks that profiles read anyway; each chunk relates ticks to ns.  If the kernel
 * does not use the tick counter as its clock, because it differs between CPUs, times are
 * CLOCK_MONOTONIC_RAW.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/region/process.h"
#include "lib/region/symbols.h"
#include "lib/region/thread.h"
#include "lib/region/trace.h"

/* Largest addition: a time, a name, an event */
#define LARGEST_WORDS	(1 + (1 + (REGION_NAME_MAX + 7) / 8) + 1)

static uint32_t nr_threads;

/* ---- Clocks ---- */

static bool kernel_takes_counter(void)
{
	static const char *const counters[] = { "tsc\n", "arch_sys_counter\n" };
	int fd = syscall(SYS_openat, AT_FDCWD,
			 "/sys/devices/system/clocksource/clocksource0/current_clocksource",
			 O_RDONLY | O_CLOEXEC, 0);
	char name[32] = "";

	if (fd < 0)
		return false;
	if (syscall(SYS_read, fd, name, sizeof(name) - 1) < 0)
		name[0] = '\0';
	syscall(SYS_close, fd);
	for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++)
		if (!strcmp(name, counters[i]))
			return true;
	return false;
}

/* @answer 0: not checked yet; 1: the kernel uses the counter; 2: it does not. */
static bool uses_ns(void)
{
	static int answer;
	int known = __atomic_load_n(&answer, __ATOMIC_RELAXED);

	if (!known) {
		known = evtlog_profile_now() && kernel_takes_counter() ? 1 : 2;
		__atomic_store_n(&answer, known, __ATOMIC_RELAXED);
	}
	return known == 2;
}

static struct region_trace_time time_now(const struct region_trace *trace)
{
	struct region_trace_time time = { 0 };
	struct region_clock_pair pair;

	if (trace->uses_ns) {
		time.ns = region_clock_ns();
		time.ticks = time.ns;
	} else {
		region_clock_pair(&pair);
		time = (struct region_trace_time) { pair.ticks, pair.ns, pair.width_ns };
	}
	return time;
}

/* ---- A chunk ---- */

static bool try_lock(struct region_trace *trace)
{
	return !__atomic_exchange_n(&trace->is_locked, true, __ATOMIC_ACQUIRE);
}

static void lock(struct region_trace *trace)
{
	for (unsigned int i = 0; !try_lock(trace); i += i < REGION_TRIES)
		region_wait(i);
}

static void unlock(struct region_trace *trace)
{
	__atomic_store_n(&trace->is_locked, false, __ATOMIC_RELEASE);
}

static uint64_t count_events(const struct region_trace_chunk *chunk, uint64_t from, uint64_t to)
{
	uint64_t count = 0;

	for (uint64_t i = 0; i < to; i += region_trace_length(chunk->words[i])) {
		unsigned int kind = region_trace_kind(chunk->words[i]);

		count += i >= from && (kind == REGION_TRACE_ENTER || kind == REGION_TRACE_LEAVE);
	}
	return count;
}

/* Number of events that were stored but are not in the file. */
static uint64_t unwritten_events(const struct region_trace *trace)
{
	const uint64_t *at = __atomic_load_n(&trace->at, __ATOMIC_ACQUIRE);

	return at ? count_events(trace->chunk, trace->written, at - trace->chunk->words) : 0;
}

static void begin_chunk(struct region_thread *thread, const struct region_trace_time *begin)
{
	struct region_trace *trace = &thread->trace;

	*trace->chunk = (struct region_trace_chunk) {
		.magic = REGION_TRACE_CHUNK_MAGIC,
		.thread = trace->number,
		.sequence = trace->sequence++,
		.tid = thread->tid,
		.begin = *begin,
	};
	trace->place = region_trace_file_place();
	trace->limit = trace->chunk->words + REGION_TRACE_WORDS - LARGEST_WORDS;
	trace->upper = UINT64_MAX;
	trace->fast = UINT64_MAX;
	trace->written = 0;
	__atomic_store_n(&trace->at, trace->chunk->words, __ATOMIC_RELEASE);
}

/* The caller, any thread, holds the lock.  Returns false if writing failed, and the trace ends. */
static bool write_chunk(struct region_thread *thread)
{
	struct region_trace *trace = &thread->trace;
	/* Read before the end time, so no record is later. */
	uint64_t words = __atomic_load_n(&trace->at, __ATOMIC_ACQUIRE) - trace->chunk->words;
	uint64_t done;

	memcpy(trace->chunk->comm, thread->comm, sizeof(trace->chunk->comm));
	trace->chunk->end = time_now(trace);
	done = region_trace_file_put(trace->place, trace->chunk, words);
	if (done > trace->written)
		trace->written = done;
	return done == words;
}

/* The chunk is full, or the thread ends. */
static void turn_over(struct region_thread *thread, bool ends)
{
	struct region_trace *trace = &thread->trace;
	struct region_trace_time now;

	lock(trace);
	trace->chunk->has_ended = ends;
	if (!write_chunk(thread) || ends) {
		trace->lost += unwritten_events(trace);
		trace->fast = UINT64_MAX;
		__atomic_store_n(&trace->at, NULL, __ATOMIC_RELEASE);
	} else {
		now = time_now(trace);
		begin_chunk(thread, &now);
	}
	unlock(trace);
}

void region_trace_full(struct region_thread *thread)
{
	int error = errno;

	turn_over(thread, false);
	errno = error;
}

/* ---- Records ---- */

static uint64_t *put_name(uint64_t *at, struct region_trace *trace, struct region_node *node)
{
	size_t length;

	node->trace_number = ++trace->numbers;
	if (node->is_function) {
		*at++ = region_trace_word(REGION_TRACE_FUNCTION, node->trace_number, 0);
		*at++ = (uintptr_t)node->key;
		return at;
	}
	length = strlen(node->name);
	*at++ = region_trace_word(REGION_TRACE_NAME, node->trace_number, length);
	/* Pads with zeros */
	if (length)
		at[(length - 1) / 8] = 0;
	memcpy(at, node->name, length);
	return at + (length + 7) / 8;
}

static void put(struct region_thread *thread, struct region_node *node, unsigned int kind,
		       uint64_t time)
{
	struct region_trace *trace = &thread->trace;
	uint64_t *at = trace->at;

	if (__builtin_expect(!at, 0)) {
		trace->lost++;
		return;
	}
	if (__builtin_expect(time >> 32 != trace->upper, 0)) {
		trace->upper = time >> 32;
		if (!trace->uses_ns)
			trace->fast = trace->upper;
		*at++ = region_trace_word(REGION_TRACE_TIME, 0, trace->upper);
	}
	if (__builtin_expect(!node->trace_number, 0))
		at = put_name(at, trace, node);
	*at++ = region_trace_word(kind, node->trace_number, time);
	__atomic_store_n(&trace->at, at, __ATOMIC_RELEASE);
	if (__builtin_expect(at > trace->limit, 0))
		region_trace_full(thread);
}

/* Stores the regions that were open when the child began, the outermost first. */
static void put_open(struct region_thread *thread, struct region_node *node)
{
	if (!node->parent)
		return;
	put_open(thread, node->parent);
	put(thread, node, REGION_TRACE_ENTER, thread->trace.begun.ticks);
}

static __attribute__((noinline)) void begin_trace(struct region_thread *thread)
{
	struct region_trace *trace = &thread->trace;
	int error = errno;

	trace->has_begun = true;
	if (region_trace_file_open()) {
		if (!trace->chunk)
			trace->chunk = region_memory(REGION_TRACE_CHUNK_BYTES);
		trace->number = __atomic_fetch_add(&nr_threads, 1, __ATOMIC_RELAXED);
		if (trace->chunk)
			begin_chunk(thread, &trace->begun);
	}
	if (trace->at)
		put_open(thread, thread->top);
	errno = error;
}

uint64_t region_trace_now(const struct region_thread *thread)
{
	return thread->trace.uses_ns ? region_clock_ns() : thread->clock.now;
}

void region_trace_put_at(struct region_thread *thread, struct region_node *node, unsigned int kind,
			 uint64_t time)
{
	if (__builtin_expect(!thread->trace.has_begun, 0))
		begin_trace(thread);
	put(thread, node, kind, time);
}

void region_trace_put(struct region_thread *thread, struct region_node *node, unsigned int kind)
{
	region_trace_put_at(thread, node, kind, region_trace_now(thread));
}

/* ---- A thread's begin and end ---- */

void region_trace_prepare(struct region_thread *thread)
{
	struct region_trace *trace = &thread->trace;

	/* A child has the memory of its parent. */
	*trace = (struct region_trace) {
		.is_on = region_trace_file_is_wanted(), .fast = UINT64_MAX, .chunk = trace->chunk,
	};
	thread->is_traced = trace->is_on;
	if (!trace->is_on)
		return;
	trace->uses_ns = uses_ns();
	trace->begun = time_now(trace);
}

void region_trace_end(struct region_thread *thread)
{
	struct region_trace *trace = &thread->trace;
	struct region_trace_chunk *chunk;

	if (trace->at)
		turn_over(thread, true);
	lock(trace);
	chunk = trace->chunk;
	trace->chunk = NULL;
	unlock(trace);
	if (chunk)
		munmap(chunk, REGION_TRACE_CHUNK_BYTES);
}

/* ---- All threads ---- */

static void save_thread(struct region_thread *thread, struct region_trace_counts *counts)
{
	struct region_trace *trace = &thread->trace;
	bool is_mine = false;

	for (unsigned int i = 0; i < REGION_TRIES && !is_mine; i++) {
		is_mine = try_lock(trace);
		if (!is_mine)
			region_wait(i);
	}
	if (is_mine && __atomic_load_n(&trace->at, __ATOMIC_ACQUIRE) && !write_chunk(thread))
		counts->lost += unwritten_events(trace);
	if (is_mine)
		unlock(trace);
	counts->lost += trace->lost;
}

static int save_all(void)
{
	struct region_trace_counts counts = { .threads_missed = region_process_threads_missed() };
	bool is_on = false;

	if (!region_process_threads() || !region_process_is_here())
		return -ENODATA;
	for (struct region_thread *thread = region_process_threads(); thread; thread = thread->next) {
		if (!thread->trace.is_on || !thread->trace.has_begun)
			continue;
		is_on = true;
		save_thread(thread, &counts);
		counts.missed += thread->missed;
		counts.unmatched += thread->unmatched;
	}
	if (!is_on)
		return -ENODATA;
	region_trace_save_names();
	region_trace_file_count(&counts);
	return region_trace_file_is_open() ? 0 : -EIO;
}

/* Holds off signal handlers: one could fill the buffer and wait for its own thread. */
int region_trace_save(void)
{
	bool was_held = region_thread_hold();
	int error = save_all();

	region_thread_release(was_held);
	return error;
}
