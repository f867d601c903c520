// SPDX-License-Identifier: GPL-2.0-only
/*
 * All named buffers: /proc/evtlog/named/control, where they are added, ended and deleted.
 *
 * An order is "+NAME [global] [KEY=VALUE]... [if FILTER]", "!NAME" or "-NAME".  After its end, a
 * named buffer gets no more events, and readers get an end of file after the last buffer.  When it
 * is deleted, unread data is lost.
 *
 * The CPU hotplug lock must not be held while the sites of built-in events are patched.  So they
 * are patched last: after a buffer is added, while runs are kept out; and after it has ended.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "code/text.h"
#include "event/builtin.h"
#include "event/table.h"
#include "events.h"
#include "feature.h"
#include "filter/hook.h"
#include "named/named.h"
#include "run.h"

#define BUFFERS_DEFAULT		4
#define BUFFER_KB_DEFAULT	256

/* Held during each order */
static DEFINE_MUTEX(orders);
/* Deleted, but not freed, because a reader may still use a file.  Guarded by @dying_lock. */
static LIST_HEAD(dying);
static DEFINE_SPINLOCK(dying_lock);
static DECLARE_WAIT_QUEUE_HEAD(gone);
/* Guards @all, @last_serial and @slots.  Lock order: orders, CPU hotplug, lock. */
static DEFINE_MUTEX(lock);
static LIST_HEAD(all);
static u64 last_serial;
static unsigned long slots;
static struct proc_dir_entry *folder;
static int hotplug_states[2];
/* Guarded by @orders */
static bool is_asleep_soon;

/* Woken together with the readers of any named buffer */
DECLARE_WAIT_QUEUE_HEAD(evtlog_named_handed);

/* Also keeps CPUs from coming and going. */
void evtlog_named_lock(void)
{
	cpus_read_lock();
	mutex_lock(&lock);
}

void evtlog_named_unlock(void)
{
	mutex_unlock(&lock);
	cpus_read_unlock();
}

/**
 * evtlog_named_find() - find a named buffer by its name
 * @name:	its name
 *
 * Context: evtlog_named_lock() is held.
 * Return: the named buffer, valid while the lock is held; NULL: there is none.
 */
struct evtlog_named *evtlog_named_find(const char *name)
{
	struct evtlog_named *n;

	list_for_each_entry(n, &all, list) {
		if (!strcmp(n->ring_owner.name, name))
			return n;
	}
	return NULL;
}

/* Returns true if @named, or a named buffer called @name, is being freed.  Each may be NULL. */
static bool is_dying(const struct evtlog_named *named, const char *name)
{
	const struct evtlog_named *n;
	bool is_found = false;

	spin_lock(&dying_lock);
	list_for_each_entry(n, &dying, list)
		is_found |= n == named || (name && !strcmp(n->ring_owner.name, name));
	spin_unlock(&dying_lock);
	return is_found;
}

static unsigned int rings(const struct evtlog_named *n)
{
	return n->route.is_one ? 1 : num_online_cpus();
}

static int check(const struct evtlog_named *n)
{
	const struct evtlog_geometry *g = &n->geometry;
	u64 pages;

	if (evtlog_named_find(n->ring_owner.name))
		return evtlog_named_refuse(-EEXIST, "buffer %s exists already; delete it first, or choose another name", n->ring_owner.name);
	if (is_dying(NULL, n->ring_owner.name))
		return evtlog_named_refuse(-EBUSY, "deleted buffer %s is still being read; end its readers first", n->ring_owner.name);
	if (n->overwrites && n->route.is_one)
		return evtlog_named_refuse(-EINVAL, "a global buffer cannot overwrite; leave out global or mode=overwrite");
	if (!evtlog_geometry_is_valid(g))
		return evtlog_named_refuse(-EINVAL, "buffers must be %u to %u; kb must be %u to %u, and a multiple of %lu",
			      EVTLOG_BUFFERS_MIN, EVTLOG_BUFFERS_MAX, EVTLOG_BUFFER_KB_MIN,
			      EVTLOG_BUFFER_KB_MAX, PAGE_SIZE / 1024);
	pages = (u64)g->buffers * g->buffer_kb / (PAGE_SIZE / 1024) * rings(n);
	if (pages > si_mem_available() / 2)
		return evtlog_named_refuse(-ENOMEM, "%u CPUs with %u buffers of %u KiB need more than half of the free memory; use fewer or smaller buffers",
			      rings(n), g->buffers, g->buffer_kb);
	return 0;
}

