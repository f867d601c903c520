// SPDX-License-Identifier: GPL-2.0-only
/*
 * Resolves the names of a probe: finds in BTF which value or bytes an argument's path leads to.
 *
 * Called by make.c for a probe that spec.c has parsed.  Without BTF, parameters are given by
 * position and members by offset, and the text contains the types.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/skbuff.h>

#include "probe/probe.h"
#include "probe/walk.h"

#ifdef CONFIG_BPF_SYSCALL

static int refuse_value(const struct walk *w)
{
	return evtlog_probe_refuse(w->error, -EINVAL,
		"%s is not a number, pointer or text; append %s", w->arg->label,
		w->in_memory ? "[START:BYTES]" : ".MEMBER");
}

/* Bytes of a number are the number's own bytes.  With memory(), the number is their address. */
static int take_bytes_of_number(struct walk *w)
{
	struct evtlog_probe_arg *arg = w->arg;
	int status = evtlog_probe_leave_registers(w);

	if (status || (arg->is_address && !w->bitfield && (w->in_memory || !w->offset)))
		return status;
	if (!w->in_memory || w->bitfield || arg->kind == 'c')
		return evtlog_probe_refuse(w->error, -EINVAL,
			"%s is a number; write memory(%.*s) for the bytes at that address", arg->label,
			(int)min_t(size_t, arg->path_len, 64), arg->path);
	arg->add += w->offset;
	w->in_memory = false;
	return 0;
}

/* Takes a number of @size bytes at the end of the path.  Its type is in the text or in BTF. */
static int take_number(struct walk *w, u32 size, bool is_signed)
{
	struct evtlog_probe_arg *arg = w->arg;
	bool in_registers = w->in_registers;
	int status = evtlog_probe_leave_registers(w);

	if (status)
		return status;
	if (!arg->size) {
		arg->size = size;
		arg->is_signed = is_signed;
		arg->kind = is_signed ? 'd' : 'u';
		arg->is_big_endian = w->is_big_endian && size > 1;
	}
	arg->bits = w->bitfield;
	arg->shift = w->bitfield ? w->shift : 0;
	if (in_registers && w->offset) {
		arg->shift += w->offset * 8;
		arg->bits = arg->bits ?: arg->size * 8;
	}
	if (arg->shift + arg->bits > (in_registers ? 64 : arg->size * 8) ||
	    (w->bitfield && arg->is_big_endian))
		return refuse_value(w);
	return 0;
}

/* Detects an IPv4 or IPv6 address by the name of its structure. */
static void take_address_type(struct walk *w)
{
	const char *name = btf_name_by_offset(w->btf, w->type->name_off);
	struct evtlog_probe_arg *arg = w->arg;

	if (arg->bytes || arg->size || !name)
		return;
	if (!strcmp(name, "in6_addr")) {
		arg->bytes = w->type->size;
		arg->kind = '6';
	} else if (!strcmp(name, "in_addr")) {
		arg->size = w->type->size;
		arg->is_big_endian = true;
		arg->kind = '4';
	}
}

/* Takes an array or a structure: its bytes, a text, or a number if the text gives a type. */
static int take_several(struct walk *w, bool is_array)
{
	struct evtlog_probe_arg *arg = w->arg;
	u32 size = 0, element = 0;

	if (IS_ERR(btf_resolve_size(w->btf, w->type, &size)))
		return refuse_value(w);
	if (is_array)
		btf_resolve_size(w->btf, btf_type_by_id(w->btf, btf_array(w->type)->type), &element);
	else
		take_address_type(w);
	if (arg->size && !arg->bytes && arg->size <= size)
		return take_number(w, 0, false);
	if (!arg->bytes && element == 1 && w->in_memory) {
		arg->kind = 'c';
		arg->bytes = min_t(u32, size, 256);
	}
	if (!arg->bytes || !w->in_memory)
		return refuse_value(w);
	arg->add += w->offset;
	w->in_memory = false;
	return 0;
}

/* Takes from BTF what the text leaves open: size and kind of a value, or bytes of an array. */
static int take_type(struct walk *w)
{
	struct evtlog_probe_arg *arg = w->arg;
	const struct btf_type *t = w->type;

	switch (t ? BTF_INFO_KIND(t->info) : BTF_KIND_UNKN) {
	case BTF_KIND_UNKN:
		return 0;
	case BTF_KIND_ARRAY:
		return take_several(w, true);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return take_several(w, false);
	case BTF_KIND_PTR:
		if (arg->is_big_endian)
			return evtlog_probe_refuse(w->error, -EINVAL,
				"%s is a pointer; append [0] for the value that it points to", arg->label);
		if (!arg->bytes && !arg->size) {
			arg->size = 8;
			arg->kind = 'x';
		}
		return evtlog_probe_leave_registers(w);
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		if (arg->bytes)
			return take_bytes_of_number(w);
		return take_number(w, t->size, BTF_INFO_KIND(t->info) == BTF_KIND_INT ?
				   btf_int_encoding(t) & BTF_INT_SIGNED : BTF_INFO_KFLAG(t->info));
	default:
		return refuse_value(w);
	}
}

