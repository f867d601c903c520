// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds in BTF the prototypes of probed functions: the places of their arguments.
 *
 * Called by walk.c and pass_on.c.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/err.h>
#include <linux/idr.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/spinlock.h>

#include "probe/probe.h"

#ifdef CONFIG_BPF_SYSCALL

static const struct btf *btf_of_kernel(void)
{
	struct btf *btf = bpf_get_btf_vmlinux();

	return IS_ERR_OR_NULL(btf) ? NULL : btf;
}

static bool is_of_module(const struct btf *btf, const struct module *module)
{
	struct module *its = btf_try_get_module(btf);

	if (its)
		module_put(its);
	return its == module;
}

/*
 * Searches as kernel/bpf/btf.c does for names; the list of modules there is private.  A module
 * holds a reference to its BTF as long as it is loaded.
 */
static const struct btf *btf_of_module(const struct module *module)
{
	bool is_found = false;
	struct btf *btf;
	int id;

	spin_lock_bh(&btf_idr_lock);
	idr_for_each_entry(&btf_idr, btf, id) {
		if (!btf_is_module(btf))
			continue;
		btf_get(btf);
		spin_unlock_bh(&btf_idr_lock);
		is_found = is_of_module(btf, module);
		btf_put(btf);
		if (is_found)
			return btf;
		spin_lock_bh(&btf_idr_lock);
	}
	spin_unlock_bh(&btf_idr_lock);
	return NULL;
}

static int size_of(const struct btf *btf, u32 id, u32 *size)
{
	const struct btf_type *t = btf_type_by_id(btf, id);

	return t && !IS_ERR(btf_resolve_size(btf, t, size)) ? 0 : -EINVAL;
}

/**
 * evtlog_probe_btf() - find the BTF of a probe's function
 * @p:		resolved, except for its arguments
 *
 * Context: task context, may sleep.
 * Return: BTF of the kernel, or of the module; NULL if there is none.  A module's BTF continues the
 * types of the kernel's BTF, and exists as long as @p holds the module.
 */
const struct btf *evtlog_probe_btf(const struct evtlog_probe *p)
{
	return p->module ? btf_of_module(p->module) : btf_of_kernel();
}

/* First type of the module's own: the kernel may have another function of the same name. */
static u32 first_type(const struct evtlog_probe *p)
{
	const struct btf *base = p->module ? btf_of_kernel() : NULL;

	return base ? btf_nr_types(base) : 1;
}

/* Returns the function's prototype.  NULL: none, or another function may share the name. */
const struct btf_type *evtlog_probe_prototype(const struct btf *btf, const struct evtlog_probe *p)
{
	const char *module = strchr(p->symbol, ':'), *name = module ? module + 1 : p->symbol;
	const struct btf_type *t;
	u32 id, size;

	if (p->is_shared)
		return NULL;
	for (id = first_type(p); btf && id < btf_nr_types(btf); id++) {
		t = btf_type_by_id(btf, id);
		if (BTF_INFO_KIND(t->info) == BTF_KIND_FUNC &&
		    !strcmp(btf_name_by_offset(btf, t->name_off), name))
			break;
	}
	if (!btf || id >= btf_nr_types(btf))
		return NULL;
	t = btf_type_by_id(btf, t->type);
	/* A result in memory takes a register for its address: the arguments move. */
	return size_of(btf, t->type, &size) || size <= 16 ? t : NULL;
}

#define NESTED_MAX	8

/*
 * Returns the alignment of a value in bytes, derived from its members: BTF contains none.  Returns
 * 0 if the size does not fix how the value is passed: it is packed, empty, or larger than its
 * members.
 */
static u32 plain_alignment(const struct btf *btf, u32 id, u32 bits, unsigned int depth)
{
	const struct btf_type *t = btf_type_skip_modifiers(btf, id, NULL);
	const struct btf_member *member;
	u32 size, i, end = 0, alignment = 0;

	if (depth > NESTED_MAX || size_of(btf, id, &size) || !size)
		return 0;
	if (BTF_INFO_KIND(t->info) == BTF_KIND_ARRAY)
		return plain_alignment(btf, btf_array(t)->type, bits, depth + 1);
	if (!btf_type_is_struct(t))
		return size <= 8 && bits % (size * 8) == 0 &&
		       BTF_INFO_KIND(t->info) != BTF_KIND_FLOAT ? size : 0;
	for_each_member(i, t, member) {
		u32 at = __btf_member_bit_offset(t, member), its_bytes, its_alignment;
		u32 width = __btf_member_bitfield_size(t, member);

		if (size_of(btf, member->type, &its_bytes))
			return 0;
		its_alignment = width ? its_bytes :
				plain_alignment(btf, member->type, bits + at, depth + 1);
		if (!its_alignment)
			return 0;
		alignment = max(alignment, its_alignment);
		end = max(end, at + (width ?: its_bytes * 8));
	}
	return alignment && size * 8 == round_up(end, alignment * 8) ? alignment : 0;
}

/**
 * evtlog_probe_next_place() - find the place of a function's next argument
 * @btf:	BTF that contains the type
 * @id:		type of the argument
 * @used:	registers and words that the previous arguments take; this argument is added
 *
 * Return: first register, 0 to 5, or EVTLOG_PROBE_REGISTERS + first word on the stack; -EINVAL: BTF
 * has no size; -EOPNOTSUPP: a packed, empty or wide structure, whose size does not fix its place.
 */
int evtlog_probe_next_place(const struct btf *btf, u32 id, struct evtlog_probe_places *used)
{
	unsigned int place;
	u32 size;

	if (size_of(btf, id, &size))
		return -EINVAL;
	if (!plain_alignment(btf, id, 0, 0))
		return -EOPNOTSUPP;
	place = used->registers;
	if (size <= 16 && place + DIV_ROUND_UP(size, 8) <= EVTLOG_PROBE_REGISTERS) {
		used->registers += DIV_ROUND_UP(size, 8);
		return place;
	}
	/* An alignment of 16 bytes, which BTF does not contain, would move it by one word. */
	if (size % 16 == 0 && used->words % 2)
		return -EOPNOTSUPP;
	place = EVTLOG_PROBE_REGISTERS + used->words;
	used->words += DIV_ROUND_UP(size, 8);
	return place;
}

#else /* !CONFIG_BPF_SYSCALL */

const struct btf *evtlog_probe_btf(const struct evtlog_probe *p)
{
	return NULL;
}

#endif /* CONFIG_BPF_SYSCALL */