/* Frees all but @n itself, which may be in the list of deleted ones. */
static void free_parts(struct evtlog_named *n)
{
	unsigned int cpu;

	if (n->cpus) {
		for_each_possible_cpu(cpu) {
			irq_work_sync(&per_cpu_ptr(n->cpus, cpu)->work);
			evtlog_buffers_free_ring(&per_cpu_ptr(n->cpus, cpu)->ring);
			kvfree(per_cpu_ptr(n->cpus, cpu)->formats);
		}
	}
	if (n->serial)
		clear_bit_unlock(n->slot, &slots);
	evtlog_text_free(n->route.accepts);
	evtlog_filter_free(n->filter);
	evtlog_builtin_free_stubs(n->stubs);
	kfree(n->stubs);
	kfree(n->text);
}

/* Waits for readers, and closes open files. */
static void dispose(struct work_struct *work)
{
	struct evtlog_named *n = container_of(work, struct evtlog_named, disposal);

	proc_remove(n->dir);
	cancel_delayed_work_sync(&n->aging);
	free_parts(n);
	spin_lock(&dying_lock);
	list_del(&n->list);
	spin_unlock(&dying_lock);
	kfree(n);
	wake_up_all(&gone);
}

/* The named buffer is in no list any more. */
static void bury(struct evtlog_named *n)
{
	spin_lock(&dying_lock);
	list_add_tail(&n->list, &dying);
	spin_unlock(&dying_lock);
	queue_work(system_unbound_wq, &n->disposal);
}

/* Generates the code that hooks of its events call, if its filter uses their fields. */
static int make_stubs(struct evtlog_named *n)
{
	int error = -ENOMEM;

	n->stubs = kcalloc(evtlog_nr_builtins, sizeof(*n->stubs), GFP_KERNEL);
	if (n->stubs)
		error = evtlog_filter_routed_stubs(n->types, n->condition, &n->cpus->rejected,
						   n->stubs);
	return error ? evtlog_named_refuse(error, "not enough memory for the filter's code") : 0;
}

static int prepare(struct evtlog_named *n)
{
	unsigned int cpu;

	n->slot = find_first_zero_bit(&slots, EVTLOG_NAMED_MAX);
	if (n->slot == EVTLOG_NAMED_MAX)
		return evtlog_named_refuse(-ENOSPC, "there are %u named buffers already, the maximum; delete one first", EVTLOG_NAMED_MAX);
	if (evtlog_named_make_parts(n))
		return evtlog_named_refuse(-ENOMEM, "not enough memory");
	set_bit(n->slot, &slots);
	n->serial = ++last_serial;
	if (n->filter)
		n->route.accepts = evtlog_filter_function(n->filter);
	n->ring_owner.handed_over = evtlog_named_handed_over;
	n->ring_owner.is_global = n->route.is_one;
	n->ring_lock = (arch_spinlock_t)__ARCH_SPIN_LOCK_UNLOCKED;
	if (n->route.is_one)
		n->shared = per_cpu_ptr(n->cpus, cpumask_first(cpu_possible_mask));
	for_each_possible_cpu(cpu)
		evtlog_named_init_cpu(n, cpu);
	for_each_possible_cpu(cpu) {
		if ((n->shared || cpu_online(cpu)) && evtlog_named_give_buffers(n, cpu))
			return evtlog_named_refuse(-ENOMEM, "not enough memory for %u buffers of %u KiB on each CPU; use fewer or smaller buffers",
				      n->geometry.buffers, n->geometry.buffer_kb);
	}
	if (evtlog_named_make_folder(n, folder))
		return evtlog_named_refuse(-ENOMEM, "not enough memory");
	return n->by_field ? make_stubs(n) : 0;
}

/* Lets writers use the rings directly, if no other member is needed for a record. */
static void open_to_fast_writers(struct evtlog_named *n)
{
	struct evtlog_event_route *route = &n->route;

	if (n->shared || (n->filter && !route->accepts))
		return;
	route->ring = &n->cpus->ring;
	route->records = &n->cpus->records;
	route->rejected = &n->cpus->rejected;
	route->open = &n->cpus->open;
	route->number = (u32)n->serial;
	evtlog_named_open_parts(n, route->number);
}

