/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SIGINT, SIGTERM and SIGHUP while an export is written: it takes away what it has made, and then
 * ends by the signal.
 */
#ifndef EVTLOG_EXPORT_INTERRUPT_H
#define EVTLOG_EXPORT_INTERRUPT_H

#include <signal.h>

/* The signal that came, or 0. */
extern volatile sig_atomic_t interrupted;

/* From here on the signals are noted in @interrupted, and end nothing. */
void interrupt_catch(void);

/* Ends the process if a signal came and made @status EXIT_FAILED; else returns @status. */
int interrupt_end(int status);

#endif /* EVTLOG_EXPORT_INTERRUPT_H */
