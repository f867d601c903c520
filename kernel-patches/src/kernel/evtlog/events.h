/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which record types are wanted, and their static keys.
 */
#ifndef EVTLOG_KEYS_H
#define EVTLOG_KEYS_H

#include <linux/types.h>

void evtlog_keys_apply(bool armed);
int evtlog_events_parse(char *text, u64 *types);
u64 evtlog_events(void);
void evtlog_events_set(u64 types);
const char *evtlog_type_name(unsigned int type);

/* events_flip.c */
int evtlog_keys_init(void);
u64 evtlog_keys_on(void);
void evtlog_keys_flip(u64 on);

#endif /* EVTLOG_KEYS_H */
