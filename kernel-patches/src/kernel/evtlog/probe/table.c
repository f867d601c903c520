// SPDX-License-Identifier: GPL-2.0-only
/*
 * All probes: /proc/evtlog/probes, where they are added and deleted, one batch per write.
 *
 * A line is "+PROBE", "+>BUFFER PROBE", "-NAME" or "-*".  A write applies all lines, or none.
 */
#include <linux/capability.h>
#include <linux/kernel.h>
#include <linux/hashtable.h>
#include <linux/preempt.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/stringhash.h>

#include "event/table.h"
#include "feature.h"
#include "probe/ftrace.h"
#include "probe/probe.h"
#include "proc.h"

/* Guards all data below, and the data of reap.c, counts.c and site.c. */
DEFINE_MUTEX(evtlog_probe_lock);
static LIST_HEAD(probes);
/* Probes whose functions call them for ever, see evtlog_ftrace_remove(); never freed. */
static LIST_HEAD(stuck);
/* Names of the probes in the table, and of those that a write in progress adds */
static DEFINE_HASHTABLE(names, 10);
static struct evtlog_probe_error last_error;

static u32 name_hash(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

static struct evtlog_probe *find(const char *name)
{
	struct evtlog_probe *p;

	hash_for_each_possible(names, p, by_name, name_hash(name)) {
		if (!strcmp(p->name, name))
			return p;
	}
	return NULL;
}

/* Takes a probe out for deletion.  Its name and its event's name are then free. */
static void take_out(struct evtlog_probe *p, struct list_head *deleting)
{
	hash_del(&p->by_name);
	evtlog_event_keep_name(p->id, false);
	list_move_tail(&p->list, deleting);
}

static void put_back(struct list_head *deleting)
{
	struct evtlog_probe *p;

	list_for_each_entry(p, deleting, list) {
		hash_add(names, &p->by_name, name_hash(p->name));
		evtlog_event_keep_name(p->id, true);
	}
	list_splice_tail(deleting, &probes);
}

/* Drops probes that were to be added. */
static void drop(struct list_head *adding, bool was_inserted)
{
	struct evtlog_probe *p;

	list_for_each_entry(p, adding, list) {
		hash_del(&p->by_name);
		evtlog_event_keep_name(p->id, false);
	}
	if (was_inserted)
		evtlog_probe_reap(adding);
	else
		evtlog_probe_free_all(adding);
}

/* Suggests vfs_read%timer for "vfs_read". */
static int refuse_unknown(const char *name, struct evtlog_probe_error *error)
{
	struct evtlog_probe *p;

	list_for_each_entry(p, &probes, list) {
		if (strstarts(p->name, name))
			return evtlog_probe_refuse(error, -ENOENT, "probe %.90s does not exist; do you mean %.90s?",
						   name, p->name);
	}
	return evtlog_probe_refuse(error, -ENOENT, "probe %.90s does not exist", name);
}

static int take_line(const char *line, struct list_head *adding, struct list_head *deleting,
		     struct evtlog_probe_error *error)
{
	struct evtlog_probe *p = NULL, *next;
	int status;

	if (!strcmp(line, "-*")) {
		list_for_each_entry_safe(p, next, &probes, list)
			take_out(p, deleting);
		return 0;
	}
	if (*line == '-') {
		p = find(line + 1);
		if (!p)
			return refuse_unknown(line + 1, error);
		take_out(p, deleting);
		return 0;
	}
	if (*line != '+')
		return evtlog_probe_refuse(error, -EINVAL, "\"%.32s\" is not an order; write +PROBE or -NAME",
					   line);
	status = evtlog_probe_make(line + 1, &p, error);
	if (status)
		return status;
	if (find(p->name)) {
		evtlog_probe_refuse(error, -EEXIST, "probe %.90s exists already; delete it first", p->name);
		evtlog_probe_free(p);
		return -EEXIST;
	}
	hash_add(names, &p->by_name, name_hash(p->name));
	list_add_tail(&p->list, adding);
	return 0;
}

/* Takes out the probes that were inserted.  On failure, all of them stay inserted. */
static int take_out_all(struct list_head *batch)
{
	int status = evtlog_probe_kprobes_disarm(batch);

	if (status)
		return status;
	status = evtlog_probe_sites_remove(batch);
	if (status)
		evtlog_probe_kprobes_arm(batch);
	else
		evtlog_probe_kprobes_remove(batch);
	return status;
}

static int insert(struct list_head *adding, struct evtlog_probe_error *error)
{
	int status = evtlog_probe_sites_add(adding, error);
	struct evtlog_probe *p;

	if (status)
		return status;
	status = evtlog_probe_kprobes_add(adding, error);
	if (status && take_out_all(adding)) {
		pr_warn("evtlog: probes that could not be added stay in their functions, because ftrace is disabled\n");
		list_for_each_entry(p, adding, list)
			hash_del(&p->by_name);
		list_splice_init(adding, &stuck);
	}
	return status;
}

static int remove(struct list_head *deleting, struct evtlog_probe_error *error)
{
	int status = list_empty(deleting) ? 0 : take_out_all(deleting);

	if (status && !evtlog_ftrace_is_disabled())
		return evtlog_probe_refuse(error, status, "the probes cannot be removed: %pe",
					   ERR_PTR(status));
	if (status)
		return evtlog_probe_refuse(error, status,
			"the probes stay until the next boot, because ftrace has found a fault and is disabled (%pe); see the kernel's log",
			ERR_PTR(status));
	return 0;
}

/* Deletes before it inserts: the same write may probe a function anew. */
static int exchange(struct list_head *adding, struct list_head *deleting,
		    struct evtlog_probe_error *error)
{
	struct evtlog_probe_error again;
	int status;

	status = remove(deleting, error);
	if (status)
		return status;
	status = insert(adding, error);
	if (!status || !insert(deleting, &again))
		return status;
	pr_err("evtlog: deleted probes cannot be inserted again: %s\n", again.text);
	evtlog_probe_reap(deleting);
	return status;
}

/* Stubs are kernel code, as modules are, and read memory, as kprobes do: both rights are needed. */
static int may_insert(struct evtlog_probe_error *error)
{
	int status;

	if (!capable(CAP_SYS_MODULE))
		return evtlog_probe_refuse(error, -EPERM, "probes need CAP_SYS_MODULE in the initial user namespace");
	status = security_locked_down(LOCKDOWN_KPROBES);
	if (status)
		return evtlog_probe_refuse(error, status, "the kernel is locked down; boot without lockdown=confidentiality");
	return evtlog_probe_is_possible(error);
}

/* Adds the number and the text of the line to the error. */
static void name_line(struct evtlog_probe_error *error, unsigned int number, const char *line)
{
	struct evtlog_probe_error reason = *error;

	evtlog_probe_refuse(error, 0, "line %u, \"%.60s\": %s", number, line, reason.text);
}

static int take_lines(char *text, struct list_head *adding, struct list_head *deleting,
		      struct evtlog_probe_error *error)
{
	bool has_several = strchr(text, '\n');
	unsigned int number = 0;
	int status = 0;
	char *line;

	while (!status && (line = strsep(&text, "\n"))) {
		line = strim(line);
		number++;
		if (*line)
			status = take_line(line, adding, deleting, error);
		if (status && has_several)
			name_line(error, number, line);
		cond_resched();
	}
	return status;
}

/* Applies lines.  If one is refused, nothing is changed, and the file shows the reason. */
static int probes_write(char *text)
{
	struct evtlog_probe_error error = {};
	LIST_HEAD(adding);
	LIST_HEAD(deleting);
	bool was_inserted = false;
	int status;

	mutex_lock(&evtlog_probe_lock);
	status = may_insert(&error);
	if (!status)
		status = take_lines(text, &adding, &deleting, &error);
	if (!status) {
		status = exchange(&adding, &deleting, &error);
		was_inserted = true;
	}
	if (status) {
		drop(&adding, was_inserted);
		put_back(&deleting);
	} else {
		list_splice_tail(&adding, &probes);
		evtlog_probe_reap(&deleting);
	}
	last_error = error;
	mutex_unlock(&evtlog_probe_lock);
	return status;
}

/*
 * Returns true if the kernel has replaced the breakpoint by a jump.  This happens some time later,
 * to the kernel's own kprobe at the address; the probe's kprobe is in the list of this kprobe.
 */
static bool is_jump(const struct evtlog_probe *p)
{
	const struct kprobe *first;
	bool is_optimized;

	preempt_disable();
	first = get_kprobe(p->kp.addr);
	is_optimized = first && first->flags & KPROBE_FLAG_OPTIMIZED;
	preempt_enable();
	return is_optimized;
}

static void show_probe(struct seq_file *m, const struct evtlog_probe *p)
{
	struct evtlog_probe_counts c = evtlog_probe_sum_counts(p);
	const char *mechanism = p->is_timer ? "timer" : p->kind == EVTLOG_PROBE_RETURN ? "return" :
				evtlog_probe_site_mechanism;
	bool is_trap = false;

	if (p->mechanism == EVTLOG_PROBE_KPROBE) {
		is_trap = !is_jump(p);
		mechanism = is_trap ? "kprobe" : "jump";
	}
	seq_printf(m, "probe %s id %d mechanism %s hits %llu recorded %llu rejected %llu lost %llu idle %llu faults %llu skipped %llu rest %llu spec %s\n",
		   p->name, p->id, mechanism,
		   c.recorded + c.rejected + c.lost + c.idle + c.skipped, c.recorded,
		   c.rejected, c.lost, c.idle, c.faults, c.skipped, c.rest, p->text);
	if (*p->why)
		seq_printf(m, "why %s %s%s\n", p->name, p->why,
			   is_trap ? ", and the kernel cannot replace its instruction by a jump" : "");
}

static int probes_show(struct seq_file *m, void *unused)
{
	struct evtlog_probe *p;

	mutex_lock(&evtlog_probe_lock);
	if (*last_error.text)
		seq_printf(m, "error %s\n", last_error.text);
	list_for_each_entry(p, &probes, list)
		show_probe(m, p);
	mutex_unlock(&evtlog_probe_lock);
	return 0;
}

/* Hits that samples left out after their last records belong to no record. */
static void run_stopped(void)
{
	struct evtlog_probe *p;

	mutex_lock(&evtlog_probe_lock);
	list_for_each_entry(p, &probes, list)
		evtlog_probe_sample_end(p);
	mutex_unlock(&evtlog_probe_lock);
}

static const struct evtlog_proc_file files[] = {
	{ "probes", 0600, probes_show, probes_write, EVTLOG_PROBE_WRITE_MAX },
	{ }
};

static struct evtlog_feature probe __ro_after_init = {
	.name = "probe",
	.files = files,
	.run_stopped = run_stopped,
};
evtlog_feature(probe);

#ifdef MODULE
/* Deletes all probes.  No file of /proc/evtlog is open. */
void evtlog_probe_exit(void)
{
	struct evtlog_probe_error error;
	struct evtlog_probe *p, *next;
	LIST_HEAD(deleting);

	mutex_lock(&evtlog_probe_lock);
	list_for_each_entry_safe(p, next, &probes, list)
		take_out(p, &deleting);
	/* Otherwise they are not freed: their functions may call them. */
	if (remove(&deleting, &error))
		pr_err("evtlog: unloaded with probes: %s\n", error.text);
	else
		evtlog_probe_reap(&deleting);
	mutex_unlock(&evtlog_probe_lock);
	evtlog_probe_reap_exit();
	evtlog_probe_sites_exit();
}
#endif
