! SPDX-License-Identifier: GPL-2.0-or-later
! ranks - MPI from Fortran, a known number of times; MODULE is mpi or mpi_f08.
program ranks
	use MODULE
	implicit none
	integer :: rank, error, got, step, provided

	call MPI_Init_thread(MPI_THREAD_SINGLE, provided, error)
	call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
	do step = 1, 4
		call MPI_Allreduce(rank, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
		if (got /= 1) error stop 2
	end do
	got = -1
	if (rank == 0) then
		call MPI_Send(step, 1, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, error)
	else
		call MPI_Recv(got, 1, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
		if (got /= 5) error stop 3
	end if
	call MPI_Finalize(error)
end program
