// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters in modules: functions that probes call.
 *
 *	handler NAME[(LABEL, ...)]
 *
 * make.c looks up a probe's handler and holds its module; stub.c and kprobe.c call it for each hit.
 */
#include <linux/ctype.h>
#include <linux/evtlog.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "probe/probe.h"
#include "ring.h"

#define NAME_MAX_LEN	31

/*
 * struct evtlog_probe_handler - a registered handler
 * @list:	entry in @handlers
 * @users:	number of probes that use the handler
 * @function:	called for each hit
 * @owner:	module of the handler; each probe holds a reference
 */
struct evtlog_probe_handler {
	struct list_head list;
	unsigned int users;
	evtlog_filter_handler_t function;
	struct module *owner;
	char name[NAME_MAX_LEN + 1];
};

/* Guards @handlers and the numbers of users. */
static DEFINE_MUTEX(lock);
static LIST_HEAD(handlers);

static size_t word_length(const char *at)
{
	size_t length = 0;

	while (isalnum(at[length]) || at[length] == '_')
		length++;
	return length;
}

static struct evtlog_probe_handler *find(const char *name, size_t length)
{
	struct evtlog_probe_handler *h;

	list_for_each_entry(h, &handlers, list) {
		if (evtlog_probe_is_word(h->name, name, length))
			return h;
	}
	return NULL;
}

/**
 * __evtlog_filter_handler_register() - see evtlog_filter_handler_register()
 * @owner:	the caller's module
 *
 * Return: as evtlog_filter_handler_register().
 */
int __evtlog_filter_handler_register(const char *name, evtlog_filter_handler_t function,
				     struct module *owner)
{
	size_t length = strlen(name);
	struct evtlog_probe_handler *h;
	int error = -EEXIST;

	if (!length || length > NAME_MAX_LEN || word_length(name) != length || isdigit(*name))
		return -EINVAL;
	h = kzalloc(sizeof(*h), GFP_KERNEL);
	if (!h)
		return -ENOMEM;
	strscpy(h->name, name, sizeof(h->name));
	h->function = function;
	h->owner = owner;
	mutex_lock(&lock);
	if (!find(name, length)) {
		list_add(&h->list, &handlers);
		error = 0;
	}
	mutex_unlock(&lock);
	if (error)
		kfree(h);
	return error;
}
EXPORT_SYMBOL_GPL(__evtlog_filter_handler_register);

/**
 * evtlog_filter_handler_unregister() - unregister a handler; no probe can use it from now on
 * @name:	name passed to evtlog_filter_handler_register()
 *
 * A module's exit function may ignore the result: the module is not unloaded while a probe uses the
 * handler.
 *
 * Context: task context, may sleep.
 * Return: 0; -ENOENT if there is no such handler; -EBUSY if a probe uses it.
 */
int evtlog_filter_handler_unregister(const char *name)
{
	struct evtlog_probe_handler *h;
	int error = 0;

	mutex_lock(&lock);
	h = find(name, strlen(name));
	if (!h)
		error = -ENOENT;
	else if (h->users)
		error = -EBUSY;
	else
		list_del(&h->list);
	mutex_unlock(&lock);
	if (!error)
		kfree(h);
	return error;
}
EXPORT_SYMBOL_GPL(evtlog_filter_handler_unregister);

static int take_handler(struct evtlog_probe *p, const char *name, size_t length)
{
	struct evtlog_probe_handler *h;
	int error = -ENOENT;

	mutex_lock(&lock);
	h = find(name, length);
	if (h && try_module_get(h->owner)) {
		h->users++;
		p->handler = h;
		error = 0;
	}
	mutex_unlock(&lock);
	return error;
}

static int take_label(struct evtlog_probe *p, const char *label, size_t length)
{
	int i = evtlog_probe_arg_named(p, label, length);

	if (i < 0 || p->nr_handler_args == EVTLOG_PROBE_ARGS_MAX)
		return -EINVAL;
	p->handler_args[p->nr_handler_args++] = i;
	return 0;
}

