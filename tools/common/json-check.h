/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether bytes are JSON.
 *
 * It gives no values.
 */
#ifndef EVTLOG_COMMON_JSON_CHECK_H
#define EVTLOG_COMMON_JSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* RFC 8259, an object, not too deep. */
bool json_check_object(const char *bytes, size_t length);

#endif /* EVTLOG_COMMON_JSON_CHECK_H */
