/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Arrays that grow when elements are added, and the order of their elements.
 *
 * For the library, logd and the commands.  The caller owns the array, its capacity and its count.
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
 * array_reserve_more() - makes room for @more elements in an array that has @count
 * @array: address of the pointer to the elements; that pointer is NULL at first
 * @capacity: of the array, in elements; at least doubled when the array grows
 * @size: of an element, in bytes
 *
 * Return: 0; -ENOMEM: no memory, or the size would overflow; nothing has changed.
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
	/* A copy, because the pointer can be of any type. */
	memcpy(&at, array, sizeof(at));
	at = reallocarray(at, wanted, size);
	if (!at)
		return -ENOMEM;
	memcpy(array, &at, sizeof(at));
	*capacity = wanted;
	return 0;
}

/**
 * array_reserve() - makes room for one more element
 *
 * Return: as array_reserve_more().
 */
static inline int array_reserve(void *array, size_t *capacity, size_t count, size_t size)
{
	return array_reserve_more(array, capacity, count, 1, size);
}

/* For qsort(), in ascending order. */
static inline int array_by_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static inline int array_by_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

#endif /* EVTLOG_LIB_BASE_ARRAY_H */
