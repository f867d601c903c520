// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follows the path of a probe's argument in BTF: members, elements and pointers.
 *
 * Called by resolve.c, which handles the end of the path.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/skbuff.h>

#include "probe/probe.h"
#include "probe/walk.h"

/* Largest offset from an address, in bytes */
#define REACH_MAX	(1 << 20)

/**
 * evtlog_probe_add_load() - take the last value as an address, and load the next value from there
 * @offset:	offset from the address in bytes
 *
 * Return: 0 or -E2BIG.
 */
int evtlog_probe_add_load(struct walk *w, u32 offset)
{
	if (w->arg->loads == EVTLOG_PROBE_LOADS_MAX)
		return evtlog_probe_refuse(w->error, -E2BIG, "%s follows more than %d pointers",
					   w->arg->label, EVTLOG_PROBE_LOADS_MAX);
	w->arg->load[w->arg->loads++] = offset;
	return 0;
}

/**
 * evtlog_probe_leave_registers() - select the register that contains the place
 * @w:		the walk; the argument's source becomes this register, and @offset is within it
 *
 * Return: 0 or -EOPNOTSUPP.
 */
int evtlog_probe_leave_registers(struct walk *w)
{
	if (!w->in_registers)
		return 0;
	if (w->offset >= 8 && w->arg->source == EVTLOG_PROBE_RETVAL)
		return evtlog_probe_refuse(w->error, -EOPNOTSUPP,
			"%s is in the second register of the result, which a probe cannot read", w->arg->label);
	w->arg->source += w->offset / 8;
	w->offset %= 8;
	w->in_registers = false;
	return 0;
}

/* Follows the pointer at the place: it becomes the last value. */
static int follow_pointer(struct walk *w)
{
	int status = evtlog_probe_leave_registers(w);

	return status || !w->in_memory ? status : evtlog_probe_add_load(w, w->offset);
}

/* Sets the place of an argument: register @place, or the stack; see evtlog_probe_next_place(). */
static void set_place(struct walk *w, unsigned int place)
{
	w->in_memory = place >= EVTLOG_PROBE_REGISTERS;
	w->arg->source = w->in_memory ? EVTLOG_PROBE_STACK : place;
	w->offset = w->in_memory ? (place - EVTLOG_PROBE_REGISTERS) * sizeof(u64) : 0;
}

#ifdef CONFIG_BPF_SYSCALL

static const struct btf_type *plain_type(const struct btf *btf, u32 id)
{
	return btf_type_skip_modifiers(btf, id, NULL);
}

/* Returns true for __be16, __be32, __be64 and typedefs of these. */
static bool is_big_endian(const struct btf *btf, u32 id)
{
	const struct btf_type *t;

	while ((t = btf_type_by_id(btf, id))) {
		switch (BTF_INFO_KIND(t->info)) {
		case BTF_KIND_TYPEDEF:
			if (!strncmp(btf_name_by_offset(btf, t->name_off), "__be", 4))
				return true;
			fallthrough;
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			id = t->type;
			break;
		default:
			return false;
		}
	}
	return false;
}

static bool is_struct(const struct btf_type *t)
{
	return t && (BTF_INFO_KIND(t->info) == BTF_KIND_STRUCT ||
		     BTF_INFO_KIND(t->info) == BTF_KIND_UNION);
}

static void set_type(struct walk *w, u32 id)
{
	w->type = plain_type(w->btf, id);
	w->is_big_endian = is_big_endian(w->btf, id);
}

/* For a parameter or a result: members of a structure in registers are in registers, too. */
static void set_place_type(struct walk *w, u32 id)
{
	set_type(w, id);
	w->in_registers = !w->in_memory && is_struct(w->type);
}

/* Finds a member by name, also in anonymous structures.  Returns its type; 0: there is none. */
static u32 find_member(const struct btf *btf, const struct btf_type *t,
					  const char *name, size_t len, int depth,
					  u32 *bits, u32 *bitfield)
{
	const struct btf_member *member;
	u32 i;

	for_each_member(i, t, member) {
		const char *its = btf_name_by_offset(btf, member->name_off);
		const struct btf_type *type = plain_type(btf, member->type);
		u32 within = 0, found;

		if (its && evtlog_probe_is_word(its, name, len)) {
			*bits = btf_member_bit_offset(t, i);
			*bitfield = btf_member_bitfield_size(t, i);
			return member->type;
		}
		if ((its && *its) || !is_struct(type) || !depth)
			continue;
		found = find_member(btf, type, name, len, depth - 1, &within, bitfield);
		if (found) {
			*bits = btf_member_bit_offset(t, i) + within;
			return found;
		}
	}
	return 0;
}

