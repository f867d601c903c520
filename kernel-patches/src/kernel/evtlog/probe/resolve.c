// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a probe's names mean: functions by kallsyms, parameters and members by BTF.
 *
 * Called by table.c for a probe that spec.c has read.  Where the kernel has no BTF parameters go
 * by position and members by offset: types are then what the text says.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/skbuff.h>
#include <linux/string.h>

#include "probe/probe.h"

/*
 * struct walk - how far an argument's path was followed
 * @btf, @type:	of what was reached; NULL: not known
 * @in_memory:	it lies at the last value + @offset; else it is the value itself
 * @is_data:	it is where a packet's data are
 */
struct walk {
	struct evtlog_probe *p;
	struct evtlog_probe_arg *arg;
	struct evtlog_probe_error *error;
	const struct btf *btf;
	const struct btf_type *type;
	bool in_memory;
	bool is_data;
	u32 offset;
	u32 bitfield;
	u32 shift;
};

static int add_load(struct walk *w, u32 offset)
{
	if (w->arg->loads == EVTLOG_PROBE_LOADS_MAX)
		return evtlog_probe_refuse(w->error, -E2BIG, "%s follows more than %d pointers",
					   w->arg->label, EVTLOG_PROBE_LOADS_MAX);
	w->arg->load[w->arg->loads++] = offset;
	return 0;
}

#ifdef CONFIG_BPF_SYSCALL

static const struct btf_type *plain_type(const struct btf *btf, u32 id)
{
	return btf_type_skip_modifiers(btf, id, NULL);
}

static bool is_struct(const struct btf_type *t)
{
	return t && (BTF_INFO_KIND(t->info) == BTF_KIND_STRUCT ||
		     BTF_INFO_KIND(t->info) == BTF_KIND_UNION);
}

/* A member by its name, also of anonymous structures within. */
static const struct btf_type *find_member(const struct btf *btf, const struct btf_type *t,
					  const char *name, size_t len, int depth,
					  u32 *bits, u32 *bitfield)
{
	const struct btf_member *member;
	u32 i;

	for_each_member(i, t, member) {
		const char *its = btf_name_by_offset(btf, member->name_off);
		const struct btf_type *type = plain_type(btf, member->type), *found;
		u32 within = 0;

		if (its && strlen(its) == len && !strncmp(its, name, len)) {
			*bits = btf_member_bit_offset(t, i);
			*bitfield = btf_member_bitfield_size(t, i);
			return type;
		}
		if ((its && *its) || !is_struct(type) || !depth)
			continue;
		found = find_member(btf, type, name, len, depth - 1, &within, bitfield);
		if (found) {
			*bits = btf_member_bit_offset(t, i) + within;
			return found;
		}
	}
	return NULL;
}

static int walk_param(struct walk *w, const char *name, size_t len)
{
	const struct btf_type *proto = evtlog_probe_prototype(w->btf, w->p);
	const struct btf_param *params;
	unsigned int i, reg = 0;

	if (!proto)
		return evtlog_probe_refuse(w->error, -ENOENT,
			"%.*s: this kernel has no BTF of %.60s; say arg1 to arg6",
			(int)len, name, w->p->symbol);
	params = btf_params(proto);
	for (i = 0; i < btf_type_vlen(proto); i++) {
		const char *its = btf_name_by_offset(w->btf, params[i].name_off);
		unsigned int takes = params[i].type ? evtlog_probe_registers_of(w->btf, params[i].type) : 1;

		if (params[i].type && !evtlog_probe_is_plain(w->btf, params[i].type))
			return evtlog_probe_refuse(w->error, -EOPNOTSUPP,
				"%.*s: %.60s takes a packed, empty or wide structure, so that the register is not known; say arg1 to arg6",
				(int)len, name, w->p->symbol);
		if (its && strlen(its) == len && !strncmp(its, name, len)) {
			if (reg + takes > EVTLOG_PROBE_REGISTERS || takes > 1)
				return evtlog_probe_refuse(w->error, -EOPNOTSUPP,
					"%s is not in one of the first six registers", its);
			w->arg->source = reg;
			w->type = plain_type(w->btf, params[i].type);
			return 0;
		}
		/* What is in memory, or no longer fits, takes no register. */
		if (reg + takes <= EVTLOG_PROBE_REGISTERS)
			reg += takes;
	}
	return evtlog_probe_refuse(w->error, -ENOENT, "%.60s has no parameter %.*s",
				   w->p->symbol, (int)len, name);
}

