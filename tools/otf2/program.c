// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens a program's OTF2 trace, and numbers its definitions.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/command.h"
#include "common/error.h"
#include "lib/base/array.h"
#include "program.h"
#include "thread.h"

/* ---- Errors ---- */

static OTF2_ErrorCode on_error(void *context, const char *file, uint64_t line,
			       const char *function, OTF2_ErrorCode code, const char *format,
			       va_list args)
{
	struct program *program = context;

	if (program->writing && program->out) {
		if (!program->out->archive.error) {
			program->out->archive.error = code;
			program->out->archive.cause = errno;
		}
	} else {
		program_check_error(program, code);
	}
	return code;
}

void program_catch_errors(struct program *program)
{
	OTF2_Error_RegisterCallback(on_error, program);
}

void program_check_error(struct program *program, OTF2_ErrorCode error)
{
	if (error != OTF2_SUCCESS && !program->error)
		program->error = error;
}

int program_say(const struct program *program)
{
	pr_err("%s: can't be read: %s", program->path,
	       OTF2_Error_GetDescription(program->error));
	return EXIT_FAILED;
}

/* ---- Definitions, as they come ---- */

/* Adds a definition.  Returns false if it is known already, or without memory. */
static bool note(struct program *program, enum id_kind kind, uint64_t ref)
{
	int error = ids_add(&program->ids[kind], ref);

	if (error == -ENOMEM)
		program_check_error(program, OTF2_ERROR_MEM_ALLOC_FAILED);
	else if (error)
		program->skipped_definitions++;
	return !error;
}

/*
 * Inserts a zeroed element for the definition that was just added; it can be in the middle of the
 * array.  Returns the element, or NULL without memory.
 */
static void *place(struct program *program, enum id_kind kind, uint64_t ref, void *array,
		   size_t *capacity, size_t size)
{
	size_t count = program->ids[kind].count, index;
	char *items;

	ids_find(&program->ids[kind], ref, &index);
	if (array_reserve(array, capacity, count - 1, size)) {
		/* Keep as many refs as elements. */
		ids_remove(&program->ids[kind], index);
		program_check_error(program, OTF2_ERROR_MEM_ALLOC_FAILED);
		return NULL;
	}
	memcpy(&items, array, sizeof(items));
	memmove(items + (index + 1) * size, items + index * size, (count - 1 - index) * size);
	memset(items + index * size, 0, size);
	return items + index * size;
}

