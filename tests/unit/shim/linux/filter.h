/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: bpf.h has what is needed
 */
#include <linux/bpf.h>
