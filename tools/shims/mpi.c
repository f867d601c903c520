// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libevtlog-mpi.so: calls of MPI are regions, and the process gets its MPI rank.
 *
 * Preload it.  Each function replaces MPI's function and calls it by its second name, PMPI_*.
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

/* ---- Nonblocking and neighborhood collective calls, persistent requests and communicators ---- */

REGION(Iallgatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
	const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
	MPI_Request *request), (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
	recvtype, comm, request))
REGION(Ialltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[],
	MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
	MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request), (sendbuf, sendcounts,
	sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request))
REGION(Ialltoallw, (const void *sendbuf, const int sendcounts[], const int sdispls[],
	const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
	const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request),
	(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
	request))
REGION(Iexscan, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
	MPI_Comm comm, MPI_Request *request), (sendbuf, recvbuf, count, datatype, op, comm,
	request))
REGION(Igatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
	const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
	MPI_Comm comm, MPI_Request *request), (sendbuf, sendcount, sendtype, recvbuf, recvcounts,
	displs, recvtype, root, comm, request))
REGION(Neighbor_allgather, (const void *sendbuf, int sendcount, MPI_Datatype sendtype,
	void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm), (sendbuf, sendcount,
	sendtype, recvbuf, recvcount, recvtype, comm))
REGION(Ineighbor_allgather, (const void *sendbuf, int sendcount, MPI_Datatype sendtype,
	void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
	(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request))
REGION(Neighbor_allgatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype,
	void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype,
	MPI_Comm comm), (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
	comm))
REGION(Ineighbor_allgatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype,
	void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype,
	MPI_Comm comm, MPI_Request *request), (sendbuf, sendcount, sendtype, recvbuf, recvcounts,
	displs, recvtype, comm, request))
REGION(Neighbor_alltoall, (const void *sendbuf, int sendcount, MPI_Datatype sendtype,
	void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm), (sendbuf, sendcount,
	sendtype, recvbuf, recvcount, recvtype, comm))
REGION(Ineighbor_alltoall, (const void *sendbuf, int sendcount, MPI_Datatype sendtype,
	void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
	(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request))
REGION(Neighbor_alltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[],
	MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
	MPI_Datatype recvtype, MPI_Comm comm), (sendbuf, sendcounts, sdispls, sendtype, recvbuf,
	recvcounts, rdispls, recvtype, comm))
REGION(Ineighbor_alltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[],
	MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
	MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request), (sendbuf, sendcounts,
	sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request))
REGION(Neighbor_alltoallw, (const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
	const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
	const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm), (sendbuf,
	sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm))
REGION(Ineighbor_alltoallw, (const void *sendbuf, const int sendcounts[],
	const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf,
	const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
	MPI_Comm comm, MPI_Request *request), (sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
	recvcounts, rdispls, recvtypes, comm, request))
REGION(Reduce_local, (const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype,
	MPI_Op op), (inbuf, inoutbuf, count, datatype, op))
REGION(Ireduce_scatter, (const void *sendbuf, void *recvbuf, const int recvcounts[],
	MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request), (sendbuf, recvbuf,
	recvcounts, datatype, op, comm, request))
REGION(Ireduce_scatter_block, (const void *sendbuf, void *recvbuf, int recvcount,
	MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request), (sendbuf, recvbuf,
	recvcount, datatype, op, comm, request))
REGION(Iscan, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
	MPI_Comm comm, MPI_Request *request), (sendbuf, recvbuf, count, datatype, op, comm,
	request))
REGION(Iscatterv, (const void *sendbuf, const int sendcounts[], const int displs[],
	MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
	MPI_Comm comm, MPI_Request *request), (sendbuf, sendcounts, displs, sendtype, recvbuf,
	recvcount, recvtype, root, comm, request))

REGION(Bsend_init, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
	MPI_Comm comm, MPI_Request *request), (buf, count, datatype, dest, tag, comm, request))
REGION(Buffer_attach, (void *buffer, int size), (buffer, size))
REGION(Buffer_detach, (void *buffer, int *size), (buffer, size))
REGION(Cancel, (MPI_Request *request), (request))
REGION(Recv_init, (void *buf, int count, MPI_Datatype datatype, int source, int tag,
	MPI_Comm comm, MPI_Request *request), (buf, count, datatype, source, tag, comm, request))
REGION(Request_free, (MPI_Request *request), (request))
REGION(Rsend_init, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
	MPI_Comm comm, MPI_Request *request), (buf, count, datatype, dest, tag, comm, request))
REGION(Send_init, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
	MPI_Comm comm, MPI_Request *request), (buf, count, datatype, dest, tag, comm, request))
