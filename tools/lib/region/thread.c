// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Threads and their regions: begin and end.
 */
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <linux/membarrier.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/region/paths.h"
#include "lib/region/process.h"
#include "lib/region/thread.h"

#define CHUNK_BYTES	(64 * 1024)

/* The calling thread; the TLS model needs no function call. */
static __thread struct region_thread *self __attribute__((tls_model("initial-exec")));
/* The thread has no tree: it is being made, or there was no space. */
static __thread volatile bool has_none __attribute__((tls_model("initial-exec")));
static pthread_key_t key_of_end;
static bool has_key;

/* The thread may have set its name by now, and the name is unavailable later. */
static void note_name(struct region_thread *thread)
{
	thread->pid = getpid();
	thread->tid = gettid();
	if (thread->is_named)
		return;
	prctl(PR_GET_NAME, thread->comm);
	thread->comm[sizeof(thread->comm) - 1] = '\0';
}

static void forget(struct region_node *node, uint64_t now)
{
	for (struct region_node *child = node->first; child; child = child->next)
		forget(child, now);
	node->count = node->inclusive = node->largest = 0;
	node->start = now;
	node->sums = (struct region_sums){ 0 };
	node->trace_number = 0;
	node->is_named = false;
}

/*
 * The thread was in another process: its open regions continue in this one from now on.  Returns
 * false if this is the same process, which ends.
 */
static __attribute__((noinline)) bool renew(struct region_thread *thread)
{
	int error = errno;

	region_process_check();
	if (region_process.ends)
		return false;
	/* The page is of the parent and is not mapped here. */
	region_clock_open(&thread->clock);
	note_name(thread);
	thread->born = thread->clock.now;
	thread->missed = thread->unmatched = thread->mark = 0;
	forget(&thread->root, thread->born);
	region_trace_prepare(thread);
	region_process_room();
	region_process_add(thread);
	errno = error;
	return true;
}

/* Enters the library.  Returns false if a signal interrupted the library, or the process ends. */
static inline bool enter(struct region_thread *thread)
{
	if (thread->busy)
		return false;
	thread->busy = true;
	__asm__ volatile("" ::: "memory");
	if (__builtin_expect(thread->process != region_process.mark, 0) && !renew(thread)) {
		thread->busy = false;
		return false;
	}
	return true;
}

static inline void leave_library(struct region_thread *thread)
{
	__asm__ volatile("" ::: "memory");
	thread->busy = false;
}

bool region_thread_hold(void)
{
	bool was_held = !self || self->busy;

	if (!was_held)
		self->busy = true;
	__asm__ volatile("" ::: "memory");
	return was_held;
}

void region_thread_release(bool was_held)
{
	if (!was_held)
		leave_library(self);
}

static void end_thread(void *value)
{
	struct region_thread *thread = value;

	thread->busy = true;
	if (thread->process != region_process.mark && !renew(thread)) {
		thread->busy = false;
		return;
	}
	region_clock_charge(&thread->clock, &thread->top->sums);
	note_name(thread);
	thread->end = thread->clock.now;
	region_trace_end(thread);
	region_clock_close(&thread->clock);
	/* Regions in later destructors are not counted. */
	__atomic_store_n(&thread->has_ended, true, __ATOMIC_RELEASE);
}

static __attribute__((noinline)) struct region_thread *new_thread(void)
{
	struct region_thread *thread;
	/* The begin of a region must not change errno. */
	int error = errno;

	if (has_none)
		return NULL;
	/* Signal handlers count no regions until the tree is made; without space, nothing does. */
	has_none = true;
	region_process_check();
	if (region_process.ends) {
		errno = error;
		return NULL;
	}
	thread = region_process_room() ? region_memory(CHUNK_BYTES) : NULL;
	if (!thread) {
		region_process_missed();
		errno = error;
		return NULL;
	}
	thread->free = (struct region_node *)(thread + 1);
	thread->free_end = (char *)thread + CHUNK_BYTES;
	thread->top = &thread->root;
	/* No region has this key. */
	thread->root.key = thread;
	note_name(thread);
	region_trace_prepare(thread);
	region_clock_open(&thread->clock);
	thread->born = thread->clock.now;
	if (has_key)
		pthread_setspecific(key_of_end, thread);
	region_process_add(thread);
	self = thread;
	errno = error;
	return thread;
}

/* Copies the name: a plug-in can be unloaded.  Nodes grow from the front, names from the end. */
static struct region_node *new_node(struct region_thread *thread, const void *key, bool is_function)
{
	size_t bytes = is_function ? 0 : strnlen(key, REGION_NAME_MAX) + 1;
	struct region_node *node;

