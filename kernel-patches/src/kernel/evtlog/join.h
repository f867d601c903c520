/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How each CPU joins a run and leaves it.
 */
#ifndef EVTLOG_JOIN_H
#define EVTLOG_JOIN_H

/* Ticks in which a CPU may leave by itself before it is interrupted. */
#define EVTLOG_JOIN_PATIENCE	4

void evtlog_join_wait_for_leaving(void);

#endif /* EVTLOG_JOIN_H */