REGION(Ssend_init, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
	MPI_Comm comm, MPI_Request *request), (buf, count, datatype, dest, tag, comm, request))

REGION(Cart_create, (MPI_Comm old_comm, int ndims, const int dims[], const int periods[],
	int reorder, MPI_Comm *comm_cart), (old_comm, ndims, dims, periods, reorder, comm_cart))
REGION(Cart_sub, (MPI_Comm comm, const int remain_dims[], MPI_Comm *new_comm), (comm, remain_dims,
	new_comm))
REGION(Comm_accept, (const char *port_name, MPI_Info info, int root, MPI_Comm comm,
	MPI_Comm *newcomm), (port_name, info, root, comm, newcomm))
REGION(Comm_connect, (const char *port_name, MPI_Info info, int root, MPI_Comm comm,
	MPI_Comm *newcomm), (port_name, info, root, comm, newcomm))
REGION(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm), (comm,
	group, tag, newcomm))
REGION(Comm_disconnect, (MPI_Comm *comm), (comm))
REGION(Comm_idup, (MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request), (comm, newcomm,
	request))
REGION(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm), (comm, info,
	newcomm))
REGION(Dist_graph_create, (MPI_Comm comm_old, int n, const int nodes[], const int degrees[],
	const int targets[], const int weights[], MPI_Info info, int reorder, MPI_Comm * newcomm),
	(comm_old, n, nodes, degrees, targets, weights, info, reorder, newcomm))
REGION(Dist_graph_create_adjacent, (MPI_Comm comm_old, int indegree, const int sources[],
	const int sourceweights[], int outdegree, const int destinations[],
	const int destweights[], MPI_Info info, int reorder, MPI_Comm *comm_dist_graph),
	(comm_old, indegree, sources, sourceweights, outdegree, destinations, destweights, info,
	reorder, comm_dist_graph))
REGION(Comm_join, (int fd, MPI_Comm *intercomm), (fd, intercomm))
REGION(Comm_spawn, (const char *command, char *argv[], int maxprocs, MPI_Info info, int root,
	MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[]), (command, argv, maxprocs,
	info, root, comm, intercomm, array_of_errcodes))
REGION(Comm_spawn_multiple, (int count, char *array_of_commands[], char **array_of_argv[],
	const int array_of_maxprocs[], const MPI_Info array_of_info[], int root, MPI_Comm comm,
	MPI_Comm *intercomm, int array_of_errcodes[]), (count, array_of_commands, array_of_argv,
	array_of_maxprocs, array_of_info, root, comm, intercomm, array_of_errcodes))
REGION(Comm_split_type, (MPI_Comm comm, int split_type, int key, MPI_Info info,
	MPI_Comm *newcomm), (comm, split_type, key, info, newcomm))
REGION(Graph_create, (MPI_Comm comm_old, int nnodes, const int index[], const int edges[],
	int reorder, MPI_Comm *comm_graph), (comm_old, nnodes, index, edges, reorder, comm_graph))
REGION(Intercomm_create, (MPI_Comm local_comm, int local_leader, MPI_Comm bridge_comm,
	int remote_leader, int tag, MPI_Comm *newintercomm), (local_comm, local_leader,
	bridge_comm, remote_leader, tag, newintercomm))
REGION(Intercomm_merge, (MPI_Comm intercomm, int high, MPI_Comm *newintercomm), (intercomm, high,
	newintercomm))

/* ---- Windows, to which other processes write ---- */

REGION(Put, (const void *from, int count, MPI_Datatype type, int rank, MPI_Aint at, int room,
	MPI_Datatype got, MPI_Win window), (from, count, type, rank, at, room, got, window))
REGION(Get, (void *from, int count, MPI_Datatype type, int rank, MPI_Aint at, int room,
	MPI_Datatype got, MPI_Win window), (from, count, type, rank, at, room, got, window))
REGION(Accumulate, (const void *from, int count, MPI_Datatype type, int rank, MPI_Aint at, int room,
	MPI_Datatype got, MPI_Op op, MPI_Win window), (from, count, type, rank, at, room, got, op,
	window))
REGION(Get_accumulate, (const void *from, int count, MPI_Datatype type, void *old, int olds,
	MPI_Datatype kind, int rank, MPI_Aint at, int room, MPI_Datatype got, MPI_Op op,
	MPI_Win window), (from, count, type, old, olds, kind, rank, at, room, got, op,
	window))
REGION(Fetch_and_op, (const void *from, void *old, MPI_Datatype type, int rank, MPI_Aint at,
	MPI_Op op, MPI_Win window), (from, old, type, rank, at, op, window))
