/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the scheduler's own header: run queues are the machine's.
 */
#include "../machine.h"
