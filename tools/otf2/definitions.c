// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the definitions of an archive: machines, CPUs, locations, counters, messages and clocks.
 *
 * If a log does not contain packages and cores, its CPUs are directly below the machine.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "definitions.h"
#include "host.h"
#include "lib/base/array.h"

/* ---- Packages and cores of a host, in the system tree of an archive ---- */

/* A package, or a core of a package */
struct topology_place {
	uint32_t package;
	uint32_t core;
	bool is_core;
	uint32_t node;
};

struct topology {
	struct topology_place *places;
	size_t count;
	size_t capacity;
};

/* Defines a node of the system tree below @parent.  Returns its number. */
static uint32_t topology_node(struct output *out, const char *name, const char *class,
			      uint32_t parent, OTF2_SystemTreeDomain domain)
{
	uint32_t name_string = archive_string(&out->archive, name);
	uint32_t class_string = archive_string(&out->archive, class);
	OTF2_GlobalDefWriter *global = out->archive.global;

	archive_check_error(&out->archive,
		OTF2_GlobalDefWriter_WriteSystemTreeNode(global, out->next_node, name_string,
							 class_string, parent));
	archive_check_error(&out->archive,
		OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(global, out->next_node, domain));
	return out->next_node++;
}

/* Reads a line "cpu_3=0 1" of the log's header. */
static bool read_place(const struct host *host, unsigned int cpu, struct topology_place *place)
{
	char key[32], rest;
	const char *text;

	snprintf(key, sizeof(key), "cpu_%u", cpu);
	text = evtlog_meta(host->file, key);
	/* -1: the package or core is unknown to the kernel. */
	return text && !strchr(text, '-') &&
	       sscanf(text, "%u %u%c", &place->package, &place->core, &rest) == 2;
}

static uint32_t find(struct topology *topology, struct host *host,
		     const struct topology_place *wanted, uint32_t parent)
{
	char name[64];

	for (size_t i = 0; i < topology->count; i++) {
		const struct topology_place *place = &topology->places[i];

		if (place->is_core == wanted->is_core && place->package == wanted->package &&
		    (!place->is_core || place->core == wanted->core))
			return place->node;
	}
	if (array_reserve(&topology->places, &topology->capacity, topology->count,
			  sizeof(*topology->places))) {
		archive_check_error(&host->out->archive, OTF2_ERROR_MEM_ALLOC_FAILED);
		return parent;
	}
	if (wanted->is_core)
		snprintf(name, sizeof(name), "package %u core %u", wanted->package, wanted->core);
	else
		snprintf(name, sizeof(name), "package %u", wanted->package);
	topology->places[topology->count] = *wanted;
	topology->places[topology->count].node =
		topology_node(host->out, name, wanted->is_core ? "core" : "package", parent,
			      wanted->is_core ? OTF2_SYSTEM_TREE_DOMAIN_CORE :
						OTF2_SYSTEM_TREE_DOMAIN_SOCKET);
	return topology->places[topology->count++].node;
}

/*
 * Defines the core of a CPU and its package, unless they are defined.  Returns the core's node, or
 * the machine's if the log does not contain them.
 */
static uint32_t topology_core(struct topology *topology, struct host *host, unsigned int cpu)
{
	struct topology_place place = { .is_core = false };
	uint32_t package;

	if (!read_place(host, cpu, &place))
		return host->node;
	package = find(topology, host, &place, host->node);
	place.is_core = true;
	return find(topology, host, &place, package);
}

static void topology_free(struct topology *topology)
{
	free(topology->places);
}

/* ---- Definitions ---- */

#define NS_PER_S	UINT64_C(1000000000)

static void check(struct output *out, OTF2_ErrorCode error)
{
	archive_check_error(&out->archive, error);
}

/* ---- Counters ---- */

static void define_counters(struct output *out)
{
	enum about { SINCE_LAST, ON_CPU, TO_CPU };
	static const char *const abouts[] = {
		[SINCE_LAST] = "since the last value",
		[ON_CPU] = "tasks that run or wait on the CPU",
		[TO_CPU] = "of tasks to the CPU, since the last value",
	};
	static const struct {
		const char *name;
		enum about about;
	} counters[SCHED_NUMBERS] = {
		[SCHED_RUNNABLE] = { "runnable tasks", ON_CPU },
		[SCHED_SWITCHES] = { "switches", SINCE_LAST },
		[SCHED_FORKS] = { "forks", SINCE_LAST },
		[SCHED_EXITS] = { "exits", SINCE_LAST },
		[SCHED_MIGRATIONS] = { "migrations", TO_CPU },
	};
	uint32_t unit = archive_string(&out->archive, "#"), strings[3];

	for (unsigned int i = 0; i < 3; i++)
		strings[i] = archive_string(&out->archive, abouts[i]);
	for (unsigned int i = 0; i < SCHED_NUMBERS; i++)
		check(out, OTF2_GlobalDefWriter_WriteMetricMember(
			out->archive.global, i, archive_string(&out->archive, counters[i].name),
			strings[counters[i].about], OTF2_METRIC_TYPE_OTHER,
			i == SCHED_RUNNABLE ? OTF2_METRIC_ABSOLUTE_POINT :
					      OTF2_METRIC_ABSOLUTE_LAST,
			OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, unit));
}

