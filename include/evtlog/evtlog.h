/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libevtlog: a library that reads HOST-RUN.evl files.
 *
 * Stage: between the log file (file.h) and programs that analyse or show it.  The library does not
 * print, does not exit, and checks all data that it reads.  It does not write log files: logd does.
 *
 * Functions return 0 or a count on success, -errno on failure.  Use a file in one thread at a time.
 *
 *	struct evtlog_file *file;
 *	struct evtlog_cpu_merge *merge;
 *	const struct evtlog_event *event;
 *
 *	error = evtlog_open(path, &file, &why);
 *	error = evtlog_cpu_merge_new(file, &merge);
 *	while ((error = evtlog_cpu_merge_next(merge, &event)) > 0)
 *		...
 *	evtlog_cpu_merge_free(merge);
 *	evtlog_close(file);
 */
#ifndef EVTLOG_EVTLOG_H
#define EVTLOG_EVTLOG_H

#include <evtlog/abi.h>
#include <evtlog/cpu-clocks.h>
#include <evtlog/damage.h>
#include <evtlog/event.h>
#include <evtlog/event-format.h>
#include <evtlog/clocksync.h>
#include <evtlog/host-merge.h>
#include <evtlog/log.h>
#include <evtlog/merged.h>
#include <evtlog/record.h>
#include <evtlog/stream.h>
#include <evtlog/tasks.h>
#include <evtlog/version.h>

#endif /* EVTLOG_EVTLOG_H */