static OTF2_CallbackCode on_clock(void *data, uint64_t hz, uint64_t begin, uint64_t length,
				  uint64_t stamp_ns)
{
	struct program *program = data;

	program->clock = (struct program_clock) {
		.hz = hz, .begin = begin, .length = length, .stamp_ns = stamp_ns,
	};
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *data, OTF2_StringRef self, const char *text)
{
	struct program *program = data;
	char **name;

	if (!note(program, ID_STRING, self))
		return OTF2_CALLBACK_SUCCESS;
	name = place(program, ID_STRING, self, &program->names, &program->name_capacity,
		     sizeof(*name));
	if (name)
		*name = strdup(text);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_attribute(void *data, OTF2_AttributeRef self, OTF2_StringRef name,
				      OTF2_StringRef description, OTF2_Type type)
{
	note(data, ID_ATTRIBUTE, self);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_node(void *data, OTF2_SystemTreeNodeRef self, OTF2_StringRef name,
				 OTF2_StringRef class_name, OTF2_SystemTreeNodeRef parent)
{
	struct program *program = data;
	struct program_node *node;

	if (!note(program, ID_NODE, self))
		return OTF2_CALLBACK_SUCCESS;
	node = place(program, ID_NODE, self, &program->nodes, &program->node_capacity,
		     sizeof(*node));
	if (node)
		*node = (struct program_node) { .name = name, .parent = parent };
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location_group(void *data, OTF2_LocationGroupRef self,
					   OTF2_StringRef name, OTF2_LocationGroupType type,
					   OTF2_SystemTreeNodeRef node,
					   OTF2_LocationGroupRef creating)
{
	struct program *program = data;
	struct program_group *group;

	if (!note(program, ID_LOCATION_GROUP, self))
		return OTF2_CALLBACK_SUCCESS;
	group = place(program, ID_LOCATION_GROUP, self, &program->groups,
		      &program->group_capacity, sizeof(*group));
	if (group)
		group->node = node;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location(void *data, OTF2_LocationRef self, OTF2_StringRef name,
				     OTF2_LocationType type, uint64_t events,
				     OTF2_LocationGroupRef group)
{
	struct program *program = data;
	struct program_location *location;

	if (!note(program, ID_LOCATION, self))
		return OTF2_CALLBACK_SUCCESS;
	location = place(program, ID_LOCATION, self, &program->locations,
			 &program->location_capacity, sizeof(*location));
	if (location)
		*location = (struct program_location) {
			.events = events, .group = group, .name = name, .type = type,
		};
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_region(void *data, OTF2_RegionRef self, OTF2_StringRef name,
				   OTF2_StringRef canonical, OTF2_StringRef description,
				   OTF2_RegionRole role, OTF2_Paradigm paradigm,
				   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
				   uint32_t end)
{
	note(data, ID_REGION, self);
	return OTF2_CALLBACK_SUCCESS;
}

/* Returns true if ranks in the group equal global ranks. */
static bool is_identity(uint32_t count, const uint64_t *members)
{
	for (uint32_t i = 0; i < count; i++)
		if (members[i] != i)
			return false;
	return true;
}

static void note_global(struct program *program, struct ids *ids, uint64_t ref)
{
	if (ids_add(ids, ref) == -ENOMEM)
		program_check_error(program, OTF2_ERROR_MEM_ALLOC_FAILED);
}

static OTF2_CallbackCode on_group(void *data, OTF2_GroupRef self, OTF2_StringRef name,
				  OTF2_GroupType type, OTF2_Paradigm paradigm,
				  OTF2_GroupFlag flags, uint32_t count, const uint64_t *members)
{
	struct program *program = data;

	if (!note(program, ID_GROUP, self) || paradigm != OTF2_PARADIGM_MPI)
		return OTF2_CALLBACK_SUCCESS;
	if (type == OTF2_GROUP_TYPE_COMM_GROUP && flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS &&
	    !is_identity(count, members))
		note_global(program, &program->global_groups, self);
	if (type != OTF2_GROUP_TYPE_COMM_LOCATIONS || program->has_mpi)
		return OTF2_CALLBACK_SUCCESS;
	program->mpi = calloc((size_t)count + 1, sizeof(*program->mpi));
	if (!program->mpi) {
		program_check_error(program, OTF2_ERROR_MEM_ALLOC_FAILED);
		return OTF2_CALLBACK_INTERRUPT;
	}
	memcpy(program->mpi, members, count * sizeof(*members));
	program->mpi_count = count;
	program->mpi_group = self;
	program->has_mpi = true;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_member(void *data, OTF2_MetricMemberRef self, OTF2_StringRef name,
				   OTF2_StringRef description, OTF2_MetricType type,
				   OTF2_MetricMode mode, OTF2_Type value, OTF2_Base base,
				   int64_t exponent, OTF2_StringRef unit)
{
	note(data, ID_METRIC_MEMBER, self);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_metric(void *data, OTF2_MetricRef self, uint8_t count,
				   const OTF2_MetricMemberRef *members,
				   OTF2_MetricOccurrence occurrence, OTF2_RecorderKind kind)
{
	note(data, ID_METRIC, self);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_instance(void *data, OTF2_MetricRef self, OTF2_MetricRef metric,
				     OTF2_LocationRef recorder, OTF2_MetricScope kind,
				     uint64_t scope)
{
	note(data, ID_METRIC, self);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_comm(void *data, OTF2_CommRef self, OTF2_StringRef name,
				 OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
	struct program *program = data;
	size_t index;

	if (note(program, ID_COMM, self) && ids_find(&program->global_groups, group, &index))
		note_global(program, &program->global_comms, self);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_inter_comm(void *data, OTF2_CommRef self, OTF2_StringRef name,
				       OTF2_GroupRef a, OTF2_GroupRef b, OTF2_CommRef common,
				       OTF2_CommFlag flags)
{
	struct program *program = data;
	size_t index;

	if (note(program, ID_COMM, self) && (ids_find(&program->global_groups, a, &index) ||
					     ids_find(&program->global_groups, b, &index)))
		note_global(program, &program->global_comms, self);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_parameter(void *data, OTF2_ParameterRef self, OTF2_StringRef name,
				      OTF2_ParameterType type)
{
	note(data, ID_PARAMETER, self);
	return OTF2_CALLBACK_SUCCESS;
}

static const char *name_of(const struct program *program, uint64_t ref)
{
	size_t index;

	return ids_find(&program->ids[ID_STRING], ref, &index) && program->names[index] ?
	       program->names[index] : "";
}

static bool names_a_thread(const char *name)
{
	static const char *const names[] = { "tid", "thread id", "os thread id", "os_tid" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcasecmp(name, names[i]))
			return true;
	return false;
}

/* Returns an integer of any width and sign, because programs differ; 0 for other types. */
static uint64_t unsigned_value(OTF2_Type type, OTF2_AttributeValue value)
{
	switch (type) {
	case OTF2_TYPE_UINT32:
		return value.uint32;
	case OTF2_TYPE_UINT64:
		return value.uint64;
	case OTF2_TYPE_INT32:
		return value.int32;
	case OTF2_TYPE_INT64:
		return value.int64;
	default:
		return 0;
	}
}

/* Returns 0 if the text is not a number. */
static uint64_t number_of(const char *text)
{
	uint64_t number;
	char *end;

	if (!isdigit((unsigned char)*text))
		return 0;
	number = strtoull(text, &end, 10);
	return *end ? 0 : number;
}

static OTF2_CallbackCode on_location_property(void *data, OTF2_LocationRef self,
					      OTF2_StringRef name, OTF2_Type type,
					      OTF2_AttributeValue value)
{
	struct program *program = data;
	uint64_t tid;
	size_t index;

	if (!names_a_thread(name_of(program, name)) ||
	    !ids_find(&program->ids[ID_LOCATION], self, &index))
		return OTF2_CALLBACK_SUCCESS;
	if (type == OTF2_TYPE_STRING)
		tid = number_of(name_of(program, value.stringRef));
	else
		tid = unsigned_value(type, value);
	if (tid < 1u << EVTLOG_PID_BITS)
		program->locations[index].tid = tid;
	return OTF2_CALLBACK_SUCCESS;
}

/* ---- Opening ---- */

void program_read_definitions(struct program *program,
			      const OTF2_GlobalDefReaderCallbacks *callbacks, void *data)
{
	OTF2_GlobalDefReader *reader = OTF2_Reader_GetGlobalDefReader(program->reader);
	uint64_t count;

	if (!reader) {
		program_check_error(program, OTF2_ERROR_INTEGRITY_FAULT);
		return;
	}
	program_check_error(program,
		OTF2_Reader_RegisterGlobalDefCallbacks(program->reader, reader, callbacks, data));
	program_check_error(program,
		OTF2_Reader_ReadAllGlobalDefinitions(program->reader, reader, &count));
	program_check_error(program,
		OTF2_Reader_CloseGlobalDefReader(program->reader, reader));
}

static void number_definitions(struct program *program)
{
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();

	if (!callbacks) {
		program_check_error(program, OTF2_ERROR_MEM_ALLOC_FAILED);
		return;
	}
	OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
	OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
	OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, on_attribute);
	OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(callbacks, on_node);
	OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, on_location_group);
	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
	OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
	OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
	OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(callbacks, on_member);
	OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(callbacks, on_metric);
	OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(callbacks, on_instance);
	OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
	OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, on_inter_comm);
	OTF2_GlobalDefReaderCallbacks_SetParameterCallback(callbacks, on_parameter);
	OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(callbacks, on_location_property);
	program_read_definitions(program, callbacks, program);
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
}

/* Finds the thread id in a name such as "worker (1234)" or "tid 1234"; 0 if there is none. */
static uint32_t tid_of_name(const char *name)
{
	const char *open = strrchr(name, '(');
	unsigned long tid = 0;
	char *end = NULL;

	if (open && isdigit((unsigned char)open[1])) {
		tid = strtoul(open + 1, &end, 10);
		if (strcmp(end, ")"))
			return 0;
	} else if (!strncasecmp(name, "tid ", 4) && isdigit((unsigned char)name[4])) {
		tid = strtoul(name + 4, &end, 10);
		if (*end)
			return 0;
	}
	return tid < 1u << EVTLOG_PID_BITS ? tid : 0;
}

/* Refuses undefined locations of ranks, as they would shift the following ranks. */
static int check_ranks(const struct program *program)
{
	for (size_t i = 0; i < program->mpi_count; i++) {
		size_t index;

		if (ids_find(&program->ids[ID_LOCATION], program->mpi[i], &index))
			continue;
		pr_err("%s: can't be read: rank %zu is location %" PRIu64 ", which is not defined",
		       program->path, i, program->mpi[i]);
		return EXIT_FAILED;
	}
	return EXIT_OK;
}

static int find_threads(struct program *program)
{
	size_t count = program->ids[ID_LOCATION].count;

	program->threads = calloc(count + 1, sizeof(*program->threads));
	if (!program->threads) {
		pr_err("%s: %s", program->path, strerror(ENOMEM));
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < count; i++) {
		struct program_location *location = &program->locations[i];
		size_t group;

		if (!ids_find(&program->ids[ID_LOCATION_GROUP], location->group, &group)) {
			pr_err("%s: can't be read: location %s is in no group", program->path,
			       name_of(program, location->name));
			return EXIT_FAILED;
		}
		location->group = group;
		if (!location->tid)
			location->tid = tid_of_name(name_of(program, location->name));
		if (location->tid && location->type == OTF2_LOCATION_TYPE_CPU_THREAD)
			program->threads[program->thread_count++] = (struct thread) {
				.tid = location->tid, .of = i,
			};
	}
	return EXIT_OK;
}

int program_open(struct program *program, const char *path)
{
	struct stat stat_of;

	*program = (struct program) { .path = path };
	if (!stat(path, &stat_of) && S_ISDIR(stat_of.st_mode)) {
		pr_err("%s: can't be read: it is a directory; name the archive's own file in it, such as traces.otf2",
		       path);
		return EXIT_FAILED;
	}
	program_catch_errors(program);
	program->reader = OTF2_Reader_Open(path);
	if (!program->reader) {
		program_check_error(program, OTF2_ERROR_INVALID);
		return program_say(program);
	}
	program_check_error(program, OTF2_Reader_SetSerialCollectiveCallbacks(program->reader));
	number_definitions(program);
	if (program->error)
		return program_say(program);
	if (!program->ids[ID_LOCATION].count) {
		pr_err("%s: has no locations", path);
		return EXIT_FAILED;
	}
	if (check_ranks(program) != EXIT_OK)
		return EXIT_FAILED;
	return find_threads(program);
}

void program_close(struct program *program)
{
	if (program->reader)
		OTF2_Reader_Close(program->reader);
	for (size_t i = 0; i < program->ids[ID_STRING].count && program->names; i++)
		free(program->names[i]);
	for (unsigned int i = 0; i < ID_KINDS; i++)
		ids_free(&program->ids[i]);
	ids_free(&program->global_groups);
	ids_free(&program->global_comms);
	free(program->names);
	free(program->nodes);
	free(program->groups);
	free(program->locations);
	free(program->mpi);
	free(program->threads);
	free(program->clocks);
	*program = (struct program) { 0 };
}

/* ---- Hosts of processes ---- */

/* Returns the host that is a node or one of its ancestors; SIZE_MAX if there is none. */
static size_t host_of(const struct program *program, uint64_t node, const char *const *names,
		      size_t count)
{
	size_t index;

	/* The parents can form a cycle: limit the number of steps. */
	for (size_t steps = 0; steps <= program->ids[ID_NODE].count; steps++) {
		const char *name;

		if (!ids_find(&program->ids[ID_NODE], node, &index))
			break;
		name = name_of(program, program->nodes[index].name);
		for (size_t i = 0; i < count; i++)
			if (names[i] && !strcmp(names[i], name))
				return i;
		node = program->nodes[index].parent;
	}
	return SIZE_MAX;
}

/* Returns the only host; SIZE_MAX if there are several, or the program was on several. */
static size_t only_host(const struct program *program, const char *const *names, size_t count)
{
	size_t found = SIZE_MAX;

	for (size_t i = 1; i < program->ids[ID_LOCATION_GROUP].count; i++)
		if (program->groups[i].node != program->groups[0].node)
			return SIZE_MAX;
	for (size_t i = 0; i < count; i++) {
		if (names[i] && found != SIZE_MAX)
			return SIZE_MAX;
		if (names[i])
			found = i;
	}
	return found;
}

/* Warns of another name, which is possible in a container. */
static void warn_of_name(const struct program *program, const char *const *names, size_t only)
{
	uint64_t node = program->groups[0].node;
	size_t index;

	if (host_of(program, node, names, only + 1) == only ||
	    !ids_find(&program->ids[ID_NODE], node, &index))
		return;
	pr_warn("%s: its processes are on %s, the log is of %s: these are assumed to be the same host",
		program->path, name_of(program, program->nodes[index].name), names[only]);
}

int program_place(struct program *program, const char *const *names, size_t count,
		  uint32_t groups)
{
	size_t only = only_host(program, names, count);

	if (only != SIZE_MAX && program->ids[ID_LOCATION_GROUP].count)
		warn_of_name(program, names, only);

	for (size_t i = 0; i < program->ids[ID_LOCATION_GROUP].count; i++) {
		struct program_group *group = &program->groups[i];
		size_t index;

		group->host = only == SIZE_MAX ? host_of(program, group->node, names, count) : only;
		if (group->host != SIZE_MAX)
			continue;
		pr_err("%s: a process is on %s, and no log is of this host: give the logs of all hosts of the program",
		       program->path,
		       ids_find(&program->ids[ID_NODE], group->node, &index) ?
		       name_of(program, program->nodes[index].name) : "an unknown host");
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < program->thread_count; i++) {
		struct thread *thread = &program->threads[i];

		thread->host = program->groups[program->locations[thread->of].group].host;
		thread->location.group = groups + program->locations[thread->of].group;
	}
	program->ids[ID_LOCATION_GROUP].base = groups;
	program->number = program->groups[program->locations[0].group].host;
	return EXIT_OK;
}
