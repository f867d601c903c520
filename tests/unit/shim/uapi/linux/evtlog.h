/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim: the kernel installs abi.h under this name
 */
#include <evtlog/abi.h>
