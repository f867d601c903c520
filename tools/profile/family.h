/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/evtlog/profile/family: the profiles of a command and of all that it forks.
 */
#ifndef EVTLOG_PROFILE_FAMILY_H
#define EVTLOG_PROFILE_FAMILY_H

#define PROFILE_FAMILY_FILE	"profile/family"

struct profile;

/** profile_family_open() - a family without members; profiles are kept while it is open
 *
 * Returns a file descriptor, or -errno.
 */
int profile_family_open(void);

/** profile_family_join() - this process is its first member; 0 or an errno */
int profile_family_join(int family);

/**
 * profile_family_read() - of members that live, and of all together that have ended
 *
 * Reads again until none is just ending, 2,000 times at most.  Free with profile_free().  Returns 0 or
 * -errno.
 */
int profile_family_read(int family, struct profile *profile);

#endif /* EVTLOG_PROFILE_FAMILY_H */
