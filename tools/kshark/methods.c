// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers KernelShark's queries about entries, from the events that the host keeps.
 *
 * KernelShark searches with several threads: code that reads the file holds the stream's
 * input_mutex.  The caller frees returned strings and arrays with free().
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/linebuf.h"
#include "host.h"
#include "methods.h"
#include "scheduler.h"

/* ---- Ids and names of events in KernelShark ---- */

/* Systems of the kernel's tracepoints, by prefix of the types' names */
static const struct {
	const char *start;
	const char *system;
} systems[] = {
	{ "sched_", "sched" },
	{ "task_", "task" },
	{ "softirq_", "irq" },
	{ "irq_handler_", "irq" },
	{ "local_timer_", "irq_vectors" },
	{ "reschedule_", "irq_vectors" },
	{ "call_function_", "irq_vectors" },
	{ "irq_work_", "irq_vectors" },
};

static const char *system_of(const char *name)
{
	for (size_t i = 0; i < sizeof(systems) / sizeof(*systems); i++)
		if (!strncmp(name, systems[i].start, strlen(systems[i].start)))
			return systems[i].system;
	return "evtlog";
}

int event_id(const struct evtlog_event *event)
{
	switch (event->kind) {
	case EVTLOG_EVENT_RECORD:
		if (event->known == EVTLOG_EVENT)
			return EVENT_ID_REGISTERED + evtlog_event_id(event);
		return event->number;
	case EVTLOG_EVENT_BEGIN:
		return event->lost || event->lost_buffers ? -EOVERFLOW : EVENT_ID_START;
	case EVTLOG_EVENT_END:
		return event->rest_missing ? -EOVERFLOW : EVENT_ID_END;
	default:
		return -EOVERFLOW;
	}
}

/* The name of an id, such as "sched/sched_switch".  Returns false if the file has no such id. */
static bool event_id_name(const struct evtlog_file *file, int id, char *name)
{
	const struct evtlog_event_format *format;
	const struct evtlog_type_info *type;

	if (id == EVENT_ID_START || id == EVENT_ID_END) {
		strcpy(name, id == EVENT_ID_START ? "evtlog/start" : "evtlog/end");
	} else if (id > 0 && id <= EVTLOG_TYPE_MAX) {
		type = evtlog_type_info(file, id);
		if (!type)
			return false;
		snprintf(name, EVENT_NAME_BYTES, "%s/%s", system_of(type->name), type->name);
	} else if (id >= EVENT_ID_REGISTERED && id < EVENT_ID_END) {
		format = evtlog_event_format(file, id - EVENT_ID_REGISTERED);
		if (format)
			snprintf(name, EVENT_NAME_BYTES, "evtlog/%s", format->name);
		else
			snprintf(name, EVENT_NAME_BYTES, "evtlog/event_%d",
				 id - EVENT_ID_REGISTERED);
	} else {
		return false;
	}
	return true;
}

/* ---- Methods ---- */

static struct host *host_of(struct kshark_data_stream *stream)
{
	struct kshark_generic_stream_interface *interface = stream->interface;

	return interface->handle;
}

/* True: an entry of kshark_comm_from_pid() or kshark_event_from_id(), with a pid or id only. */
static bool is_bare(const struct kshark_entry *entry)
{
	return entry->visible == KS_PLUGIN_UNTOUCHED_MASK;
}

static bool event_of(struct kshark_data_stream *stream, const struct kshark_entry *entry,
		     struct evtlog_event *event, bool *doubtful)
{
	if (is_bare(entry) ||
	    !records_get(&host_of(stream)->records, entry->offset, event, doubtful))
		return false;
	event->cpu = entry->cpu;
	return true;
}

static int get_pid(struct kshark_data_stream *stream, const struct kshark_entry *entry)
{
	struct evtlog_event event;

	if (entry->visible & KS_PLUGIN_UNTOUCHED_MASK || !event_of(stream, entry, &event, NULL))
		return entry->pid;
	return event.pid;
}

static int get_event_id(struct kshark_data_stream *stream, const struct kshark_entry *entry)
{
	struct evtlog_event event;

	if (entry->visible & KS_PLUGIN_UNTOUCHED_MASK || !event_of(stream, entry, &event, NULL))
		return entry->event_id;
	return event_id(&event);
}

char *methods_copy_escaped(const char *bytes, size_t length)
{
	struct line line = { .length = 0 };

	line_escaped(&line, bytes, length);
	return strndup(line.text, line.length);
}

