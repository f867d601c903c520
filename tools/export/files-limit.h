/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many files may be open: formats with a file for each CPU need more than a shell allows.
 */
#ifndef EVTLOG_EXPORT_FILES_LIMIT_H
#define EVTLOG_EXPORT_FILES_LIMIT_H

/* Up to what the process may have without asking. */
void files_limit_raise(void);

#endif /* EVTLOG_EXPORT_FILES_LIMIT_H */
