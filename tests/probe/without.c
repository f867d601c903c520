// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * without - runs a program with every capability except CAP_SYS_MODULE.
 */
#include <linux/capability.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 2 || prctl(PR_CAPBSET_DROP, CAP_SYS_MODULE, 0, 0, 0)) {
		perror("without");
		return 125;
	}
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 126;
}
