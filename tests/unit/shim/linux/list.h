/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: the member of listed structs
 */
#ifndef SHIM_LINUX_LIST_H
#define SHIM_LINUX_LIST_H

struct list_head {
	struct list_head *next, *prev;
};

#endif /* SHIM_LINUX_LIST_H */
