// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the profiles that the kernel has now, for evtlog profile report.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/error.h"
#include "control/control.h"
#include "control/file.h"
#include "profile/profile.h"
#include "profile/subcommands.h"

/* Reads all profiles; returns an exit status. */
static int read_all(struct evtlog_profile **profilep)
{
	uint64_t hz;
	int error;

	if (profile_hz_or_say(&hz) != EXIT_OK)
		return EXIT_FAILED;
	error = profile_read(profilep);
	if (error)
		return profile_say_failed(error);
	(*profilep)->about.ticks_hz = hz;
	return EXIT_OK;
}

/* Reads one process, with the rights of ptrace(); returns an exit status. */
static int read_process(struct evtlog_profile **profilep, int pid)
{
	int error = evtlog_profile_others(&pid, 1, profilep);

	if (!error)
		profile_finish(*profilep);
	else if ((error == -EPERM || error == -EACCES) && !control_is_locked_down())
		pr_err("%d: %s: only its user and root may read its profile", pid, strerror(-error));
	else if (error == -ESRCH)
		pr_err("%d: there is no such process", pid);
	else if (error == -ENODATA)
		pr_err("profiles are off; evtlog profile start, as root, starts them");
	else
		profile_say_failed(error);
	return error ? EXIT_FAILED : EXIT_OK;
}

/* Opening the file fails with EACCES because of its mode, or with EPERM without CAP_PERFMON. */
static bool may_read_all(void)
{
	int fd = open(CONTROL_DIRECTORY "/" PROFILE_FILE, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return errno != EACCES && errno != EPERM;
	close(fd);
	return true;
}

int profile_read_live(struct evtlog_profile **profilep, int pid)
{
	return pid && !may_read_all() ? read_process(profilep, pid) : read_all(profilep);
}

int profile_compensate_or_say(struct evtlog_profile *profile)
{
	int error = evtlog_profile_compensate(profile);

	if (error == -ENODATA)
		pr_err("--compensate: the profile does not contain the cost of a measurement (profiles of regions do not); leave out the option");
	else if (error == -EALREADY)
		pr_err("--compensate: the profile is compensated already; leave out the option");
	else if (error)
		pr_err("--compensate: %s", strerror(-error));
	return error ? EXIT_FAILED : EXIT_OK;
}