static char *get_task(struct kshark_data_stream *stream, const struct kshark_entry *entry)
{
	const struct host *host = host_of(stream);
	int pid = get_pid(stream, entry);
	const char *comm = names_at(&host->names, pid, is_bare(entry) ? NAMES_LAST :
								(uint64_t)entry->offset);

	return comm ? methods_copy_escaped(comm, strnlen(comm, EVTLOG_COMM_LEN)) :
		      strdup(pid == stream->idle_pid ? "<idle>" : "?");
}

static char *get_event_name(struct kshark_data_stream *stream, const struct kshark_entry *entry)
{
	int id = is_bare(entry) ? entry->event_id : get_event_id(stream, entry);
	char name[EVENT_NAME_BYTES];
	bool found;

	if (id == KS_EVENT_OVERFLOW)
		return strdup("missed_events");
	pthread_mutex_lock(&stream->input_mutex);
	found = event_id_name(host_of(stream)->file, id, name);
	pthread_mutex_unlock(&stream->input_mutex);
	return found ? strdup(name) : NULL;
}

/* The context of the event, and whether its order among hosts is unknown. */
static char *get_aux_info(struct kshark_data_stream *stream, const struct kshark_entry *entry)
{
	static const char *const contexts[] = { "task", "softirq", "irq", "vector" };
	struct evtlog_event event;
	char *text;
	bool doubtful;

	if (!event_of(stream, entry, &event, &doubtful))
		return NULL;
	if (asprintf(&text, "%s%s", contexts[event.context % 4],
		     doubtful ? ", order unknown" : "") < 0)
		return NULL;
	return text;
}

static void show_missing(struct line *line, const struct evtlog_event *event)
{
	if (event->kind == EVTLOG_EVENT_END) {
		line_text(line, "the rest of the run is missing");
		return;
	}
	line_text(line, "missed_events=");
	line_u64(line, event->lost, 0, ' ');
	if (event->lost_buffers) {
		line_text(line, " lost_buffers=");
		line_u64(line, event->lost_buffers, 0, ' ');
	}
	if (event->kind == EVTLOG_EVENT_GAP) {
		line_text(line, " since=");
		line_seconds(line, event->from_ns, 0);
	}
}

struct moment {
	const struct names *names;
	uint64_t position;
};

static const char *comm_of(const void *context, uint32_t pid)
{
	const struct moment *moment = context;

	return names_at(moment->names, pid, moment->position);
}

/* The fields of a record, as in `evtlog dump`. */
static char *get_info(struct kshark_data_stream *stream, const struct kshark_entry *entry)
{
	const struct host *host = host_of(stream);
	struct moment moment = { &host->names, entry->offset };
	struct line line = { .length = 0 };
	struct evtlog_event event;
	struct fields fields;

	if (!event_of(stream, entry, &event, NULL))
		return NULL;
	if (event_id(&event) == KS_EVENT_OVERFLOW) {
		show_missing(&line, &event);
	} else if (event.kind == EVTLOG_EVENT_RECORD) {
		fields = host->fields;
		fields.comm_of = comm_of;
		fields.comm_context = &moment;
		pthread_mutex_lock(&stream->input_mutex);
		fields_show(&fields, &line, &event);
		pthread_mutex_unlock(&stream->input_mutex);
	}
	return strndup(line.text, line.length);
}

int methods_event_count(const struct host *host)
{
	int count = 2;

	for (int i = 1; i <= EVTLOG_TYPE_MAX; i++)
		count += !!evtlog_type_info(host->file, i);
	for (int i = EVENT_ID_REGISTERED; i < EVENT_ID_END; i++)
		count += host->seen[i];
	return count;
}

/* Ids of the types that the log describes, and of registered events that occur in the log. */
static int *get_all_event_ids(struct kshark_data_stream *stream)
{
	const struct host *host = host_of(stream);
	int *ids = calloc(methods_event_count(host), sizeof(*ids));
	int count = 0;

	if (!ids)
		return NULL;
	ids[count++] = EVENT_ID_START;
	for (int i = 1; i <= EVTLOG_TYPE_MAX; i++)
		if (evtlog_type_info(host->file, i))
			ids[count++] = i;
	for (int i = EVENT_ID_REGISTERED; i < EVENT_ID_END; i++)
		if (host->seen[i])
			ids[count++] = i;
	ids[count++] = EVENT_ID_END;
	return ids;
}

