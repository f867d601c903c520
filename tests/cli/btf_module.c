// SPDX-License-Identifier: GPL-2.0-or-later
/* What module-names.test takes for a module. */
#include "btf_types.h"

struct own {
	struct outer *outer;
	signed char small;
};

int module_function(struct own *own, struct pair pair, struct large large, port_t port, long last)
{
	return own->small + pair.a + large.a[0] + port + last;
}

long module_last(int a, int b, int c, int d, int e, int f, int seventh)
{
	return a + b + c + d + e + f + seventh;
}
