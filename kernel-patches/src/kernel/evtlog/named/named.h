/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Named buffers: sets of per-CPU buffers for chosen events, in addition to the buffers of runs.
 *
 *	an EVENT of a module or probe			/proc/evtlog/named/NAME/
 *	  |  its id has a route (event/route.h)		  cpu0 cpu1 ...	read, poll, mmap, SIGIO, io_uring
 *	  v						  status events format
 *	write.c: evtlog_ring_write_row() -> ring of this CPU -> read.c, file.c
 *
 * Each CPU's ring is a separate struct evtlog_ring, which ring.c writes and reads as it does for
 * runs, with the same buffers and headers.  So each loss is reported with its interval, and readers
 * decode the data like data of /proc/evtlog/cpuN.  But the ring follows no run: it records from the
 * time when the named buffer is added until it is ended or deleted.  Its headers have
 * EVTLOG_BUFFER_NAMED, its name in place of a run's, and as @run the number of the named buffer,
 * counted since boot.
 *
 * An event goes to one place: a named buffer, or the buffers of runs.  Events of runs do not cost
 * an additional instruction: put.c and a probe's machine code look for a route at the begin of
 * their slow path, and the sites of built-in events are patched (event/builtin.c).  When an event
 * is sent to a named buffer, its format (EVENT_FORMAT) is written to each ring.  On a CPU that comes
 * up later, all formats precede the next record.
 *
 * A global named buffer has one ring for all CPUs, whose records are in the order in which they
 * were written (global.c).  Its folder has one file "all" in place of cpu0, cpu1 ...
 *
 * One writer at a time: the ring's CPU, interrupts off.  As in runs, the fast path of ring.h is
 * used, if nothing needs to be checked after the record: write.c enables it.  Other records are
 * committed.  If the event is urgent, or a reader's watermark is reached, the buffer is then handed
 * over before it is full, unless the writer would have no other buffer.  In this case the reader,
 * which is awake, requests the buffer when it returns another one.  A work item checks the age of
 * records, and interrupts the ring's CPU.  Each ring has an irq_work that wakes readers.
 *
 * A named buffer is freed when nothing can reach it: route.c waits for writers, proc_remove() for
 * readers, which are woken before.  A reader can stay as long as its memory blocks: the task that
 * deletes the buffer waits for it without a lock, and can be killed.  A task that polls stays in a
 * wait queue until it polls again.  So the queues belong to slots and are never freed, and neither
 * are the per-CPU parts, whose addresses are in probes' machine code.
 *
 * table.c executes one order at a time.  Its lock guards all data, and nests inside the CPU hotplug
 * lock.  The event table's lock nests inside the lock of table.c.
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
 * @ring:	its buffers; @busy is set from a record's begin until it is committed
 * @owner:	the named buffer
 * @cpu:	its number
 * @is_within:	global: this CPU is writing, or about to write: see global.c
 * @open:	see struct evtlog_event_route
 *
 * Used by the writer:
 * @records:	of events, written
 * @rejected:	by the filter
 * @before:	@records when the ring's buffer @since_buffer began
 * @overwritten: buffers that were overwritten before they were read
 * @urgent:	the current buffer has an urgent record
 * @due:	the current buffer should be handed over, but no other buffer was free
 *
 * Set by the reader, read by the writer:
 * @mark_bytes, @mark_records: number in a buffer at which it is handed over
 * @mark_ms:	largest age of its first record; 0: any age
 *
 * @formats:	of the events, @formats_words long: they precede the next record if @formats_due
 *
 * @consumer:	the file that takes buffers
 * @fasync:	receivers of SIGIO
 * @work:	wakes readers
 * @queue:	where readers wait; belongs to the slot
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

	u64 *formats;
	size_t formats_words;
	bool formats_due;

	struct evtlog_consumer consumer;
	struct fasync_struct *fasync;
	struct irq_work work;
	struct wait_queue_head *queue;
};

/*
 * struct evtlog_named - a named buffer
 * @list:	in the table, in the order in which they were added, or among the deleted ones
 * @ring_owner:	of its rings; contains the name
 * @route:	of its events; contains its lists of names, which point into @text
 * @text:	of the order, divided into words
 * @geometry:	of each CPU's buffers
 * @serial:	number of the named buffer, counted since boot
 * @filter:	of all its events, or NULL; @condition is its text
 * @by_field:	the filter uses fields of its events, which are all built-in ones.  It is called in
 *		front of their hooks, and @filter is NULL.  @stubs is its code, until the hooks call
 *		it
 * @types:	built-in events that go there, a bit for each
 * @cpus:	per-CPU parts
 * @shared:	global: the part whose ring all CPUs write; else NULL
 * @ring_lock:	global: guards the writer's side of that ring, and:
 * @last_ticks:	no record is older than this
 * @last_cpu, @last_pid: of the last record; always written for the first record of a buffer
 * @dir:	its folder
 * @overwrites:	a flight recorder: if no buffer is free, the oldest one is overwritten.  It is read
 *		after it has ended
 * @is_open:	events go there
 * @has_ended:	all is written: readers get an end of file after the last buffer
 * @is_deleted:	reads that begin now fail with -EIO, even before the files are removed
 * @cpus_in_run: number of CPUs that had buffers
 * @finish_lock: guards the rings' ends
 * @aging:	hands over old buffers
 * @disposal:	frees it after it is deleted
 * @slot:	index, less than EVTLOG_NAMED_MAX
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

/* table.c, for watches: the lock nests inside the CPU hotplug lock */
extern struct wait_queue_head evtlog_named_handed;
void evtlog_named_exit(void);
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
int evtlog_named_init_queues(void);
void evtlog_named_init_cpu(struct evtlog_named *n, unsigned int cpu);
int evtlog_named_make_parts(struct evtlog_named *n);
void evtlog_named_free_all_parts(void);
int evtlog_named_give_buffers(struct evtlog_named *n, unsigned int cpu);
void evtlog_named_owe_formats(struct evtlog_named *n, unsigned int cpu);
void evtlog_named_open_parts(struct evtlog_named *n, u32 number);
void evtlog_named_end_cpu(struct evtlog_named *n, unsigned int cpu);

/* folder.c */
int evtlog_named_make_folder(struct evtlog_named *n, struct proc_dir_entry *parent);
void evtlog_named_show(struct seq_file *m, struct evtlog_named *n);

#endif /* EVTLOG_NAMED_NAMED_H */
