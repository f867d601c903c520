/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zlib's crc32(), at the speed of memory where the CPU helps.
 */
#ifndef LOGD_CRC_H
#define LOGD_CRC_H

#include <stddef.h>
#include <stdint.h>

/** crc_of() - the same as crc32_z(@crc, @bytes, @length) */
uint32_t crc_of(uint32_t crc, const void *bytes, size_t length);

#endif /* LOGD_CRC_H */
