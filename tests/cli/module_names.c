// SPDX-License-Identifier: GPL-2.0-or-later
/* module_names DIRECTORY PROBE - what it makes of a probe, or "= PROBE" if that stays; 1: refused */
#include <stdio.h>
#include <stdlib.h>

#include "control/module-names.h"

int main(int argc, char **argv)
{
	char reason[512] = "", *result;
	int error;

	if (argc != 3)
		return 2;
	error = module_names(argv[1], argv[2], &result, reason, sizeof(reason));
	if (error)
		printf("refused: %s\n", reason);
	else
		printf("%s\n", result ? result : "=");
	free(result);
	return error ? 1 : 0;
}
