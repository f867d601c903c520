// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libevtlog-mpi.so: calls of MPI are regions, and the process gets its MPI rank.
 *
 * Preload it.  Each function replaces MPI's function and calls it by its second name,
 * PMPI_*.  This file: the process, messages and collective calls.
 */
#include <mpi.h>

#include <evtlog/region.h>

#include "shims/mpi-region.h"

void mpi_note_rank(void)
{
	int rank;

	if (PMPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS)
		evtlog_region_rank(rank);
}

int MPI_Init(int *argc, char ***argv)
{
	int result;

	evtlog_region_begin("MPI_Init");
	result = PMPI_Init(argc, argv);
	if (result == MPI_SUCCESS)
		mpi_note_rank();
	evtlog_region_end("MPI_Init");
	return result;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	int result;

	evtlog_region_begin("MPI_Init_thread");
	result = PMPI_Init_thread(argc, argv, required, provided);
	if (result == MPI_SUCCESS)
		mpi_note_rank();
	evtlog_region_end("MPI_Init_thread");
	return result;
}

REGION(Finalize, (void), ())
REGION(Send, (const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm),
	(buf, count, type, to, tag, comm))
REGION(Ssend, (const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm),
	(buf, count, type, to, tag, comm))
REGION(Bsend, (const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm),
	(buf, count, type, to, tag, comm))
REGION(Rsend, (const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm),
	(buf, count, type, to, tag, comm))
REGION(Recv, (void *buf, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
	MPI_Status *status), (buf, count, type, from, tag, comm, status))
REGION(Isend, (const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
	MPI_Request *request), (buf, count, type, to, tag, comm, request))
REGION(Issend, (const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
	MPI_Request *request), (buf, count, type, to, tag, comm, request))
REGION(Ibsend, (const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
	MPI_Request *request), (buf, count, type, to, tag, comm, request))
REGION(Irsend, (const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
	MPI_Request *request), (buf, count, type, to, tag, comm, request))
REGION(Irecv, (void *buf, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
	MPI_Request *request), (buf, count, type, from, tag, comm, request))
REGION(Start, (MPI_Request *request), (request))
REGION(Startall, (int count, MPI_Request requests[]), (count, requests))
REGION(Sendrecv, (const void *buf, int count, MPI_Datatype type, int to, int tag, void *into,
	int room, MPI_Datatype got, int from, int with, MPI_Comm comm, MPI_Status *status),
	(buf, count, type, to, tag, into, room, got, from, with, comm, status))
REGION(Sendrecv_replace, (void *buf, int count, MPI_Datatype type, int to, int tag, int from,
	int with, MPI_Comm comm, MPI_Status *status), (buf, count, type, to, tag, from, with, comm,
	status))
REGION(Wait, (MPI_Request *request, MPI_Status *status), (request, status))
REGION(Waitall, (int count, MPI_Request requests[], MPI_Status status[]), (count, requests, status))
REGION(Waitany, (int count, MPI_Request requests[], int *at, MPI_Status *status),
	(count, requests, at, status))
REGION(Waitsome, (int count, MPI_Request requests[], int *done, int at[], MPI_Status status[]),
	(count, requests, done, at, status))
REGION(Test, (MPI_Request *request, int *flag, MPI_Status *status), (request, flag, status))
REGION(Testall, (int count, MPI_Request requests[], int *flag, MPI_Status status[]),
	(count, requests, flag, status))
REGION(Testany, (int count, MPI_Request requests[], int *at, int *flag, MPI_Status *status), (count,
	requests, at, flag, status))
REGION(Testsome, (int count, MPI_Request requests[], int *done, int at[], MPI_Status status[]),
	(count, requests, done, at, status))
REGION(Probe, (int from, int tag, MPI_Comm comm, MPI_Status *status), (from, tag, comm, status))
REGION(Iprobe, (int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status),
	(from, tag, comm, flag, status))
REGION(Mprobe, (int from, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status), (from,
	tag, comm, message, status))
REGION(Improbe, (int from, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
	MPI_Status *status), (from, tag, comm, flag, message, status))
REGION(Mrecv, (void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status),
	(buf, count, type, message, status))
REGION(Imrecv, (void *buf, int count, MPI_Datatype type, MPI_Message *message,
	MPI_Request *request), (buf, count, type, message, request))
REGION(Barrier, (MPI_Comm comm), (comm))
REGION(Bcast, (void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm),
	(buf, count, type, root, comm))
REGION(Reduce, (const void *buf, void *into, int count, MPI_Datatype type, MPI_Op op, int root,
	MPI_Comm comm), (buf, into, count, type, op, root, comm))
