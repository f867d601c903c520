// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libevtlog-mpi.so: MPI's windows, to which other processes write, and its files.
 */
#include <mpi.h>

#include <evtlog/region.h>

#include "shims/mpi-region.h"

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