static int open_named(struct evtlog_named *n)
{
	char culprit[EVTLOG_EVENT_NAME_MAX + 1];
	int error;

	open_to_fast_writers(n);
	n->route.name = n->ring_owner.name;
	n->route.reserve = n->shared ? evtlog_named_global_reserve : evtlog_named_reserve;
	n->route.commit = n->shared ? evtlog_named_global_commit : evtlog_named_commit;
	n->route.drop = n->shared ? evtlog_named_global_drop : evtlog_named_drop;
	error = evtlog_event_route_add(&n->route, culprit, sizeof(culprit));
	if (!error) {
		n->is_open = true;
		return 0;
	}
	evtlog_named_open_parts(n, 0);
	if (error == -EBUSY)
		return evtlog_named_refuse(error, "event %s goes to another named buffer, or is a probe's; delete the probe, and add it again after this buffer",
			      culprit);
	return evtlog_named_refuse(error, "there are too many named buffers; delete one first");
}

/*
 * The lock is held; evtlog_named_types_gone() must follow.  Returns the time from which on a flight
 * recorder has all events; 0: from its beginning.
 */
static u64 end(struct evtlog_named *n)
{
	unsigned int cpu;
	size_t words = 0;
	u64 *formats, from;

	if (!n->is_open)
		return 0;
	evtlog_builtin_close(n->types);
	evtlog_named_open_parts(n, 0);
	formats = evtlog_named_flight_formats(n, &words);
	evtlog_event_route_remove(&n->route);
	n->is_open = false;
	for_each_possible_cpu(cpu)
		n->cpus_in_run += per_cpu_ptr(n->cpus, cpu)->ring.in_run;
	for_each_possible_cpu(cpu)
		evtlog_named_end_cpu(n, cpu);
	from = evtlog_named_flight_end(n, formats, words);
	/* Pairs with the acquire in evtlog_named_lock_full(): the last buffers are complete. */
	smp_store_release(&n->has_ended, true);
	for_each_possible_cpu(cpu)
		evtlog_named_wake(per_cpu_ptr(n->cpus, cpu));
	return from;
}

/**
 * evtlog_named_hand_over() - wake a named buffer's reader: all CPUs hand over their buffers
 * @name:	its name
 *
 * The reader of a flight recorder waits for its end.
 *
 * Context: task context, may sleep; takes the locks of CPU hotplug and named buffers.
 * Return: 0; -ENOENT: there is none, or it has ended.
 */
int evtlog_named_hand_over(const char *name)
{
	struct evtlog_named *n;
	unsigned int cpu;

	evtlog_named_lock();
	n = evtlog_named_find(name);
	if (n && n->has_ended)
		n = NULL;
	if (n && n->shared) {
		evtlog_named_ask(n->shared);
	} else if (n && !n->overwrites) {
		for_each_online_cpu(cpu)
			evtlog_named_ask(per_cpu_ptr(n->cpus, cpu));
	}
	evtlog_named_unlock();
	return n ? 0 : -ENOENT;
}

/**
 * evtlog_named_freeze() - end a flight recorder, so that it can be read
 * @name:	its name, which another named buffer may have by now
 * @serial:	its number
 * @from_ticks:	set to the time from which on it has all events; 0: from its beginning
 * @types:	set to its built-in events, for evtlog_named_types_gone(), which takes long
 *
 * Context: task context, may sleep; takes the locks of CPU hotplug, named buffers and runs.
 * Return: 0; -ENOENT: there is none, it has ended, or it is no flight recorder.
 */
int evtlog_named_freeze(const char *name, u64 serial, u64 *from_ticks, u64 *types)
{
	struct evtlog_named *n;
	int error = -ENOENT;

	/* It may still be added: then its events are not routed yet. */
	mutex_lock(&orders);
	evtlog_named_lock();
	n = evtlog_named_find(name);
	if (n && n->is_open && n->overwrites && n->serial == serial) {
		*from_ticks = end(n);
		*types = n->types;
		error = 0;
	}
	evtlog_named_unlock();
	mutex_unlock(&orders);
	return error;
}

/* Frees a named buffer that could not be added. */
static void discard(struct evtlog_named *n)
{
	unsigned int cpu;

	if (!n->dir) {
		free_parts(n);
		kfree(n);
		return;
	}
	/* A file may be open already. */
	WRITE_ONCE(n->has_ended, true);
	for_each_possible_cpu(cpu)
		evtlog_named_wake(per_cpu_ptr(n->cpus, cpu));
	bury(n);
}

