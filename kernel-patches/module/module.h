/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the module use of each other */
#ifndef EVTLOG_MODULE_MODULE_H
#define EVTLOG_MODULE_MODULE_H

void evtlog_outside_init(void);

#endif /* EVTLOG_MODULE_MODULE_H */
