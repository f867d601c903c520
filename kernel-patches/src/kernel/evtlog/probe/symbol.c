// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looks up the function of a probe in kallsyms.
 *
 * Called by resolve.c.  The name is taken literally, and an address after it selects one of several
 * functions.  Names of clones and of files are resolved in user space (tools/control).
 */
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/preempt.h>

#include "probe/probe.h"

/*
 * @wanted:	address in the probe's text; 0: any
 * @found:	number of functions with the name; @address: the last of them
 * @is_there:	True: one of them is at @wanted
 */
struct symbol {
	unsigned long wanted;
	unsigned int found;
	unsigned long address;
	bool is_there;
};

/* kallsyms contains variables, too. */
static int take_symbol(void *data, unsigned long address)
{
	struct symbol *symbol = data;

	if (!core_kernel_text(address))
		return 0;
	symbol->found++;
	symbol->address = address;
	symbol->is_there |= address == symbol->wanted;
	return 0;
}

/* Returns true if the function is still at the probe's address.  Used for functions of modules. */
static bool is_in_place(const struct evtlog_probe *p)
{
	const char *name = strchr(p->symbol, ':');
	char found[KSYM_NAME_LEN];
	unsigned long size, offset;

	if (!p->is_shared)
		return kallsyms_lookup_name(p->symbol) == p->address;
	return !lookup_symbol_name(p->address, found) &&
	       !strcmp(found, name ? name + 1 : p->symbol) &&
	       kallsyms_lookup_size_offset(p->address, &size, &offset) && !offset;
}

/* Takes a reference: the module stays loaded while one of its functions is probed. */
static int take_module(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	struct module *module;

	preempt_disable();
	module = __module_text_address(p->address);
	if (module && (module->state != MODULE_STATE_LIVE ||
		       !within_module_core(p->address, module) || !try_module_get(module)))
		module = NULL;
	preempt_enable();
	p->module = module;
	/* Another module may have been loaded at this address. */
	if (!module || !is_in_place(p))
		return evtlog_probe_refuse(error, -EOPNOTSUPP,
			"%.60s is not a function of the kernel or of a loaded module", p->symbol);
	return 0;
}

static int find_address(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	struct symbol symbol = { .wanted = p->address };

	kallsyms_on_each_match_symbol(take_symbol, p->symbol, &symbol);
	if (p->address) {
		/* How many functions of a module have the name is unknown. */
		p->is_shared = symbol.found > 1 || !core_kernel_text(p->address);
		if (core_kernel_text(p->address) && !symbol.is_there)
			return evtlog_probe_refuse(error, -ENOENT,
				"function %.60s is not at this address; see /proc/kallsyms", p->symbol);
		return 0;
	}
	if (symbol.found > 1)
		return evtlog_probe_refuse(error, -ENOTUNIQ,
			"%.60s is the name of %u functions; append the address of one, such as %.60s@0x%lx",
			p->symbol, symbol.found, p->symbol, symbol.address);
	/* Functions of modules were not searched yet. */
	p->address = symbol.found ? symbol.address : kallsyms_lookup_name(p->symbol);
	if (!p->address)
		return evtlog_probe_refuse(error, -ENOENT,
			"function %.60s does not exist; the compiler may have inlined it everywhere", p->symbol);
	return 0;
}

/**
 * evtlog_probe_find_symbol() - look up the function of a probe
 * @p:		parsed by evtlog_probe_parse(); @address and @module are set
 * @error:	the reason, if the probe is refused
 *
 * Context: task context, may sleep.
 * Return: 0 or a negative error.
 */
int evtlog_probe_find_symbol(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	unsigned long size, offset;
	int status = find_address(p, error);

	if (status)
		return status;
	if (!core_kernel_text(p->address) && take_module(p, error))
		return -EOPNOTSUPP;
	if (!kallsyms_lookup_size_offset(p->address, &size, &offset) ||
	    p->symbol_offset >= size)
		return evtlog_probe_refuse(error, -ERANGE,
			"the offset is after the end of %.60s, which has %lu bytes", p->symbol, size);
	return 0;
}
