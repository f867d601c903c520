/* SPDX-License-Identifier: GPL-2.0-only */
/* In the place of kernel/sched/sched.h, which modules cannot include */
#include <linux/sched.h>