/* Finds a parameter by name.  NULL: sets the type of the parameter at @place, or of the result. */
static int walk_param(struct walk *w, const char *name, int len, unsigned int place)
{
	const struct btf_type *proto = evtlog_probe_prototype(w->btf, w->p);
	struct evtlog_probe_places used = {};
	const struct btf_param *params;
	unsigned int i;

	if (!proto)
		return !name ? 0 : evtlog_probe_refuse(w->error, -ENOENT,
			"%.*s: this kernel has no BTF of %.60s; write arg1, arg2 and so on",
			len, name, w->p->symbol);
	if (!name && w->arg->source == EVTLOG_PROBE_RETVAL) {
		if (proto->type)
			set_place_type(w, proto->type);
		return 0;
	}
	params = btf_params(proto);
	for (i = 0; i < btf_type_vlen(proto) && params[i].type; i++) {
		const char *its = btf_name_by_offset(w->btf, params[i].name_off);
		unsigned int before = used.registers + used.words;
		int at = evtlog_probe_next_place(w->btf, params[i].type, &used);

		if (at < 0)
			return !name ? 0 : evtlog_probe_refuse(w->error, -EOPNOTSUPP,
				"%.*s: %.60s takes a packed, empty or wide structure, so the place is unknown; write arg1, arg2 and so on",
				len, name, w->p->symbol);
		/* A structure of several words has no type if it is given by position. */
		if (name ? its && evtlog_probe_is_word(its, name, len) :
			   at == place && used.registers + used.words == before + 1) {
			set_place(w, at);
			set_place_type(w, params[i].type);
			return 0;
		}
	}
	return !name ? 0 : evtlog_probe_refuse(w->error, -ENOENT, "%.60s has no parameter %.*s",
					       w->p->symbol, len, name);
}

static int walk_member(struct walk *w, const char *name, size_t len, bool is_pointer)
{
	const struct btf_type *t = w->type;
	u32 bits = 0, bitfield = 0, member;

	if (is_pointer && t && BTF_INFO_KIND(t->info) == BTF_KIND_PTR)
		t = plain_type(w->btf, t->type);
	else if (is_pointer)
		t = NULL;
	if (!is_struct(t) || (!is_pointer && !w->in_memory && !w->in_registers))
		return evtlog_probe_refuse(w->error, -EINVAL,
			"%s: the value before %.*s is not known to be %s structure",
			w->arg->label, (int)len, name, is_pointer ? "a pointer to a" : "a");
	member = find_member(w->btf, t, name, len, 8, &bits, &bitfield);
	if (!member)
		return evtlog_probe_refuse(w->error, -ENOENT, "struct %s has no member %.*s",
			btf_name_by_offset(w->btf, t->name_off), (int)len, name);
	set_type(w, member);
	w->offset = (is_pointer ? 0 : w->offset) + bits / 8;
	w->shift = bits % 8;
	w->bitfield = bitfield;
	return 0;
}

/* Follows an index of an array or of a pointer. */
static int walk_index(struct walk *w, unsigned long index)
{
	const struct btf_type *t = w->type;
	bool is_array = t && BTF_INFO_KIND(t->info) == BTF_KIND_ARRAY && (w->in_memory || w->in_registers);
	u32 element, size;
	int status = 0;

	if (!is_array && (!t || BTF_INFO_KIND(t->info) != BTF_KIND_PTR))
		return evtlog_probe_refuse(w->error, -EINVAL,
			"%s: the value before [%lu] is not known to be an array or a pointer",
			w->arg->label, index);
	element = is_array ? btf_array(t)->type : t->type;
	if (is_array && btf_array(t)->nelems && index >= btf_array(t)->nelems)
		return evtlog_probe_refuse(w->error, -ERANGE, "%s: the array has only %u elements",
					   w->arg->label, btf_array(t)->nelems);
	if (IS_ERR(btf_resolve_size(w->btf, btf_type_by_id(w->btf, element), &size)) || !size ||
	    index > REACH_MAX / size)
		return evtlog_probe_refuse(w->error, -EINVAL,
			"%s: the size of element [%lu] is unknown, or its offset is too large", w->arg->label, index);
	if (!is_array)
		status = follow_pointer(w);
	if (!is_array)
		w->offset = 0;
	w->offset += index * size;
	w->in_memory = !w->in_registers;
	w->bitfield = 0;
	set_type(w, element);
	return status;
}

/**
 * evtlog_probe_is_packet() - check whether the place is a struct sk_buff
 * @is_pointer: check for a pointer to a struct sk_buff instead
 */
bool evtlog_probe_is_packet(const struct walk *w, bool is_pointer)
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

static int walk_param(struct walk *w, const char *name, int len, unsigned int place)
{
	return !name ? 0 : evtlog_probe_refuse(w->error, -ENOENT,
		"%.*s: this kernel has no BTF; write arg1, arg2 and so on", len, name);
}

