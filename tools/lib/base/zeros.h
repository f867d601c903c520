/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Large arrays of zeros; only pages that are touched use memory.
 *
 * Not calloc(): it would clear, and so touch, all of a memory block that was freed before.
 */
#ifndef EVTLOG_LIB_BASE_ZEROS_H
#define EVTLOG_LIB_BASE_ZEROS_H

#include <stddef.h>
#include <sys/mman.h>

/* NULL if there is no memory. */
static inline void *zeros_new(size_t bytes)
{
	void *zeros = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return zeros == MAP_FAILED ? NULL : zeros;
}

/* @zeros may be NULL. */
static inline void zeros_free(void *zeros, size_t bytes)
{
	if (zeros)
		munmap(zeros, bytes);
}

#endif /* EVTLOG_LIB_BASE_ZEROS_H */
