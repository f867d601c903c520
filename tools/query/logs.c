// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens and reads the logs of queries.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "input/open-log.h"
#include "input/types.h"
#include "lib/index/checkpoint.h"
#include "logs.h"
#include "print/names.h"

/* Each log has its own range of numbers, so other logs need not be read to count theirs. */
#define NUMBERS_BITS	32

/* Added to the end of a part, as times of hosts are rounded on conversion */
#define PART_MARGIN_NS	1000

/* Reading a log with this many bytes of records takes about 0.2 s. */
#define LONG_LOG_BYTES	(UINT64_C(12) << 20)

static int check_logs(const struct query_logs *logs)
{
	for (size_t i = 0; i < logs->set.count; i++) {
		const struct log_set_file *log = &logs->set.files[i];

		if (!log_has_events(log->file))
			return log_refuse(log->file, log->path);
		if (log_is_global(log->file)) {
			pr_err("%s: is the log of a global named buffer, without data per CPU; use evtlog dump",
			       log->path);
			return EXIT_FAILED;
		}
	}
	return EXIT_OK;
}

int query_logs_open(struct query_logs **logsp, char **paths, size_t count,
		    const struct query_manner *manner)
{
	struct log_set_options clocks = { .options.assume_ntp = manner->assume_ntp };
	struct query_logs *logs = calloc(1, sizeof(*logs));
	int status;

	*logsp = NULL;
	if (logs && manner->index_directory)
		logs->index_directory = strdup(manner->index_directory);
	if (!logs || (manner->index_directory && !logs->index_directory)) {
		pr_err("%s", strerror(ENOMEM));
		free(logs);
		return EXIT_FAILED;
	}
	status = log_set_open(&logs->set, paths, count, &clocks);
	if (status != EXIT_OK) {
		free(logs->index_directory);
		free(logs);
		return status;
	}
	logs->hints = manner->hints;
	*logsp = logs;
	if (logs->set.count > 1)
		status = log_set_relate(&logs->set, &clocks, true);
	return status == EXIT_OK ? check_logs(logs) : status;
}

int query_logs_verdict(const struct query_logs *logs)
{
	const uint64_t types = types_bit(EVTLOG_SCHED_SWITCH) | types_bit(EVTLOG_SCHED_WAKING);
	const struct logs *set = &logs->set;

	for (size_t i = 0; i < set->count; i++)
		types_warn(set->files[i].file, set->files[i].path, types, "tables");
	return set->count > 1 ? log_set_verdict(set) :
				log_verdict(set->files[0].file, set->files[0].path);
}

void query_logs_close(struct query_logs *logs)
{
	if (!logs)
		return;
	kept_free(logs->kept);
	kept_free(logs->heads);
	dictionary_free(&logs->dictionary);
	log_set_close(&logs->set);
	free(logs->index_directory);
	free(logs);
}

static const char *name_of_call(uint64_t number, bool compat)
{
	return compat ? syscall_name_32(number) : syscall_name(number);
}

/* Converts @time of rows to a log's own clock: the latest start of reading that misses no row. */
static uint64_t raw_time(const struct query_logs *logs, size_t number, int64_t time)
{
	if (logs->set.count > 1)
		return evtlog_clocksync_raw(logs->set.hosts, number, time);
	return time > 0 ? time : 0;
}

/* Hints once that an index is useful: a long log is read from its start for rows in its middle. */
static void hint_at_index(struct query_logs *logs, const struct log_set_file *log)
{
	struct evtlog_summary summary;

	if (!logs->hints || index_checkpoint_may_be(log->path, logs->index_directory))
		return;
	evtlog_summarize(log->file, &summary);
	if (summary.raw_bytes < LONG_LOG_BYTES)
		return;
	logs->hints = false;
	pr_info("%s: has no index and is read from its start; evtlog index makes reading a part of it faster",
		log->path);
}

/* Goes to the log's last checkpoint before @part, if there is one.  Returns 0 or -errno. */
static int go_to(struct query_logs *logs, size_t number, struct query_part part,
		 struct tables *tables)
{
	const struct log_set_file *log = &logs->set.files[number];
	int64_t first_event = (int64_t)number << NUMBERS_BITS;
	const struct index_checkpoint_wanted wanted = {
		.directory = logs->index_directory,
		.time_ns = part.from == INT64_MIN ? UINT64_MAX : raw_time(logs, number, part.from),
		.event = part.event < first_event ? 0 : part.event - first_event,
	};
	size_t length;
	void *bytes;
	int result;

	if (part.from == INT64_MIN && part.event == INT64_MAX)
		return 0;
	result = index_checkpoint_read(log->path, log->file, &wanted, &bytes, &length);
	if (!result && part.from != INT64_MIN && wanted.time_ns > evtlog_begin_ns(log->file))
		hint_at_index(logs, log);
	if (result <= 0)
		return result;
	result = tables_restore(tables, bytes, length);
	free(bytes);
	return result == -EBADMSG ? 0 : result;
}

int query_logs_read(struct query_logs *logs, size_t number, struct query_part part,
		    uint32_t wanted, struct tables_numbers *numbers, const bool *cpus,
		    tables_row *row, void *context, struct tables **tablesp)
{
	const struct log_set_file *log = &logs->set.files[number];
	const struct tables_options options = {
		.file = log->file,
		.hosts = logs->set.count > 1 ? logs->set.hosts : NULL,
		.number = number,
		.host = log->name,
		.to_ns = part.to == INT64_MAX ? UINT64_MAX :
			 raw_time(logs, number, part.to) + PART_MARGIN_NS,
		.cpus = cpus,
		.wanted = wanted,
		.dictionary = &logs->dictionary,
		.numbers = numbers,
		.syscall_name = name_of_call,
		.row = row,
		.context = context,
	};
	int error;

	*tablesp = NULL;
	*numbers = (struct tables_numbers) { 0 };
	if (number) {
		numbers->utid = ((int64_t)number << NUMBERS_BITS) + 1;
		numbers->upid = numbers->utid;
		numbers->event = (int64_t)number << NUMBERS_BITS;
	}
	error = tables_new(&options, tablesp);
	return error ? error : go_to(logs, number, part, *tablesp);
}