static int walk_member(struct walk *w, const char *name, size_t len, bool is_pointer)
{
	return evtlog_probe_refuse(w->error, -ENOENT,
		"%.*s: this kernel has no BTF; write the member's offset, such as ->8", (int)len, name);
}

static int walk_index(struct walk *w, unsigned long index)
{
	return evtlog_probe_refuse(w->error, -ENOENT,
		"[%lu]: this kernel has no BTF; write the element's offset, such as ->8", index);
}

bool evtlog_probe_is_packet(const struct walk *w, bool is_pointer)
{
	return false;
}

#endif /* CONFIG_BPF_SYSCALL */

static size_t word_length(const char *at, const char *end)
{
	const char *start = at;

	while (at < end && *at != '.' && *at != '-' && *at != '[')
		at++;
	return at - start;
}

/**
 * evtlog_probe_walk_base() - begin a path
 * @w:		empty except for the probe, the argument and BTF
 * @name:	name of a parameter, arg1 to arg22, retval or a register; need not end in NUL
 * @len:	length of @name
 *
 * Return: 0 or a negative error.
 */
int evtlog_probe_walk_base(struct walk *w, const char *name, size_t len)
{
	unsigned long number;
	char text[16], *end;

	if (*name == '%') {
		int offset;

		if (w->p->kind != EVTLOG_PROBE_OFFSET)
			return evtlog_probe_refuse(w->error, -EINVAL,
				"only a probe at an offset can read registers; write arg1, arg2 and so on");
		strscpy(text, name + 1, min(len, sizeof(text)));
		offset = regs_query_register_offset(text);
		if (offset < 0)
			return evtlog_probe_refuse(w->error, -EINVAL,
				"register %%%s is unknown; the registers are %%ax, %%bx, %%cx, %%dx, %%si, %%di, %%bp, %%sp, %%r8 to %%r15, %%ip and %%flags",
				text);
		w->arg->source = EVTLOG_PROBE_PT_REGS;
		w->arg->regs_offset = offset;
		return 0;
	}
	if (w->p->kind == EVTLOG_PROBE_OFFSET)
		return evtlog_probe_refuse(w->error, -EINVAL,
			"a probe at an offset cannot find arguments; write a register such as %%di");
	if (len == 6 && !strncmp(name, "retval", 6)) {
		if (w->p->kind != EVTLOG_PROBE_RETURN)
			return evtlog_probe_refuse(w->error, -EINVAL, "only a %%return probe can read retval");
		w->arg->source = EVTLOG_PROBE_RETVAL;
		return walk_param(w, NULL, 0, 0);
	}
	number = !strncmp(name, "arg", 3) ? simple_strtoul(name + 3, &end, 10) : 0;
	if (number && number <= EVTLOG_PROBE_POSITIONS && end == name + len) {
		set_place(w, number - 1);
		return walk_param(w, NULL, 0, number - 1);
	}
	return walk_param(w, name, len, 0);
}

static int walk_step(struct walk *w, const char *name, size_t len, bool is_pointer)
{
	bool of_packet = evtlog_probe_is_packet(w, is_pointer);
	u32 packet = is_pointer ? 0 : w->offset;
	int status = is_pointer ? follow_pointer(w) : 0;

	if (status)
		return status;
	if (*name >= '0' && *name <= '9') {
		unsigned long offset = simple_strtoul(name, NULL, 0);

		if (!is_pointer || offset > REACH_MAX)
			return evtlog_probe_refuse(w->error, -EINVAL, "%s: expected an offset such as ->8",
						   w->arg->label);
		w->offset = offset;
		w->type = NULL;
		w->is_big_endian = false;
		w->bitfield = 0;
	} else {
		status = walk_member(w, name, len, is_pointer);
	}
	w->in_memory = !w->in_registers;
	w->is_data = of_packet && w->offset == packet + offsetof(struct sk_buff, data);
	return status;
}

/**
 * evtlog_probe_walk() - follow a path to its end
 * @w:		empty except for the probe, the argument and BTF
 * @path:	path with a syntax that spec.c has checked
 * @len:	length of @path
 *
 * Return: 0 or a negative error.
 */
int evtlog_probe_walk(struct walk *w, const char *path, size_t len)
{
	const char *at = path, *end = path + len;
	size_t word = word_length(at, end);
	int status = evtlog_probe_walk_base(w, at, word);

	for (at += word; !status && at < end; at += word) {
		bool is_pointer = *at == '-';

		if (*at == '[') {
			status = walk_index(w, simple_strtoul(at + 1, NULL, 10));
			word = strcspn(at, "]") + 1;
			continue;
		}
		at += is_pointer ? 2 : 1;
		word = word_length(at, end);
		status = walk_step(w, at, word, is_pointer);
	}
	return status;
}
