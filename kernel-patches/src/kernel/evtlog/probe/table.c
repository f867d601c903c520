// SPDX-License-Identifier: GPL-2.0-only
/*
 * All probes: /proc/evtlog/probes, where they are added and deleted, a batch for each write.
 *
 * A line is "+PROBE", "-NAME" or "-*".  All of a write's lines are done, or none.
 */
#include <linux/capability.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/evtlog.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "event/table.h"
#include "filter/filter.h"
#include "probe/probe.h"

#define FIELDS_MAX	1024
#define EVENT_NAME_MAX	31U
#define REAP_AGAIN	(HZ / 10)

/* Guards all below, and what text.c and site.c have. */
static DEFINE_MUTEX(lock);
static LIST_HEAD(probes);
/* Deleted; somebody may be in their stubs. */
static LIST_HEAD(dying);
static struct evtlog_probe_error last_error;

/**
 * evtlog_probe_refuse() - say why
 * @error:	the sentence goes there
 * @code:	a negative error
 * @format:	as of printf()
 *
 * Return: @code.
 */
int evtlog_probe_refuse(struct evtlog_probe_error *error, int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vscnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return code;
}

static struct evtlog_probe_counts sum_counts(const struct evtlog_probe *p)
{
	struct evtlog_probe_counts sum = {};
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		const struct evtlog_probe_counts *c = per_cpu_ptr(p->counts, cpu);

		/* Whoever left before this was looked at had entered before. */
		sum.out += READ_ONCE(c->out);
	}
	smp_rmb();
	for_each_possible_cpu(cpu) {
		const struct evtlog_probe_counts *c = per_cpu_ptr(p->counts, cpu);

		sum.in += READ_ONCE(c->in);
		sum.recorded += READ_ONCE(c->recorded);
		sum.rejected += READ_ONCE(c->rejected);
		sum.lost += READ_ONCE(c->lost);
		sum.idle += READ_ONCE(c->idle);
		sum.faults += READ_ONCE(c->faults);
		sum.skipped += READ_ONCE(c->skipped);
		sum.rest += READ_ONCE(c->rest);
	}
	return sum;
}

/* Nobody is in its stub, nor in what its record is told by. */
static void probe_free(struct evtlog_probe *p)
{
	if (p->id > 0)
		evtlog_event_unregister(p->id);
	if (p->stub)
		evtlog_probe_text_free(p->stub, p->stub_bytes);
	evtlog_filter_free(p->filter);
	free_percpu(p->counts);
	kfree(p->text);
	kfree(p);
}

static void free_all(struct list_head *list)
{
	struct evtlog_probe *p, *next;

	list_for_each_entry_safe(p, next, list, list) {
		list_del(&p->list);
		probe_free(p);
	}
}

/* Also where RCU does not watch, and for tasks that were preempted */
static void wait_for_stubs(void)
{
	synchronize_rcu_tasks_rude();
	synchronize_rcu_tasks();
}

static void reap(struct work_struct *unused);
static DECLARE_DELAYED_WORK(reap_work, reap);

/* A return's stub is on the stack of whoever is in the function, however long he sleeps. */
static void reap(struct work_struct *unused)
{
	struct evtlog_probe *p, *next;
	LIST_HEAD(mine);
	LIST_HEAD(gone);
	LIST_HEAD(sites);

	mutex_lock(&lock);
	list_splice_init(&dying, &mine);
	evtlog_probe_sites_removed(&sites);
	mutex_unlock(&lock);
	/* After this whoever has entered is counted. */
	wait_for_stubs();
	evtlog_probe_sites_free(&sites);
	list_for_each_entry_safe(p, next, &mine, list) {
		struct evtlog_probe_counts counts = sum_counts(p);

		if (counts.in == counts.out)
			list_move(&p->list, &gone);
	}
	/* After this whoever has left is behind the last instruction, too. */
	wait_for_stubs();
	mutex_lock(&lock);
	free_all(&gone);
	list_splice(&mine, &dying);
	if (!list_empty(&dying))
		schedule_delayed_work(&reap_work, REAP_AGAIN);
	mutex_unlock(&lock);
}

static struct evtlog_probe *find(struct list_head *list, const char *name)
{
	struct evtlog_probe *p;

	list_for_each_entry(p, list, list) {
		if (!strcmp(p->name, name))
			return p;
	}
	return NULL;
}