/* Parses the labels after "(".  Returns the position after ")", or NULL if refused. */
static const char *take_labels(struct evtlog_probe *p, const char *at,
			       struct evtlog_probe_error *error)
{
	for (;;) {
		size_t length;

		at = skip_spaces(at);
		length = word_length(at);
		if (!length || take_label(p, at, length)) {
			evtlog_probe_refuse(error, -EINVAL,
				"handler: the probe has no argument \"%.32s\"", at);
			return NULL;
		}
		at = skip_spaces(at + length);
		if (*at == ')')
			return at + 1;
		if (*at != ',') {
			evtlog_probe_refuse(error, -EINVAL, "handler: expected , or ) at \"%.32s\"",
					    at);
			return NULL;
		}
		at++;
	}
}

static void take_all(struct evtlog_probe *p)
{
	unsigned int i;

	for (i = 0; i < p->nr_args; i++)
		p->handler_args[i] = i;
	p->nr_handler_args = p->nr_args;
}

/**
 * evtlog_probe_handler_compile() - look up the handler of a probe
 * @p:		resolved probe; @handler is set if its text contains one, and its module is held
 * @error:	the reason, if the handler is refused
 *
 * Return: 0 or a negative error.
 */
int evtlog_probe_handler_compile(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	const char *name = p->handler_text, *at;
	size_t length;

	if (!name)
		return 0;
	length = word_length(name);
	at = skip_spaces(name + length);
	if (*at == '(') {
		at = take_labels(p, at + 1, error);
		if (!at)
			return -EINVAL;
		at = skip_spaces(at);
	} else {
		take_all(p);
	}
	if (at < name + p->handler_len)
		return evtlog_probe_refuse(error, -EINVAL, "handler: unexpected text at \"%.32s\"",
					   at);
	if (take_handler(p, name, length))
		return evtlog_probe_refuse(error, -ENOENT,
			"handler %.*s does not exist; load the module that registers it",
			(int)min_t(size_t, length, NAME_MAX_LEN), name);
	return 0;
}

/**
 * evtlog_probe_handler_put() - release the handler of a probe
 * @p:		no CPU or task is in its stub
 */
void evtlog_probe_handler_put(struct evtlog_probe *p)
{
	struct evtlog_probe_handler *h = p->handler;
	struct module *owner;

	if (!h)
		return;
	mutex_lock(&lock);
	owner = h->owner;
	/* From here on, the handler may be unregistered and freed. */
	h->users--;
	mutex_unlock(&lock);
	module_put(owner);
}

/* For bytes, the handler gets an address: of the data in the linear part, or of the packet. */
static u64 value_for(const struct evtlog_probe_arg *arg, u64 slot)
{
	return arg->of == EVTLOG_PROBE_LINEAR ? evtlog_probe_packet_address(slot, arg->start) :
						slot;
}

/**
 * evtlog_probe_handler_accepts() - call the handler of a probe
 * @slots:	a value or an address for each argument
 *
 * Until the handler returns, the ring is busy: it may call probed functions, and probes there do
 * not call their handlers.
 *
 * Context: interrupts off, not an NMI.
 */
bool evtlog_probe_handler_accepts(struct evtlog_probe *p, const u64 *slots)
{
	struct evtlog_ring *r = this_cpu_ptr(&evtlog_ring);
	u64 args[EVTLOG_PROBE_ARGS_MAX];
	unsigned int i;
	bool accepts;

	r->busy++;
	barrier();
	for (i = 0; i < p->nr_handler_args; i++)
		args[i] = value_for(&p->args[p->handler_args[i]], slots[p->handler_args[i]]);
	accepts = p->handler->function(args, p->nr_handler_args);
	barrier();
	r->busy--;
	return accepts;
}
