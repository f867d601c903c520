/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Named buffers: further sets of per-CPU buffers, beside those of runs, for chosen events.
 *
 *	an EVENT of a module or probe			/proc/evtlog/named/NAME/
 *	  |  its id has a route (event/route.h)		  cpu0 cpu1 ...	read, poll, mmap, SIGIO, io_uring
 *	  v						  status events format
 *	write.c: evtlog_ring_write_row() -> ring of this CPU -> read.c, file.c
 *
 * Each CPU's ring is a struct evtlog_ring of its own, written and read by ring.c as those of runs,
 * with the same buffers and headers: losses have the interval in which they were, and what is read
 * is decoded as what cpuN of /proc/evtlog gives.  But it follows no run: it records from when
 * it is added until it is ended or deleted.  Its headers have EVTLOG_BUFFER_NAMED, the name in
 * place of a run's, and as @run the number of the named buffer, counted since boot.
 *
 * An event goes to one place: a named buffer, or the runs'.  Events of runs cost no instruction
 * more: put.c and a probe's machine code look for a route where their slow path begins, and
 * the sites of built-in events are patched (event/builtin.c).
 * Formats (EVENT_FORMAT) are written to each ring when an event is sent here.
 *
 * A global one has one ring for all CPUs, whose records are in the order in which they were
 * written: global.c.  Its folder has one file, "all", in place of cpu0, cpu1 ...
 *
 * One writer at a time: the ring's CPU, interrupts off.  The fast writer of ring.h is used, as in
 * runs, if nothing is to be decided after the record: write.c lets it in.  Other records are
 * committed: if the event is urgent, or a reader's watermark is reached, the buffer is then passed
 * on before it is full, unless the writer would have none.  In that case the reader, who is
 * awake, asks for it when it returns a buffer.  A work checks watermarks in time, and asks the
 * ring's CPU.  Each ring has an irq_work that wakes readers.
 *
 * A named buffer is freed once nothing can reach it: route.c waits for writers, proc_remove() for
 * readers, which are woken before.  A reader can stay for as long as its memory blocks: the task
 * that deletes the buffer waits for it without a lock, and can be killed.  A task that polls stays
 * in a wait queue until it looks again: queues belong to slots and are never freed, nor are the
 * per-CPU parts, whose addresses are in probes' machine code.
 *
 * table.c executes one order at a time.  Its lock guards all; it nests in the CPU hotplug lock,
 * and the event table's lock nests in it.
 */
#ifndef EVTLOG_NAMED_NAMED_H
#define EVTLOG_NAMED_NAMED_H

#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "buffers.h"
#include "consumer.h"
#include "event/route.h"
#include "proc.h"
#include "ring.h"

#define EVTLOG_NAMED_MAX	EVTLOG_EVENT_ROUTES_MAX
#define EVTLOG_NAMED_ERROR_LEN	160

struct evtlog_filter;
struct fasync_struct;
struct iov_iter;
struct proc_dir_entry;
struct seq_file;

/*
 * struct evtlog_named_cpu - a CPU's part
 * @ring:	its buffers; its @busy is set from a record's begin until it is committed
 * @owner:	whose it is
 * @cpu:	its number
 * @is_within:	of a global one: this CPU is about to write, or does: see global.c
 * @open:	see struct evtlog_event_route
 *
 * The writer's:
 * @records:	of events, written
 * @rejected:	by the filter
 * @before:	@records when the ring's buffer @since_buffer began
 * @overwritten: buffers that were given up for newer ones, before they were read
 * @urgent:	a record of the current buffer is
 * @due:	that should be passed on, and was not: no other was free
 *
 * The reader's, which the writer looks at:
 * @mark_bytes, @mark_records: how many in a buffer pass it on
 * @mark_ms:	how old its first one may be; 0: any age
 *
 * @consumer:	the file that takes buffers
 * @fasync:	whom SIGIO goes to
 * @work:	wakes readers
 * @queue:	where they wait: of the slot
 */
struct evtlog_named_cpu {
	struct evtlog_ring ring;
	struct evtlog_named *owner;
	unsigned int cpu;
	bool is_within;
	u32 open;

	u64 records;
	u64 rejected;
	u64 overwritten;
	u64 since_buffer;
	u64 before;
	bool urgent;
	bool due;

	u32 mark_bytes;
	u32 mark_records;
	u32 mark_ms;

	struct evtlog_consumer consumer;
	struct fasync_struct *fasync;
	struct irq_work work;
	struct wait_queue_head *queue;
};

/*
 * struct evtlog_named - a named buffer
 * @list:	in the table, in the order in which they were added, or among the deleted ones
 * @ring_owner:	of its rings; has the name
 * @route:	of its events; has its lists of names, which are kept in @text
 * @text:	as it was ordered, cut into words
 * @geometry:	of each CPU's buffers
 * @serial:	how many there had been since boot, with it
 * @filter:	of all its events, or NULL; @condition is its text
 * @by_field:	the text asks for fields of its events, all of them built-in ones: it stands before
 *		their hooks, and @filter is NULL.  @stubs is that code, until the hooks call it
 * @types:	built-in events that go there, a bit for each
 * @cpus:	per-CPU
 * @shared:	of a global one: the part whose ring all CPUs write; else NULL
 * @ring_lock:	of a global one: guards that ring's writer's side, and:
 * @last_ticks:	no record is older than this
 * @last_cpu, @last_pid: of the last record; of each buffer's first they are told in any case
 * @dir:	its folder
 * @overwrites:	a flight recorder: without a free buffer the oldest one is given up.  It is read once
 *		it has ended
 * @is_open:	events go there
 * @has_ended:	all is written: readers get an end of file behind the last buffer
 * @is_deleted:	reads that begin from now on fail with -EIO, before the files are removed, too
 * @cpus_in_run: CPUs that had buffers
 * @finish_lock: guards the rings' ends
 * @aging:	passes on what is old
 * @disposal:	frees it once it is deleted
 * @slot:	which of EVTLOG_NAMED_MAX
 */
