/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes that wait for the end of a file, of which memory holds only the last.
 *
 * Stage: beside the file: what readers find behind its row groups grows with these.
 */
#ifndef EVTLOG_PARQUET_OVERFLOW_H
#define EVTLOG_PARQUET_OVERFLOW_H

#include "bytes.h"

/*
 * @held:	the last ones
 * @fd:		where the first @spilled are; valid if there are such
 * @taken:	so many were given back
 */
struct overflow {
	struct bytes held;
	uint64_t spilled;
	uint64_t taken;
	int fd;
};

/* Adds @count bytes.  0 or -errno. */
int overflow_put(struct overflow *overflow, const void *bytes, size_t count);

/* Gives the next @count bytes, which must be there.  0 or -errno. */
int overflow_take(struct overflow *overflow, void *bytes, size_t count);

static inline uint64_t overflow_count(const struct overflow *overflow)
{
	return overflow->spilled + overflow->held.count;
}

void overflow_free(struct overflow *overflow);

#endif /* EVTLOG_PARQUET_OVERFLOW_H */
