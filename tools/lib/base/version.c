// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The version of the library that a program runs with.
 *
 * For programs that use libevtlog.  Formats of files have versions of their own.
 */
#include <evtlog/version.h>

const char *evtlog_version(void)
{
	return EVTLOG_VERSION;
}