/* The types of what is not named */
static void type_of_position(struct walk *w)
{
	const struct btf_type *proto = evtlog_probe_prototype(w->btf, w->p);
	const struct btf_param *params;
	unsigned int i, reg = 0;

	if (!proto)
		return;
	if (w->arg->source == EVTLOG_PROBE_RETVAL) {
		w->type = proto->type ? plain_type(w->btf, proto->type) : NULL;
		return;
	}
	params = btf_params(proto);
	for (i = 0; i < btf_type_vlen(proto); i++) {
		unsigned int takes = params[i].type ? evtlog_probe_registers_of(w->btf, params[i].type) : 1;

		if (params[i].type && !evtlog_probe_is_plain(w->btf, params[i].type))
			return;
		if (reg == w->arg->source && takes == 1 && params[i].type)
			w->type = plain_type(w->btf, params[i].type);
		if (reg + takes <= EVTLOG_PROBE_REGISTERS)
			reg += takes;
	}
}

static int walk_member(struct walk *w, const char *name, size_t len, bool is_pointer)
{
	const struct btf_type *t = w->type;
	u32 bits = 0, bitfield = 0;

	if (is_pointer && t && BTF_INFO_KIND(t->info) == BTF_KIND_PTR)
		t = plain_type(w->btf, t->type);
	else if (is_pointer)
		t = NULL;
	if (!is_struct(t) || (!is_pointer && !w->in_memory))
		return evtlog_probe_refuse(w->error, -EINVAL,
			"%s: what is left of %.*s is not known to be %s structure",
			w->arg->label, (int)len, name, is_pointer ? "a pointer to a" : "a");
	w->type = find_member(w->btf, t, name, len, 8, &bits, &bitfield);
	if (!w->type)
		return evtlog_probe_refuse(w->error, -ENOENT, "struct %s has no member %.*s",
			btf_name_by_offset(w->btf, t->name_off), (int)len, name);
	w->offset = (is_pointer ? 0 : w->offset) + bits / 8;
	w->shift = bits % 8;
	w->bitfield = bitfield;
	return 0;
}

/* What the type says where the text does not: a value's size and kind, or an array's bytes. */
static int take_type(struct walk *w)
{
	struct evtlog_probe_arg *arg = w->arg;
	const struct btf_type *t = w->type;
	u32 size = 8;

	if (!t)
		return 0;
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_ARRAY:
		if (IS_ERR(btf_resolve_size(w->btf, t, &size)) || !w->in_memory)
			break;
		t = plain_type(w->btf, ((const struct btf_array *)(t + 1))->type);
		if (!arg->bytes && t->size == 1) {
			arg->kind = 'c';
			arg->bytes = min_t(u32, size, 256);
		}
		if (arg->bytes) {
			arg->add += w->offset;
			w->in_memory = false;
			return 0;
		}
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		if (!arg->bytes || !w->in_memory)
			break;
		arg->add += w->offset;
		w->in_memory = false;
		return 0;
	case BTF_KIND_PTR:
		if (!arg->bytes && !arg->size) {
			arg->size = 8;
			arg->kind = 'x';
		}
		return 0;
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		if (arg->bytes)
			return 0;
		if (!arg->size) {
			arg->size = t->size;
			arg->is_signed = BTF_INFO_KIND(t->info) == BTF_KIND_INT ?
				btf_int_encoding(t) & BTF_INT_SIGNED : BTF_INFO_KFLAG(t->info);
			arg->kind = arg->is_signed ? 'd' : 'u';
		}
		arg->bits = w->bitfield;
		arg->shift = w->bitfield ? w->shift : 0;
		if (arg->shift + arg->bits <= arg->size * 8)
			return 0;
		break;
	}
	return evtlog_probe_refuse(w->error, -EINVAL,
		"%s is no number, pointer or text: say which [START:BYTES] of it", arg->label);
}

/* A packet's struct, or a pointer to it */
static bool is_packet(const struct walk *w, bool is_pointer)
{
	const struct btf_type *t = w->type;

	if (is_pointer && (!t || BTF_INFO_KIND(t->info) != BTF_KIND_PTR))
		return false;
	if (is_pointer)
		t = plain_type(w->btf, t->type);
	return t && BTF_INFO_KIND(t->info) == BTF_KIND_STRUCT &&
	       !strcmp(btf_name_by_offset(w->btf, t->name_off), "sk_buff");
}

#else /* !CONFIG_BPF_SYSCALL */

static int walk_param(struct walk *w, const char *name, size_t len)
{
	return evtlog_probe_refuse(w->error, -ENOENT,
		"%.*s: this kernel has no BTF; say arg1 to arg6", (int)len, name);
}

static void type_of_position(struct walk *w)
{
}

static int walk_member(struct walk *w, const char *name, size_t len, bool is_pointer)
{
	return evtlog_probe_refuse(w->error, -ENOENT,
		"%.*s: this kernel has no BTF; say the member's offset", (int)len, name);
}

static int take_type(struct walk *w)
{
	return 0;
}

