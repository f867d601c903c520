/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: its names of fixed-width types.
 */
#ifndef SHIM_LINUX_TYPES_H
#define SHIM_LINUX_TYPES_H

#include_next <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;

#define __user

typedef unsigned short umode_t;

#endif /* SHIM_LINUX_TYPES_H */
