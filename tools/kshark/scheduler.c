// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Has KernelShark's own plug-ins take part in our streams.
 *
 * sched_events refuses streams whose format is not libkshark's own, "tep data", and asks
 * nothing else of these than the libtraceevent handle that the stream's handle begins with: so a
 * stream bears that name while this plug-in begins, and has such a handle.  Otherwise the name
 * stays ours, by which libkshark finds who closes the stream.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "methods.h"
#include "scheduler.h"

/* As libkshark-tepdata.h has it, which needs more of trace-cmd. */
#define TEP_FORMAT	"tep data"

/* A field of @data in struct plugin_record, as tracefs describes one */
#define FIELD(type, name, member, is_signed) \
	"\tfield:" type " " name ";\toffset:%zu;\tsize:%zu;\tsigned:" is_signed ";\n"
#define PLACE(member) \
	offsetof(struct plugin_record, data.member) - offsetof(struct plugin_record, data), \
	sizeof(((struct plugin_record *)0)->data.member)

static int add_format(struct host *host, const char *name, unsigned int number,
		      const char *pid_name)
{
	char text[1024];
	int length;

	length = snprintf(text, sizeof(text),
			  "name: %s\nID: %u\nformat:\n"
			  FIELD("unsigned short", "common_type", id, "0")
			  "\n"
			  "\tfield:int %s;\toffset:%zu;\tsize:%zu;\tsigned:1;\n"
			  FIELD("long", "prev_state", prev_state, "1")
			  "\nprint fmt: \"%%d\", REC->%s\n",
			  name, number, PLACE(id), pid_name, PLACE(pid), PLACE(prev_state),
			  pid_name);
	return tep_parse_event(host->tep, text, length, "sched") ? -ENOMEM : 0;
}

int scheduler_init(struct host *host)
{
	int error = 0;

	host->tep = tep_alloc();
	if (!host->tep)
		return -ENOMEM;
	for (unsigned int i = 1; i <= EVTLOG_TYPE_MAX && !error; i++) {
		const struct evtlog_type_info *type = evtlog_type_info(host->file, i);

		if (type && type->known == EVTLOG_SCHED_SWITCH)
			error = add_format(host, "sched_switch", i, "next_pid");
		else if (type && type->known == EVTLOG_SCHED_WAKING)
			error = add_format(host, "sched_waking", i, "pid");
	}
	return error;
}

void scheduler_free(struct host *host)
{
	tep_free(host->tep);
	host->tep = NULL;
}

/* What was registered to a stream, by its name. */
static struct kshark_dpi_list *find_registered(struct kshark_data_stream *stream, const char *name)
{
	for (struct kshark_dpi_list *each = stream->plugins; each; each = each->next)
		if (!strcmp(each->interface->name, name))
			return each;
	return NULL;
}

/* Begins a plug-in, or has it forget; one that the user has switched off stays so. */
static void attach(struct kshark_context *context, struct kshark_data_stream *stream,
		   struct host *host, const char *name)
{
	struct kshark_dpi_list *registered = find_registered(stream, name);
	struct kshark_plugin_list *plugin;

	if (!registered) {
		plugin = kshark_find_plugin_by_name(context->plugins, name);
		/* What a user took off the stream stays off. */
		if (!plugin || !plugin->process_interface || host->loaded)
			return;
		registered = kshark_register_plugin_to_stream(stream, plugin->process_interface,
							      true);
	} else if (registered->status & KSHARK_PLUGIN_LOADED && !host->loaded) {
		return;
	}
	if (registered)
		kshark_handle_dpi(stream, registered, KSHARK_PLUGIN_UPDATE);
}

void scheduler_attach(struct kshark_context *context, struct kshark_data_stream *stream,
		      struct host *host)
{
	char format[KS_DATA_FORMAT_SIZE];

	attach(context, stream, host, "missed_events");
	if (evtlog_recorded(host->file, EVTLOG_SCHED_SWITCH) == EVTLOG_RECORDED_OFF)
		return;
	memcpy(format, stream->data_format, sizeof(format));
	kshark_set_data_format(stream->data_format, TEP_FORMAT);
	attach(context, stream, host, "sched_events");
	memcpy(stream->data_format, format, sizeof(format));
}

/*
 * sched_events takes a task for preempted whose prev_state has none of the lowest seven bits: the
 * eighth, of a kernel thread that sleeps without being counted, is given it as one of them.
 */
static int64_t plotted_state(int64_t state)
{
	return state == 0x80 ? 0x02 : state;
}

void scheduler_record(struct plugin_record *record, const struct host *host,
		      const struct evtlog_event *event, uint64_t position)
{
	*record = (struct plugin_record) {
		.record = {
			.cpu = event->cpu,
			.ts = event->time_ns,
			.size = sizeof(record->data),
			.record_size = sizeof(record->data),
			.data = &record->data,
			.ref_count = 1,
		},
		.position = position,
		.data = { .id = event->number, .pid = event->pid },
	};
	if (event->known == EVTLOG_SCHED_SWITCH || event->known == EVTLOG_SCHED_WAKING)
		record->data.pid = evtlog_record_pid(event->words);
	if (event->known == EVTLOG_SCHED_SWITCH)
		record->data.prev_state = plotted_state(field_prev_state(host->file, event));
}
