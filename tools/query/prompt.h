/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A prompt for queries on a terminal, with lines that can be edited and called back.
 *
 * Lines are kept while it runs and are not saved.
 */
#ifndef EVTLOG_QUERY_PROMPT_H
#define EVTLOG_QUERY_PROMPT_H

#include "print.h"
#include "session.h"

/* Until the end of input or .quit.  An exit status: a statement that fails does not end it. */
int prompt_run(struct query_session *session, enum print_form form);

#endif /* EVTLOG_QUERY_PROMPT_H */
