// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ranks-more FILE - two ranks call functions of MPI once each: persistent, nonblocking, of
 * neighbours, of windows, of a file
 */
#include <mpi.h>

#define WAIT(request)	MPI_Wait(&(request), MPI_STATUS_IGNORE)

static int rank, all[8], other[8], counts[2] = { 1, 1 }, places[2] = { 0, 1 };

static void requests(void)
{
	MPI_Request requests[2];

	MPI_Send_init(all, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &requests[0]);
	MPI_Recv_init(other, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &requests[1]);
	MPI_Startall(2, requests);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
}

static void collective(void)
{
	int periods[1] = { 1 }, dims[1] = { 2 };
	MPI_Request request;
	MPI_Comm ring, node;

	MPI_Iallgatherv(all, 1, MPI_INT, other, counts, places, MPI_INT, MPI_COMM_WORLD, &request);
	WAIT(request);
	MPI_Ialltoallv(all, counts, places, MPI_INT, other, counts, places, MPI_INT, MPI_COMM_WORLD,
		       &request);
	WAIT(request);
	MPI_Iscan(all, other, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
	WAIT(request);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
	MPI_Comm_free(&node);
	MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
	MPI_Neighbor_allgather(all, 1, MPI_INT, other, 1, MPI_INT, ring);
	MPI_Ineighbor_alltoall(all, 1, MPI_INT, other, 1, MPI_INT, ring, &request);
	WAIT(request);
	MPI_Comm_free(&ring);
}

static void window(void)
{
	MPI_Request request;
	MPI_Win window;

	MPI_Win_create(other, sizeof(other), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
	MPI_Win_lock_all(0, window);
	MPI_Rput(all, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, window, &request);
	WAIT(request);
	MPI_Win_flush_local(1 - rank, window);
	MPI_Win_sync(window);
	MPI_Win_unlock_all(window);
	MPI_Win_free(&window);
}

static void file(const char *name)
{
	MPI_Request request;
	MPI_File file;

	if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file))
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_File_iwrite_at(file, rank * sizeof(int), all, 1, MPI_INT, &request);
	WAIT(request);
	MPI_File_seek(file, rank * sizeof(int), MPI_SEEK_SET);
	MPI_File_iread(file, other, 1, MPI_INT, &request);
	WAIT(request);
	MPI_File_write_ordered(file, all, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_write_all_begin(file, all, 1, MPI_INT);
	MPI_File_write_all_end(file, all, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
	MPI_Barrier(MPI_COMM_WORLD);
	if (!rank)
		MPI_File_delete(name, MPI_INFO_NULL);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	requests();
	collective();
	window();
	file(argv[1]);
	MPI_Finalize();
	return 0;
}
