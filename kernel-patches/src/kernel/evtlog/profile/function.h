/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that are events of profiles, by probes with %timer. */
#ifndef EVTLOG_PROFILE_FUNCTION_H
#define EVTLOG_PROFILE_FUNCTION_H

#include <linux/errno.h>

struct seq_file;

#ifdef CONFIG_EVTLOG_PROFILE
int evtlog_profile_function(const char *name);
const char *evtlog_profile_function_name(unsigned int number);
void evtlog_profile_functions_show(struct seq_file *m);
void evtlog_profile_function_enter(unsigned int number);
void evtlog_profile_function_exit(unsigned int number);
#else
static inline int evtlog_profile_function(const char *name)
{
	return -EOPNOTSUPP;
}
#endif

#endif /* EVTLOG_PROFILE_FUNCTION_H */
