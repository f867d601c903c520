/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Arrays that grow as things come.
 *
 * Wherever it is not known beforehand how many there will be: the library, logd and the
 * commands use it.  It holds nothing: the array, its room and its count are their owner's.
 */
#ifndef EVTLOG_LIB_BASE_ARRAY_H
#define EVTLOG_LIB_BASE_ARRAY_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_FIRST	((size_t)64)

/**
 * array_reserve_more() - makes room for @more of @size bytes behind @count of them
 * @array: where the pointer to them is; NULL is there as long as there are none
 * @capacity: how many there is room for; at least doubled, so that adding is cheap
 *
 * Return: 0; -ENOMEM: all is as it was, also when so many can not be.
 */
static inline int array_reserve_more(void *array, size_t *capacity, size_t count, size_t more,
				     size_t size)
{
	size_t wanted = *capacity;
	void *at;

	if (more <= *capacity - count)
		return 0;
	if (more > SIZE_MAX - count)
		return -ENOMEM;
	wanted = wanted <= SIZE_MAX / 2 ? 2 * wanted : SIZE_MAX;
	wanted = wanted < ARRAY_FIRST ? ARRAY_FIRST : wanted;
	wanted = wanted < count + more ? count + more : wanted;
	/* Whatever it points to. */
	memcpy(&at, array, sizeof(at));
	at = reallocarray(at, wanted, size);
	if (!at)
		return -ENOMEM;
	memcpy(array, &at, sizeof(at));
	*capacity = wanted;
	return 0;
}

/**
 * array_reserve() - makes room for one more
 *
 * Return: as array_reserve_more().
 */
static inline int array_reserve(void *array, size_t *capacity, size_t count, size_t size)
{
	return array_reserve_more(array, capacity, count, 1, size);
}

#endif /* EVTLOG_LIB_BASE_ARRAY_H */
