// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libevtlog-mpi.so: MPI's functions as called by Fortran: mpi_send_() with mpif.h and the module
 * mpi, mpi_send_f08_() with mpi_f08.  Open MPI's versions call PMPI_Send(), not MPI_Send().
 *
 * All arguments are addresses.  The last one is the error, followed only by the lengths of
 * strings.  The functions called here are weak, because programs in C do not have them.
 */
#include <evtlog/region.h>

#include "shims/mpi-region.h"

#define PARAMETERS1	void *a
#define ARGUMENTS1	a
#define PARAMETERS2	PARAMETERS1, void *b
#define ARGUMENTS2	ARGUMENTS1, b
#define PARAMETERS3	PARAMETERS2, void *c
#define ARGUMENTS3	ARGUMENTS2, c
#define PARAMETERS4	PARAMETERS3, void *d
#define ARGUMENTS4	ARGUMENTS3, d
#define PARAMETERS5	PARAMETERS4, void *e
#define ARGUMENTS5	ARGUMENTS4, e
#define PARAMETERS6	PARAMETERS5, void *f
#define ARGUMENTS6	ARGUMENTS5, f
#define PARAMETERS7	PARAMETERS6, void *g
#define ARGUMENTS7	ARGUMENTS6, g
#define PARAMETERS8	PARAMETERS7, void *h
#define ARGUMENTS8	ARGUMENTS7, h
#define PARAMETERS9	PARAMETERS8, void *i
#define ARGUMENTS9	ARGUMENTS8, i
#define PARAMETERS10	PARAMETERS9, void *j
#define ARGUMENTS10	ARGUMENTS9, j
#define PARAMETERS11	PARAMETERS10, void *k
#define ARGUMENTS11	ARGUMENTS10, k
#define PARAMETERS12	PARAMETERS11, void *l
#define ARGUMENTS12	ARGUMENTS11, l
#define PARAMETERS13	PARAMETERS12, void *m
#define ARGUMENTS13	ARGUMENTS12, m
#define PARAMETERS14	PARAMETERS13, void *n
#define ARGUMENTS14	ARGUMENTS13, n

