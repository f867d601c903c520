// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens the logs of queries.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "input/open-log.h"
#include "logs.h"
#include "print/syscalls.h"

/* Numbers of threads and processes of each log: logs are not read just to know how many it has. */
#define NUMBERS_BITS	32

static int check_logs(const struct query_logs *logs)
{
	for (size_t i = 0; i < logs->set.count; i++) {
		const struct log_set_file *log = &logs->set.files[i];

		if (!log_has_events(log->file))
			return log_refuse(log->file, log->path);
		if (log_is_global(log->file)) {
			pr_err("%s: it is of a global named buffer, which does not tell what each CPU did; use evtlog dump",
			       log->path);
			return EXIT_FAILED;
		}
	}
	return EXIT_OK;
}

int query_logs_open(struct query_logs **logsp, char **paths, size_t count, bool assume_ntp)
{
	struct log_set_options clocks = { .options.assume_ntp = assume_ntp };
	struct query_logs *logs = calloc(1, sizeof(*logs));
	int status;

	*logsp = NULL;
	if (!logs) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	status = log_set_open(&logs->set, paths, count, &clocks);
	if (status != EXIT_OK) {
		free(logs);
		return status;
	}
	*logsp = logs;
	if (logs->set.count > 1)
		status = log_set_relate(&logs->set, &clocks, true);
	return status == EXIT_OK ? check_logs(logs) : status;
}

void query_logs_close(struct query_logs *logs)
{
	if (!logs)
		return;
	for (unsigned int i = 0; i < TABLES; i++)
		kept_free(logs->kept[i]);
	dictionary_free(&logs->dictionary);
	log_set_close(&logs->set);
	free(logs);
}

static const char *name_of_call(uint64_t number, bool compat)
{
	return compat ? syscall_name_32(number) : syscall_name(number);
}

int query_logs_read(struct query_logs *logs, size_t number, uint32_t wanted,
		    struct tables_numbers *numbers, const bool *cpus, tables_row *row, void *context,
		    struct tables **tablesp)
{
	const struct log_set_file *log = &logs->set.files[number];
	const struct tables_options options = {
		.file = log->file,
		.hosts = logs->set.count > 1 ? logs->set.hosts : NULL,
		.number = number,
		.host = log->name,
		.to_ns = UINT64_MAX,
		.cpus = cpus,
		.wanted = wanted,
		.dictionary = &logs->dictionary,
		.numbers = numbers,
		.syscall_name = name_of_call,
		.row = row,
		.context = context,
	};

	*tablesp = NULL;
	*numbers = (struct tables_numbers) { 0 };
	if (number) {
		numbers->utid = ((int64_t)number << NUMBERS_BITS) + 1;
		numbers->upid = numbers->utid;
		numbers->event = (int64_t)number << NUMBERS_BITS;
	}
	return tables_new(&options, tablesp);
}
