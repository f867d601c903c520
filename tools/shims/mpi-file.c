// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libevtlog-mpi.so: MPI's files with shared file pointers, ordered access and nonblocking
 * access.
 */
#include <mpi.h>

#include <evtlog/region.h>

#include "shims/mpi-region.h"

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