REGION(Allreduce, (const void *buf, void *into, int count, MPI_Datatype type, MPI_Op op,
	MPI_Comm comm), (buf, into, count, type, op, comm))
REGION(Reduce_scatter, (const void *buf, void *into, const int counts[], MPI_Datatype type,
	MPI_Op op, MPI_Comm comm), (buf, into, counts, type, op, comm))
REGION(Reduce_scatter_block, (const void *buf, void *into, int room, MPI_Datatype type, MPI_Op op,
	MPI_Comm comm), (buf, into, room, type, op, comm))
REGION(Scan, (const void *buf, void *into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
	(buf, into, count, type, op, comm))
REGION(Exscan, (const void *buf, void *into, int count, MPI_Datatype type, MPI_Op op,
	MPI_Comm comm), (buf, into, count, type, op, comm))
REGION(Gather, (const void *buf, int count, MPI_Datatype type, void *into, int room,
	MPI_Datatype got, int root, MPI_Comm comm), (buf, count, type, into, room, got, root, comm))
REGION(Gatherv, (const void *buf, int count, MPI_Datatype type, void *into, const int rooms[],
	const int places[], MPI_Datatype got, int root, MPI_Comm comm),
	(buf, count, type, into, rooms, places, got, root, comm))
REGION(Allgather, (const void *buf, int count, MPI_Datatype type, void *into, int room,
	MPI_Datatype got, MPI_Comm comm), (buf, count, type, into, room, got, comm))
REGION(Allgatherv, (const void *buf, int count, MPI_Datatype type, void *into, const int rooms[],
	const int places[], MPI_Datatype got, MPI_Comm comm),
	(buf, count, type, into, rooms, places, got, comm))
REGION(Scatter, (const void *buf, int count, MPI_Datatype type, void *into, int room,
	MPI_Datatype got, int root, MPI_Comm comm), (buf, count, type, into, room, got, root, comm))
REGION(Scatterv, (const void *buf, const int counts[], const int places[], MPI_Datatype type,
	void *into, int room, MPI_Datatype got, int root, MPI_Comm comm),
	(buf, counts, places, type, into, room, got, root, comm))
REGION(Alltoall, (const void *buf, int count, MPI_Datatype type, void *into, int room,
	MPI_Datatype got, MPI_Comm comm), (buf, count, type, into, room, got, comm))
REGION(Alltoallv, (const void *buf, const int counts[], const int places[], MPI_Datatype type,
	void *into, const int rooms[], const int offsets[], MPI_Datatype got, MPI_Comm comm),
	(buf, counts, places, type, into, rooms, offsets, got, comm))
REGION(Alltoallw, (const void *buf, const int counts[], const int places[],
	const MPI_Datatype types[], void *into, const int rooms[], const int offsets[],
	const MPI_Datatype got[], MPI_Comm comm), (buf, counts, places, types, into, rooms, offsets,
	got, comm))
REGION(Ibarrier, (MPI_Comm comm, MPI_Request *request), (comm, request))
REGION(Ibcast, (void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm,
	MPI_Request *request), (buf, count, type, root, comm, request))
REGION(Iallreduce, (const void *buf, void *into, int count, MPI_Datatype type, MPI_Op op,
	MPI_Comm comm, MPI_Request *request), (buf, into, count, type, op, comm, request))
REGION(Ireduce, (const void *buf, void *into, int count, MPI_Datatype type, MPI_Op op, int root,
	MPI_Comm comm, MPI_Request *request), (buf, into, count, type, op, root, comm, request))
REGION(Igather, (const void *buf, int count, MPI_Datatype type, void *into, int room,
	MPI_Datatype got, int root, MPI_Comm comm, MPI_Request *request), (buf, count, type, into,
	room, got, root, comm, request))
REGION(Iallgather, (const void *buf, int count, MPI_Datatype type, void *into, int room,
	MPI_Datatype got, MPI_Comm comm, MPI_Request *request), (buf, count, type, into, room, got,
	comm, request))
REGION(Iscatter, (const void *buf, int count, MPI_Datatype type, void *into, int room,
	MPI_Datatype got, int root, MPI_Comm comm, MPI_Request *request), (buf, count, type, into,
	room, got, root, comm, request))
REGION(Ialltoall, (const void *buf, int count, MPI_Datatype type, void *into, int room,
	MPI_Datatype got, MPI_Comm comm, MPI_Request *request), (buf, count, type, into, room, got,
	comm, request))
REGION(Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made))
REGION(Comm_split, (MPI_Comm comm, int colour, int key, MPI_Comm *made), (comm, colour, key, made))
REGION(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), (comm, group, made))
REGION(Comm_free, (MPI_Comm *comm), (comm))
