/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Filters of events that modules register.
 */
#ifndef EVTLOG_FILTER_REGISTERED_H
#define EVTLOG_FILTER_REGISTERED_H

#include <linux/types.h>

struct seq_file;

int filter_registered_change(const char *name, const char *text, char *error, size_t size);
void filter_registered_show(struct seq_file *m);

#endif /* EVTLOG_FILTER_REGISTERED_H */
