/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replaces the lists of profiles in tests without readers of CPUs' profiles: the lists are unused.
 */
#ifndef UNIT_PROFILE_UNREAD_H
#define UNIT_PROFILE_UNREAD_H

#include <stdlib.h>

#include "profile/list.h"

unsigned int evtlog_profile_lists_kept;

struct evtlog_profile_list *evtlog_profile_list_hold(const struct evtlog_profile *p)
{
	abort();
}

void evtlog_profile_list_move(struct evtlog_profile *p, struct evtlog_profile_list *from,
			      unsigned int cpu)
{
	abort();
}

#endif /* UNIT_PROFILE_UNREAD_H */
