/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process of its own that waits for our end, and sets back what we changed if that was sudden.
 */
#ifndef EVTLOG_RECORD_GUARD_H
#define EVTLOG_RECORD_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * @pid:	0: there is none
 * @gate:	it is closed when we end
 */
struct guard {
	pid_t pid;
	int gate;
};

/**
 * guard_start() - have a process wait for our end
 * @set_back:	called then by that process, again for up to a minute, until it returns true
 * @context:	for @set_back; that process has it as it is now
 *
 * Return: 0 or -errno; it says nothing.
 */
int guard_start(struct guard *guard, bool (*set_back)(void *context), void *context);

/** guard_dismiss() - it is not needed any more; as often as you like */
void guard_dismiss(struct guard *guard);

#endif /* EVTLOG_RECORD_GUARD_H */
