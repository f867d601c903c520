// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of system calls, from the kernel's own headers: see tools/build.mk.
 */
#include <stddef.h>

#include "names.h"

static const char *const names_64[] = {
#include "syscalls_64.inc"
};

static const char *const names_32[] = {
#include "syscalls_32.inc"
};

#define COUNT(names)	(sizeof(names) / sizeof(names[0]))

const char *syscall_name(uint64_t number)
{
	return number < COUNT(names_64) ? names_64[number] : NULL;
}

const char *syscall_name_32(uint64_t number)
{
	return number < COUNT(names_32) ? names_32[number] : NULL;
}