REGION(Compare_and_swap, (const void *from, const void *compare, void *old, MPI_Datatype type,
	int rank, MPI_Aint at, MPI_Win window), (from, compare, old, type, rank, at, window))
REGION(Win_create, (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
	MPI_Win *window), (base, size, unit, info, comm, window))
REGION(Win_allocate, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base,
	MPI_Win *window), (size, unit, info, comm, base, window))
REGION(Win_free, (MPI_Win *window), (window))
REGION(Win_fence, (int assertion, MPI_Win window), (assertion, window))
REGION(Win_lock, (int kind, int rank, int assertion, MPI_Win window), (kind, rank, assertion,
	window))
REGION(Win_unlock, (int rank, MPI_Win window), (rank, window))
REGION(Win_lock_all, (int assertion, MPI_Win window), (assertion, window))
REGION(Win_unlock_all, (MPI_Win window), (window))
REGION(Win_flush, (int rank, MPI_Win window), (rank, window))
REGION(Win_flush_all, (MPI_Win window), (window))
REGION(Win_start, (MPI_Group group, int assertion, MPI_Win window), (group, assertion, window))
REGION(Win_complete, (MPI_Win window), (window))
REGION(Win_post, (MPI_Group group, int assertion, MPI_Win window), (group, assertion, window))
REGION(Win_wait, (MPI_Win window), (window))
REGION(Raccumulate, (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
	int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype,
	MPI_Op op, MPI_Win win, MPI_Request *request), (origin_addr, origin_count,
	origin_datatype, target_rank, target_disp, target_count, target_datatype, op, win,
	request))
REGION(Rget, (void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
	MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win,
	MPI_Request *request), (origin_addr, origin_count, origin_datatype, target_rank,
	target_disp, target_count, target_datatype, win, request))
REGION(Rget_accumulate, (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
	void *result_addr, int result_count, MPI_Datatype result_datatype, int target_rank,
	MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op,
	MPI_Win win, MPI_Request *request), (origin_addr, origin_count, origin_datatype,
	result_addr, result_count, result_datatype, target_rank, target_disp, target_count,
	target_datatype, op, win, request))
REGION(Rput, (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
	int target_rank, MPI_Aint target_disp, int target_cout, MPI_Datatype target_datatype,
	MPI_Win win, MPI_Request *request), (origin_addr, origin_count, origin_datatype,
	target_rank, target_disp, target_cout, target_datatype, win, request))
REGION(Win_allocate_shared, (MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm,
	void *baseptr, MPI_Win *win), (size, disp_unit, info, comm, baseptr, win))
REGION(Win_attach, (MPI_Win win, void *base, MPI_Aint size), (win, base, size))
REGION(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win), (info, comm, win))
REGION(Win_detach, (MPI_Win win, const void *base), (win, base))
REGION(Win_flush_local, (int rank, MPI_Win win), (rank, win))
REGION(Win_flush_local_all, (MPI_Win win), (win))
REGION(Win_sync, (MPI_Win win), (win))
REGION(Win_test, (MPI_Win win, int *flag), (win, flag))

/* ---- Files ---- */

REGION(File_open, (MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file), (comm,
	name, mode, info, file))
REGION(File_close, (MPI_File *file), (file))
REGION(File_set_view, (MPI_File file, MPI_Offset at, MPI_Datatype etype, MPI_Datatype view,
	const char *form, MPI_Info info), (file, at, etype, view, form, info))
REGION(File_sync, (MPI_File file), (file))
REGION(File_read, (MPI_File file, void *buf, int count, MPI_Datatype type, MPI_Status *status),
	(file, buf, count, type, status))
REGION(File_write, (MPI_File file, const void *buf, int count, MPI_Datatype type,
	MPI_Status *status), (file, buf, count, type, status))
REGION(File_read_at, (MPI_File file, MPI_Offset offset, void *buf, int count, MPI_Datatype type,
	MPI_Status *status), (file, offset, buf, count, type, status))
REGION(File_write_at, (MPI_File file, MPI_Offset offset, const void *buf, int count,
	MPI_Datatype type, MPI_Status *status), (file, offset, buf, count, type, status))
REGION(File_read_all, (MPI_File file, void *buf, int count, MPI_Datatype type, MPI_Status *status),
	(file, buf, count, type, status))
REGION(File_write_all, (MPI_File file, const void *buf, int count, MPI_Datatype type,
	MPI_Status *status), (file, buf, count, type, status))
