// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the kernel's lockdown, of securityfs.
 *
 * At "integrity" evtlog works as it does without: it reads the kernel and changes nothing of it.
 */
#include <stdio.h>
#include <string.h>

#include "lockdown.h"

#define LOCKDOWN_FILE	"/sys/kernel/security/lockdown"

bool control_is_locked_down(void)
{
	char levels[64] = "";
	FILE *file = fopen(LOCKDOWN_FILE, "re");

	if (!file)
		return false;
	if (!fgets(levels, sizeof(levels), file))
		levels[0] = '\0';
	fclose(file);
	return strstr(levels, "[confidentiality]");
}
