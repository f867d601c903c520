/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a filter's machine code in a stub.
 */
#ifndef UNIT_FILTER_NATIVE_H
#define UNIT_FILTER_NATIVE_H

#include "filter/filter.h"
#include "random.h"

/* Sets %gs and gets executable memory. Each thread calls it before it runs code. */
void native_init(void);

/* Makes the stub with other registers each time. Returns the number of bytes of code. */
int native_build(struct random *r, const struct evtlog_filter *filter);

/* Fails if the code has changed a register or the stack without permission. */
bool native_run(const u64 *slots);

/* Returns the code in the stub, and the offset at which it continues if it rejects. */
const void *native_code(long *reject);

#endif /* UNIT_FILTER_NATIVE_H */
