/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A module's function in its module's BTF.
 *
 * For module-names.c.
 */
#ifndef EVTLOG_CONTROL_MODULE_BTF_H
#define EVTLOG_CONTROL_MODULE_BTF_H

#include <stdbool.h>
#include <stddef.h>

struct btf;
struct btf_type;

/* A part of a text */
struct piece {
	const char *at;
	size_t length;
};

/* @btf: the module's, over the kernel's; @prototype: the function's, in it */
struct module_btf {
	char *bytes;
	struct btf *btf;
	const struct btf_type *prototype;
};

/**
 * module_btf_find() - look for a function
 * @directory:	has vmlinux and modules
 * @function:	perhaps with its module before it and a colon
 *
 * Return: whether a module has it; not if the kernel has one of that name.  module_btf_free() it in
 * any case.
 */
bool module_btf_find(struct module_btf *names, const char *directory,
		     const struct piece *function);

void module_btf_free(struct module_btf *names);

#endif /* EVTLOG_CONTROL_MODULE_BTF_H */