static int choose_mechanism(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	p->mechanism = EVTLOG_PROBE_KPROBE;
	if (p->kind == EVTLOG_PROBE_OFFSET) {
		p->why = "it is not at a function's entry";
	} else if (evtlog_probe_site_check(p)) {
		if (p->kind == EVTLOG_PROBE_RETURN)
			return evtlog_probe_refuse(error, -EOPNOTSUPP,
				"%.60s has no site of ftrace's, which a return needs", p->symbol);
		p->why = "the function has no site of ftrace's";
	} else {
		p->mechanism = EVTLOG_PROBE_DIRECT;
	}
	return 0;
}

static int make_stub(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	void *buffer = kmalloc(EVTLOG_PROBE_STUB_MAX, GFP_KERNEL);
	/* What calls and jumps reach depends on where it is, its size does not. */
	int bytes = buffer ? evtlog_probe_emit(p, buffer, evtlog_event_register) : -ENOMEM;

	if (bytes > 0) {
		p->stub = evtlog_probe_text_alloc(bytes);
		p->stub_bytes = bytes;
		bytes = p->stub ? evtlog_probe_emit(p, buffer, p->stub) : -ENOMEM;
	}
	if (bytes > 0)
		evtlog_probe_text_write(p->stub, buffer, bytes);
	kfree(buffer);
	if (bytes < 0)
		return evtlog_probe_refuse(error, bytes, "no memory for its machine code");
	return 0;
}

/* The name of its event is one as of C: "vfs_read%return" is vfs_read_return. */
static int register_event(const struct evtlog_probe *p, const char *fields, const char *line)
{
	char name[EVENT_NAME_MAX + 1];
	unsigned int i, again = 1;
	int id;

	strscpy(name, p->name, sizeof(name));
	for (i = 0; name[i]; i++) {
		if (!isalnum(name[i]))
			name[i] = '_';
	}
	/* Of two long names the beginning may be the same. */
	while ((id = evtlog_event_register_lines(name, fields, line)) == -EEXIST &&
	       again++ < 100)
		snprintf(name + min(i, EVENT_NAME_MAX - 3), 4, "_%u", again);
	return id;
}

/* Its event, counters and machine code */
static int prepare(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	char *fields = kmalloc(FIELDS_MAX, GFP_KERNEL);
	char line[EVTLOG_PROBE_SAMPLE_LINE];

	if (!fields)
		return evtlog_probe_refuse(error, -ENOMEM, "no memory");
	evtlog_probe_layout(p, fields, FIELDS_MAX);
	if (p->payload > EVTLOG_EVENT_BYTES_MAX) {
		kfree(fields);
		return evtlog_probe_refuse(error, -E2BIG, "a record has at most %d bytes",
					   EVTLOG_EVENT_BYTES_MAX);
	}
	evtlog_probe_sample_line(p, line, sizeof(line));
	p->id = register_event(p, fields, line);
	kfree(fields);
	if (p->id < 0)
		return evtlog_probe_refuse(error, p->id, "its event cannot be registered: %pe",
					   ERR_PTR(p->id));
	p->tag = EVTLOG_EVENT_TAG(p->id, p->payload);
	p->counts = alloc_percpu(struct evtlog_probe_counts);
	if (!p->counts)
		return evtlog_probe_refuse(error, -ENOMEM, "no memory");
	evtlog_probe_sample_begin(p);
	return p->mechanism == EVTLOG_PROBE_DIRECT ? make_stub(p, error) : 0;
}

static int make_probe(const char *text, struct evtlog_probe **result,
		      struct evtlog_probe_error *error)
{
	struct evtlog_probe *p = kzalloc(sizeof(*p), GFP_KERNEL);
	int status;

	if (p)
		p->text = kstrdup(text, GFP_KERNEL);
	if (!p || !p->text) {
		kfree(p);
		return evtlog_probe_refuse(error, -ENOMEM, "no memory");
	}
	p->why = "";
	status = evtlog_probe_parse(p->text, p, error);
	if (!status)
		status = evtlog_probe_resolve(p, error);
	if (!status)
		status = evtlog_probe_compile(p, error);
	if (!status)
		status = evtlog_probe_sample_compile(p, error);
	if (!status)
		status = choose_mechanism(p, error);
	if (!status)
		status = prepare(p, error);
	if (status)
		probe_free(p);
	else
		*result = p;
	return status;
}

static int take_line(const char *line, struct list_head *adding, struct list_head *deleting,
		     struct evtlog_probe_error *error)
{
	struct evtlog_probe *p = NULL;
	int status;

