// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes KernelShark's own plug-ins work on the streams of logs.
 *
 * sched_events accepts only streams of libkshark's own format, "tep data".  It uses nothing else
 * of them than the libtraceevent handle at the start of the stream's handle.  So struct host
 * starts with such a handle, and the stream's format is "tep data" while sched_events starts.
 * At other times it is "evtlog", by which libkshark finds the plug-in that closes the stream.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "methods.h"
#include "scheduler.h"

/* TEP_DATA_FORMAT_IDENTIFIER of libkshark-tepdata.h, a header that needs more of trace-cmd */
#define TEP_FORMAT	"tep data"

/* Describes a field of @data in struct plugin_record, in the format of tracefs. */
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

/* Finds a plug-in that is registered for the stream, by its name. */
static struct kshark_dpi_list *find_registered(struct kshark_data_stream *stream, const char *name)
{
	for (struct kshark_dpi_list *each = stream->plugins; each; each = each->next)
		if (!strcmp(each->interface->name, name))
			return each;
	return NULL;
}

/* Starts a plug-in, or makes it drop old entries.  A plug-in that the user disabled stays off. */
static void attach(struct kshark_context *context, struct kshark_data_stream *stream,
		   struct host *host, const char *name)
{
	struct kshark_dpi_list *registered = find_registered(stream, name);
	struct kshark_plugin_list *plugin;

	if (!registered) {
		plugin = kshark_find_plugin_by_name(context->plugins, name);
		/* If the user removed the plug-in from the stream, do not add it again. */
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
 * sched_events treats a task as preempted if prev_state has none of the lowest seven bits.  So the
 * eighth bit, a kernel thread's sleep without load (I), is replaced by uninterruptible sleep.
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
