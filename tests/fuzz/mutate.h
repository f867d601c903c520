/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes files of this project at random, part by part, and makes them consistent again.
 *
 * A change that a checksum or a length reveals only tests this check. Files with correct checksums
 * and lengths reach the code after the check.
 */
#ifndef TESTS_FUZZ_MUTATE_H
#define TESTS_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Changes a log, a merged file, an index, a file of samples, or other bytes, one to six times.
 * @room: size of the memory at @bytes, at least @size
 * @state: of xorshift64*; never 0
 * Returns the new size.
 */
size_t mutate(uint8_t *bytes, size_t size, size_t room, uint64_t *state);

/* Corrects all checksums. */
void mutate_seal(uint8_t *bytes, size_t size);

#endif /* TESTS_FUZZ_MUTATE_H */
