/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the scheduler's own header: machine.h has run queues
 */
#include "../machine.h"
