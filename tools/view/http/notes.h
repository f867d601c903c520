/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks that people set, in a file beside the first log.
 *
 * What is in the file is the page's: only that it is JSON is looked after.
 */
#ifndef EVTLOG_VIEW_HTTP_NOTES_H
#define EVTLOG_VIEW_HTTP_NOTES_H

#include <stdbool.h>

#include "view/session/session.h"

#define NOTES_BYTES_MAX	(1u << 20)

bool notes_writable(const struct session *session);

#endif /* EVTLOG_VIEW_HTTP_NOTES_H */