static int add_here(struct evtlog_named *n)
{
	u64 types = n->types;
	bool has_come = false;
	int error = evtlog_events_prepare_types(types);

	if (error)
		error = evtlog_named_refuse(error, "the kernel does not switch on the hooks of these events (%pe); see the end of dmesg",
					    ERR_PTR(error));
	evtlog_named_lock();
	error = error ?: check(n);
	if (!error)
		error = prepare(n);
	if (!error && evtlog_named_types_come(types))
		error = evtlog_named_refuse(-EBUSY, "the present run records no events of probes and modules; stop it first");
	else if (!error)
		has_come = true;
	if (!error)
		error = open_named(n);
	if (!error)
		list_add_tail(&n->list, &all);
	evtlog_named_unlock();
	evtlog_events_settle();
	if (error && has_come)
		evtlog_named_types_gone(types, true);
	return error;
}

static int refuse_taken(u64 taken)
{
	const char *name = evtlog_type_name(__ffs64(taken));

	if (evtlog_events_routed() & taken)
		return evtlog_named_refuse(-EBUSY, "event %s goes to another named buffer already; delete that buffer first", name);
	return evtlog_named_refuse(-EBUSY, "event %s has a filter; remove it, and give the named buffer a filter instead", name);
}

static int add_with_types(struct evtlog_named *n)
{
	u64 taken, types = n->types;
	int error = evtlog_run_change_begin();

	if (error)
		return evtlog_named_refuse(error, "built-in events cannot be sent to a named buffer during a run; stop the run first");
	taken = evtlog_builtin_taken(types);
	error = taken ? refuse_taken(taken) : add_here(n);
	if (!error)
		evtlog_builtin_route(types, &n->route, n->stubs);
	evtlog_run_change_end();
	return error;
}

static int add(const char *text, const struct evtlog_named **deleted)
{
	struct evtlog_named *n = kzalloc(sizeof(*n), GFP_KERNEL);
	int error;

	if (n)
		n->text = kstrdup(text, GFP_KERNEL);
	if (!n || !n->text) {
		kfree(n);
		return evtlog_named_refuse(-ENOMEM, "not enough memory");
	}
	n->geometry.buffers = BUFFERS_DEFAULT;
	n->geometry.buffer_kb = BUFFER_KB_DEFAULT;
	mutex_init(&n->finish_lock);
	INIT_DELAYED_WORK(&n->aging, evtlog_named_age);
	INIT_WORK(&n->disposal, dispose);
	error = is_asleep_soon ? evtlog_named_refuse(-EBUSY, "the machine is about to sleep; add the buffer again afterwards") :
				 evtlog_named_parse(n, n->text);
	if (!error)
		error = n->types ? add_with_types(n) : add_here(n);
	if (error) {
		*deleted = n;
		discard(n);
	}
	return error;
}

static void remove(struct evtlog_named *n, bool is_deleted)
{
	u64 types;

	evtlog_named_lock();
	/* If a rule ends it at this moment, the rule also switches off its types. */
	types = n->is_open ? n->types : 0;
	/* Before end(), which wakes readers */
	WRITE_ONCE(n->is_deleted, is_deleted);
	end(n);
	if (is_deleted)
		list_del(&n->list);
	evtlog_named_unlock();
	if (types || is_deleted)
		evtlog_named_types_gone(types, is_deleted);
	if (is_deleted)
		bury(n);
}

/* @deleted: set to the named buffer that the caller must wait for */
static int order(char *text, const struct evtlog_named **deleted)
{
	struct evtlog_named *n;

	if (strchr(text, '\n'))
		return evtlog_named_refuse(-EINVAL, "an order must be one line; write one order at a time");
	if (*text == '+')
		return add(text + 1, deleted);
	if (*text != '-' && *text != '!')
		return evtlog_named_refuse(-EINVAL, "\"%.32s\" is not an order; write +NAME, !NAME or -NAME", text);
	n = evtlog_named_find(text + 1);
	if (!n)
		return evtlog_named_refuse(-ENOENT, "buffer %.32s does not exist", text + 1);
	remove(n, *text == '-');
	*deleted = n;
	return 0;
}

static int control_write(char *text)
{
	const struct evtlog_named *deleted = NULL;
	int error;

	mutex_lock(&orders);
	*evtlog_named_error = '\0';
	error = order(text, &deleted);
	mutex_unlock(&orders);
	/* A task that is killed does not wait; the buffer is freed all the same. */
	wait_event_killable(gone, !is_dying(deleted, NULL));
	return error;
}

