/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page's files, which are part of the program.
 *
 * Each ends before NAME_end, where a 0 stands.
 */
#ifndef EVTLOG_VIEW_HTTP_EMBEDDED_H
#define EVTLOG_VIEW_HTTP_EMBEDDED_H

extern const char embedded_page[], embedded_page_end[];
extern const char embedded_script[], embedded_script_end[];
extern const char embedded_style[], embedded_style_end[];

#endif /* EVTLOG_VIEW_HTTP_EMBEDDED_H */
