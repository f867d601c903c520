// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prototypes of probed functions, by the kernel's BTF: where arguments are, and how many words of its
 * caller's stack a return's stub passes on.
 *
 * Called by resolve.c.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "probe/probe.h"

/* Without BTF: 22 arguments of 8 bytes, as many as the longest list of the kernel's own code has. */
#define WORDS_UNKNOWN	16U

/* A function that formats a list has any number of arguments; without BTF only its name says so. */
static int pass_on_unknown(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	if (strstr(p->symbol, "printf") || strstr(p->symbol, "printk"))
		return evtlog_probe_refuse(error, -EOPNOTSUPP,
			"%.60s%%return: the function has no BTF, and takes any number of arguments by its name",
			p->symbol);
	p->stack_words = WORDS_UNKNOWN;
	return 0;
}

#ifdef CONFIG_BPF_SYSCALL

/* NULL: there is none. */
const struct btf *evtlog_probe_btf(void)
{
	struct btf *btf = bpf_get_btf_vmlinux();

	return IS_ERR_OR_NULL(btf) ? NULL : btf;
}

/* The function's prototype, or NULL: the kernel's BTF knows none of a module's. */
const struct btf_type *evtlog_probe_prototype(const struct btf *btf, const struct evtlog_probe *p)
{
	const struct btf_type *t;
	s32 id;

	if (!btf || p->module)
		return NULL;
	id = btf_find_by_name_kind(btf, p->symbol, BTF_KIND_FUNC);
	if (id < 0)
		return NULL;
	t = btf_type_by_id(btf, id);
	return t ? btf_type_by_id(btf, t->type) : NULL;
}

static int size_of(const struct btf *btf, u32 id, u32 *size)
{
	const struct btf_type *t = btf_type_by_id(btf, id);

	return t && !IS_ERR(btf_resolve_size(btf, t, size)) ? 0 : -EINVAL;
}

/* How many argument registers a type takes; more than all if it is in memory. */
unsigned int evtlog_probe_registers_of(const struct btf *btf, u32 id)
{
	u32 size;

	if (size_of(btf, id, &size))
		return EVTLOG_PROBE_REGISTERS + 1;
	return size <= 8 ? 1 : size <= 16 ? 2 : EVTLOG_PROBE_REGISTERS + 1;
}

/**
 * evtlog_probe_pass_on() - find out how many words of stack a return's stub passes on
 * @p:		resolved but for its arguments; @stack_words is set
 * @error:	the reason, if it is refused
 *
 * Return: 0 or -EOPNOTSUPP.
 */
int evtlog_probe_pass_on(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	const struct btf *btf = evtlog_probe_btf();
	const struct btf_type *proto = evtlog_probe_prototype(btf, p);
	const struct btf_param *params;
	unsigned int i, registers = 0, words = 0;

	if (!proto)
		return pass_on_unknown(p, error);
	params = btf_params(proto);
	for (i = 0; i < btf_type_vlen(proto); i++) {
		unsigned int takes = evtlog_probe_registers_of(btf, params[i].type);
		u32 size;

		if (!params[i].type)
			return evtlog_probe_refuse(error, -EOPNOTSUPP,
				"%.60s%%return: the function takes any number of arguments",
				p->symbol);
		if (size_of(btf, params[i].type, &size))
			return evtlog_probe_refuse(error, -EOPNOTSUPP,
				"%.60s%%return: BTF has no size of the function's argument %u",
				p->symbol, i + 1);
		if (registers + takes <= EVTLOG_PROBE_REGISTERS)
			registers += takes;
		else
			words += DIV_ROUND_UP(size, 8);
	}
	if (words > EVTLOG_PROBE_STACK_MAX)
		return evtlog_probe_refuse(error, -EOPNOTSUPP,
			"%.60s%%return: the function has %u words of arguments on the stack; %u can be passed on",
			p->symbol, words, EVTLOG_PROBE_STACK_MAX);
	p->stack_words = words;
	return 0;
}

#else /* !CONFIG_BPF_SYSCALL */

const struct btf *evtlog_probe_btf(void)
{
	return NULL;
}

int evtlog_probe_pass_on(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	return pass_on_unknown(p, error);
}

#endif /* CONFIG_BPF_SYSCALL */
