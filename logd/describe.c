// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Collects what the kernel and the configuration have about a run, for the header of its file.
 */
#include <stdlib.h>

#include "config.h"
#include "describe.h"
#include "logfile/metadata.h"
#include "proc.h"

const char *describe_host(const struct config *config)
{
	return config->host[0] ? config->host : metadata_host();
}

/* Returns true if the settings are those of @run: its types cannot change while it is recorded. */
static bool is_still(const struct kernel *kernel, const struct run_id *run, bool is_prompt)
{
	struct control_status status;

	return !kernel_read_status(kernel, &status) && status.run == run->number &&
	       (status.is_recording || is_prompt);
}

/* Returns which types are recorded, malloc()ed; NULL if this is uncertain. */
static char *events_of(const struct kernel *kernel, const struct run_id *run, bool is_prompt)
{
	size_t bytes;
	char *text;

	if (!is_still(kernel, run, is_prompt) || kernel_read_events(kernel, &text, &bytes))
		return NULL;
	if (is_still(kernel, run, is_prompt))
		return text;
	free(text);
	return NULL;
}

int describe_run(const struct config *config, const struct kernel *kernel,
		 unsigned int cpus_possible, const struct run_id *run,
		 bool is_prompt, char **text, size_t *bytes)
{
	struct control_status status;
	size_t format_bytes;
	char *format, *events;
	int error;

	error = kernel_read_format(kernel, &format, &format_bytes);
	if (error)
		return error;
	error = kernel_read_status(kernel, &status);
	if (error)
		goto free_format;
	events = events_of(kernel, run, is_prompt);
	error = metadata_make(&(struct metadata){
		.host = describe_host(config),
		.run = run,
		.cpus_possible = cpus_possible,
		.status = &status,
		.events = events,
		.has_sampler = status.run == run->number && (status.is_recording || is_prompt),
		.tree_choice = config->tree_choice,
		.tree_processes = config->tree_processes,
		.format = format,
	}, text, bytes);
	free(events);
free_format:
	free(format);
	return error;
}