	if (thread->nr_nodes >= REGION_NODES_MAX)
		return NULL;
	if ((size_t)(thread->free_end - (char *)thread->free) < sizeof(*node) + bytes) {
		char *more = region_memory(CHUNK_BYTES);

		if (!more)
			return NULL;
		thread->free = (struct region_node *)more;
		thread->free_end = more + CHUNK_BYTES;
	}
	thread->nr_nodes++;
	node = thread->free++;
	node->key = key;
	node->is_function = is_function;
	if (bytes) {
		thread->free_end -= bytes;
		node->name = memcpy(thread->free_end, key, bytes - 1);
	}
	return node;
}

static inline bool is(const struct region_node *node, const void *key, bool is_function)
{
	return node->key == key && node->is_function == is_function;
}

/* Slow path: tries the region that followed last time, then all, then makes a new one. */
static __attribute__((noinline)) struct region_node *
find_child(struct region_thread *thread, const void *key, bool is_function)
{
	struct region_node *parent = thread->top, *last = parent->recent, *node;

	node = last ? last->follower : NULL;
	if (!node || !is(node, key, is_function)) {
		for (node = parent->first; node && !is(node, key, is_function); node = node->next)
			;
	}
	if (!node) {
		node = new_node(thread, key, is_function);
		if (!node)
			return NULL;
		node->parent = parent;
		node->next = parent->first;
		/* Pairs with put_nodes(), which may read the list at the same time. */
		__atomic_store_n(&parent->first, node, __ATOMIC_RELEASE);
	}
	if (last)
		last->follower = node;
	parent->recent = node;
	return node;
}

/* Traces a begin or end; the frequent case is inline. */
static inline void trace(struct region_thread *thread, struct region_node *node, unsigned int kind)
{
	struct region_trace *trace = &thread->trace;
	uint64_t time = thread->clock.now, *at = trace->at;

	if (__builtin_expect(!trace->is_on, 1))
		return;
	if (__builtin_expect(time >> 32 != trace->fast || !node->trace_number, 0)) {
		region_trace_put(thread, node, kind);
		return;
	}
	*at++ = region_trace_word(kind, node->trace_number, time);
	__atomic_store_n(&trace->at, at, __ATOMIC_RELEASE);
	if (__builtin_expect(at > trace->limit, 0))
		region_trace_full(thread);
}

static inline void open_node(struct region_thread *thread, struct region_node *node)
{
	node->start = thread->clock.now;
	node->is_open = true;
	thread->top = node;
	thread->depth++;
}

/* The thread is traced, or there is no space for the region. */
static __attribute__((noinline)) void begin_special(struct region_thread *thread,
						    struct region_node *node)
{
	if (!node || thread->skipped || thread->depth >= REGION_DEPTH_MAX) {
		thread->skipped++;
		thread->missed++;
	} else {
		trace(thread, node, REGION_TRACE_ENTER);
		open_node(thread, node);
	}
}

void region_begin(const void *key, bool is_function)
{
	struct region_thread *thread = self;
	struct region_node *node;

	if (!thread)
		thread = new_thread();
	if (!thread || !enter(thread))
		return;
	region_clock_charge(&thread->clock, &thread->top->sums);
	node = thread->top->recent;
	if (!node || !is(node, key, is_function))
		node = thread->depth < REGION_DEPTH_MAX && !thread->skipped ?
		       find_child(thread, key, is_function) : NULL;
	if (__builtin_expect(!node || thread->is_special || thread->depth >= REGION_DEPTH_MAX, 0))
		begin_special(thread, node);
	else
		open_node(thread, node);
	leave_library(thread);
}

static inline void leave(struct region_thread *thread)
{
	struct region_node *node = thread->top;
	uint64_t ticks = thread->clock.now - node->start;

	/* First: pairs with put_node(), which must not count an open region twice. */
	__atomic_store_n(&node->is_open, false, __ATOMIC_RELEASE);
	__asm__ volatile("" ::: "memory");
	node->count++;
	node->inclusive += ticks;
	if (ticks > node->largest)
		node->largest = ticks;
	thread->top = node->parent;
	thread->depth--;
}

/* The same text can be at several addresses. */
static bool is_named(const struct region_node *node, const void *key, bool is_function)
{
	return is(node, key, is_function) ||
	       (key && !is_function && !node->is_function && !strncmp(node->name, key, REGION_NAME_MAX));
}

