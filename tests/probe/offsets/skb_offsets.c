// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells where a packet's buffer has the address of its bytes, to tests in kernels without BTF:
 * /sys/module/skb_offsets/parameters/data.
 */
#include <linux/module.h>
#include <linux/skbuff.h>

static unsigned int data = offsetof(struct sk_buff, data);
module_param(data, uint, 0444);

MODULE_DESCRIPTION("Offsets of struct sk_buff");
MODULE_LICENSE("GPL");
