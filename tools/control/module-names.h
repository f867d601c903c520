/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names in probes of modules' functions: the kernel's own BTF has none of them, their modules' have.
 *
 * For probes.c.
 */
#ifndef EVTLOG_CONTROL_MODULE_NAMES_H
#define EVTLOG_CONTROL_MODULE_NAMES_H

#include <stddef.h>

#define MODULE_BTF	"/sys/kernel/btf"

/**
 * module_names() - say by position and offset what a probe has by name
 * @directory:	of the kernel's BTF, vmlinux, and of modules'; MODULE_BTF
 * @probe:	as evtlog probe add takes it
 * @result:	free() it; NULL: @probe is as the kernel takes it, or its function is no module's
 *		with BTF
 * @reason:	why not: a sentence; of @size
 *
 * What has a position or an offset already, current.pid and packet() stay as they are.
 *
 * Return: 0; -EINVAL with a reason; -ENOMEM.
 */
int module_names(const char *directory, const char *probe, char **result, char *reason,
		 size_t size);

#endif /* EVTLOG_CONTROL_MODULE_NAMES_H */
