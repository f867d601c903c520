// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the kernel's profiles: of all tasks, or of one process with its user's rights.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "common/error.h"
#include "control/control.h"
#include "control/file.h"
#include "profile/profile.h"
#include "profile/subcommands.h"

/* All, for who may; an exit status. */
static int read_all(struct profile *profile, uint64_t *hz)
{
	int error;

	if (profile_hz_or_say(hz) != EXIT_OK)
		return EXIT_FAILED;
	error = profile_read(profile);
	return error ? profile_say_failed(error) : EXIT_OK;
}

/* Of one process, with the rights of ptrace(); an exit status. */
static int read_process(struct profile *profile, int pid, uint64_t *hz)
{
	struct evtlog_profile *loaded;
	int error = evtlog_profile_others(&pid, 1, &loaded);

	if (!error)
		error = profile_take(profile, loaded);
	if (!error)
		*hz = profile->about.ticks_hz;
	else if ((error == -EPERM || error == -EACCES) && !control_is_locked_down())
		pr_err("%d: %s: its profile is for its user, and root", pid, strerror(-error));
	else if (error == -ESRCH)
		pr_err("%d: there is no such process", pid);
	else if (error == -ENODATA)
		pr_err("profiles are not kept; evtlog profile start, as root, begins them");
	else
		profile_say_failed(error);
	return error ? EXIT_FAILED : EXIT_OK;
}

/* Others than root may not open the file of all: its mode refuses them, or that they lack CAP_PERFMON. */
static bool may_read_all(void)
{
	int fd = open(CONTROL_DIRECTORY "/" PROFILE_FILE, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return errno != EACCES && errno != EPERM;
	close(fd);
	return true;
}

int profile_read_live(struct profile *profile, int pid, uint64_t *hz)
{
	return pid && !may_read_all() ? read_process(profile, pid, hz) : read_all(profile, hz);
}