/* Ends the region and all inner ones.  Returns false if the thread is not in it. */
static __attribute__((noinline)) bool leave_to(struct region_thread *thread, const void *key,
					       bool is_function)
{
	struct region_node *node = thread->top;

	while (node->parent && !is_named(node, key, is_function))
		node = node->parent;
	if (!node->parent)
		return false;
	while (node->is_open) {
		trace(thread, thread->top, REGION_TRACE_LEAVE);
		leave(thread);
	}
	return true;
}

static __attribute__((noinline)) void end_special(struct region_thread *thread, const void *key,
						   bool is_function)
{
	struct region_node *top = thread->top;

	if (thread->skipped) {
		thread->skipped--;
	} else if (is(top, key, is_function) || (!key && top->parent)) {
		trace(thread, top, REGION_TRACE_LEAVE);
		leave(thread);
	} else if (!leave_to(thread, key, is_function)) {
		thread->unmatched++;
	}
}

void region_end(const void *key, bool is_function)
{
	struct region_thread *thread = self;
	struct region_node *top;

	if (!thread || !enter(thread))
		return;
	top = thread->top;
	region_clock_charge(&thread->clock, &top->sums);
	if (__builtin_expect(thread->is_special, 0))
		end_special(thread, key, is_function);
	else if (__builtin_expect(is(top, key, is_function) || (!key && top->parent), 1))
		leave(thread);
	else if (!leave_to(thread, key, is_function))
		thread->unmatched++;
	leave_library(thread);
}

void region_mark(void)
{
	struct region_thread *thread = self;

	if (!thread)
		thread = new_thread();
	if (!thread || !enter(thread))
		return;
	region_clock_charge(&thread->clock, &thread->top->sums);
	thread->mark = thread->clock.now;
	thread->mark_time = region_trace_now(thread);
	leave_library(thread);
}

/* Each charge moves the clock: a part of the time then belongs to another region. */
static void make_marked(struct region_thread *thread, const char *name)
{
	struct region_node *node = NULL;

	if (!thread->mark || thread->mark != thread->clock.now)
		return;
	if (thread->depth < REGION_DEPTH_MAX && !thread->skipped)
		node = find_child(thread, name, false);
	if (!node) {
		thread->missed++;
		return;
	}
	if (thread->trace.is_on)
		region_trace_put_at(thread, node, REGION_TRACE_ENTER, thread->mark_time);
	open_node(thread, node);
	region_clock_charge(&thread->clock, &node->sums);
	trace(thread, node, REGION_TRACE_LEAVE);
	leave(thread);
}

void region_since_mark(const char *name)
{
	struct region_thread *thread = self;

	if (!thread || !enter(thread))
		return;
	make_marked(thread, name);
	thread->mark = 0;
	leave_library(thread);
}

void region_thread_name(const char *name)
{
	struct region_thread *thread = self;

	if (!thread)
		thread = new_thread();
	if (!thread || !enter(thread))
		return;
	thread->is_named = true;
	strncpy(thread->comm, name, sizeof(thread->comm) - 1);
	leave_library(thread);
}

void region_charge(void)
{
	struct region_thread *thread = self;

	if (!thread || !enter(thread))
		return;
	region_clock_charge(&thread->clock, &thread->top->sums);
	note_name(thread);
	leave_library(thread);
}

/* Either this thread sees others in the library, or they see their changed @process. */
static void order_threads(void)
{
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0))
		syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}

void region_thread_end_others(void)
{
	struct region_thread *thread, *first;
	unsigned int try = 0;
	bool others = false;

	region_process_check();
	region_process.ends = true;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	/* Threads that are added later check @ends themselves. */
	first = region_process_threads();
	for (thread = first; thread; thread = thread->next) {
		if (thread == self || __atomic_load_n(&thread->has_ended, __ATOMIC_ACQUIRE))
			continue;
		__atomic_store_n(&thread->process, REGION_PROCESS_ENDS, __ATOMIC_RELAXED);
		others = true;
	}
	if (!others)
		return;
	order_threads();
	for (thread = first; thread; thread = thread->next) {
		while (thread != self && thread->busy && try < REGION_TRIES &&
		       !__atomic_load_n(&thread->has_ended, __ATOMIC_ACQUIRE))
			region_wait(try++);
	}
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
}

static void begin_child(void)
{
	region_process.mark = 0;
	if (self)
		renew(self);
	else
		region_process_check();
}

static __attribute__((constructor)) void set_up(void)
{
	region_process_set_up();
	/* Before other threads exist, which would do it concurrently */
	region_process_check();
	region_paths_set_up();
	syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
	has_key = !pthread_key_create(&key_of_end, end_thread);
	pthread_atfork(NULL, NULL, begin_child);
}