	if (!strcmp(line, "-*")) {
		list_splice_tail_init(&probes, deleting);
		return 0;
	}
	if (*line == '-') {
		p = find(&probes, line + 1);
		if (!p)
			return evtlog_probe_refuse(error, -ENOENT, "there is no probe %.90s",
						   line + 1);
		list_move_tail(&p->list, deleting);
		return 0;
	}
	if (*line != '+')
		return evtlog_probe_refuse(error, -EINVAL, "neither +PROBE nor -NAME: \"%.32s\"",
					   line);
	status = make_probe(line + 1, &p, error);
	if (status)
		return status;
	if (find(&probes, p->name) || find(adding, p->name)) {
		evtlog_probe_refuse(error, -EEXIST, "there is a probe %.90s already", p->name);
		probe_free(p);
		return -EEXIST;
	}
	list_add_tail(&p->list, adding);
	return 0;
}

static int insert(struct list_head *adding, struct evtlog_probe_error *error)
{
	int status = evtlog_probe_sites_add(adding, error);

	if (status)
		return status;
	status = evtlog_probe_kprobes_add(adding, error);
	if (status) {
		evtlog_probe_sites_remove(adding);
		/* They may have been hit. */
		list_splice_tail_init(adding, &dying);
		schedule_delayed_work(&reap_work, 0);
	}
	return status;
}

static void remove(struct list_head *deleting)
{
	if (list_empty(deleting))
		return;
	evtlog_probe_sites_remove(deleting);
	evtlog_probe_kprobes_remove(deleting);
	list_splice_tail_init(deleting, &dying);
	schedule_delayed_work(&reap_work, 0);
}

/* Stubs run as the kernel: as a module's code, and with what kprobes may read. */
static int may_insert(struct evtlog_probe_error *error)
{
	int status;

	if (!capable(CAP_SYS_MODULE))
		return evtlog_probe_refuse(error, -EPERM, "only who may load a module may probe");
	status = security_locked_down(LOCKDOWN_KPROBES);
	if (status)
		return evtlog_probe_refuse(error, status, "the kernel is locked down");
	return 0;
}

/**
 * evtlog_probe_write() - add and delete probes
 * @text:	lines; changed
 *
 * Return: 0 or a negative error, the reason of which the file shows: nothing was changed.
 */
int evtlog_probe_write(char *text)
{
	struct evtlog_probe_error error = {};
	LIST_HEAD(adding);
	LIST_HEAD(deleting);
	char *line;
	int status;

	mutex_lock(&lock);
	status = may_insert(&error);
	while (!status && (line = strsep(&text, "\n"))) {
		line = strim(line);
		if (*line)
			status = take_line(line, &adding, &deleting, &error);
	}
	if (!status)
		status = insert(&adding, &error);
	if (status) {
		free_all(&adding);
		list_splice_tail(&deleting, &probes);
	} else {
		list_splice_tail(&adding, &probes);
		remove(&deleting);
	}
	last_error = error;
	mutex_unlock(&lock);
	return status;
}

static const char *mechanism_name(const struct evtlog_probe *p)
{
	if (p->mechanism == EVTLOG_PROBE_DIRECT)
		return p->kind == EVTLOG_PROBE_RETURN ? "return" : "direct";
	return p->kp.flags & KPROBE_FLAG_OPTIMIZED ? "jump" : "kprobe";
}

/**
 * evtlog_probe_show() - list all probes
 * @m:		written to
 * @unused:	of single_open()
 *
 * Return: 0.
 */
int evtlog_probe_show(struct seq_file *m, void *unused)
{
	struct evtlog_probe *p;

	mutex_lock(&lock);
	if (*last_error.text)
		seq_printf(m, "error %s\n", last_error.text);
	list_for_each_entry(p, &probes, list) {
		struct evtlog_probe_counts c = sum_counts(p);

		seq_printf(m, "probe %s id %d mechanism %s hits %llu recorded %llu rejected %llu lost %llu idle %llu faults %llu skipped %llu rest %llu spec %s\n",
			   p->name, p->id, mechanism_name(p),
			   c.recorded + c.rejected + c.lost + c.idle + c.skipped, c.recorded,
			   c.rejected, c.lost, c.idle, c.faults, c.skipped, c.rest, p->text);
		if (*p->why)
			seq_printf(m, "why %s %s\n", p->name, p->why);
	}
	mutex_unlock(&lock);
	return 0;
}

/**
 * evtlog_probe_run_stopped() - what samples left out behind their last records is of no record
 */
void evtlog_probe_run_stopped(void)
{
	struct evtlog_probe *p;

	mutex_lock(&lock);
	list_for_each_entry(p, &probes, list)
		evtlog_probe_sample_end(p);
	mutex_unlock(&lock);
}
