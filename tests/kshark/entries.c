// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * entries [-c] [-m] [-r] PLUGIN[,PLUGIN...] FILE - prints what libkshark and plug-ins read in FILE
 *
 * Prints a line for each entry: stream, its name, ns, CPU, pid, pid as plug-ins left it, event,
 * task, context, info, separated by tabs; then fields, NAME=VALUE.  PLUGIN "-" is our plug-in,
 * linked into this program.
 *
 * -c prints only the number of entries, -m prints ns, CPU, pid and event of the matrix, and -r
 * loads twice.  Exit status 3: libkshark refused the file.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libkshark.h>

#ifdef LINKED
int kshark_input_initializer(struct kshark_data_stream *stream);
int kshark_input_deinitializer(struct kshark_data_stream *stream);
bool kshark_input_check(const char *path);
const char *kshark_input_format(void);

static struct kshark_dri linked;

static void add_linked(struct kshark_context *context)
{
	linked = (struct kshark_dri) {
		.name = "evtlog",
		.init = kshark_input_initializer,
		.close = kshark_input_deinitializer,
		.check_data = kshark_input_check,
	};
	kshark_set_data_format(linked.data_format, kshark_input_format());
	kshark_register_input(context, &linked);
}
#endif

static void print_owned(char *text)
{
	printf("\t%s", text ? text : "");
	free(text);
}

static void print_fields(const struct kshark_entry *entry)
{
	char **names = NULL;
	int count = kshark_get_all_event_field_names(entry, &names);

	for (int i = 0; i < count; i++) {
		int64_t value;

		if (kshark_get_event_field_type(entry, names[i]) == KS_INTEGER_FIELD &&
		    !kshark_read_event_field_int(entry, names[i], &value))
			printf("\t%s=%" PRId64, names[i], value);
		free(names[i]);
	}
	free(names);
}

static void print_entry(struct kshark_context *context, const struct kshark_entry *entry)
{
	const struct kshark_data_stream *stream = context->stream[entry->stream_id];

	printf("%d\t%s\t%" PRId64 "\t%d\t%d\t%d", entry->stream_id,
	       strcmp(stream->name, KS_UNNAMED) ? stream->name : "", entry->ts, entry->cpu,
	       kshark_get_pid(entry), entry->pid);
	print_owned(kshark_get_event_name(entry));
	print_owned(kshark_get_task(entry));
	print_owned(kshark_get_aux_info(entry));
	print_owned(kshark_get_info(entry));
	print_fields(entry);
	putchar('\n');
}

/* Each id has a name, and the name has this id. */
static void check_ids(struct kshark_context *context, int id)
{
	struct kshark_data_stream *stream = kshark_get_data_stream(context, id);
	int *ids = kshark_get_all_event_ids(stream);

	for (int i = 0; i < stream->n_events; i++) {
		char *name = kshark_event_from_id(id, ids[i]);

		if (!name || kshark_find_event_id(stream, name) != ids[i]) {
			fprintf(stderr, "entries: id %d, %s, is not found\n", ids[i], name);
			exit(1);
		}
		free(name);
	}
	free(ids);
}

static ssize_t load(struct kshark_context *context, bool print)
{
	struct kshark_entry **rows = NULL;
	ssize_t count = kshark_load_all_entries(context, &rows);

	for (ssize_t i = 0; i < count; i++) {
		if (i && rows[i]->ts < rows[i - 1]->ts) {
			fprintf(stderr, "entries: entry %zd is before the last\n", i);
			exit(1);
		}
		if (print) {
			char *dump = kshark_dump_entry(rows[i]);

			print_entry(context, rows[i]);
			if (!dump)
				exit(1);
			free(dump);
		}
	}
	for (ssize_t i = 0; i < count; i++)
		free(rows[i]);
	if (count >= 0)
		free(rows);
	return count;
}

static ssize_t load_matrix(struct kshark_context *context)
{
	static char *names[INT16_MAX + 1], *missed;
	int16_t *events, *cpus;
	int32_t *pids;
	int64_t *offsets, *times;
	ssize_t count = kshark_load_matrix(context, 0, &events, &cpus, &pids, &offsets, &times);

	for (ssize_t i = 0; i < count; i++) {
		char **name = events[i] >= 0 ? &names[events[i]] : &missed;

		if (!*name)
			*name = kshark_event_from_id(0, events[i]);
		printf("%" PRId64 "\t%d\t%d\t%s\n", times[i], cpus[i], pids[i], *name);
	}
	if (count >= 0) {
		free(events);
		free(cpus);
		free(pids);
		free(offsets);
		free(times);
	}
	return count;
}

static void add_plugins(struct kshark_context *context, char *paths)
{
	char *path;

	while ((path = strsep(&paths, ","))) {
#ifdef LINKED
		if (!strcmp(path, "-")) {
			add_linked(context);
			continue;
		}
#endif
		char *start = strrchr(path, '/'), *name = strdup(start ? start + 1 : path);

		/* "plugin-NAME.so", as KernelShark names its plug-ins */
		if (strlen(name) < 11)
			exit(2);
		name[strlen(name) - 3] = '\0';
		if (!kshark_register_plugin(context, name + 7, path))
			exit(1);
		free(name);
	}
}

int main(int argc, char **argv)
{
	bool counts = false, matrix = false, again = false;
	struct kshark_context *context = NULL;
	ssize_t count = 0;
	int option, id;

	while ((option = getopt(argc, argv, "cmr")) != -1) {
		counts |= option == 'c';
		matrix |= option == 'm';
		again |= option == 'r';
	}
	if (argc - optind != 2 || !kshark_instance(&context))
		return 2;
	add_plugins(context, argv[optind]);
	id = kshark_open(context, argv[optind + 1]);
	if (id < 0) {
		kshark_free(context);
		return 3;
	}
	if (again)
		count = load(context, false);
	if (count >= 0)
		count = matrix ? load_matrix(context) : load(context, !counts);
	if (count >= 0 && !kshark_get_data_stream(context, 0))
		return 1;
	for (int i = 0; count >= 0 && strcmp(context->stream[0]->data_format, "evtlog") == 0 &&
	     i < context->n_streams; i++)
		check_ids(context, i);
	if (counts)
		printf("%zd\n", count);
	kshark_close_all(context);
	kshark_free(context);
	return count < 0;
}