struct evtlog_named {
	struct list_head list;
	struct evtlog_ring_owner ring_owner;
	struct evtlog_event_route route;
	char *text;
	struct evtlog_geometry geometry;
	u64 serial;
	struct evtlog_filter *filter;
	const char *condition;
	bool by_field;
	void **stubs;
	u64 types;
	struct evtlog_named_cpu __percpu *cpus;
	struct evtlog_named_cpu *shared;
	arch_spinlock_t ring_lock;
	u64 last_ticks;
	u32 last_cpu;
	u32 last_pid;
	struct proc_dir_entry *dir;
	bool overwrites;
	bool is_open;
	bool has_ended;
	bool is_deleted;
	u32 cpus_in_run;
	struct mutex finish_lock;
	struct delayed_work aging;
	struct work_struct disposal;
	unsigned int slot;
};

/* write.c */
int evtlog_named_reserve(struct evtlog_event_route *route, u32 tag, unsigned int bytes,
			 bool urgent, u64 **record);
void evtlog_named_commit(struct evtlog_event_route *route);
void evtlog_named_drop(struct evtlog_event_route *route, unsigned int cause);
void evtlog_named_handed_over(struct evtlog_ring *r);
void evtlog_named_pass_on(struct evtlog_named_cpu *c);

/* global.c */
int evtlog_named_global_reserve(struct evtlog_event_route *route, u32 tag, unsigned int bytes,
				bool urgent, u64 **record);
void evtlog_named_global_commit(struct evtlog_event_route *route);
void evtlog_named_global_drop(struct evtlog_event_route *route, unsigned int cause);
void evtlog_named_global_close(struct evtlog_named *n);
void evtlog_named_global_pass_on(struct evtlog_named *n);
void evtlog_named_global_end(struct evtlog_named *n);
unsigned long evtlog_named_global_hold(struct evtlog_named *n);
void evtlog_named_global_release(struct evtlog_named *n, unsigned long flags);

/* read.c */
void evtlog_named_wake(struct evtlog_named_cpu *c);
void evtlog_named_wake_work(struct irq_work *work);
void evtlog_named_age(struct work_struct *work);
void evtlog_named_ask(struct evtlog_named_cpu *c);
int evtlog_named_lock_full(struct evtlog_named_cpu *c, const struct file *file, bool waits);
void evtlog_named_returned(struct evtlog_named_cpu *c);
bool evtlog_named_is_readable(const struct evtlog_named_cpu *c);
void evtlog_named_close(struct evtlog_named_cpu *c, struct file *file);
int evtlog_named_set_mark(struct evtlog_named_cpu *c, const struct file *file,
			  const struct evtlog_watermark *mark);

/* table.c, for watches: the lock is taken within that of CPU hotplug */
extern struct wait_queue_head evtlog_named_handed;
void evtlog_named_lock(void);
void evtlog_named_unlock(void);
struct evtlog_named *evtlog_named_find(const char *name);
int evtlog_named_hand_over(const char *name);
int evtlog_named_freeze(const char *name, u64 serial, u64 *from_ticks, u64 *types);

/* types.c */
int evtlog_named_types_come(u64 types);
void evtlog_named_types_gone(u64 types, bool is_deleted);
void evtlog_named_types_run_stopped(void);

/* flight.c */
u64 *evtlog_named_flight_formats(struct evtlog_named *n, size_t *words);
u64 evtlog_named_flight_end(struct evtlog_named *n, u64 *formats, size_t words);

/* file.c */
extern const struct proc_ops evtlog_named_cpu_ops;

/* parse.c */
extern char evtlog_named_error[EVTLOG_NAMED_ERROR_LEN];
#define evtlog_named_refuse(code, ...) \
	evtlog_refuse(evtlog_named_error, sizeof(evtlog_named_error), code, __VA_ARGS__)
int evtlog_named_parse(struct evtlog_named *n, char *text);

/* rings.c */
void evtlog_named_init_queues(void);
void evtlog_named_init_cpu(struct evtlog_named *n, unsigned int cpu);
int evtlog_named_make_parts(struct evtlog_named *n);
int evtlog_named_give_buffers(struct evtlog_named *n, unsigned int cpu);
void evtlog_named_open_parts(struct evtlog_named *n, u32 number);
void evtlog_named_end_cpu(struct evtlog_named *n, unsigned int cpu);

/* folder.c */
int evtlog_named_make_folder(struct evtlog_named *n, struct proc_dir_entry *parent);
void evtlog_named_show(struct seq_file *m, struct evtlog_named *n);

#endif /* EVTLOG_NAMED_NAMED_H */
