// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copies the events of a program's trace, with the numbers and times of the archive.
 *
 * It skips and counts events of kinds that are not listed here, or with unknown references.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "program.h"

/*
 * The state for one location.
 * @clock:	clock of its times, related to log @number
 */
struct copying {
	struct program *program;
	const struct program_clock *clock;
	size_t number;
	OTF2_EvtWriter *writer;
	OTF2_AttributeList *attributes;
	uint64_t last_ns;
};

/* Converts a time of the location to the archive's. */
static uint64_t archive_ns(const struct copying *copying, uint64_t time)
{
	uint64_t raw_ns = program_clock_raw_ns(copying->clock, time);
	struct evtlog_clocksync *hosts = copying->program->hosts;

	return hosts ? (uint64_t)evtlog_clocksync_time(hosts, copying->number, raw_ns) : raw_ns;
}

/* Times of a location must not decrease, even if the program's clock was set back. */
static uint64_t shown_ns(struct copying *copying, uint64_t time)
{
	uint64_t time_ns = archive_ns(copying, time);

	if (time_ns < copying->last_ns)
		time_ns = copying->last_ns;
	copying->last_ns = time_ns;
	if (time_ns < copying->program->begin_ns)
		copying->program->begin_ns = time_ns;
	if (time_ns > copying->program->end_ns)
		copying->program->end_ns = time_ns;
	return time_ns;
}

static OTF2_AttributeList *map_attributes(struct copying *copying, OTF2_AttributeList *from)
{
	struct ids *ids = copying->program->ids;
	uint32_t count = OTF2_AttributeList_GetNumberOfElements(from);

	if (__builtin_expect(!count, 1))
		return NULL;
	OTF2_AttributeList_RemoveAllAttributes(copying->attributes);
	for (uint32_t i = 0; i < count; i++) {
		OTF2_AttributeValue value;
		OTF2_AttributeRef ref;
		uint64_t number;
		OTF2_Type type;

		if (OTF2_AttributeList_GetAttributeByIndex(from, i, &ref, &type, &value) ||
		    !ids_map(&ids[ID_ATTRIBUTE], ref, &number) || !ids_map_value(ids, type, &value))
			continue;
		OTF2_AttributeList_AddAttribute(copying->attributes, number, type, value);
	}
	return copying->attributes;
}

static bool map(struct copying *copying, enum id_kind kind, uint32_t *ref)
{
	uint64_t number;

	if (!ids_map(&copying->program->ids[kind], *ref, &number))
		return false;
	*ref = number;
	return true;
}

static bool map_comm(struct copying *copying, OTF2_CommRef *ref)
{
	return *ref == OTF2_UNDEFINED_COMM || map(copying, ID_COMM, ref);
}

/* Maps a communicator and a rank in it.  Global ranks are shifted, as the CPUs come first. */
static bool map_rank(struct copying *copying, OTF2_CommRef *comm, uint32_t *rank)
{
	const struct program *program = copying->program;
	size_t index;

	/* Special values of a root are larger than any rank. */
	if (__builtin_expect(program->global_comms.count != 0, 0) &&
	    *rank < program->mpi_count && ids_find(&program->global_comms, *comm, &index))
		*rank += program->out->cpu_count;
	return map_comm(copying, comm);
}

static OTF2_EvtWriter *writer_of(struct copying *copying)
{
	copying->program->writing = true;
	memory_limit(true);
	return copying->writer;
}