#define FORTRAN_AS(symbol, name, count, then)					\
	void p##symbol(PARAMETERS##count) __attribute__((weak));		\
	void symbol(PARAMETERS##count);						\
	void symbol(PARAMETERS##count)						\
	{									\
		evtlog_region_begin("MPI_" #name);				\
		p##symbol(ARGUMENTS##count);					\
		then;								\
		evtlog_region_end("MPI_" #name);				\
	}

#define FORTRAN_THEN(lower, name, count, then)					\
	FORTRAN_AS(mpi_##lower##_, name, count, then)				\
	FORTRAN_AS(mpi_##lower##_f08_, name, count, then)

#define FORTRAN(lower, name, count)	FORTRAN_THEN(lower, name, count, )

FORTRAN_THEN(init, Init, 1, mpi_note_rank())
FORTRAN_THEN(init_thread, Init_thread, 3, mpi_note_rank())
FORTRAN(finalize, Finalize, 1)
FORTRAN(send, Send, 7)
FORTRAN(ssend, Ssend, 7)
FORTRAN(bsend, Bsend, 7)
FORTRAN(rsend, Rsend, 7)
FORTRAN(recv, Recv, 8)
FORTRAN(isend, Isend, 8)
FORTRAN(issend, Issend, 8)
FORTRAN(ibsend, Ibsend, 8)
FORTRAN(irsend, Irsend, 8)
FORTRAN(irecv, Irecv, 8)
FORTRAN(start, Start, 2)
FORTRAN(startall, Startall, 3)
FORTRAN(sendrecv, Sendrecv, 13)
FORTRAN(sendrecv_replace, Sendrecv_replace, 10)
FORTRAN(wait, Wait, 3)
FORTRAN(waitall, Waitall, 4)
FORTRAN(waitany, Waitany, 5)
FORTRAN(waitsome, Waitsome, 6)
FORTRAN(test, Test, 4)
FORTRAN(testall, Testall, 5)
FORTRAN(testany, Testany, 6)
FORTRAN(testsome, Testsome, 6)
FORTRAN(probe, Probe, 5)
FORTRAN(iprobe, Iprobe, 6)
FORTRAN(mprobe, Mprobe, 6)
FORTRAN(improbe, Improbe, 7)
FORTRAN(mrecv, Mrecv, 6)
FORTRAN(imrecv, Imrecv, 6)
FORTRAN(barrier, Barrier, 2)
FORTRAN(bcast, Bcast, 6)
FORTRAN(reduce, Reduce, 8)
FORTRAN(allreduce, Allreduce, 7)
FORTRAN(reduce_scatter, Reduce_scatter, 7)
FORTRAN(reduce_scatter_block, Reduce_scatter_block, 7)
FORTRAN(scan, Scan, 7)
FORTRAN(exscan, Exscan, 7)
FORTRAN(gather, Gather, 9)
FORTRAN(gatherv, Gatherv, 10)
FORTRAN(allgather, Allgather, 8)
FORTRAN(allgatherv, Allgatherv, 9)
FORTRAN(scatter, Scatter, 9)
FORTRAN(scatterv, Scatterv, 10)
FORTRAN(alltoall, Alltoall, 8)
FORTRAN(alltoallv, Alltoallv, 10)
FORTRAN(alltoallw, Alltoallw, 10)
FORTRAN(ibarrier, Ibarrier, 3)
FORTRAN(ibcast, Ibcast, 7)
FORTRAN(iallreduce, Iallreduce, 8)
FORTRAN(ireduce, Ireduce, 9)
FORTRAN(igather, Igather, 10)
FORTRAN(iallgather, Iallgather, 9)
FORTRAN(iscatter, Iscatter, 10)
FORTRAN(ialltoall, Ialltoall, 9)
FORTRAN(comm_dup, Comm_dup, 3)
FORTRAN(comm_split, Comm_split, 5)
FORTRAN(comm_create, Comm_create, 4)
FORTRAN(comm_free, Comm_free, 2)
FORTRAN(put, Put, 9)
FORTRAN(get, Get, 9)
FORTRAN(accumulate, Accumulate, 10)
FORTRAN(get_accumulate, Get_accumulate, 13)
FORTRAN(fetch_and_op, Fetch_and_op, 8)
FORTRAN(compare_and_swap, Compare_and_swap, 8)
FORTRAN(win_create, Win_create, 7)
FORTRAN(win_allocate, Win_allocate, 7)
FORTRAN(win_free, Win_free, 2)
FORTRAN(win_fence, Win_fence, 3)
FORTRAN(win_lock, Win_lock, 5)
FORTRAN(win_unlock, Win_unlock, 3)
FORTRAN(win_lock_all, Win_lock_all, 3)
FORTRAN(win_unlock_all, Win_unlock_all, 2)
FORTRAN(win_flush, Win_flush, 3)
FORTRAN(win_flush_all, Win_flush_all, 2)
FORTRAN(win_start, Win_start, 4)
FORTRAN(win_complete, Win_complete, 2)
FORTRAN(win_post, Win_post, 4)
FORTRAN(win_wait, Win_wait, 2)
FORTRAN(file_open, File_open, 7)
FORTRAN(file_close, File_close, 2)
FORTRAN(file_set_view, File_set_view, 8)
FORTRAN(file_sync, File_sync, 2)
FORTRAN(file_read, File_read, 6)
FORTRAN(file_write, File_write, 6)
FORTRAN(file_read_at, File_read_at, 7)
FORTRAN(file_write_at, File_write_at, 7)
FORTRAN(file_read_all, File_read_all, 6)
FORTRAN(file_write_all, File_write_all, 6)
FORTRAN(file_read_at_all, File_read_at_all, 7)
FORTRAN(file_write_at_all, File_write_at_all, 7)
FORTRAN(bsend_init, Bsend_init, 8)
FORTRAN(buffer_attach, Buffer_attach, 3)
FORTRAN(buffer_detach, Buffer_detach, 3)
FORTRAN(cancel, Cancel, 2)
FORTRAN(recv_init, Recv_init, 8)
FORTRAN(request_free, Request_free, 2)
FORTRAN(rsend_init, Rsend_init, 8)
FORTRAN(send_init, Send_init, 8)
FORTRAN(ssend_init, Ssend_init, 8)
FORTRAN(iallgatherv, Iallgatherv, 10)
FORTRAN(ialltoallv, Ialltoallv, 11)
FORTRAN(ialltoallw, Ialltoallw, 11)
FORTRAN(iexscan, Iexscan, 8)
FORTRAN(igatherv, Igatherv, 11)
FORTRAN(neighbor_allgather, Neighbor_allgather, 8)
FORTRAN(ineighbor_allgather, Ineighbor_allgather, 9)
FORTRAN(neighbor_allgatherv, Neighbor_allgatherv, 9)
FORTRAN(ineighbor_allgatherv, Ineighbor_allgatherv, 10)
FORTRAN(neighbor_alltoall, Neighbor_alltoall, 8)
FORTRAN(ineighbor_alltoall, Ineighbor_alltoall, 9)
FORTRAN(neighbor_alltoallv, Neighbor_alltoallv, 10)
FORTRAN(ineighbor_alltoallv, Ineighbor_alltoallv, 11)
FORTRAN(neighbor_alltoallw, Neighbor_alltoallw, 10)
FORTRAN(ineighbor_alltoallw, Ineighbor_alltoallw, 11)
FORTRAN(reduce_local, Reduce_local, 6)
FORTRAN(ireduce_scatter, Ireduce_scatter, 8)
FORTRAN(ireduce_scatter_block, Ireduce_scatter_block, 8)
FORTRAN(iscan, Iscan, 8)
FORTRAN(iscatterv, Iscatterv, 11)
FORTRAN(cart_create, Cart_create, 7)
FORTRAN(cart_sub, Cart_sub, 4)
FORTRAN(comm_accept, Comm_accept, 7)
FORTRAN(comm_connect, Comm_connect, 7)
FORTRAN(comm_create_group, Comm_create_group, 5)
FORTRAN(comm_disconnect, Comm_disconnect, 2)
FORTRAN(comm_idup, Comm_idup, 4)
FORTRAN(comm_dup_with_info, Comm_dup_with_info, 4)
FORTRAN(dist_graph_create, Dist_graph_create, 10)
FORTRAN(dist_graph_create_adjacent, Dist_graph_create_adjacent, 11)
FORTRAN(comm_join, Comm_join, 3)
FORTRAN(comm_spawn, Comm_spawn, 11)
FORTRAN(comm_spawn_multiple, Comm_spawn_multiple, 12)
FORTRAN(comm_split_type, Comm_split_type, 6)
FORTRAN(graph_create, Graph_create, 7)
FORTRAN(intercomm_create, Intercomm_create, 7)
FORTRAN(intercomm_merge, Intercomm_merge, 4)
FORTRAN(raccumulate, Raccumulate, 11)
FORTRAN(rget, Rget, 10)
FORTRAN(rget_accumulate, Rget_accumulate, 14)
FORTRAN(rput, Rput, 10)
FORTRAN(win_allocate_shared, Win_allocate_shared, 7)
FORTRAN(win_attach, Win_attach, 4)
FORTRAN(win_create_dynamic, Win_create_dynamic, 4)
FORTRAN(win_detach, Win_detach, 3)
FORTRAN(win_flush_local, Win_flush_local, 3)
FORTRAN(win_flush_local_all, Win_flush_local_all, 2)
FORTRAN(win_sync, Win_sync, 2)
FORTRAN(win_test, Win_test, 3)
FORTRAN(file_delete, File_delete, 4)
FORTRAN(file_set_size, File_set_size, 3)
FORTRAN(file_preallocate, File_preallocate, 3)
FORTRAN(file_iread_at, File_iread_at, 7)
FORTRAN(file_iwrite_at, File_iwrite_at, 7)
FORTRAN(file_iread_at_all, File_iread_at_all, 7)
FORTRAN(file_iwrite_at_all, File_iwrite_at_all, 7)
FORTRAN(file_iread, File_iread, 6)
FORTRAN(file_iwrite, File_iwrite, 6)
FORTRAN(file_iread_all, File_iread_all, 6)
FORTRAN(file_iwrite_all, File_iwrite_all, 6)
FORTRAN(file_seek, File_seek, 4)
FORTRAN(file_read_shared, File_read_shared, 6)
FORTRAN(file_write_shared, File_write_shared, 6)
FORTRAN(file_iread_shared, File_iread_shared, 6)
FORTRAN(file_iwrite_shared, File_iwrite_shared, 6)
FORTRAN(file_read_ordered, File_read_ordered, 6)
FORTRAN(file_write_ordered, File_write_ordered, 6)
FORTRAN(file_seek_shared, File_seek_shared, 4)
FORTRAN(file_read_at_all_begin, File_read_at_all_begin, 6)
FORTRAN(file_read_at_all_end, File_read_at_all_end, 4)
FORTRAN(file_write_at_all_begin, File_write_at_all_begin, 6)
FORTRAN(file_write_at_all_end, File_write_at_all_end, 4)
FORTRAN(file_read_all_begin, File_read_all_begin, 5)
FORTRAN(file_read_all_end, File_read_all_end, 4)
FORTRAN(file_write_all_begin, File_write_all_begin, 5)
FORTRAN(file_write_all_end, File_write_all_end, 4)
FORTRAN(file_read_ordered_begin, File_read_ordered_begin, 5)
FORTRAN(file_read_ordered_end, File_read_ordered_end, 4)
FORTRAN(file_write_ordered_begin, File_write_ordered_begin, 5)
FORTRAN(file_write_ordered_end, File_write_ordered_end, 4)