/* @wanted is "system/event" or "event". */
static int find_event_id(struct kshark_data_stream *stream, const char *wanted)
{
	int *ids = get_all_event_ids(stream), found = -1;
	struct host *host = host_of(stream);
	char name[EVENT_NAME_BYTES];

	pthread_mutex_lock(&stream->input_mutex);
	for (int i = 0; ids && found < 0 && i < methods_event_count(host); i++)
		if (event_id_name(host->file, ids[i], name) &&
		    (!strcmp(name, wanted) || !strcmp(strchr(name, '/') + 1, wanted)))
			found = ids[i];
	pthread_mutex_unlock(&stream->input_mutex);
	free(ids);
	return found;
}

static int get_field_names(struct kshark_data_stream *stream, const struct kshark_entry *entry,
			   char ***namesp)
{
	const char *names[FIELD_NAMES_MAX];
	struct evtlog_event event;
	unsigned int count, copied = 0;
	char **copies;

	*namesp = NULL;
	if (!event_of(stream, entry, &event, NULL))
		return 0;
	pthread_mutex_lock(&stream->input_mutex);
	count = field_names(host_of(stream)->file, &event, names);
	pthread_mutex_unlock(&stream->input_mutex);
	copies = calloc(count + 1, sizeof(*copies));
	while (copies && copied < count && (copies[copied] = strdup(names[copied])))
		copied++;
	if (copies && copied == count) {
		*namesp = copies;
		return count;
	}
	while (copied)
		free(copies[--copied]);
	free(copies);
	return -ENOMEM;
}

static bool value_at(struct kshark_data_stream *stream, uint64_t position, const char *name,
		     int64_t *value)
{
	struct host *host = host_of(stream);
	struct evtlog_event event;
	bool found;

	if (!records_get(&host->records, position, &event, NULL))
		return false;
	pthread_mutex_lock(&stream->input_mutex);
	found = field_value(host->file, &event, name, value);
	pthread_mutex_unlock(&stream->input_mutex);
	return found;
}

static int read_event_field(struct kshark_data_stream *stream, const struct kshark_entry *entry,
			    const char *name, int64_t *value)
{
	return !is_bare(entry) && value_at(stream, entry->offset, name, value) ? 0 : -EINVAL;
}

static int read_record_field(struct kshark_data_stream *stream, void *record, const char *name,
			     int64_t *value)
{
	const struct plugin_record *of = record;

	return of && value_at(stream, of->position, name, value) ? 0 : -EINVAL;
}

static kshark_event_field_format get_field_type(struct kshark_data_stream *stream,
						const struct kshark_entry *entry,
						const char *name)
{
	int64_t value;

	return read_event_field(stream, entry, name, &value) ? KS_INVALID_FIELD : KS_INTEGER_FIELD;
}

/* The format that KernelShark uses for entries of trace.dat. */
static char *dump_entry(struct kshark_data_stream *stream, const struct kshark_entry *entry)
{
	char *task = get_task(stream, entry), *aux = get_aux_info(stream, entry);
	char *name = get_event_name(stream, entry), *info = get_info(stream, entry);
	char *text;

	if (asprintf(&text, "%d; %" PRId64 "; %s-%d; CPU %d; %s; %s; %s; 0x%x", entry->stream_id,
		     entry->ts, task ? task : "?", get_pid(stream, entry), entry->cpu,
		     aux ? aux : "", name ? name : "?", info ? info : "", entry->visible) < 0)
		text = NULL;
	free(task);
	free(aux);
	free(name);
	free(info);
	return text;
}

void methods_init(struct kshark_generic_stream_interface *interface)
{
	*interface = (struct kshark_generic_stream_interface) {
		.type = KS_GENERIC_DATA_INTERFACE,
		.get_pid = get_pid,
		.get_event_id = get_event_id,
		.get_event_name = get_event_name,
		.get_task = get_task,
		.get_info = get_info,
		.aux_info = get_aux_info,
		.find_event_id = find_event_id,
		.get_all_event_ids = get_all_event_ids,
		.dump_entry = dump_entry,
		.get_all_event_field_names = get_field_names,
		.get_event_field_type = get_field_type,
		.read_event_field_int64 = read_event_field,
		.read_record_field_int64 = read_record_field,
		.load_entries = load_entries,
		.load_matrix = load_matrix,
	};
}
