/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether the kernel is locked down so far that it opens no file of /proc/evtlog, for messages.
 */
#ifndef EVTLOG_CONTROL_LOCKDOWN_H
#define EVTLOG_CONTROL_LOCKDOWN_H

#include <stdbool.h>

/**
 * control_is_locked_down() - is this kernel's lockdown "confidentiality"?
 *
 * Return: false, too, where securityfs is not mounted or must not be read.
 */
bool control_is_locked_down(void);

#endif /* EVTLOG_CONTROL_LOCKDOWN_H */
