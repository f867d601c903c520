/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks, and the parts of their time, that --task and --comm select.
 *
 * Stage: between a selection and the engine, which knows no names.
 */
#ifndef EVTLOG_JITTER_TASK_NAMES_H
#define EVTLOG_JITTER_TASK_NAMES_H

#include <evtlog/jitter.h>

#include "input/event-filter.h"

/**
 * wanted_spans() - find the spans of tasks that a selection wants
 * @filter: has pids, which select all time of a task, and names, which select the time under that name
 * @file: the log, which is read once if there are names
 * @spans: where the array is stored; free() it in any case
 * @count: where its length is stored
 *
 * Return: 0; -E2BIG too many; -ENOMEM; -errno of read().
 */
int wanted_spans(const struct filter *filter, struct evtlog_file *file,
		 struct evtlog_jitter_span **spans, size_t *count);

#endif /* EVTLOG_JITTER_TASK_NAMES_H */
