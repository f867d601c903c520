/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SHIM_LINUX_CONTAINER_OF_H
#define SHIM_LINUX_CONTAINER_OF_H

#include <stddef.h>

#ifndef container_of
#define container_of(at, type, member)	((type *)((char *)(at) - offsetof(type, member)))
#endif

#endif
