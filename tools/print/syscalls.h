/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of system calls.
 *
 * They are those of the kernel's headers that this program was built with: a call that is newer
 * has none.
 */
#ifndef EVTLOG_PRINT_SYSCALLS_H
#define EVTLOG_PRINT_SYSCALLS_H

#include <stdint.h>

/* Of x86-64, and of 32-bit programs on it; NULL: unknown. */
const char *syscall_name(uint64_t number);
const char *syscall_name_32(uint64_t number);

#endif /* EVTLOG_PRINT_SYSCALLS_H */
