/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where whole buffers wait that are read a piece at a time.
 *
 * It does not hold what is stored as it is: a stream reads that from its own
 * file.
 */
#ifndef EVTLOG_LIB_STREAM_SPILL_H
#define EVTLOG_LIB_STREAM_SPILL_H

#include "lib/file/file.h"

/*
 * @fd:		made when first needed; -1 until then
 * @end:	of all slots
 * @piece_bytes: how much of a buffer a stream holds
 * @loaded:	a buffer on its way
 * @scratch:	of all files that are read so
 */
struct spill {
	int fd;
	uint64_t end;
	size_t piece_bytes;
	struct loaded loaded;
	struct scratch scratch;
};

void spill_init(struct spill *spill, size_t piece_bytes);
void spill_free(struct spill *spill);

/* Room for @bytes that may be written again and again: its offset. */
uint64_t spill_slot(struct spill *spill, uint64_t bytes);

/* Both do all or fail: 0 or -errno. */
int spill_write(struct spill *spill, uint64_t offset, const void *bytes,
		size_t length);
int spill_read(const struct spill *spill, uint64_t offset, void *to,
	       size_t length);

#endif /* EVTLOG_LIB_STREAM_SPILL_H */
