/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Families: a command and all that it forks, threads and processes, and what those of them had that
 * have ended.
 */
#ifndef EVTLOG_PROFILE_FAMILY_H
#define EVTLOG_PROFILE_FAMILY_H

struct evtlog_profile;
struct evtlog_profile_family;
struct proc_dir_entry;

void evtlog_profile_family_inherit(struct evtlog_profile *child,
				   const struct evtlog_profile *parent);
void evtlog_profile_family_leave(struct evtlog_profile *p);
void evtlog_profile_family_without(const struct evtlog_profile *parent);
int evtlog_profile_family_make_file(struct proc_dir_entry *dir);

#endif /* EVTLOG_PROFILE_FAMILY_H */
