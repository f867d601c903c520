/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BTF, the description of types that a kernel and its modules have of themselves
 * (Documentation/bpf/btf.rst).
 *
 * For tools/path and module-names.c.  The bytes are checked as those of any file are.
 */
#ifndef EVTLOG_CONTROL_BTF_H
#define EVTLOG_CONTROL_BTF_H

#include <linux/btf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf;

/**
 * btf_read() - take BTF apart
 * @bytes:	stay the caller's, and stay
 * @base:	of the kernel, for a module's; NULL for the kernel's.  It stays, too
 *
 * Return: 0; -EBADMSG; -ENOMEM.
 */
int btf_read(const void *bytes, size_t length, const struct btf *base, struct btf **btfp);
void btf_free(struct btf *btf);

/** btf_type() - a type by its number; NULL: there is none, or it is void */
const struct btf_type *btf_type(const struct btf *btf, uint32_t id);

/** btf_plain() - the number of a type without its typedefs, const and the like; 0: void, or none */
uint32_t btf_plain(const struct btf *btf, uint32_t id);

/** btf_has_name() - whether a name is this one; @length: without an end */
bool btf_has_name(const struct btf *btf, uint32_t name, const char *is, size_t length);

/** btf_find() - a type of @btf itself, not of its base, by kind and name; 0: none.  Behind @after */
uint32_t btf_find(const struct btf *btf, unsigned int kind, const char *name, size_t length,
		  uint32_t after);

/** btf_bytes() - the size of a type; 0: not known */
uint64_t btf_bytes(const struct btf *btf, uint32_t id);

/* Where a member is within its structure; @bitfield: so many bits, or 0 */
struct btf_place {
	uint32_t bits;
	uint32_t bitfield;
	uint32_t type;
};

/** btf_member() - a member of a structure or union, also of one without a name within */
bool btf_member(const struct btf *btf, const struct btf_type *type, const char *name,
		size_t length, struct btf_place *place);

#endif /* EVTLOG_CONTROL_BTF_H */
