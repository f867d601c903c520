// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs an export: opens the logs, writes, and says what was lost.
 */
#include "common/command.h"
#include "input/types.h"
#include "interrupt.h"
#include "run.h"

int export_run(struct sources *sources, const struct sources_options *opts, char **paths,
	       size_t count, int (*write)(void *context), void *context)
{
	int status = sources_open(sources, opts, paths, count);

	interrupt_catch();
	if (status == EXIT_OK)
		status = write(context);
	if (status == EXIT_OK || status == EXIT_EVENTS_LOST) {
		int verdict = sources_verdict(sources);

		if (verdict != EXIT_OK)
			status = verdict;
	}
	sources_close(sources);
	return interrupt_end(status);
}

int export_hosts(const struct sources *sources, int (*host)(void *context, size_t number),
		 void *context, const char *what)
{
	const uint64_t types = types_bit(EVTLOG_SCHED_SWITCH) | types_bit(EVTLOG_SCHED_WAKING);

	for (size_t i = 0; i < sources->logs.count; i++) {
		const struct log_set_file *log = &sources->logs.files[i];
		int result;

		if (!sources->wanted[i])
			continue;
		result = host(context, i);
		if (interrupted)
			return EXIT_FAILED;
		if (result > 0)
			return result;
		if (result)
			return sources_say(log, result);
		sources_warn_of_types(log, types, what);
	}
	return EXIT_OK;
}
