// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Judges names of runs, and makes one where the user gives none.
 *
 * Asks no kernel whether a name was used before.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run-name.h"

bool runname_is_good(const char *name)
{
	if (!isalpha((unsigned char)*name) || strlen(name) >= EVTLOG_RUN_NAME_LEN)
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("._-", *name))
			return false;
	return true;
}

void runname_make(char *name)
{
	const char *job = getenv("SLURM_JOB_ID");
	time_t now = time(NULL);
	char second[16];
	struct tm utc;
	int length;

	gmtime_r(&now, &utc);
	strftime(second, sizeof(second), "%Y%m%d-%H%M%S", &utc);
	if (job && *job) {
		length = snprintf(name, EVTLOG_RUN_NAME_LEN, "job%s-%s", job, second);
		if (length < EVTLOG_RUN_NAME_LEN && runname_is_good(name))
			return;
	}
	snprintf(name, EVTLOG_RUN_NAME_LEN, "r%s", second);
}
