// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes reports as TAU's profile.NODE.CONTEXT.THREAD files, one for each task.
 *
 * A file has a line for each event and a line for each call path, "main => write() ", in the group
 * TAU_CALLPATH. Times are in us with three decimals; TAU writes more, as floating-point numbers.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/atomic-file.h"
#include "profile/report/report.h"

/* The event that contains all other events, in each file */
#define ALL	".TAU application"

/* Readers split lines at quotes, and call paths at "=>". */
static void put_name(FILE *out, const char *name)
{
	for (; *name; name++) {
		if (*name == '"' || (unsigned char)*name < ' ')
			fputc('_', out);
		else if (*name == '=' && name[1] == '>')
			fputc('_', out);
		else
			fputc(*name, out);
	}
}

static void put_path(FILE *out, const struct report_tree *tree, size_t at)
{
	if (tree->at[at].parent != REPORT_ROOT) {
		put_path(out, tree, tree->at[at].parent);
	} else {
		fputs(ALL, out);
	}
	fputs(" => ", out);
	put_name(out, tree->at[at].name);
}

/* A node that was entered before the profile began has no call yet: writes 1. */
static void put_sums(FILE *out, const struct report *report, const struct report_node *node)
{
	uint64_t exclusive = report_ns(report, node->exclusive), inclusive = report_ns(report, node->inclusive);

	fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64 ".%03" PRIu64 " %" PRIu64 ".%03" PRIu64 " 0 GROUP=\"",
		node->count ? node->count : 1, node->subcalls, exclusive / 1000, exclusive % 1000,
		inclusive / 1000, inclusive % 1000);
}

/* Writes an attribute in XML. Names of programs may contain any characters. */
static void put_attribute(FILE *out, const char *name, const char *value)
{
	fprintf(out, "<attribute><name>%s</name><value>", name);
	for (; *value; value++) {
		if (strchr("<>&\"", *value) || (unsigned char)*value < ' ' || *value & 0x80)
			fputc('_', out);
		else
			fputc(*value, out);
	}
	fputs("</value></attribute>", out);
}

static void put_head(FILE *out, const struct report_tree *tree, size_t functions)
{
	char number[16];

	fprintf(out, "%zu templated_functions_MULTI_TIME\n", functions);
	fputs("# Name Calls Subrs Excl Incl ProfileCalls # <metadata>", out);
	put_attribute(out, "Metric Name", "TIME");
	put_attribute(out, "Task", tree->label);
	snprintf(number, sizeof(number), "%d", tree->slot->entry.tgid);
	put_attribute(out, "pid", number);
	snprintf(number, sizeof(number), "%d", tree->slot->entry.pid);
	put_attribute(out, "tid", number);
	fputs("</metadata>\n", out);
}

/* The format of TAU; readers take the last column as the sum of squares. */
static void put_user_events(FILE *out, const struct profile_slot *slot)
{
	if (!slot->entry.values)
		return;
	fprintf(out, "%zu userevents\n# eventname numevents max min mean sumsqr\n", slot->entry.values);
	for (size_t i = 0; i < slot->entry.values; i++) {
		const struct evtlog_profile_value *value = &slot->values[i];

		fprintf(out, "\"%s\" %" PRIu64 " %" PRIu64 " %" PRIu64 " %.16g %" PRIu64 "\n",
			value->name, value->count, value->largest, value->least,
			profile_value_mean(value), value->squares);
	}
}

static int write_tree(FILE *out, const struct report *report, const struct report_tree *tree)
{
	struct report_tree flat;
	struct report_node all = { .count = 1 };
	int error = report_flat(tree, &flat);

	if (error)
		return error;
	for (size_t i = 0; i < tree->count; i++) {
		if (tree->at[i].parent != REPORT_ROOT)
			continue;
		all.inclusive += tree->slot->entry.cpu >= 0 ? tree->at[i].exclusive :
							      tree->at[i].inclusive;
		all.subcalls += tree->at[i].count ? tree->at[i].count : 1;
	}
	put_head(out, tree, 1 + flat.count + tree->count);
	fputs("\"" ALL "\"", out);
	put_sums(out, report, &all);
	fputs("TAU_DEFAULT\"\n", out);
	for (size_t i = 0; i < flat.count; i++) {
		fputc('"', out);
		put_name(out, flat.at[i].name);
		fputc('"', out);
		put_sums(out, report, &flat.at[i]);
		fprintf(out, "%s\"\n", flat.at[i].group);
	}
	for (size_t i = 0; i < tree->count; i++) {
		fputc('"', out);
		put_path(out, tree, i);
		fputs(" \"", out);
		put_sums(out, report, &tree->at[i]);
		fprintf(out, "TAU_CALLPATH | %s\"\n", tree->at[i].group);
	}
	fputs("0 aggregates\n", out);
	put_user_events(out, tree->slot);
	report_tree_free(&flat);
	return 0;
}

