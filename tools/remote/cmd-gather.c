// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog remote gather: copy the files of a run from many hosts.
 *
 * Stage: between the hosts' logs and the reading commands.  Starts and stops nothing:
 * that is cmd-order.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "common/hostlist.h"
#include "common/json.h"
#include "common/number.h"
#include "common/options.h"
#include "control/control.h"
#include "gather.h"
#include "record/logger.h"
#include "subcommands.h"

#define FROM_DEFAULT	"/var/log/evtlog"
/* Nobody is there to type a password. */
#define RSH_DEFAULT	"ssh -o BatchMode=yes -o ConnectTimeout=10"

struct gather {
	struct transfer_plan plan;
	struct transfer *transfers;
	struct gathered *results;
	size_t count;
	bool is_out_of_memory;
	bool as_json;
};

static void take_result(struct transfer *transfer, void *context)
{
	struct gather *gather = context;
	size_t i = transfer - gather->transfers;

	if (gathered_take(&gather->results[i], transfer, gather->plan.to, gather->plan.run))
		gather->is_out_of_memory = true;
}

static void host_json(struct json *json, const struct gathered *result, const char *text)
{
	const struct transfer *transfer = result->transfer;

	json_object(json, NULL);
	json_string(json, "host", transfer->host);
	json_bool(json, "complete", gathered_is_good(result));
	json_string(json, "outcome", text);
	json_u64(json, "fetched_bytes", transfer->fetched);
	json_u64(json, "reused_bytes", transfer->reused);
	json_array(json, "files");
	for (size_t i = 0; i < result->count; i++) {
		const struct gathered_file *file = &result->files[i];

		json_object(json, NULL);
		json_string(json, "file", file->name);
		json_string(json, "error", file->error);
		json_u64(json, "run", file->run);
		json_bool(json, "complete", file->complete);
		json_u64(json, "lost", file->lost);
		json_u64(json, "damaged_places", file->damages);
		json_u64(json, "bytes", file->bytes);
		json_end(json);
	}
	json_end(json);
	json_end(json);
}

static void print_json(const struct gather *gather, const struct fold_line *lines)
{
	struct json json;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	json_string(&json, "run", gather->plan.run);
	json_string(&json, "directory", gather->plan.to);
	json_array(&json, "hosts");
	for (size_t i = 0; i < gather->count; i++)
		host_json(&json, &gather->results[i], lines[i].text);
	json_end(&json);
	json_end(&json);
}

/* Where they are, for the next command; nothing if none came. */
static void print_directory(const struct gather *gather)
{
	size_t files = 0;

	for (size_t i = 0; i < gather->count; i++)
		for (size_t j = 0; j < gather->results[i].count; j++)
			files += !gather->results[i].files[j].error;
	if (files)
		printf("%zu %s in %s\n", files, files == 1 ? "file" : "files", gather->plan.to);
}

static int verdict(const struct gather *gather)
{
	bool has_losses = false;
	size_t good = 0;

	for (size_t i = 0; i < gather->count; i++) {
		good += gathered_is_good(&gather->results[i]);
		has_losses = has_losses || gathered_has_losses(&gather->results[i]);
	}
	if (good < gather->count)
		return good ? EXIT_SOME : EXIT_FAILED;
	return has_losses ? EXIT_EVENTS_LOST : EXIT_OK;
}

static int report(const struct gather *gather)
{
	struct fold_line *lines = calloc(gather->count + 1, sizeof(*lines));
	int result = EXIT_FAILED;

	for (size_t i = 0; lines && i < gather->count; i++) {
		lines[i].host = gather->transfers[i].host;
		lines[i].text = gathered_text(&gather->results[i]);
		if (!lines[i].text)
			goto out_of_memory;
	}
	if (!lines || gather->is_out_of_memory)
		goto out_of_memory;
	if (gather->as_json) {
		print_json(gather, lines);
	} else {
		if (fold_print(stdout, lines, gather->count))
			goto out_of_memory;
		print_directory(gather);
	}
	result = verdict(gather);
	goto free_lines;

out_of_memory:
	pr_err("out of memory");
free_lines:
	for (size_t i = 0; lines && i < gather->count; i++)
		free((char *)(uintptr_t)lines[i].text);
	free(lines);
	return result;
}

/*
 * Two at once would write into the same halves of files.  Returns the lock.  @is_new: it was
 * not there.
 */
static int open_target(const char *path, char *absolute, bool *is_new)
{
	int fd;

	*is_new = !mkdir(path, 0777);
	if (!*is_new && errno != EEXIST) {
		pr_err("%s: %s", path, strerror(errno));
		return -1;
	}
	if (!realpath(path, absolute)) {
		pr_err("%s: %s", path, strerror(errno));
		return -1;
	}
	fd = open(absolute, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		pr_err("%s: %s", path, strerror(errno));
		return -1;
	}
	if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) {
		pr_err("%s: another evtlog remote gather is running there", path);
		close(fd);
		return -1;
	}
	return fd;
}

