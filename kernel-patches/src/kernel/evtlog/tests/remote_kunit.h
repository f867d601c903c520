/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the KUnit suites of control messages: keys, set and removed as through the file.
 */
#ifndef EVTLOG_REMOTE_KUNIT_H
#define EVTLOG_REMOTE_KUNIT_H

#include <linux/string.h>

#include "remote/remote.h"

#define EVTLOG_KUNIT_KEY	"000102030405060708090a0b0c0d0e0f"
#define EVTLOG_KUNIT_OTHER_KEY	"ffeeddccbbaa99887766554433221100"

/* evtlog_remote_key_write() for a constant text */
static inline int evtlog_kunit_key(const char *text)
{
	char copy[64];

	strscpy(copy, text, sizeof(copy));
	return evtlog_remote_key_write(copy);
}

#endif /* EVTLOG_REMOTE_KUNIT_H */