/*
 * A node is an MPI rank, a context is one of its processes, a thread is a task of the process.
 * Tasks without a rank are on node 0. CPUs are threads of node 0, context 0.
 */
struct place {
	const struct report_tree *tree;
	int node, context, thread;
};

static int by_task(const void *a, const void *b)
{
	const struct place *one = a, *two = b;
	const struct evtlog_profile_entry *x = &one->tree->slot->entry;
	const struct evtlog_profile_entry *y = &two->tree->slot->entry;

	if (one->node != two->node)
		return one->node < two->node ? -1 : 1;
	if (x->tgid != y->tgid)
		return x->tgid < y->tgid ? -1 : 1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->cpu - y->cpu;
}

static struct place *places_of(const struct report *report)
{
	struct place *places = calloc(report->count + 1, sizeof(*places));

	for (size_t i = 0; places && i < report->count; i++)
		places[i] = (struct place){ .tree = &report->at[i],
					    .node = report->at[i].rank > 0 ? report->at[i].rank : 0 };
	if (!places)
		return NULL;
	qsort(places, report->count, sizeof(*places), by_task);
	for (size_t i = 1; i < report->count; i++) {
		if (places[i].node != places[i - 1].node)
			continue;
		if (places[i].tree->slot->entry.tgid == places[i - 1].tree->slot->entry.tgid) {
			places[i].context = places[i - 1].context;
			places[i].thread = places[i - 1].thread + 1;
		} else {
			places[i].context = places[i - 1].context + 1;
		}
	}
	return places;
}

static int write_file(const struct report *report, const struct report_tree *tree,
		      const char *path)
{
	struct atomic_file file;
	int error = atomic_file_new(&file, path, 0644);

	if (error)
		return error;
	error = write_tree(file.out, report, tree);
	if (!error)
		error = atomic_file_finish(&file);
	if (error)
		atomic_file_discard(&file);
	return error;
}

/* Readers add up all files in the directory. Links and pipes are not profiles. */
static int find_others(const char *directory, char *bad, size_t room)
{
	DIR *there = opendir(directory);
	struct dirent *entry;
	struct stat about;
	int error = there ? 0 : -errno;

	while (!error && (entry = readdir(there))) {
		if (strncmp(entry->d_name, "profile.", 8) || !isdigit((unsigned char)entry->d_name[8]) ||
		    fstatat(dirfd(there), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(about.st_mode))
			continue;
		snprintf(bad, room, "%s/%s", directory, entry->d_name);
		error = -EEXIST;
	}
	if (there)
		closedir(there);
	return error;
}

static int name_file(const struct place *place, const char *directory, char *path, size_t room)
{
	int length = snprintf(path, room, "%s/profile.%d.%d.%d", directory, place->node,
			      place->context, place->thread);

	return (size_t)length < room ? 0 : -ENAMETOOLONG;
}

/* An incomplete report would be read as a complete one. */
static void remove_files(const struct place *places, size_t count, const char *directory)
{
	char path[PATH_MAX];

	while (count--)
		if (!name_file(&places[count], directory, path, sizeof(path)))
			unlink(path);
}

int report_write_tau(const struct report *report, const char *directory, char *bad, size_t room)
{
	struct place *places = places_of(report);
	int error = places ? 0 : -ENOMEM;
	size_t written = 0;
	bool is_new;

	snprintf(bad, room, "%s", directory);
	is_new = !error && !mkdir(directory, 0777);
	if (!error && !is_new && errno != EEXIST)
		error = -errno;
	if (!error)
		error = find_others(directory, bad, room);
	for (size_t i = 0; !error && i < report->count; i++) {
		error = name_file(&places[i], directory, bad, room);
		if (!error)
			error = write_file(report, places[i].tree, bad);
		written += !error;
	}
	if (error)
		remove_files(places, written, directory);
	if (error && is_new)
		rmdir(directory);
	free(places);
	return error;
}