static bool is_packet(const struct walk *w, bool is_pointer)
{
	return false;
}

#endif /* CONFIG_BPF_SYSCALL */

static size_t word_length(const char *at, const char *end)
{
	const char *start = at;

	while (at < end && *at != '.' && *at != '-')
		at++;
	return at - start;
}

static int walk_base(struct walk *w, const char *name, size_t len)
{
	char text[16];

	if (*name == '%') {
		int offset;

		if (w->p->kind != EVTLOG_PROBE_OFFSET)
			return evtlog_probe_refuse(w->error, -EINVAL,
				"registers are for probes at an offset; say arg1 to arg6");
		strscpy(text, name + 1, min(len, sizeof(text)));
		offset = regs_query_register_offset(text);
		if (offset < 0)
			return evtlog_probe_refuse(w->error, -EINVAL,
				"no register %%%s: there are %%ax, %%bx, %%cx, %%dx, %%si, %%di, %%bp, %%sp, %%r8 to %%r15, %%ip and %%flags",
				text);
		w->arg->source = EVTLOG_PROBE_PT_REGS;
		w->arg->regs_offset = offset;
		return 0;
	}
	if (w->p->kind == EVTLOG_PROBE_OFFSET)
		return evtlog_probe_refuse(w->error, -EINVAL,
			"at an offset arguments have no known place: say a register, as %%di");
	if (len == 6 && !strncmp(name, "retval", 6)) {
		if (w->p->kind != EVTLOG_PROBE_RETURN)
			return evtlog_probe_refuse(w->error, -EINVAL, "retval is for %%return");
		w->arg->source = EVTLOG_PROBE_RETVAL;
		type_of_position(w);
		return 0;
	}
	if (len == 4 && !strncmp(name, "arg", 3) && name[3] >= '1' && name[3] <= '6') {
		w->arg->source = name[3] - '1';
		type_of_position(w);
		return 0;
	}
	return walk_param(w, name, len);
}

static int walk_step(struct walk *w, const char *name, size_t len, bool is_pointer)
{
	bool of_packet = is_packet(w, is_pointer);
	u32 packet = is_pointer ? 0 : w->offset;
	int status;

	if (is_pointer && w->in_memory) {
		status = add_load(w, w->offset);
		if (status)
			return status;
	}
	if (*name >= '0' && *name <= '9') {
		unsigned long offset = simple_strtoul(name, NULL, 0);

		if (!is_pointer || offset > 1 << 20)
			return evtlog_probe_refuse(w->error, -EINVAL, "%s: an offset is ->BYTES",
						   w->arg->label);
		w->offset = offset;
		w->type = NULL;
		w->bitfield = 0;
		status = 0;
	} else {
		status = walk_member(w, name, len, is_pointer);
	}
	w->in_memory = true;
	w->is_data = of_packet && w->offset == packet + offsetof(struct sk_buff, data);
	return status;
}

/* Bytes of a packet: the slot has the packet, and the last pointer is read with them. */
static int take_packet(struct walk *w)
{
	struct evtlog_probe_arg *arg = w->arg;

	/* By position or offset, where no type is known, it is what the probe's author says. */
	if (arg->of == EVTLOG_PROBE_PACKET && w->type && !is_packet(w, true))
		return evtlog_probe_refuse(w->error, -EINVAL,
			"%s: packet(%.*s) is no struct sk_buff *", arg->label,
			(int)min_t(size_t, arg->path_len, 64), arg->path);
	arg->start = arg->add;
	arg->add = 0;
	arg->size = 8;
	if (arg->of == EVTLOG_PROBE_PACKET)
		return w->in_memory ? add_load(w, w->offset) : 0;
	arg->of = EVTLOG_PROBE_LINEAR;
	arg->add = w->offset - offsetof(struct sk_buff, data);
	return 0;
}

/* What is of no function: it has these names wherever the probe is.  -ENOENT: it is another. */
static int take_current(struct evtlog_probe_arg *arg, struct evtlog_probe_error *error)
{
	static const struct {
		const char *name;
		u8 source;
		char kind;
	} words[] = {
		{ "current.pid", EVTLOG_PROBE_PID, 'p' },
		{ "current.tgid", EVTLOG_PROBE_TGID, 'p' },
		{ "current.cpu", EVTLOG_PROBE_CPU, 'u' },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (strlen(words[i].name) == arg->path_len &&
		    !strncmp(words[i].name, arg->path, arg->path_len))
			break;
	}
	if (i == ARRAY_SIZE(words) && !strncmp(arg->path, "current.", 8))
		return evtlog_probe_refuse(error, -EINVAL,
			"%.*s: of what runs there are current.pid, current.tgid and current.cpu",
			(int)min_t(size_t, arg->path_len, 64), arg->path);
	if (i == ARRAY_SIZE(words))
		return -ENOENT;
	if (arg->bytes)
		return evtlog_probe_refuse(error, -EINVAL, "%s is a number", words[i].name);
	arg->source = words[i].source;
	arg->size = arg->size ?: 8;
	arg->kind = arg->kind ?: words[i].kind;
	return 0;
}

