/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: all of it that is needed is the machine's.
 */
#include "../machine.h"
