/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shim of the kernel's header: profiles have room for values, but get none
 */
#ifndef SHIM_LINUX_EVTLOG_SPAN_H
#define SHIM_LINUX_EVTLOG_SPAN_H

#define EVTLOG_VALUES	1

#endif /* SHIM_LINUX_EVTLOG_SPAN_H */
