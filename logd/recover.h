/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that a killed logger left open.
 */
#ifndef EVTLOG_LOGD_RECOVER_H
#define EVTLOG_LOGD_RECOVER_H

#include "run-id.h"

/**
 * recover_each() - find files of this boot that were not closed properly
 * @path:	path of @directory
 * @host:	HOST in file names
 * @one:	called for each; its file has a name of this run
 */
void recover_each(int directory, const char *path, const char *host, const uint8_t *boot_id,
		  void (*one)(void *context, const struct run_id *run), void *context);

#endif /* EVTLOG_LOGD_RECOVER_H */
