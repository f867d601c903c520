// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory for the machine code of probes, which stub.c makes.
 *
 * Called by make.c and reap.c.  A module has kernel-patches/module/probe_sites.c in the place of
 * this file, site.c, stub.c and what they call.
 */
#include <linux/evtlog.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "code/text.h"
#include "event/route.h"
#include "event/table.h"
#include "probe/probe.h"

/* False if bytes are copied: on a fault, other events come in between, so a commit is needed. */
static bool may_write_ring(const struct evtlog_probe *p, struct evtlog_event_route *copy)
{
	return p->routed && !evtlog_probe_has_bytes(p) && !evtlog_event_is_urgent(p->id) &&
	       evtlog_event_route_copy(p->id, copy) && copy->ring;
}

/**
 * evtlog_probe_code_make() - make the machine code of a probe
 * @p:		prepared probe of EVTLOG_PROBE_DIRECT; @stub, @key and @entry are set
 * @error:	the reason, if the probe is refused
 *
 * Context: task context, may sleep.
 * Return: 0, -E2BIG or -ENOMEM.
 */
int evtlog_probe_code_make(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	void *buffer = kmalloc(EVTLOG_PROBE_STUB_MAX, GFP_KERNEL);
	char name[sizeof("evtlog:") + EVTLOG_PROBE_NAME_LEN];
	struct evtlog_event_route copy, *route = may_write_ring(p, &copy) ? &copy : NULL;
	int bytes = -ENOMEM;

	p->key = evtlog_text_key();
	/* The targets of calls and jumps depend on the address of the code; its size does not. */
	if (buffer)
		bytes = evtlog_probe_emit(p, buffer, evtlog_event_register, route);
	if (bytes > 0) {
		p->stub = evtlog_text_alloc(bytes);
		bytes = p->stub ? evtlog_probe_emit(p, buffer, p->stub, route) : -ENOMEM;
	}
	if (bytes > 0)
		evtlog_text_write(p->stub, buffer, bytes);
	/* The stub is on the stacks of tasks in the function; unwinding needs its symbol. */
	if (bytes > 0 && p->kind == EVTLOG_PROBE_RETURN) {
		snprintf(name, sizeof(name), "evtlog:%s", p->name);
		p->stub_name = evtlog_text_name(p->stub, bytes, name);
	}
	kfree(buffer);
	if (bytes == -E2BIG)
		return evtlog_probe_refuse(error, bytes, "the filter is too large; make it shorter");
	if (bytes < 0)
		return evtlog_probe_refuse(error, bytes, "not enough memory for the probe's machine code");
	return 0;
}

/**
 * evtlog_probe_code_free() - free the machine code of a probe
 * @p:		no task is in the code, or can enter it
 */
void evtlog_probe_code_free(struct evtlog_probe *p)
{
	evtlog_text_unname(p->stub_name);
	evtlog_text_free(p->stub);
}

/* Returns true for evtlog's own code, such as the writers: a record would be within a record. */
bool evtlog_probe_is_own_code(unsigned long address)
{
	static const struct {
		const char *begin, *end;
	} parts[] = {
		{ evtlog_text_begin, evtlog_text_end },
		{ evtlog_text_hot_begin, evtlog_text_hot_end },
		{ evtlog_text_cold_begin, evtlog_text_cold_end },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		if (address >= (unsigned long)parts[i].begin &&
		    address < (unsigned long)parts[i].end)
			return true;
	}
	return false;
}
