/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks whose pids are nearest to some that are wanted.
 */
#ifndef EVTLOG_INPUT_NEAREST_H
#define EVTLOG_INPUT_NEAREST_H

#include "common/linebuf.h"
#include "selection.h"

/* Puts "tasks dd-12, cat-14 and 7 more", nearest first. */
void nearest_put_tasks(struct line *line, const struct matches *matches);

#endif /* EVTLOG_INPUT_NEAREST_H */