static int gather(struct gather *gather, const struct hostlist *hosts, const char *to)
{
	char absolute[PATH_MAX];
	int result = EXIT_FAILED;
	bool is_new;
	int lock = open_target(to, absolute, &is_new);

	if (lock < 0)
		return EXIT_FAILED;
	gather->plan.to = absolute;
	gather->count = hosts->count;
	gather->transfers = calloc(hosts->count, sizeof(*gather->transfers));
	gather->results = calloc(hosts->count, sizeof(*gather->results));
	if (!gather->transfers || !gather->results)
		pr_err("out of memory");
	else if (!transfer_all(&gather->plan, hosts, gather->transfers, take_result, gather))
		result = report(gather);
	for (size_t i = 0; gather->transfers && gather->results && i < gather->count; i++) {
		gathered_free(&gather->results[i]);
		transfer_free(&gather->transfers[i]);
	}
	free(gather->results);
	free(gather->transfers);
	/* Only of an empty one, which a gather that got nothing leaves. */
	if (is_new)
		rmdir(absolute);
	close(lock);
	return result;
}

static bool is_run(const char *text)
{
	return runname_is_good(text) || (*text && !text[strspn(text, "0123456789")]);
}

/*
 * argv as it was understood.
 * @names_remote: --from or --rsh was given, which --shared has no use for
 */
struct arguments {
	struct gather gather;
	struct hosts_choice hosts;
	const char *to;
	bool names_remote;
};

enum { FROM = 512, SHARED, JOBS, RUN, RSH };

static int take_option(void *context, int option, char *value)
{
	struct arguments *arguments = context;
	struct transfer_plan *plan = &arguments->gather.plan;
	unsigned int ms = 0;
	int error;

	switch (option) {
	case RUN:
		plan->run = value;
		return is_run(value) ? 0 : -EINVAL;
	case FROM:
		plan->from = value;
		arguments->names_remote = true;
		return 0;
	case 'o':
		arguments->to = value;
		return 0;
	case SHARED:
		plan->from = value;
		plan->is_shared = true;
		plan->host_in_name = !strstr(value, "%h");
		return 0;
	case RSH:
		plan->rsh = value;
		arguments->names_remote = true;
		return 0;
	case REMOTE_EXCLUDE:
		return hosts_exclude(&arguments->hosts, value, "remote gather");
	case JOBS:
		return number_parse_u32(&plan->jobs, value, 1, 1024);
	case REMOTE_TIMEOUT:
		error = remote_take_timeout(&ms, value);
		/* rsync takes seconds. */
		plan->timeout_s = (ms + 999) / 1000;
		return error;
	case 'j':
		arguments->gather.as_json = true;
		return 0;
	}
	return -EINVAL;
}

static int gather_args(struct arguments *arguments, char **args)
{
	struct hostlist hosts = { 0 };
	int result;

	if (arguments->gather.plan.is_shared && arguments->names_remote)
		return misuse("remote gather", "--shared does not use the network: leave out --from and --rsh");
	result = hosts_choose(&hosts, &arguments->hosts, args, "remote gather");
	if (!result)
		result = gather(&arguments->gather, &hosts, arguments->to);
	hostlist_free(&hosts);
	return finish(result);
}

static const struct option_desc table[] = {
	{ RUN, "run", "NAME", "copy only this run: its name, or its number if it has no name "
	  "(default all runs)",
	  .kind = VALUE_TEXT, .valid = "a run's number, or its name: " RUNNAME_RULE },
	{ FROM, "from", "DIR", "read the files from DIR on each host; %h is replaced by the host "
	  "(default " FROM_DEFAULT ")", .kind = VALUE_DIRECTORY },
	{ 'o', "output", "DIR", "copy the files to DIR (default the working directory)",
	  .kind = VALUE_DIRECTORY },
	{ SHARED, "shared", "DIR", "copy from DIR, where this machine sees the directory of each "
	  "host: /net/%h/var/log/evtlog; without %h, DIR has the files of all hosts, named after "
	  "the host", .kind = VALUE_DIRECTORY },
	{ RSH, "rsh", "COMMAND", "use this remote shell, as for rsync (default " RSH_DEFAULT ")",
	  .kind = VALUE_TEXT },
	{ JOBS, "jobs", "N", "copy from N hosts at once (default 8)",
	  .kind = VALUE_TEXT, .valid = "a number from 1 to 1024" },
	OPTION_SHARED(remote_hosts_options),
	OPTION_SHARED(remote_result_options),
	{ }
};

static const struct options options = {
	.command = "remote gather",
	.usage = "[OPTION...] [HOST...]",
	.about = "Copy the files of a run from many hosts with rsync, and check each file. A "
		 "second call continues interrupted copies and copies nothing twice. HOST is "
		 "a list such as node[001-128,140],login1, or @FILE with one list per line. "
		 "Without HOST, the hosts of the Slurm job (SLURM_JOB_NODELIST) are used.",
	.table = table,
	.notes =
	"Exit status: 0 all files were copied and are complete; 1 none; 2 misuse; 3 some;\n"
	"4 all, but events were lost.\n"
	"\n"
	"Examples:\n"
	"  evtlog remote gather --run job1 -o job1 node[1-16]\n"
	"  evtlog remote gather --run job1 --rsh 'ssh -l root' --jobs 32 @hosts\n"
	"  evtlog remote gather --run job1 --shared /net/%h/var/log/evtlog node[1-16]\n",
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct arguments arguments = {
		.gather.plan = {
			.from = FROM_DEFAULT,
			.rsh = RSH_DEFAULT,
			.jobs = 8,
			.timeout_s = 60,
		},
		.to = ".",
	};
	int result = options_take(&options, argc, argv, &arguments);

	if (result == OPTIONS_TAKEN)
		result = gather_args(&arguments, argv + optind);
	hosts_choice_free(&arguments.hosts);
	return result;
}

const struct evtlog_command remote_gather = {
	.name = "gather",
	.summary = "copy the files of a run from many hosts",
	.run = run,
};
