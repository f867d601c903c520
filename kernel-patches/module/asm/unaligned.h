/* SPDX-License-Identifier: GPL-2.0-only */
/* Since 6.12 there is only linux/unaligned.h. */
#include <linux/unaligned.h>
