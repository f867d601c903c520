/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: memset() and memcpy() are the C library's.
 */
#ifndef SHIM_LINUX_STRING_H
#define SHIM_LINUX_STRING_H

#include <string.h>

#endif /* SHIM_LINUX_STRING_H */