/* Defines the class of the counters that the host has. */
static void define_class(struct host *host)
{
	OTF2_MetricMemberRef members[SCHED_NUMBERS];
	unsigned int count = 0;

	for (unsigned int i = 0; i < SCHED_NUMBERS; i++)
		if (!(host->unknown & 1u << i))
			members[count++] = i;
	check(host->out, OTF2_GlobalDefWriter_WriteMetricClass(host->out->archive.global,
							       host->class, count, members,
							       OTF2_METRIC_ASYNCHRONOUS,
							       OTF2_RECORDER_KIND_CPU));
}

/* ---- Machines, CPUs and locations ---- */

static void define_domain(struct output *out, uint32_t node, OTF2_SystemTreeDomain domain)
{
	check(out, OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(out->archive.global, node,
								  domain));
}

static void define_location(struct host *host, const struct location *location, const char *name)
{
	struct output *out = host->out;
	uint32_t string = archive_string(&out->archive, name);

	check(out, OTF2_GlobalDefWriter_WriteLocation(out->archive.global, location->id, string,
						      OTF2_LOCATION_TYPE_CPU_THREAD,
						      location->events, location->group));
}

static void define_cpu(struct host *host, const struct cpu *cpu, uint32_t core,
		       const char *prefix)
{
	struct output *out = host->out;
	uint32_t node, string;
	char name[128];

	snprintf(name, sizeof(name), "CPU %u", cpu->number);
	node = topology_node(out, name, "CPU", core, OTF2_SYSTEM_TREE_DOMAIN_PU);
	snprintf(name, sizeof(name), "%.64s:%u", host->name, cpu->number);
	string = archive_string(&out->archive, name);
	check(out, OTF2_GlobalDefWriter_WriteLocationGroup(out->archive.global,
							   cpu->runnable.group, string,
							   OTF2_LOCATION_GROUP_TYPE_PROCESS, node,
							   OTF2_UNDEFINED_LOCATION_GROUP));
	snprintf(name, sizeof(name), "%.64scpu %u tasks", prefix, cpu->number);
	define_location(host, &cpu->runnable, name);
	snprintf(name, sizeof(name), "%.64scpu %u records", prefix, cpu->number);
	if (cpu->records.id)
		define_location(host, &cpu->records, name);
	for (unsigned int i = 0; i < cpu->stream_count; i++) {
		if (i)
			snprintf(name, sizeof(name), "%.64scpu %u stream %u", prefix, cpu->number,
				 i);
		else
			snprintf(name, sizeof(name), "%.64scpu %u %s", prefix, cpu->number,
				 host->is_of_tree ? "outside the tree" : "idle");
		define_location(host, &cpu->streams[i], name);
	}
}

static void define_group(struct output *out, const char *name, OTF2_GroupType type,
			 OTF2_Paradigm paradigm, const uint64_t *members, uint32_t count)
{
	uint32_t string = archive_string(&out->archive, name);

	check(out, OTF2_GlobalDefWriter_WriteGroup(out->archive.global, out->next_group++, string,
						   type, paradigm, OTF2_GROUP_FLAG_NONE, count,
						   members));
}

static int compare_processes(const void *a, const void *b)
{
	const struct process_region *x = a, *y = b;

	if (x->tgid != y->tgid)
		return x->tgid < y->tgid ? -1 : 1;
	return (x->region > y->region) - (x->region < y->region);
}

/* Defines a group of regions for each process; Vampir colours regions by group. */
static void define_processes(struct host *host)
{
	uint64_t *members = calloc(host->region_count + 1, sizeof(*members));
	size_t count = 0;

	if (!members) {
		check(host->out, OTF2_ERROR_MEM_ALLOC_FAILED);
		return;
	}
	if (host->region_count)
		qsort(host->regions, host->region_count, sizeof(*host->regions),
		      compare_processes);
	for (size_t i = 0; i < host->region_count; i++) {
		const struct process_region *at = &host->regions[i];
		const struct evtlog_task *task = evtlog_tasks_find(host->names, at->tgid);
		char name[EVTLOG_COMM_LEN + 16];

		members[count++] = at->region;
		if (i + 1 < host->region_count && at[1].tgid == at->tgid)
			continue;
		snprintf(name, sizeof(name), "%.*s (%u)", EVTLOG_COMM_LEN,
			 task && task->comm[0] ? task->comm : "?", at->tgid);
		define_group(host->out, name, OTF2_GROUP_TYPE_REGIONS, OTF2_PARADIGM_UNKNOWN,
			     members, count);
		count = 0;
	}
	free(members);
}

