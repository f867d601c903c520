/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads all clocks before and after a step of CLOCK_REALTIME */
#ifndef EVTLOG_CLOCK_STEP_H
#define EVTLOG_CLOCK_STEP_H

#include <linux/init.h>

void __init evtlog_clock_step_init(void);
void evtlog_clock_step_exit(void);

#endif /* EVTLOG_CLOCK_STEP_H */
