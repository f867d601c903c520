/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of the functions that are regions of the process's trace.
 */
#ifndef EVTLOG_LIB_REGION_TRACE_NAMES_H
#define EVTLOG_LIB_REGION_TRACE_NAMES_H

/** region_trace_save_names() - writes those that are not in the file yet; takes memory of malloc() */
void region_trace_save_names(void);

#endif /* EVTLOG_LIB_REGION_TRACE_NAMES_H */
