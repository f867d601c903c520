// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KernelShark's plug-in for logs and merged files: kernelshark -p evtlog FILE.
 *
 * libkshark calls the four functions of its data readout interface.  Each host of a merged file
 * is a stream.  libkshark creates the stream of the first host; this file adds the others.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "methods.h"
#include "scheduler.h"

#define FORMAT		"evtlog"
#define SUFFIX		".evl"

/* Common start of the magic numbers of all evtlog files */
#define MAGIC		"EVTLOG"

const char *KSHARK_INPUT_FORMAT(void);
bool KSHARK_INPUT_CHECK(const char *path, char **format);
int KSHARK_INPUT_INITIALIZER(struct kshark_data_stream *stream);
int KSHARK_INPUT_DEINITIALIZER(struct kshark_data_stream *stream);

const char *KSHARK_INPUT_FORMAT(void)
{
	return FORMAT;
}

/* Accepts any file with the suffix .evl: if it is no log, opening it prints the error. */
bool KSHARK_INPUT_CHECK(const char *path, char **format)
{
	size_t length = strlen(path), suffix = strlen(SUFFIX);
	char start[sizeof(MAGIC)] = "";
	FILE *file;
	bool ours;

	if (length >= suffix && !strcmp(path + length - suffix, SUFFIX))
		return true;
	file = fopen(path, "re");
	if (!file)
		return false;
	ours = fread(start, strlen(MAGIC), 1, file) == 1 && !strcmp(start, MAGIC);
	fclose(file);
	return ours;
}

static void free_host(struct host *host)
{
	scheduler_free(host);
	host_close(host);
}

/* Highest CPU plus 1.  For a merged file 0, as its CPUs are unknown before it is read. */
static int cpus_of(const struct host *host)
{
	unsigned int count = host->merged ? 0 : evtlog_cpu_count(host->file);

	return count ? evtlog_cpu_number(host->file, count - 1) + 1 : 0;
}

/* Initialises a stream for host @number of the stream's file. */
static int init_stream(struct kshark_context *context, struct kshark_data_stream *stream,
		       size_t number)
{
	struct kshark_generic_stream_interface *interface = calloc(1, sizeof(*interface));
	struct host *host = NULL;
	int error = interface ? host_open(&host, stream->file, number) : -ENOMEM;

	if (!error)
		error = scheduler_init(host);
	if (error) {
		if (host)
			free_host(host);
		free(interface);
		return error;
	}
	methods_init(interface);
	interface->handle = host;
	stream->interface = interface;
	stream->idle_pid = 0;
	stream->n_cpus = cpus_of(host);
	stream->n_events = methods_event_count(host);
	kshark_set_data_format(stream->data_format, FORMAT);
	if (host->merged && host_name(host)) {
		free(stream->name);
		stream->name = methods_copy_escaped(host_name(host), strlen(host_name(host)));
	}
	scheduler_attach(context, stream, host);
	return stream->name ? 0 : -ENOMEM;
}

/* Adds a stream for host @number of @first's file.  Returns the stream's id or -errno. */
static int add_host(struct kshark_context *context, const struct kshark_data_stream *first,
		    size_t number)
{
	struct kshark_data_stream *stream;
	int id = kshark_add_stream(context), error;

	if (id < 0)
		return id;
	stream = context->stream[id];
	stream->file = strdup(first->file);
	error = stream->file ? init_stream(context, stream, number) : -ENOMEM;
	if (error)
		kshark_remove_stream(context, id);
	return error ? error : id;
}

/* Adds streams for all other hosts; on error, none.  libkshark reuses ids of closed streams. */
static int add_hosts(struct kshark_context *context, const struct kshark_data_stream *first,
		     size_t count)
{
	int *ids = calloc(count + 1, sizeof(*ids));
	size_t added = 0;
	int error = ids ? 0 : -ENOMEM;

	for (size_t i = 1; i < count && !error; i++) {
		int id = add_host(context, first, i);

		if (id < 0)
			error = id;
		else
			ids[added++] = id;
	}
	while (error && added)
		kshark_close(context, ids[--added]);
	free(ids);
	return error;
}

int KSHARK_INPUT_INITIALIZER(struct kshark_data_stream *stream)
{
	struct kshark_context *context = NULL;
	struct kshark_generic_stream_interface *interface;
	int error;

	if (!kshark_instance(&context))
		return -EFAULT;
	error = init_stream(context, stream, 0);
	if (error)
		return error;
	interface = stream->interface;
	error = add_hosts(context, stream, host_count(interface->handle));
	if (error) {
		free_host(interface->handle);
		free(interface);
		stream->interface = NULL;
	}
	return error;
}

int KSHARK_INPUT_DEINITIALIZER(struct kshark_data_stream *stream)
{
	struct kshark_generic_stream_interface *interface = stream->interface;

	if (!interface || !interface->handle)
		return -EFAULT;
	free_host(interface->handle);
	interface->handle = NULL;
	return 0;
}
