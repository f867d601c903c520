/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pids of tasks that were named: --comm.
 *
 * Stage: between a selection and the engine, which knows pids alone.
 */
#ifndef EVTLOG_JITTER_TASK_NAMES_H
#define EVTLOG_JITTER_TASK_NAMES_H

#include "input/event-filter.h"

/**
 * named_pids() - add the pids of all tasks that ever have a name of @selection's
 *
 * Reads the log once.  Returns the number of pids added, or -errno.
 */
int named_pids(struct filter *filter, struct evtlog_file *file);

#endif /* EVTLOG_JITTER_TASK_NAMES_H */
