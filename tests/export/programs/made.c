// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * made DIR BEGIN COUNT TID0 TID1 [WORD...] - writes a trace of two processes with one thread each
 *
 * From BEGIN (ns) on, each thread is COUNT times in a region of 1000 ns.  After each region, the
 * first thread sends a message to the second.  The first process is on node1.  Words:
 * two-nodes: the second process is on node2; descending: numbers of nodes descend; no-files:
 * no files of definitions of locations; global: the group has OTF2_GROUP_FLAG_GLOBAL_MEMBERS;
 * global-swapped: also, its members are in reverse order; far-rank: a rank is a location that does
 * not exist; again: definitions come twice; early: events begin 1 s before the clock's definition;
 * not-text: a name is not UTF-8; stamp=NS: the stamp of CLOCK_REALTIME; offsets: locations have
 * clock offsets of 0.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <otf2/otf2.h>

#define PROCESSES	2
#define STEP_NS		1000
#define EARLY_NS	1000000000

static char **words;

static bool has(const char *word)
{
	for (char **at = words; *at; at++)
		if (!strcmp(*at, word))
			return true;
	return false;
}

static uint64_t stamp(void)
{
	for (char **at = words; *at; at++)
		if (!strncmp(*at, "stamp=", 6))
			return strtoull(*at + 6, NULL, 10);
	return OTF2_UNDEFINED_TIMESTAMP;
}

static OTF2_FlushType flush_always(void *data, OTF2_FileType type, OTF2_LocationRef location,
				   void *caller, bool final)
{
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush = { .otf2_pre_flush = flush_always };

static void check(OTF2_ErrorCode error)
{
	if (error == OTF2_SUCCESS)
		return;
	fprintf(stderr, "made: %s\n", OTF2_Error_GetDescription(error));
	exit(1);
}

static uint64_t write_events(OTF2_Archive *archive, int number, uint64_t time, int count)
{
	OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, number);
	uint64_t events;

	if (has("early"))
		time -= EARLY_NS;
	for (int i = 0; i < count; i++) {
		check(OTF2_EvtWriter_Enter(writer, NULL, time, 0));
		time += STEP_NS;
		check(OTF2_EvtWriter_Leave(writer, NULL, time, 0));
		if (number)
			check(OTF2_EvtWriter_MpiRecv(writer, NULL, time, 0, 0, 7, 8));
		else
			check(OTF2_EvtWriter_MpiSend(writer, NULL, time, 1, 0, 7, 8));
		time += STEP_NS;
	}
	check(OTF2_EvtWriter_GetNumberOfEvents(writer, &events));
	check(OTF2_Archive_CloseEvtWriter(archive, writer));
	return events;
}

static void write_tree(OTF2_GlobalDefWriter *writer)
{
	uint32_t nodes[PROCESSES] = { 0, 1 };

	if (has("descending")) {
		nodes[0] = 5;
		nodes[1] = 2;
	}
	for (uint32_t i = 0; i < PROCESSES; i++)
		check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, nodes[i], 2 + i, 4,
							       OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	for (uint32_t i = 0; i < PROCESSES; i++)
		check(OTF2_GlobalDefWriter_WriteLocationGroup(writer, i, 7,
				OTF2_LOCATION_GROUP_TYPE_PROCESS,
				nodes[has("two-nodes") ? i : 0], OTF2_UNDEFINED_LOCATION_GROUP));
}

static void write_messages(OTF2_GlobalDefWriter *writer)
{
	uint64_t members[PROCESSES] = { 0, has("far-rank") ? 99 : 1 };

	check(OTF2_GlobalDefWriter_WriteGroup(writer, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
					      OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, PROCESSES,
					      members));
	members[0] = has("global-swapped");
	members[1] = !members[0];
	check(OTF2_GlobalDefWriter_WriteGroup(writer, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP,
			OTF2_PARADIGM_MPI,
			has("global") || has("global-swapped") ? OTF2_GROUP_FLAG_GLOBAL_MEMBERS : OTF2_GROUP_FLAG_NONE,
			PROCESSES, members));
	check(OTF2_GlobalDefWriter_WriteComm(writer, 0, 0, 1, OTF2_UNDEFINED_COMM,
					     OTF2_COMM_FLAG_NONE));
}

static void write_definitions(OTF2_GlobalDefWriter *writer, uint64_t begin, int count,
			      const uint64_t *events, const uint64_t *tids)
{
	const char *strings[] = { "", "busy", "node1", "node2", "machine", "TID", "rank",
				  has("not-text") ? "a\xff" "b" : "process" };

	check(OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000000000, begin,
							count * 2 * STEP_NS + 1, stamp()));
	for (uint32_t i = 0; i < sizeof(strings) / sizeof(*strings); i++)
		check(OTF2_GlobalDefWriter_WriteString(writer, i, strings[i]));
	if (has("again"))
		check(OTF2_GlobalDefWriter_WriteString(writer, 1, "another"));
	write_tree(writer);
	check(OTF2_GlobalDefWriter_WriteRegion(writer, 0, 1, 1, 0, OTF2_REGION_ROLE_FUNCTION,
					       OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, 0, 0, 0));
	for (uint32_t i = 0; i < PROCESSES; i++) {
		OTF2_AttributeValue tid = { .uint64 = tids[i] };

		for (int again = has("again"); again >= 0; again--)
			check(OTF2_GlobalDefWriter_WriteLocation(writer, i, 6,
					OTF2_LOCATION_TYPE_CPU_THREAD, events[i], i));
		check(OTF2_GlobalDefWriter_WriteLocationProperty(writer, i, 5, OTF2_TYPE_UINT64,
								 tid));
	}
	write_messages(writer);
}

int main(int argc, char **argv)
{
	uint64_t begin, events[PROCESSES], tids[PROCESSES];
	OTF2_Archive *archive;
	int count;

	if (argc < 6)
		return 2;
	begin = strtoull(argv[2], NULL, 10);
	count = atoi(argv[3]);
	tids[0] = strtoull(argv[4], NULL, 10);
	tids[1] = strtoull(argv[5], NULL, 10);
	words = argv + 6;
	archive = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
				    OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	check(OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL));
	check(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
	check(OTF2_Archive_OpenEvtFiles(archive));
	for (int i = 0; i < PROCESSES; i++)
		events[i] = write_events(archive, i, begin, count);
	check(OTF2_Archive_CloseEvtFiles(archive));
	if (!has("no-files")) {
		check(OTF2_Archive_OpenDefFiles(archive));
		for (int i = 0; i < PROCESSES; i++) {
			OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive, i);

			if (has("offsets"))
				check(OTF2_DefWriter_WriteClockOffset(writer, begin, 0, 0));
			check(OTF2_Archive_CloseDefWriter(archive, writer));
		}
		check(OTF2_Archive_CloseDefFiles(archive));
	}
	write_definitions(OTF2_Archive_GetGlobalDefWriter(archive), begin, count, events, tids);
	check(OTF2_Archive_Close(archive));
	return 0;
}
