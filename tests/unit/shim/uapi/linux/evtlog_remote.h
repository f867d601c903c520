/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim: the kernel installs remote.h under this name
 */
#include <evtlog/remote.h>