static int control_show(struct seq_file *m, void *unused)
{
	struct evtlog_named *n;

	mutex_lock(&orders);
	if (*evtlog_named_error)
		seq_printf(m, "error %s\n", evtlog_named_error);
	/* The list is changed only under @orders. */
	list_for_each_entry(n, &all, list)
		evtlog_named_show(m, n);
	mutex_unlock(&orders);
	return 0;
}

/* Allocates memory now, where sleeping is allowed. */
static int cpu_prepare(unsigned int cpu)
{
	struct evtlog_named *n;

	mutex_lock(&lock);
	list_for_each_entry(n, &all, list) {
		if (!n->is_open)
			continue;
		if (evtlog_named_give_buffers(n, cpu))
			pr_warn("evtlog: named buffer %s: not enough memory for CPU %u; its events are lost\n",
				n->ring_owner.name, cpu);
		evtlog_named_owe_formats(n, cpu);
	}
	mutex_unlock(&lock);
	return 0;
}

/* From now on, the formats of new events are written on this CPU, too. */
static int cpu_is_up(unsigned int cpu)
{
	struct evtlog_named *n;

	mutex_lock(&lock);
	list_for_each_entry(n, &all, list) {
		if (n->is_open)
			evtlog_named_owe_formats(n, cpu);
	}
	mutex_unlock(&lock);
	return 0;
}

/* The CPU is offline: hand over its current buffer. */
static int cpu_is_dead(unsigned int cpu)
{
	struct evtlog_named *n;

	mutex_lock(&lock);
	list_for_each_entry(n, &all, list) {
		/* The CPU handed over its last buffers when it could not wake readers. */
		if (n->shared) {
			evtlog_named_wake(n->shared);
			continue;
		}
		local_irq_disable();
		evtlog_ring_pass_on(&per_cpu_ptr(n->cpus, cpu)->ring);
		local_irq_enable();
		evtlog_named_wake(per_cpu_ptr(n->cpus, cpu));
	}
	mutex_unlock(&lock);
	return 0;
}

/* The tick counter does not survive a sleep: all named buffers end before; readers can go on. */
static void sleep_comes(bool soon)
{
	struct evtlog_named *n;

	mutex_lock(&orders);
	is_asleep_soon = soon;
	/* The list is changed only under @orders. */
	list_for_each_entry(n, &all, list) {
		if (!soon || !READ_ONCE(n->is_open))
			continue;
		pr_info("evtlog: buffer %s ended: the machine is about to sleep\n",
			n->ring_owner.name);
		remove(n, false);
	}
	mutex_unlock(&orders);
}

static const struct evtlog_proc_file files[] = {
	{ "control", 0600, control_show, control_write },
	{ }
};

static int __init make_folder(struct proc_dir_entry *parent)
{
	if (evtlog_named_init_queues())
		return -ENOMEM;
	hotplug_states[0] = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "evtlog/named:prepare",
						      cpu_prepare, cpu_is_dead);
	if (hotplug_states[0] < 0)
		return hotplug_states[0];
	hotplug_states[1] = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "evtlog/named:online",
						      cpu_is_up, NULL);
	if (hotplug_states[1] < 0)
		return hotplug_states[1];
	folder = evtlog_readers_mkdir("named", 0550, parent);
	if (!folder)
		return -ENOMEM;
	return evtlog_proc_create_files(folder, "named/", files);
}

static struct evtlog_feature named __ro_after_init = {
	.name = "named",
	.make_folder = make_folder,
	.run_stopped = evtlog_named_types_run_stopped,
	.sleeps = sleep_comes,
};
evtlog_feature(named);

#ifdef MODULE
/* Deletes all named buffers; no file is open. */
void evtlog_named_exit(void)
{
	struct evtlog_named *n, *next;
	unsigned int i;

	mutex_lock(&orders);
	list_for_each_entry_safe(n, next, &all, list)
		remove(n, true);
	mutex_unlock(&orders);
	wait_event(gone, list_empty(&dying));
	/* A worker may still be at the end of dispose(). */
	synchronize_rcu_tasks();
	for (i = 0; i < ARRAY_SIZE(hotplug_states); i++) {
		if (hotplug_states[i] > 0)
			cpuhp_remove_state_nocalls(hotplug_states[i]);
	}
	evtlog_named_free_all_parts();
}
#endif