#else /* !CONFIG_BPF_SYSCALL */

static int take_type(struct walk *w)
{
	return 0;
}

#endif /* CONFIG_BPF_SYSCALL */

/* Bytes of a packet: the slot contains the packet's address; skb->data is read with the bytes. */
static int take_packet(struct walk *w)
{
	struct evtlog_probe_arg *arg = w->arg;

	/* By position or offset, the type is unknown: the author of the probe is trusted. */
	if (arg->of == EVTLOG_PROBE_PACKET && w->type && !evtlog_probe_is_packet(w, true))
		return evtlog_probe_refuse(w->error, -EINVAL,
			"%s: packet() needs a struct sk_buff *, which %.*s is not", arg->label,
			(int)min_t(size_t, arg->path_len, 64), arg->path);
	arg->start = arg->add;
	arg->add = 0;
	arg->size = 8;
	if (arg->of == EVTLOG_PROBE_PACKET)
		return w->in_memory ? evtlog_probe_add_load(w, w->offset) : 0;
	arg->of = EVTLOG_PROBE_LINEAR;
	arg->add = w->offset - offsetof(struct sk_buff, data);
	return 0;
}

/* Takes current.pid, current.tgid and current.cpu, which all probes have.  -ENOENT: another */
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
		if (evtlog_probe_is_word(words[i].name, arg->path, arg->path_len))
			break;
	}
	if (i == ARRAY_SIZE(words) && !strncmp(arg->path, "current.", 8))
		return evtlog_probe_refuse(error, -EINVAL,
			"%.*s is unknown; write current.pid, current.tgid or current.cpu",
			(int)min_t(size_t, arg->path_len, 64), arg->path);
	if (i == ARRAY_SIZE(words))
		return -ENOENT;
	if (arg->bytes)
		return evtlog_probe_refuse(error, -EINVAL, "%s is a number, and has no [START:BYTES]", words[i].name);
	arg->source = words[i].source;
	arg->size = arg->size ?: 8;
	arg->kind = arg->kind ?: words[i].kind;
	return 0;
}

static int resolve_arg(struct evtlog_probe *p, struct evtlog_probe_arg *arg,
		       struct evtlog_probe_error *error)
{
	struct walk w = { .p = p, .arg = arg, .error = error, .btf = evtlog_probe_btf(p) };
	int status = take_current(arg, error);

	if (status != -ENOENT)
		return status;
	status = evtlog_probe_walk(&w, arg->path, arg->path_len);
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
	return w.in_memory ? evtlog_probe_add_load(&w, w.offset) : 0;
}

/**
 * evtlog_probe_find_packet() - find the argument register that points to a packet
 * @p:		probe at a function's entry; @packet_source is set
 * @name:	name of a parameter, or arg1 to arg22; need not end in NUL
 * @len:	length of @name
 * @error:	the reason, if it is refused: an unknown type would be read as a packet
 *
 * Return: 0 or a negative error.
 */
int evtlog_probe_find_packet(struct evtlog_probe *p, const char *name, size_t len,
			     struct evtlog_probe_error *error)
{
	struct evtlog_probe_arg arg = {};
	struct walk w = { .p = p, .arg = &arg, .error = error, .btf = evtlog_probe_btf(p) };
	int status = len ? evtlog_probe_walk_base(&w, name, len) : -EINVAL;

	if (!status && arg.source >= EVTLOG_PROBE_REGISTERS)
		status = evtlog_probe_refuse(error, -EOPNOTSUPP, "pcap: parameter %.*s is not in a register", (int)len, name);
	else if (!status && !evtlog_probe_is_packet(&w, true))
		status = evtlog_probe_refuse(error, -EINVAL,
			"pcap: %.*s of %.60s is not known to be a struct sk_buff *; write pcap(PARAMETER)",
			(int)len, name, p->symbol);
	else if (!len)
		evtlog_probe_refuse(error, status, "pcap: expected the name of a parameter in the parentheses");
	p->packet_source = arg.source;
	return status;
}

/**
 * evtlog_probe_resolve() - look up all names of a probe
 * @p:		parsed by evtlog_probe_parse()
 * @error:	the reason, if the probe is refused
 *
 * Context: task context, may sleep.
 * Return: 0 or a negative error.
 */
int evtlog_probe_resolve(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	unsigned int i;
	int status = evtlog_probe_find_symbol(p, error);

	if (!status && p->kind == EVTLOG_PROBE_RETURN)
		status = evtlog_probe_pass_on(p, error);
	for (i = 0; !status && i < p->nr_args; i++)
		status = resolve_arg(p, &p->args[i], error);
	return status;
}