void definitions_begin(struct output *out, bool several)
{
	uint32_t name, class;

	define_counters(out);
	if (!several)
		return;
	name = archive_string(&out->archive, "hosts");
	class = archive_string(&out->archive, "cluster");
	check(out, OTF2_GlobalDefWriter_WriteSystemTreeNode(out->archive.global, out->next_node++,
							    name, class,
							    OTF2_UNDEFINED_SYSTEM_TREE_NODE));
}

void definitions_host(struct host *host, bool several)
{
	struct topology topology = { 0 };
	char prefix[80] = "";

	if (host->defines_class)
		define_class(host);
	if (several)
		snprintf(prefix, sizeof(prefix), "%.64s ", host->name);
	host->node = topology_node(host->out, host->name, "machine",
				   several ? 0 : OTF2_UNDEFINED_SYSTEM_TREE_NODE,
				   OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
	define_domain(host->out, host->node, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
	for (unsigned int i = 0; i < host->cpu_count; i++)
		if (host->cpus[i].wanted)
			define_cpu(host, &host->cpus[i],
				   topology_core(&topology, host, host->cpus[i].number), prefix);
	topology_free(&topology);
	define_processes(host);
}

/* ---- Messages and clock ---- */

void definitions_messages(struct output *out, const uint64_t *others, size_t other_count)
{
	uint64_t *members = calloc(out->cpu_count + other_count + 1, sizeof(*members));
	uint32_t name = archive_string(&out->archive,
				       "CPUs; tags: 1 fork, 2 join, 3 migration, 4 wake-up");

	if (!members) {
		check(out, OTF2_ERROR_MEM_ALLOC_FAILED);
		return;
	}
	/* The number of a CPU is both its location and its rank. */
	for (uint32_t i = 0; i < out->cpu_count; i++)
		members[i] = i;
	if (other_count)
		memcpy(members + out->cpu_count, others, other_count * sizeof(*others));
	define_group(out, "", OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, members,
		     out->cpu_count + other_count);
	define_group(out, "CPUs", OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, members,
		     out->cpu_count);
	check(out, OTF2_GlobalDefWriter_WriteComm(out->archive.global, 0, name,
						  out->next_group - 1, OTF2_UNDEFINED_COMM,
						  OTF2_COMM_FLAG_NONE));
	free(members);
}

void definitions_clock(struct output *out, uint64_t begin_ns, uint64_t end_ns, int64_t real_ns)
{
	check(out, OTF2_GlobalDefWriter_WriteClockProperties(out->archive.global, NS_PER_S,
							     begin_ns, end_ns - begin_ns + 1,
							     real_ns));
}

/* ---- Clock errors of several hosts, as clock offsets of their locations ---- */

void offsets_take(struct offsets *offsets, const struct evtlog_clocksync *clocks, size_t number,
		  const struct evtlog_file *file)
{
	uint64_t begin_ns = evtlog_begin_ns(file);
	uint64_t length_ns = evtlog_end_ns(file) - begin_ns;

	for (unsigned int i = 0; i < OFFSET_POINTS; i++) {
		uint64_t raw_ns = begin_ns + length_ns / (OFFSET_POINTS - 1) * i;
		uint64_t time_ns = evtlog_clocksync_time(clocks, number, raw_ns);
		uint64_t error_ns = evtlog_clocksync_bound(clocks, number, raw_ns);

		/* Not related to other hosts: OTF2 cannot express this. */
		if (error_ns == UINT64_MAX)
			continue;
		if (offsets->points && offsets->time_ns[offsets->points - 1] >= time_ns)
			continue;
		offsets->time_ns[offsets->points] = time_ns;
		offsets->error_ns[offsets->points++] = error_ns;
	}
}

static void write_location(const struct offsets *offsets, struct archive *archive, uint64_t id)
{
	OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive->handle, id);

	if (!writer) {
		archive_check_error(archive, OTF2_ERROR_MEM_ALLOC_FAILED);
		return;
	}
	for (unsigned int i = 0; i < offsets->points; i++)
		archive_check_error(archive,
			OTF2_DefWriter_WriteClockOffset(writer, offsets->time_ns[i], 0,
							offsets->error_ns[i]));
	archive_check_error(archive, OTF2_Archive_CloseDefWriter(archive->handle, writer));
}

void offsets_write(const struct offsets *offsets, size_t count, struct archive *archive)
{
	archive_close_events(archive);
	for (size_t i = 0; i < count && !archive->error; i++) {
		for (uint64_t id = offsets[i].cpus[0]; id < offsets[i].cpus[1]; id++)
			write_location(&offsets[i], archive, id);
		for (uint64_t id = offsets[i].streams[0]; id < offsets[i].streams[1]; id++)
			write_location(&offsets[i], archive, id);
	}
}
