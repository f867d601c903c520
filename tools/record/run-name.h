/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of runs, by which the files of one run are found on many hosts.
 */
#ifndef EVTLOG_RECORD_RUN_NAME_H
#define EVTLOG_RECORD_RUN_NAME_H

#include <stdbool.h>

#include <evtlog/abi.h>

#define RUNNAME_RULE "a letter, then letters, digits and '._-', at most 31 in all"

/** runname_is_good() - RUNNAME_RULE */
bool runname_is_good(const char *name);

/**
 * runname_make() - one for now: of the Slurm job if there is one
 * @name:	EVTLOG_RUN_NAME_LEN bytes
 */
void runname_make(char *name);

#endif /* EVTLOG_RECORD_RUN_NAME_H */
