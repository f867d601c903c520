/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * zlib's crc32(), at the speed of memory if the CPU has carry-less multiplication.
 */
#ifndef EVTLOG_LIB_CODEC_CRC32_H
#define EVTLOG_LIB_CODEC_CRC32_H

#include <stddef.h>
#include <stdint.h>

/** crc_of() - the same as crc32_z(@crc, @bytes, @length) */
uint32_t crc_of(uint32_t crc, const void *bytes, size_t length);

#endif /* EVTLOG_LIB_CODEC_CRC32_H */
