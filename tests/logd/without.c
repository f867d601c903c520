// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * without CAPABILITY-NUMBER... -- COMMAND...: runs it as root without these capabilities.
 * without uid NUMBER -- COMMAND...: runs it as another user.
 *
 * For the guest, whose busybox cannot do this.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int i = 1;

	if (argc > 3 && !strcmp(argv[1], "uid")) {
		if (setgid(atoi(argv[2])) || setuid(atoi(argv[2])))
			goto fail;
		i = 3;
	}
	for (; i < argc && strcmp(argv[i], "--"); i++)
		if (prctl(PR_CAPBSET_DROP, atoi(argv[i]), 0, 0, 0))
			goto fail;
	if (++i >= argc)
		return 125;
	execvp(argv[i], argv + i);
fail:
	perror("without");
	return 125;
}
