/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In words: what a CPU was in, and why a task left it.
 */
#ifndef EVTLOG_VIEW_SESSION_CONTEXT_NAMES_H
#define EVTLOG_VIEW_SESSION_CONTEXT_NAMES_H

#include <stdint.h>

#include <evtlog/evtlog.h>

#define CONTEXT_NAME_BYTES	64

/* "task", "softirq", "irq", "vector" */
const char *context_kind(enum evtlog_context context);

/* "TIMER", "virtio0-input.0", ...; "" if there is none.  0 or -ENOMEM. */
int context_name(const struct evtlog_file *file, enum evtlog_context context, uint32_t number,
		 char name[CONTEXT_NAME_BYTES]);

/* By the letter of the task's state: "preempted", "sleeping", ...; NULL unknown. */
const char *left_name(char letter);

#endif /* EVTLOG_VIEW_SESSION_CONTEXT_NAMES_H */
