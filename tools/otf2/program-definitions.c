// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the definitions of a program's trace, with their numbers in the archive.
 *
 * It does not write the trace's system tree: processes are on the machines of the logs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "common/utf8.h"
#include "definitions.h"
#include "program.h"
#include "thread.h"

/* @messages: messages are defined */
struct writing {
	struct program *program;
	const uint32_t *nodes;
	bool messages;
};

static uint64_t map(const struct writing *writing, enum id_kind kind, uint64_t ref,
		    uint64_t otherwise)
{
	uint64_t number;

	return ids_map(&writing->program->ids[kind], ref, &number) ? number : otherwise;
}

/* Takes the number of a definition.  Returns false if it was written before, or has no number. */
static bool take(const struct writing *writing, enum id_kind kind, uint64_t ref, uint64_t *number)
{
	int error = ids_take(&writing->program->ids[kind], ref, number);

	if (error == -ENOMEM)
		program_check_error(writing->program, OTF2_ERROR_MEM_ALLOC_FAILED);
	return !error;
}

static uint32_t map_string(const struct writing *writing, uint32_t ref)
{
	return map(writing, ID_STRING, ref, ARCHIVE_NO_STRING);
}

/* Ends a call of the writer, which global() began; its error is the archive's, not the reader's. */
static OTF2_CallbackCode wrote(const struct writing *writing, OTF2_ErrorCode error)
{
	memory_limit(false);
	writing->program->writing = false;
	archive_check_error(&writing->program->out->archive, error);
	return error == OTF2_SUCCESS ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

static OTF2_GlobalDefWriter *global(const struct writing *writing)
{
	memory_limit(true);
	writing->program->writing = true;
	return writing->program->out->archive.global;
}

static OTF2_CallbackCode on_string(void *data, OTF2_StringRef self, const char *text)
{
	uint64_t number;
	OTF2_CallbackCode result;
	char *clean;

	if (!take(data, ID_STRING, self, &number))
		return OTF2_CALLBACK_SUCCESS;
	clean = utf8_clean(text, strlen(text));
	result = wrote(data, clean ? OTF2_GlobalDefWriter_WriteString(global(data), number, clean) :
				     OTF2_ERROR_MEM_ALLOC_FAILED);
	free(clean);
	return result;
}

static OTF2_CallbackCode on_attribute(void *data, OTF2_AttributeRef self, OTF2_StringRef name,
				      OTF2_StringRef description, OTF2_Type type)
{
	uint64_t number;

	if (!take(data, ID_ATTRIBUTE, self, &number))
		return OTF2_CALLBACK_SUCCESS;
	return wrote(data, OTF2_GlobalDefWriter_WriteAttribute(global(data), number,
			map_string(data, name),
			map_string(data, description), type));
}

static OTF2_CallbackCode on_paradigm(void *data, OTF2_Paradigm paradigm, OTF2_StringRef name,
				     OTF2_ParadigmClass class)
{
	return wrote(data, OTF2_GlobalDefWriter_WriteParadigm(global(data), paradigm,
							      map_string(data, name), class));
}

static OTF2_CallbackCode on_location_group(void *data, OTF2_LocationGroupRef self,
					   OTF2_StringRef name, OTF2_LocationGroupType type,
					   OTF2_SystemTreeNodeRef node,
					   OTF2_LocationGroupRef creating)
{
	const struct writing *writing = data;
	const struct program *program = writing->program;
	uint64_t number;
	size_t index;

	if (!take(writing, ID_LOCATION_GROUP, self, &number))
		return OTF2_CALLBACK_SUCCESS;
	index = number - program->ids[ID_LOCATION_GROUP].base;
	return wrote(writing, OTF2_GlobalDefWriter_WriteLocationGroup(global(writing), number,
			map_string(writing, name), type,
			writing->nodes[program->groups[index].host],
			map(writing, ID_LOCATION_GROUP, creating, OTF2_UNDEFINED_LOCATION_GROUP)));
}

static OTF2_CallbackCode on_location(void *data, OTF2_LocationRef self, OTF2_StringRef name,
				     OTF2_LocationType type, uint64_t events,
				     OTF2_LocationGroupRef group)
{
	const struct writing *writing = data;
	const struct program *program = writing->program;
	const struct program_location *location;
	uint64_t number;

	if (!take(writing, ID_LOCATION, self, &number))
		return OTF2_CALLBACK_SUCCESS;
	location = &program->locations[number - program->ids[ID_LOCATION].base];
	return wrote(writing, OTF2_GlobalDefWriter_WriteLocation(global(writing), number,
			map_string(writing, name), type, location->written,
			program->ids[ID_LOCATION_GROUP].base + location->group));
}

/* Writes a property of a location or a location group; @of: its number in the archive */
static OTF2_CallbackCode put_property(const struct writing *writing, enum id_kind kind, uint64_t of,
				      OTF2_StringRef name, OTF2_Type type,
				      OTF2_AttributeValue value)
{
	uint32_t string = map_string(writing, name);

	if (!ids_map_value(writing->program->ids, type, &value)) {
		writing->program->skipped_definitions++;
		return OTF2_CALLBACK_SUCCESS;
	}
	return wrote(writing, kind == ID_LOCATION ?
		OTF2_GlobalDefWriter_WriteLocationProperty(global(writing), of, string, type, value) :
		OTF2_GlobalDefWriter_WriteLocationGroupProperty(global(writing), of, string, type,
								value));
}

static OTF2_CallbackCode on_location_property(void *data, OTF2_LocationRef self,
					      OTF2_StringRef name, OTF2_Type type,
					      OTF2_AttributeValue value)
{
	return put_property(data, ID_LOCATION,
			    map(data, ID_LOCATION, self, OTF2_UNDEFINED_LOCATION), name, type,
			    value);
}

static OTF2_CallbackCode on_group_property(void *data, OTF2_LocationGroupRef self,
					   OTF2_StringRef name, OTF2_Type type,
					   OTF2_AttributeValue value)
{
	return put_property(data, ID_LOCATION_GROUP,
			    map(data, ID_LOCATION_GROUP, self, OTF2_UNDEFINED_LOCATION_GROUP), name,
			    type, value);
}

static OTF2_CallbackCode on_region(void *data, OTF2_RegionRef self, OTF2_StringRef name,
				   OTF2_StringRef canonical, OTF2_StringRef description,
				   OTF2_RegionRole role, OTF2_Paradigm paradigm,
				   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
				   uint32_t end)
{
	uint64_t number;

	if (!take(data, ID_REGION, self, &number))
		return OTF2_CALLBACK_SUCCESS;
	return wrote(data, OTF2_GlobalDefWriter_WriteRegion(global(data), number,
			map_string(data, name),
			map_string(data, canonical), map_string(data, description), role, paradigm,
			flags, map_string(data, file), begin, end));
}

/* Defines messages with the MPI locations: after all locations, in front of groups of ranks. */
static void define_messages(struct writing *writing)
{
	struct program *program = writing->program;

	if (!writing->messages)
		definitions_messages(program->out, program->mpi, program->mpi_count);
	writing->messages = true;
}

/*
 * Members of a communicator are indices into the list of MPI locations.  definitions.c writes this
 * list, with the CPUs first.  So the trace's own list becomes a plain group of locations.
 */
static OTF2_CallbackCode on_group(void *data, OTF2_GroupRef self, OTF2_StringRef name,
				  OTF2_GroupType type, OTF2_Paradigm paradigm,
				  OTF2_GroupFlag flags, uint32_t count, const uint64_t *members)
{
	struct writing *writing = data;
	struct program *program = writing->program;
	bool is_mpi = paradigm == OTF2_PARADIGM_MPI;
	enum id_kind kind = ID_KINDS;
	OTF2_CallbackCode result;
	uint64_t number, *mapped;
	size_t index;

	if (!take(writing, ID_GROUP, self, &number))
		return OTF2_CALLBACK_SUCCESS;
	mapped = calloc((size_t)count + 1, sizeof(*mapped));
	if (!mapped)
		return wrote(writing, OTF2_ERROR_MEM_ALLOC_FAILED);
	define_messages(writing);
	if (type == OTF2_GROUP_TYPE_LOCATIONS || type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
		kind = ID_LOCATION;
	else if (type == OTF2_GROUP_TYPE_REGIONS)
		kind = ID_REGION;
	else if (type == OTF2_GROUP_TYPE_METRIC)
		kind = ID_METRIC;
	for (uint32_t i = 0; i < count; i++) {
		if (kind < ID_KINDS)
			mapped[i] = map(writing, kind, members[i], OTF2_UNDEFINED_UINT64);
		else if (is_mpi && type == OTF2_GROUP_TYPE_COMM_GROUP)
			mapped[i] = members[i] + program->out->cpu_count;
		else
			mapped[i] = members[i];
	}
	if (is_mpi && type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
		type = OTF2_GROUP_TYPE_LOCATIONS;
	/* If the flag stays, map_rank() shifts the ranks of events. */
	if (is_mpi && type == OTF2_GROUP_TYPE_COMM_GROUP &&
	    !ids_find(&program->global_groups, self, &index))
		flags &= ~OTF2_GROUP_FLAG_GLOBAL_MEMBERS;
	result = wrote(writing, OTF2_GlobalDefWriter_WriteGroup(global(writing), number,
			map_string(writing, name), type, paradigm, flags, count, mapped));
	free(mapped);
	return result;
}

static OTF2_CallbackCode on_member(void *data, OTF2_MetricMemberRef self, OTF2_StringRef name,
				   OTF2_StringRef description, OTF2_MetricType type,
				   OTF2_MetricMode mode, OTF2_Type value, OTF2_Base base,
				   int64_t exponent, OTF2_StringRef unit)
{
	uint64_t number;

	if (!take(data, ID_METRIC_MEMBER, self, &number))
		return OTF2_CALLBACK_SUCCESS;
	return wrote(data, OTF2_GlobalDefWriter_WriteMetricMember(global(data), number,
			map_string(data, name),
			map_string(data, description), type, mode, value, base, exponent,
			map_string(data, unit)));
}

static OTF2_CallbackCode on_metric(void *data, OTF2_MetricRef self, uint8_t count,
				   const OTF2_MetricMemberRef *members,
				   OTF2_MetricOccurrence occurrence, OTF2_RecorderKind kind)
{
	OTF2_MetricMemberRef mapped[UINT8_MAX];
	uint64_t number;

	if (!take(data, ID_METRIC, self, &number))
		return OTF2_CALLBACK_SUCCESS;
	for (unsigned int i = 0; i < count; i++)
		mapped[i] = map(data, ID_METRIC_MEMBER, members[i],
				OTF2_UNDEFINED_METRIC_MEMBER);
	return wrote(data, OTF2_GlobalDefWriter_WriteMetricClass(global(data), number, count, mapped, occurrence, kind));
}

static OTF2_CallbackCode on_instance(void *data, OTF2_MetricRef self, OTF2_MetricRef metric,
				     OTF2_LocationRef recorder, OTF2_MetricScope kind,
				     uint64_t scope)
{
	const struct writing *writing = data;
	uint64_t number;

	if (!take(writing, ID_METRIC, self, &number))
		return OTF2_CALLBACK_SUCCESS;
	switch (kind) {
	case OTF2_SCOPE_LOCATION:
		scope = map(writing, ID_LOCATION, scope, OTF2_UNDEFINED_LOCATION);
		break;
	case OTF2_SCOPE_LOCATION_GROUP:
		scope = map(writing, ID_LOCATION_GROUP, scope, OTF2_UNDEFINED_LOCATION_GROUP);
		break;
	case OTF2_SCOPE_GROUP:
		scope = map(writing, ID_GROUP, scope, OTF2_UNDEFINED_GROUP);
		break;
	default:
		/* A node of its system tree: use the machine of the first location. */
		scope = writing->nodes[writing->program->number];
	}
	return wrote(writing, OTF2_GlobalDefWriter_WriteMetricInstance(global(writing), number,
			map(writing, ID_METRIC, metric, OTF2_UNDEFINED_METRIC),
			map(writing, ID_LOCATION, recorder, OTF2_UNDEFINED_LOCATION), kind, scope));
}

static OTF2_CallbackCode on_comm(void *data, OTF2_CommRef self, OTF2_StringRef name,
				 OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
	uint64_t number;

	if (!take(data, ID_COMM, self, &number))
		return OTF2_CALLBACK_SUCCESS;
	return wrote(data, OTF2_GlobalDefWriter_WriteComm(global(data), number,
			map_string(data, name), map(data, ID_GROUP, group, OTF2_UNDEFINED_GROUP),
			map(data, ID_COMM, parent, OTF2_UNDEFINED_COMM), flags));
}

static OTF2_CallbackCode on_inter_comm(void *data, OTF2_CommRef self, OTF2_StringRef name,
				       OTF2_GroupRef a, OTF2_GroupRef b, OTF2_CommRef common,
				       OTF2_CommFlag flags)
{
	uint64_t number;

	if (!take(data, ID_COMM, self, &number))
		return OTF2_CALLBACK_SUCCESS;
	return wrote(data, OTF2_GlobalDefWriter_WriteInterComm(global(data), number,
			map_string(data, name),
			map(data, ID_GROUP, a, OTF2_UNDEFINED_GROUP),
			map(data, ID_GROUP, b, OTF2_UNDEFINED_GROUP),
			map(data, ID_COMM, common, OTF2_UNDEFINED_COMM), flags));
}

static OTF2_CallbackCode on_parameter(void *data, OTF2_ParameterRef self, OTF2_StringRef name,
				      OTF2_ParameterType type)
{
	uint64_t number;

	if (!take(data, ID_PARAMETER, self, &number))
		return OTF2_CALLBACK_SUCCESS;
	return wrote(data, OTF2_GlobalDefWriter_WriteParameter(global(data), number,
			map_string(data, name), type));
}

/* ---- All definitions ---- */

void program_number(struct program *program, struct output *out)
{
	struct ids *ids = program->ids;

	program->out = out;
	/* The counters of CPUs come first; the messages' communicator is number 0. */
	ids[ID_METRIC_MEMBER].base = SCHED_NUMBERS;
	ids[ID_METRIC].base = out->class_count;
	ids[ID_COMM].base = 1;
	ids[ID_STRING].base = out->archive.strings;
	out->archive.strings += ids[ID_STRING].count;
	ids[ID_REGION].base = out->archive.regions;
	out->archive.regions += ids[ID_REGION].count;
	ids[ID_ATTRIBUTE].base = out->archive.attributes;
	out->archive.attributes += ids[ID_ATTRIBUTE].count;
	ids[ID_PARAMETER].base = out->archive.parameters;
	out->archive.parameters += ids[ID_PARAMETER].count;
	ids[ID_GROUP].base = out->next_group + MESSAGE_GROUPS;
	ids[ID_LOCATION].base = out->next_location;
	out->next_location += ids[ID_LOCATION].count;
	for (size_t i = 0; i < program->mpi_count; i++)
		if (!ids_map(&ids[ID_LOCATION], program->mpi[i], &program->mpi[i]))
			program_check_error(program, OTF2_ERROR_INTEGRITY_FAULT);
}

/* Defines the log's locations of the program's threads. */
static void define_threads(struct program *program)
{
	for (size_t i = 0; i < program->thread_count; i++)
		thread_define(&program->threads[i], &program->out->archive);
}

void program_write_definitions(struct program *program, const uint32_t *nodes)
{
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
	struct writing writing = { .program = program, .nodes = nodes };

	if (!callbacks) {
		program_check_error(program, OTF2_ERROR_MEM_ALLOC_FAILED);
		return;
	}
	OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
	OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, on_attribute);
	OTF2_GlobalDefReaderCallbacks_SetParadigmCallback(callbacks, on_paradigm);
	OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, on_location_group);
	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
	OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(callbacks, on_location_property);
	OTF2_GlobalDefReaderCallbacks_SetLocationGroupPropertyCallback(callbacks,
								       on_group_property);
	OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
	OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
	OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(callbacks, on_member);
	OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(callbacks, on_metric);
	OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(callbacks, on_instance);
	OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
	OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, on_inter_comm);
	OTF2_GlobalDefReaderCallbacks_SetParameterCallback(callbacks, on_parameter);
	program_read_definitions(program, callbacks, &writing);
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	define_messages(&writing);
	define_threads(program);
}