static int resolve_arg(struct evtlog_probe *p, struct evtlog_probe_arg *arg,
		       struct evtlog_probe_error *error)
{
	struct walk w = { .p = p, .arg = arg, .error = error, .btf = evtlog_probe_btf(p) };
	const char *at = arg->path, *end = at + arg->path_len;
	size_t len = word_length(at, end);
	int status = take_current(arg, error);

	if (status != -ENOENT)
		return status;
	status = walk_base(&w, at, len);
	for (at += len; !status && at < end; at += len) {
		bool is_pointer = *at == '-';

		at += is_pointer ? 2 : 1;
		len = word_length(at, end);
		status = walk_step(&w, at, len, is_pointer);
	}
	if (!status && (arg->of == EVTLOG_PROBE_PACKET || (w.is_data && arg->bytes)))
		return take_packet(&w);
	if (!status)
		status = take_type(&w);
	if (status)
		return status;
	if (!arg->size) {
		arg->size = 8;
		arg->kind = arg->kind ?: 'x';
	}
	return w.in_memory ? add_load(&w, w.offset) : 0;
}

/**
 * evtlog_probe_find_packet() - which argument register points to a packet?
 * @p:		at a function's entry; @packet_source is set
 * @name:	of the parameter, or arg1 to arg6; need not end
 * @len:	of it
 * @error:	the reason, if it is refused: what is not known to be one would be read all the same
 *
 * Return: 0 or a negative error.
 */
int evtlog_probe_find_packet(struct evtlog_probe *p, const char *name, size_t len,
			     struct evtlog_probe_error *error)
{
	struct evtlog_probe_arg arg = {};
	struct walk w = { .p = p, .arg = &arg, .error = error, .btf = evtlog_probe_btf(p) };
	int status = len ? walk_base(&w, name, len) : -EINVAL;

	if (!status && !is_packet(&w, true))
		status = evtlog_probe_refuse(error, -EINVAL,
			"pcap: %.*s of %.60s is not known to be a struct sk_buff *: say pcap(PARAMETER)",
			(int)len, name, p->symbol);
	else if (!len)
		evtlog_probe_refuse(error, status, "pcap: a parameter is missing");
	p->packet_source = arg.source;
	return status;
}

struct symbol {
	unsigned int found;
	unsigned long address;
};

static int take_symbol(void *data, unsigned long address)
{
	struct symbol *symbol = data;

	symbol->found++;
	symbol->address = address;
	return 0;
}

/* The module stays while one of its functions is probed. */
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
	/* Another one may have come to its place. */
	if (!module || kallsyms_lookup_name(p->symbol) != p->address)
		return evtlog_probe_refuse(error, -EOPNOTSUPP,
			"%.60s is no function of the kernel, nor of a module that stays", p->symbol);
	return 0;
}

static int resolve_symbol(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	struct symbol symbol = {};
	unsigned long size, offset;

	kallsyms_on_each_match_symbol(take_symbol, p->symbol, &symbol);
	if (symbol.found > 1)
		return evtlog_probe_refuse(error, -ENOTUNIQ,
			"%.60s is the name of %u functions", p->symbol, symbol.found);
	/* A module's is not among those. */
	p->address = symbol.found ? symbol.address : kallsyms_lookup_name(p->symbol);
	if (!p->address)
		return evtlog_probe_refuse(error, -ENOENT,
			"there is no function %.60s: it may be inlined everywhere", p->symbol);
	if (!core_kernel_text(p->address) && take_module(p, error))
		return -EOPNOTSUPP;
	if (!kallsyms_lookup_size_offset(p->address, &size, &offset) ||
	    p->symbol_offset >= size)
		return evtlog_probe_refuse(error, -ERANGE,
			"%.60s has only %lu bytes", p->symbol, size);
	return 0;
}

/**
 * evtlog_probe_resolve() - look up all names of a probe
 * @p:		read by evtlog_probe_parse()
 * @error:	the reason, if it is refused
 *
 * Context: task context, may sleep.
 * Return: 0 or a negative error.
 */
int evtlog_probe_resolve(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	unsigned int i;
	int status = resolve_symbol(p, error);

	if (!status && p->kind == EVTLOG_PROBE_RETURN)
		status = evtlog_probe_pass_on(p, error);
	for (i = 0; !status && i < p->nr_args; i++)
		status = resolve_arg(p, &p->args[i], error);
	return status;
}
