// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes runs and buffers for them. Their description of the host is short.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/say.h"
#include "logfile/block.h"
#include "made_runs.h"
#include "sample.h"

const char *made_directory;
struct runs_settings made_settings;

static int source_text(void *context, const struct run_id *run, char **text, size_t *bytes)
{
	*bytes = asprintf(text, "host=h\nrun=%llu\nrun_name=%s\n\nevtlog-format 1\n",
			  (unsigned long long)run->number, run->name);
	return 0;
}

static const char *source_host(void *context)
{
	return "h";
}

struct runs *made_runs(void)
{
	const struct runs_source source = { .text = source_text, .host = source_host };
	struct runs *runs = runs_new(&made_settings, &source);

	assert_non_null(runs);
	return runs;
}

const char *made_path(uint64_t run)
{
	static char path[PATH_MAX + 32];

	snprintf(path, sizeof(path), "%s/h-%llu.evl", made_settings.directory,
		 (unsigned long long)run);
	return path;
}

const struct evtlog_buffer_header *made_buffer(uint64_t run, uint32_t cpu, uint64_t sequence)
{
	return sample_buffer(run, cpu, sequence, 4096 + 8 * (sequence % 64), 0, 0);
}

const struct evtlog_buffer_header *made_final(uint64_t run, uint32_t cpu, uint64_t sequence,
					      uint32_t cpus)
{
	return sample_buffer(run, cpu, sequence, 512, EVTLOG_BUFFER_FINAL, cpus);
}

int made_setup_one(void **state)
{
	made_settings = (struct runs_settings)RUNS_SETTINGS;
	made_settings.min_free_mb = 0;
	snprintf(made_settings.directory, sizeof(made_settings.directory), "%s", made_directory);
	return 0;
}

int made_setup(void **state)
{
	made_directory = sample_mkdir();
	say_how_much(SAY_LITTLE);
	return 0;
}

int made_teardown(void **state)
{
	if (chdir("/"))
		return -1;
	sample_rmdir(made_directory);
	return 0;
}
