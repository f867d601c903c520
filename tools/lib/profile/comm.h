/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decodes task names in profile texts of the kernel.
 */
#ifndef EVTLOG_LIB_PROFILE_COMM_H
#define EVTLOG_LIB_PROFILE_COMM_H

#include <stddef.h>

/**
 * profile_comm_decode() - decode a name: a backslash and three octal digits are one byte
 * @text:	the name as the kernel writes it, @length bytes
 * @comm:	buffer of @room bytes for the name, which gets no NUL
 *
 * Return: the length of the name in bytes.
 */
size_t profile_comm_decode(const char *text, size_t length, char *comm, size_t room);

#endif /* EVTLOG_LIB_PROFILE_COMM_H */
