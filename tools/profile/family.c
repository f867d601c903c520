// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads /proc/evtlog/profile/family.
 */
#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "control/control.h"
#include "control/file.h"
#include "profile/family.h"
#include "profile/profile.h"

#define TRIES		2000
#define PAUSE_NS	5000000

int profile_family_open(void)
{
	int fd = open(CONTROL_DIRECTORY "/" PROFILE_FAMILY_FILE, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int profile_family_join(int family)
{
	return -control_file_write(family, "join");
}

int profile_family_read(int family, struct profile *profile)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };

	for (int i = 0;; i++) {
		size_t bytes;
		char *text;
		int error = control_file_read(family, &text, &bytes);

		if (!error)
			error = profile_parse(profile, text);
		if (error)
			return error;
		if (profile->about.members == profile->about.listed || i == TRIES)
			return 0;
		profile_free(profile);
		nanosleep(&pause, NULL);
	}
}
