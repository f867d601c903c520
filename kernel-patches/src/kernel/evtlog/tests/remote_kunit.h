/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the KUnit suites of control messages share: keys, set and removed as from a file.
 */
#ifndef EVTLOG_REMOTE_KUNIT_H
#define EVTLOG_REMOTE_KUNIT_H

#include <linux/string.h>

#include "remote/remote.h"

#define EVTLOG_KUNIT_KEY	"000102030405060708090a0b0c0d0e0f"
#define EVTLOG_KUNIT_OTHER_KEY	"ffeeddccbbaa99887766554433221100"

/* evtlog_remote_key_write() of a text that it may not change */
static inline int evtlog_kunit_key(const char *text)
{
	char copy[64];

	strscpy(copy, text, sizeof(copy));
	return evtlog_remote_key_write(copy);
}

#endif /* EVTLOG_REMOTE_KUNIT_H */
