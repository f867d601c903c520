/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a filter as a BPF program, as the module does.
 */
#ifndef UNIT_FILTER_PROGRAM_H
#define UNIT_FILTER_PROGRAM_H

#include "filter/filter.h"

/* Makes the program; the previous one is freed. */
void program_build(const struct evtlog_filter *filter);

/* Fails if the program reads a register without a value, jumps back, or has no end. */
bool program_run(const u64 *slots);

#endif /* UNIT_FILTER_PROGRAM_H */
