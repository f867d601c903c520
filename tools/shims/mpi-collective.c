// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libevtlog-mpi.so: nonblocking and neighborhood collective calls, persistent requests and
 * communicators.
 */
#include <mpi.h>

#include <evtlog/region.h>

#include "shims/mpi-region.h"

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
