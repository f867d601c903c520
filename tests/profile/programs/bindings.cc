// SPDX-License-Identifier: GPL-2.0-or-later
// bindings - regions of C++: a region ends with its block, also after an exception
#include <evtlog/region.h>

static int leave(int how)
{
	evtlog_region region("block");

	if (how == 1)
		throw 1;
	return how;
}

int main()
{
	evtlog_region region("main");

	for (int i = 0; i < 6; i++) {
		try {
			leave(i % 3);
		} catch (int) {
			evtlog_region caught("caught");
		}
	}
	return 0;
}
