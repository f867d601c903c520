/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waiting for another thread that is in the library, without a lock that a child could find taken.
 */
#ifndef EVTLOG_LIB_REGION_WAIT_H
#define EVTLOG_LIB_REGION_WAIT_H

/* Tries of a thread that must not wait for ever: the other one may be this one, below a signal. 0.1 s. */
#define REGION_TRIES	1000

/**
 * region_wait() - between two tries, the first of which is number 0
 *
 * Sleeps after some: the other thread may need this CPU, and have less right to it.  It may be called
 * wherever the program is, is no cancellation point, and changes errno.
 */
void region_wait(unsigned int try);

#endif /* EVTLOG_LIB_REGION_WAIT_H */
