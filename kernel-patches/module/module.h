/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the module use of each other */
#ifndef EVTLOG_MODULE_MODULE_H
#define EVTLOG_MODULE_MODULE_H

#include <linux/types.h>

/* outside.c */
unsigned long evtlog_address_of(const char *name);
void evtlog_outside_init(void);
unsigned long evtlog_outside_find(const char *name);
bool evtlog_outside_has_trees(void);

/* outside_probe.c */
void evtlog_outside_probe_init(void);

/* offline.c */
int evtlog_offline_init(void);
void evtlog_offline_exit(void);

#endif /* EVTLOG_MODULE_MODULE_H */
