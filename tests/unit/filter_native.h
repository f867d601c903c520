/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a filter's machine code, in a stub of the test's.
 */
#ifndef UNIT_FILTER_NATIVE_H
#define UNIT_FILTER_NATIVE_H

#include "filter/filter.h"
#include "random.h"

/* Before the first code is run, by each thread: %gs, and memory that can be run. */
void native_init(void);

/* Makes the stub anew, with other registers each time; returns the code's bytes. */
int native_build(struct random *r, const struct evtlog_filter *filter);

/* Fails where the code has changed a register or the stack that it may not. */
bool native_run(const u64 *slots);

/* The code alone, in the stub, and how far behind its beginning it goes on if rejected. */
const void *native_code(long *reject);

#endif /* UNIT_FILTER_NATIVE_H */
