// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of the kernel that probes need and that are not exported: names, BTF, ftrace's sites.
 *
 * compat.h lists them, outside.c has looked up the first one.  Without one of them, or with
 * outside=0, each probe is refused.
 */
#include <linux/idr.h>
#include <linux/kallsyms.h>
#include <linux/spinlock.h>
#include <linux/static_call.h>

#include "module/module.h"
#include "probe/probe.h"

/* evtlog_NAME() calls NAME() as soon as its address is known. */
#define X(type, name, parameters, arguments)				\
static type no_##name parameters					\
{									\
	return (type)0;							\
}									\
									\
DEFINE_STATIC_CALL(evtlog_outside_##name, no_##name);			\
									\
type evtlog_##name parameters						\
{									\
	return static_call(evtlog_outside_##name) arguments;		\
}
EVTLOG_OUTSIDE_OF_PROBES(X)
#undef X

struct idr *evtlog_btf_idr __ro_after_init;
spinlock_t *evtlog_btf_idr_lock __ro_after_init;
static const char *missing __ro_after_init;

static unsigned long __init find(const char *name)
{
	unsigned long address = evtlog_outside_find(name);

	if (!address)
		missing = name;
	return address;
}

/* After evtlog_outside_init() */
void __init evtlog_outside_probe_init(void)
{
	unsigned long address;

#define X(type, name, parameters, arguments)				\
	address = find(#name);						\
	if (address)							\
		static_call_update(evtlog_outside_##name, (void *)address);
	EVTLOG_OUTSIDE_OF_PROBES(X)
#undef X
	evtlog_btf_idr = (struct idr *)find("btf_idr");
	evtlog_btf_idr_lock = (spinlock_t *)find("btf_idr_lock");
}

/* Refuses if a function is missing. */
int evtlog_probe_is_possible(struct evtlog_probe_error *error)
{
	if (!missing)
		return 0;
	return evtlog_probe_refuse(error, -EOPNOTSUPP,
		"the module evtlog does not find %s in this kernel, which probes need; load it without outside=0",
		missing);
}
