/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of tasks in the text of the kernel.
 */
#ifndef EVTLOG_LIB_PROFILE_COMM_H
#define EVTLOG_LIB_PROFILE_COMM_H

#include <stddef.h>

/**
 * profile_comm_decode() - a name as it is: a backslash and three octal digits are a byte
 * @text:	in the kernel's text, @length bytes
 * @comm:	@room bytes for it, without a NUL behind it
 *
 * Returns how many bytes it has.
 */
size_t profile_comm_decode(const char *text, size_t length, char *comm, size_t room);

#endif /* EVTLOG_LIB_PROFILE_COMM_H */
