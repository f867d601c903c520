// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks exits from user mode and entries to it: they alternate on a CPU, and nothing is recorded
 * between an entry and the next exit.
 *
 * It does not follow tasks across CPUs.
 */
#include <evtlog/abi.h>

#include "user-boundary.h"

static void update_record(struct boundary *boundary, const struct evtlog_event *event)
{
	if (boundary->side == BOUNDARY_USER && event->known != EVTLOG_USER_EXIT) {
		boundary->wrong++;
		boundary->side = BOUNDARY_UNKNOWN;
	}
	switch (event->known) {
	case EVTLOG_SCHED_SWITCH:
		boundary->switches = true;
		break;
	case EVTLOG_USER_EXIT:
		boundary->wrong += boundary->side == BOUNDARY_KERNEL;
		boundary->side = BOUNDARY_KERNEL;
		boundary->exits++;
		break;
	case EVTLOG_USER_ENTER:
		boundary->wrong += boundary->switches &&
				   event->pid != EVTLOG_PID_UNKNOWN &&
				   event->pid != evtlog_record_pid(event->words);
		boundary->side = BOUNDARY_USER;
		boundary->enters++;
		break;
	default:
		break;
	}
}

void boundary_update(struct boundary *boundary, const struct evtlog_event *event)
{
	switch (event->kind) {
	case EVTLOG_EVENT_GAP:
		boundary->side = BOUNDARY_UNKNOWN;
		boundary->switches = false;
		break;
	case EVTLOG_EVENT_RECORD:
		if (event->known == EVTLOG_LOST)
			boundary->side = BOUNDARY_UNKNOWN;
		else if (event->known != EVTLOG_TIME)
			update_record(boundary, event);
		break;
	default:
		break;
	}
}

uint64_t boundary_wrong(const struct boundary *boundary)
{
	return boundary->exits && boundary->enters ? boundary->wrong : 0;
}