static OTF2_CallbackCode wrote(struct copying *copying, OTF2_ErrorCode error)
{
	struct program *program = copying->program;

	memory_limit(false);
	program->writing = false;
	archive_check_error(&program->out->archive, error);
	if (__builtin_expect(!(++program->copied & 0xffff), 0)) {
		progress_update(&program->progress, program->copied);
		if (*program->interrupted)
			return OTF2_CALLBACK_INTERRUPT;
	}
	return error == OTF2_SUCCESS ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

/* ---- Kinds of events ---- */

/*
 * The callback of a kind of event.
 * @PARAMETERS: its own parameters; @MAPPED: maps its references, false if one is unknown;
 * @...: arguments for the writer
 */
#define EVENT(NAME, PARAMETERS, MAPPED, ...)							\
static OTF2_CallbackCode on_##NAME(OTF2_LocationRef location, OTF2_TimeStamp time,		\
				   uint64_t position, void *data,				\
				   OTF2_AttributeList *attributes PARAMETERS)			\
{												\
	struct copying *copying = data;								\
												\
	if (!(MAPPED))										\
		return OTF2_CALLBACK_SUCCESS;							\
	return wrote(copying, OTF2_EvtWriter_##NAME(writer_of(copying),				\
						    map_attributes(copying, attributes),	\
						    shown_ns(copying, time), ##__VA_ARGS__));	\
}

#define REST(...)	, ##__VA_ARGS__

EVENT(Enter, REST(OTF2_RegionRef region), map(copying, ID_REGION, &region), region)
EVENT(Leave, REST(OTF2_RegionRef region), map(copying, ID_REGION, &region), region)
EVENT(MeasurementOnOff, REST(OTF2_MeasurementMode mode), true, mode)
EVENT(Metric, REST(OTF2_MetricRef metric, uint8_t count, const OTF2_Type *types,
		   const OTF2_MetricValue *values),
      map(copying, ID_METRIC, &metric), metric, count, types, values)
EVENT(ParameterInt, REST(OTF2_ParameterRef parameter, int64_t value),
      map(copying, ID_PARAMETER, &parameter), parameter, value)
EVENT(ParameterUnsignedInt, REST(OTF2_ParameterRef parameter, uint64_t value),
      map(copying, ID_PARAMETER, &parameter), parameter, value)
EVENT(ParameterString, REST(OTF2_ParameterRef parameter, OTF2_StringRef string),
      map(copying, ID_PARAMETER, &parameter) && map(copying, ID_STRING, &string),
      parameter, string)

/* MPI: partners are ranks in the communicator, which do not change, or global ranks. */
EVENT(MpiSend, REST(uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t length),
      map_rank(copying, &comm, &receiver), receiver, comm, tag, length)
EVENT(MpiIsend, REST(uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t length,
		     uint64_t request),
      map_rank(copying, &comm, &receiver), receiver, comm, tag, length, request)
EVENT(MpiIsendComplete, REST(uint64_t request), true, request)
EVENT(MpiIrecvRequest, REST(uint64_t request), true, request)
EVENT(MpiRecv, REST(uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t length),
      map_rank(copying, &comm, &sender), sender, comm, tag, length)
EVENT(MpiIrecv, REST(uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t length,
		     uint64_t request),
      map_rank(copying, &comm, &sender), sender, comm, tag, length, request)
EVENT(MpiRequestTest, REST(uint64_t request), true, request)
EVENT(MpiRequestCancelled, REST(uint64_t request), true, request)
EVENT(MpiCollectiveBegin, , true)
EVENT(MpiCollectiveEnd, REST(OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root,
			     uint64_t sent, uint64_t received),
      map_rank(copying, &comm, &root), op, comm, root, sent, received)
EVENT(NonBlockingCollectiveRequest, REST(uint64_t request), true, request)
EVENT(NonBlockingCollectiveComplete, REST(OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root,
					  uint64_t sent, uint64_t received, uint64_t request),
      map_rank(copying, &comm, &root), op, comm, root, sent, received, request)
EVENT(CommCreate, REST(OTF2_CommRef comm), map_comm(copying, &comm), comm)
EVENT(CommDestroy, REST(OTF2_CommRef comm), map_comm(copying, &comm), comm)

EVENT(ThreadFork, REST(OTF2_Paradigm model, uint32_t count), true, model, count)
EVENT(ThreadJoin, REST(OTF2_Paradigm model), true, model)
EVENT(ThreadTeamBegin, REST(OTF2_CommRef team), map_comm(copying, &team), team)
EVENT(ThreadTeamEnd, REST(OTF2_CommRef team), map_comm(copying, &team), team)
EVENT(ThreadCreate, REST(OTF2_CommRef team, uint64_t sequence), map_comm(copying, &team), team,
      sequence)
EVENT(ThreadBegin, REST(OTF2_CommRef team, uint64_t sequence), map_comm(copying, &team), team,
      sequence)
EVENT(ThreadWait, REST(OTF2_CommRef team, uint64_t sequence), map_comm(copying, &team), team,
      sequence)
EVENT(ThreadEnd, REST(OTF2_CommRef team, uint64_t sequence), map_comm(copying, &team), team,
      sequence)
EVENT(ProgramEnd, REST(int64_t status), true, status)

static OTF2_CallbackCode on_BufferFlush(OTF2_LocationRef location, OTF2_TimeStamp time,
					uint64_t position, void *data,
					OTF2_AttributeList *attributes, OTF2_TimeStamp stop)
{
	struct copying *copying = data;
	uint64_t begin_ns = shown_ns(copying, time);
	uint64_t end_ns = archive_ns(copying, stop);

	if (end_ns > copying->program->end_ns)
		copying->program->end_ns = end_ns;
	return wrote(copying, OTF2_EvtWriter_BufferFlush(writer_of(copying),
							 map_attributes(copying, attributes),
							 begin_ns,
							 end_ns < begin_ns ? begin_ns : end_ns));
}

static OTF2_CallbackCode on_ProgramBegin(OTF2_LocationRef location, OTF2_TimeStamp time,
					 uint64_t position, void *data,
					 OTF2_AttributeList *attributes, OTF2_StringRef name,
					 uint32_t count, const OTF2_StringRef *arguments)
{
	struct copying *copying = data;
	OTF2_StringRef *mapped = calloc((size_t)count + 1, sizeof(*mapped));
	OTF2_CallbackCode result;
	bool known = mapped && map(copying, ID_STRING, &name);

	for (uint32_t i = 0; known && i < count; i++) {
		mapped[i] = arguments[i];
		known = map(copying, ID_STRING, &mapped[i]);
	}
	result = known ? wrote(copying, OTF2_EvtWriter_ProgramBegin(writer_of(copying),
						map_attributes(copying, attributes),
						shown_ns(copying, time), name, count, mapped)) :
			 OTF2_CALLBACK_SUCCESS;
	free(mapped);
	return result;
}

static OTF2_EvtReaderCallbacks *new_callbacks(void)
{
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

#define SET(NAME)	OTF2_EvtReaderCallbacks_Set##NAME##Callback(callbacks, on_##NAME)
	if (!callbacks)
		return NULL;
	SET(Enter);
	SET(Leave);
	SET(MeasurementOnOff);
	SET(Metric);
	SET(ParameterInt);
	SET(ParameterUnsignedInt);
	SET(ParameterString);
	SET(MpiSend);
	SET(MpiIsend);
	SET(MpiIsendComplete);
	SET(MpiIrecvRequest);
	SET(MpiRecv);
	SET(MpiIrecv);
	SET(MpiRequestTest);
	SET(MpiRequestCancelled);
	SET(MpiCollectiveBegin);
	SET(MpiCollectiveEnd);
	SET(NonBlockingCollectiveRequest);
	SET(NonBlockingCollectiveComplete);
	SET(CommCreate);
	SET(CommDestroy);
	SET(ThreadFork);
	SET(ThreadJoin);
	SET(ThreadTeamBegin);
	SET(ThreadTeamEnd);
	SET(ThreadCreate);
	SET(ThreadBegin);
	SET(ThreadWait);
	SET(ThreadEnd);
	SET(ProgramEnd);
	SET(BufferFlush);
	SET(ProgramBegin);
#undef SET
	return callbacks;
}

/* ---- Locations ---- */

/* OTF2 corrects times by clock offsets. */
static OTF2_CallbackCode on_offset(void *data, OTF2_TimeStamp time, int64_t offset, double deviation)
{
	struct program *program = data;

	program->corrects = true;
	return OTF2_CALLBACK_SUCCESS;
}

/* Reads the local definitions of each location: mapping tables and clock offsets. */
static void read_local_definitions(struct program *program)
{
	OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New();
	const struct ids *locations = &program->ids[ID_LOCATION];
	OTF2_ErrorCode before = program->error;

	if (!callbacks) {
		program_check_error(program, OTF2_ERROR_MEM_ALLOC_FAILED);
		return;
	}
	OTF2_DefReaderCallbacks_SetClockOffsetCallback(callbacks, on_offset);
	/* The files can be missing, which OTF2 reports as an error. */
	if (OTF2_Reader_OpenDefFiles(program->reader) != OTF2_SUCCESS) {
		program->error = before;
		OTF2_DefReaderCallbacks_Delete(callbacks);
		return;
	}
	for (size_t i = 0; i < locations->count; i++) {
		OTF2_DefReader *reader;
		uint64_t count;

		before = program->error;
		reader = OTF2_Reader_GetDefReader(program->reader, locations->refs[i]);
		if (!reader) {
			program->error = before;
			continue;
		}
		program_check_error(program, OTF2_Reader_RegisterDefCallbacks(program->reader, reader,
									      callbacks, program));
		program_check_error(program, OTF2_Reader_ReadAllLocalDefinitions(program->reader,
										 reader, &count));
		program_check_error(program, OTF2_Reader_CloseDefReader(program->reader, reader));
	}
	program_check_error(program, OTF2_Reader_CloseDefFiles(program->reader));
	OTF2_DefReaderCallbacks_Delete(callbacks);
}

/*
 * If a file is truncated, OTF2 interprets memory after its end as records.  A complete file ends
 * with the marks for end of events and end of chunk.
 */
static bool is_whole(struct program *program, size_t index)
{
	static const char end[2] = { 2, 1 };
	OTF2_FileSubstrate substrate = OTF2_SUBSTRATE_UNDEFINED;
	OTF2_Compression compression = OTF2_COMPRESSION_UNDEFINED;
	char *path, found[2] = "";
	FILE *file;

	if (OTF2_Reader_GetFileSubstrate(program->reader, &substrate) ||
	    OTF2_Reader_GetCompression(program->reader, &compression) ||
	    substrate != OTF2_SUBSTRATE_POSIX || compression != OTF2_COMPRESSION_NONE ||
	    !program->locations[index].events)
		return true;
	if (asprintf(&path, "%.*s/%" PRIu64 ".evt",
		     (int)(strlen(program->path) - strlen(".otf2")), program->path,
		     program->ids[ID_LOCATION].refs[index]) < 0)
		return false;
	file = fopen(path, "re");
	free(path);
	/* The reader reports this. */
	if (!file)
		return true;
	if (fseeko(file, -(off_t)sizeof(end), SEEK_END) ||
	    fread(found, sizeof(found), 1, file) != 1)
		found[0] = 0;
	fclose(file);
	return !memcmp(found, end, sizeof(end));
}

static void copy_location(struct program *program, const OTF2_EvtReaderCallbacks *callbacks,
			  size_t index)
{
	const struct ids *locations = &program->ids[ID_LOCATION];
	OTF2_EvtReader *reader = OTF2_Reader_GetEvtReader(program->reader, locations->refs[index]);
	struct archive *archive = &program->out->archive;
	struct copying copying = { .program = program };
	uint64_t count = 0;

	if (!reader || !is_whole(program, index)) {
		program_check_error(program, OTF2_ERROR_INTEGRITY_FAULT);
		return;
	}
	copying.number = program_clock_number(program,
					      program->groups[program->locations[index].group].host);
	copying.clock = program_clock_at(program, copying.number);
	copying.attributes = OTF2_AttributeList_New();
	program->writing = true;
	memory_limit(true);
	copying.writer = OTF2_Archive_GetEvtWriter(archive->handle, locations->base + index);
	memory_limit(false);
	program->writing = false;
	if (!copying.attributes || !copying.writer) {
		archive_check_error(archive, OTF2_ERROR_MEM_ALLOC_FAILED);
		goto close_reader;
	}
	program_check_error(program, OTF2_EvtReader_ApplyMappingTables(reader, true));
	program_check_error(program, OTF2_EvtReader_ApplyClockOffsets(reader, true));
	program_check_error(program, OTF2_Reader_RegisterEvtCallbacks(program->reader, reader,
								      callbacks, &copying));
	program_check_error(program, OTF2_Reader_ReadAllLocalEvents(program->reader, reader,
								    &count));
	program->writing = true;
	memory_limit(true);
	archive_check_error(archive, OTF2_EvtWriter_GetNumberOfEvents(copying.writer,
					&program->locations[index].written));
	archive_check_error(archive, OTF2_Archive_CloseEvtWriter(archive->handle, copying.writer));
	memory_limit(false);
	program->writing = false;
	program->events += program->locations[index].written;
	/* OTF2 reports no error at the end of a truncated file. */
	if (count < program->locations[index].events)
		program_check_error(program, OTF2_ERROR_INTEGRITY_FAULT);
	if (count > program->locations[index].written)
		program->skipped_events += count - program->locations[index].written;
close_reader:
	program_check_error(program, OTF2_Reader_CloseEvtReader(program->reader, reader));
	if (copying.attributes)
		OTF2_AttributeList_Delete(copying.attributes);
}

void program_write_events(struct program *program)
{
	OTF2_EvtReaderCallbacks *callbacks = new_callbacks();
	const struct ids *locations = &program->ids[ID_LOCATION];
	uint64_t total = 0;

	program->begin_ns = UINT64_MAX;
	program->end_ns = 0;
	if (!callbacks) {
		program_check_error(program, OTF2_ERROR_MEM_ALLOC_FAILED);
		return;
	}
	for (size_t i = 0; i < locations->count; i++) {
		total += program->locations[i].events;
		program_check_error(program, OTF2_Reader_SelectLocation(program->reader,
									locations->refs[i]));
	}
	read_local_definitions(program);
	program_check_error(program, OTF2_Reader_OpenEvtFiles(program->reader));
	progress_begin(&program->progress, program->path, total);
	for (size_t i = 0; i < locations->count && !program->error &&
	     !program->out->archive.error && !*program->interrupted; i++)
		copy_location(program, callbacks, i);
	progress_end(&program->progress);
	program_check_error(program, OTF2_Reader_CloseEvtFiles(program->reader));
	OTF2_EvtReaderCallbacks_Delete(callbacks);
}
