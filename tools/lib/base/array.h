/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Arrays that grow as things come.
 *
 * Stage: wherever it is not known beforehand how many there will be.  It holds nothing:
 * the array, its room and its count are their owner's.
 */
#ifndef EVTLOG_LIB_BASE_ARRAY_H
#define EVTLOG_LIB_BASE_ARRAY_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Makes room for one more of @size bytes behind @count of them; @array: where the pointer
 * to them is.  Returns 0, or -ENOMEM, and all is as it was.
 */
static inline int array_reserve(void *array, size_t *capacity, size_t count, size_t size)
{
	size_t wanted = *capacity ? 2 * *capacity : 64;
	void *at;

	if (count < *capacity)
		return 0;
	/* Whatever it points to. */
	memcpy(&at, array, sizeof(at));
	at = reallocarray(at, wanted, size);
	if (!at)
		return -ENOMEM;
	memcpy(array, &at, sizeof(at));
	*capacity = wanted;
	return 0;
}

#endif /* EVTLOG_LIB_BASE_ARRAY_H */
