// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How many files may be open.
 */
#include <sys/resource.h>

#include "files-limit.h"

void files_limit_raise(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}
