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
#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringhash.h>

#include "probe/probe.h"

#define FIELDS_MAX	1024
#define EVENT_NAME_MAX	31U

/* Guards all below, and what reap.c, text.c and site.c have. */
DEFINE_MUTEX(evtlog_probe_lock);
static LIST_HEAD(probes);
/* Those, and while a write is done also what it adds */
static DEFINE_HASHTABLE(names, 10);
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

static void name_all(struct list_head *list)
{
	struct evtlog_probe *p;

	list_for_each_entry(p, list, list)
		hash_add(names, &p->by_name, name_hash(p->name));
}

static void unname_all(struct list_head *list)
{
	struct evtlog_probe *p;

	list_for_each_entry(p, list, list)
		hash_del(&p->by_name);
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
static int register_event(const struct evtlog_probe *p, const char *fields)
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
	while ((id = evtlog_event_register(name, fields)) == -EEXIST && again++ < 100)
		snprintf(name + min(i, EVENT_NAME_MAX - 3), 4, "_%u", again);
	return id;
}

/* Its event, counters and machine code */
static int prepare(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	char *fields = kmalloc(FIELDS_MAX, GFP_KERNEL);

	if (!fields)
		return evtlog_probe_refuse(error, -ENOMEM, "no memory");
	evtlog_probe_layout(p, fields, FIELDS_MAX);
	if (p->payload > EVTLOG_EVENT_BYTES_MAX) {
		kfree(fields);
		return evtlog_probe_refuse(error, -E2BIG, "a record has at most %d bytes",
					   EVTLOG_EVENT_BYTES_MAX);
	}
	p->id = register_event(p, fields);
	kfree(fields);
	if (p->id == -ENOSPC)
		return evtlog_probe_refuse(error, p->id,
			"there are %d events already, with those deleted in this run",
			EVTLOG_EVENT_ID_MAX);
	if (p->id < 0)
		return evtlog_probe_refuse(error, p->id, "its event cannot be registered: %pe",
					   ERR_PTR(p->id));
	p->tag = EVTLOG_EVENT_TAG(p->id, p->payload);
	p->counts = alloc_percpu(struct evtlog_probe_counts);
	if (!p->counts)
		return evtlog_probe_refuse(error, -ENOMEM, "no memory");
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
		status = choose_mechanism(p, error);
	if (!status)
		status = prepare(p, error);
	if (status)
		evtlog_probe_free(p);
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
		unname_all(&probes);
		list_splice_tail_init(&probes, deleting);
		return 0;
	}
	if (*line == '-') {
		p = find(line + 1);
		if (!p)
			return evtlog_probe_refuse(error, -ENOENT, "there is no probe %.90s",
						   line + 1);
		hash_del(&p->by_name);
		list_move_tail(&p->list, deleting);
		return 0;
	}
	if (*line != '+')
		return evtlog_probe_refuse(error, -EINVAL, "neither +PROBE nor -NAME: \"%.32s\"",
					   line);
	status = make_probe(line + 1, &p, error);
	if (status)
		return status;
	if (find(p->name)) {
		evtlog_probe_refuse(error, -EEXIST, "there is a probe %.90s already", p->name);
		evtlog_probe_free(p);
		return -EEXIST;
	}
	hash_add(names, &p->by_name, name_hash(p->name));
	list_add_tail(&p->list, adding);
	return 0;
}

static int insert(struct list_head *adding, struct evtlog_probe_error *error)
{
	int status = evtlog_probe_sites_add(adding, error);

	if (status)
		return status;
	status = evtlog_probe_kprobes_add(adding, error);
	if (status)
		evtlog_probe_sites_remove(adding);
	return status;
}

static void remove(struct list_head *deleting)
{
	if (list_empty(deleting))
		return;
	evtlog_probe_sites_remove(deleting);
	evtlog_probe_kprobes_remove(deleting);
}

/* What is deleted goes first: its function may be probed anew. */
static int exchange(struct list_head *adding, struct list_head *deleting,
		    struct evtlog_probe_error *error)
{
	struct evtlog_probe_error again;
	int status;

	remove(deleting);
	status = insert(adding, error);
	if (!status || !insert(deleting, &again))
		return status;
	pr_err("evtlog: deleted probes cannot be inserted again: %s\n", again.text);
	evtlog_probe_reap(deleting);
	return status;
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
	bool was_inserted = false;
	char *line;
	int status;

	mutex_lock(&evtlog_probe_lock);
	status = may_insert(&error);
	while (!status && (line = strsep(&text, "\n"))) {
		line = strim(line);
		if (*line)
			status = take_line(line, &adding, &deleting, &error);
		cond_resched();
	}
	if (!status) {
		status = exchange(&adding, &deleting, &error);
		was_inserted = true;
	}
	if (status) {
		unname_all(&adding);
		name_all(&deleting);
		if (was_inserted)
			evtlog_probe_reap(&adding);
		else
			evtlog_probe_free_all(&adding);
		list_splice_tail(&deleting, &probes);
	} else {
		list_splice_tail(&adding, &probes);
		evtlog_probe_reap(&deleting);
	}
	last_error = error;
	mutex_unlock(&evtlog_probe_lock);
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

	mutex_lock(&evtlog_probe_lock);
	if (*last_error.text)
		seq_printf(m, "error %s\n", last_error.text);
	list_for_each_entry(p, &probes, list) {
		struct evtlog_probe_counts c = evtlog_probe_sum_counts(p);

		seq_printf(m, "probe %s id %d mechanism %s hits %llu recorded %llu rejected %llu lost %llu idle %llu faults %llu spec %s\n",
			   p->name, p->id, mechanism_name(p),
			   c.recorded + c.rejected + c.lost + c.idle, c.recorded, c.rejected,
			   c.lost, c.idle, c.faults, p->text);
		if (*p->why)
			seq_printf(m, "why %s %s\n", p->name, p->why);
	}
	mutex_unlock(&evtlog_probe_lock);
	return 0;
}