REGION(File_read_at_all, (MPI_File file, MPI_Offset offset, void *buf, int count, MPI_Datatype type,
	MPI_Status *status), (file, offset, buf, count, type, status))
REGION(File_write_at_all, (MPI_File file, MPI_Offset offset, const void *buf, int count,
	MPI_Datatype type, MPI_Status *status), (file, offset, buf, count, type, status))
REGION(File_delete, (const char *filename, MPI_Info info), (filename, info))
REGION(File_set_size, (MPI_File fh, MPI_Offset size), (fh, size))
REGION(File_preallocate, (MPI_File fh, MPI_Offset size), (fh, size))
REGION(File_iread_at, (MPI_File fh, MPI_Offset offset, void *buf, int count,
	MPI_Datatype datatype, MPI_Request *request), (fh, offset, buf, count, datatype, request))
REGION(File_iwrite_at, (MPI_File fh, MPI_Offset offset, const void *buf, int count,
	MPI_Datatype datatype, MPI_Request *request), (fh, offset, buf, count, datatype, request))
REGION(File_iread_at_all, (MPI_File fh, MPI_Offset offset, void *buf, int count,
	MPI_Datatype datatype, MPI_Request *request), (fh, offset, buf, count, datatype, request))
REGION(File_iwrite_at_all, (MPI_File fh, MPI_Offset offset, const void *buf, int count,
	MPI_Datatype datatype, MPI_Request *request), (fh, offset, buf, count, datatype, request))
REGION(File_iread, (MPI_File fh, void *buf, int count, MPI_Datatype datatype,
	MPI_Request *request), (fh, buf, count, datatype, request))
REGION(File_iwrite, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype,
	MPI_Request *request), (fh, buf, count, datatype, request))
REGION(File_iread_all, (MPI_File fh, void *buf, int count, MPI_Datatype datatype,
	MPI_Request *request), (fh, buf, count, datatype, request))
REGION(File_iwrite_all, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype,
	MPI_Request *request), (fh, buf, count, datatype, request))
REGION(File_seek, (MPI_File fh, MPI_Offset offset, int whence), (fh, offset, whence))
REGION(File_read_shared, (MPI_File fh, void *buf, int count, MPI_Datatype datatype,
	MPI_Status *status), (fh, buf, count, datatype, status))
REGION(File_write_shared, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype,
	MPI_Status *status), (fh, buf, count, datatype, status))
REGION(File_iread_shared, (MPI_File fh, void *buf, int count, MPI_Datatype datatype,
	MPI_Request *request), (fh, buf, count, datatype, request))
REGION(File_iwrite_shared, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype,
	MPI_Request *request), (fh, buf, count, datatype, request))
REGION(File_read_ordered, (MPI_File fh, void *buf, int count, MPI_Datatype datatype,
	MPI_Status *status), (fh, buf, count, datatype, status))
REGION(File_write_ordered, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype,
	MPI_Status *status), (fh, buf, count, datatype, status))
REGION(File_seek_shared, (MPI_File fh, MPI_Offset offset, int whence), (fh, offset, whence))
REGION(File_read_at_all_begin, (MPI_File fh, MPI_Offset offset, void *buf, int count,
	MPI_Datatype datatype), (fh, offset, buf, count, datatype))
REGION(File_read_at_all_end, (MPI_File fh, void *buf, MPI_Status *status), (fh, buf, status))
REGION(File_write_at_all_begin, (MPI_File fh, MPI_Offset offset, const void *buf, int count,
	MPI_Datatype datatype), (fh, offset, buf, count, datatype))
REGION(File_write_at_all_end, (MPI_File fh, const void *buf, MPI_Status *status), (fh, buf,
	status))
REGION(File_read_all_begin, (MPI_File fh, void *buf, int count, MPI_Datatype datatype), (fh, buf,
	count, datatype))
REGION(File_read_all_end, (MPI_File fh, void *buf, MPI_Status *status), (fh, buf, status))
REGION(File_write_all_begin, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype),
	(fh, buf, count, datatype))
REGION(File_write_all_end, (MPI_File fh, const void *buf, MPI_Status *status), (fh, buf, status))
REGION(File_read_ordered_begin, (MPI_File fh, void *buf, int count, MPI_Datatype datatype), (fh,
	buf, count, datatype))
REGION(File_read_ordered_end, (MPI_File fh, void *buf, MPI_Status *status), (fh, buf, status))
REGION(File_write_ordered_begin, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype),
	(fh, buf, count, datatype))
REGION(File_write_ordered_end, (MPI_File fh, const void *buf, MPI_Status *status), (fh, buf,
	status))
