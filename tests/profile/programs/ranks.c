// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ranks - calls functions of MPI with known counts; rank 0 sends late, so that rank 1 waits
 */
#include <mpi.h>
#include <time.h>

#include <evtlog/region.h>

int main(int argc, char **argv)
{
	const struct timespec late = { .tv_nsec = 5000000 };
	int rank, size, value = 1, sum = 0, to, from, all[64], other[64];
	MPI_Request requests[2];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	to = (rank + 1) % size;
	from = (rank + size - 1) % size;
	for (int i = 0; i < 20; i++) {
		evtlog_region_begin("step");
		MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		evtlog_region_end("step");
	}
	for (int i = 0; i < 3; i++)
		MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < 2; i++) {
		MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
		MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	}
	for (int i = 0; i < 64; i++)
		all[i] = rank;
	MPI_Alltoall(all, 1, MPI_INT, other, 1, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < 5; i++) {
		MPI_Irecv(other, 1, MPI_INT, from, 1, MPI_COMM_WORLD, &requests[0]);
		MPI_Isend(all, 1, MPI_INT, to, 1, MPI_COMM_WORLD, &requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	for (int i = 0; i < 4; i++)
		MPI_Sendrecv(all, 1, MPI_INT, to, 2, other, 1, MPI_INT, from, 2, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
	for (int i = 0; i < 3; i++) {
		if (rank == 0) {
			nanosleep(&late, NULL);
			MPI_Send(all, 64, MPI_INT, 1, 3, MPI_COMM_WORLD);
		} else if (rank == 1) {
			MPI_Recv(other, 64, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
	}
	MPI_Finalize();
	return 0;
}
