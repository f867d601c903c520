// SPDX-License-Identifier: GPL-2.0-or-later
/* What module-names.test takes for a kernel: its types are those that btf_module.c is told by. */
#include "btf_types.h"

unsigned int kernel_function(struct outer *outer)
{
	return outer->number;
}
