// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The version of the library that a program runs with.
 *
 * Called by whoever uses libevtlog. It says nothing of the formats of files, which have
 * versions of their own.
 */
#include <evtlog/version.h>

const char *evtlog_version(void)
{
	return EVTLOG_VERSION;
}
